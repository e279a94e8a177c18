package io.holdpoint.reach;

/**
 * Tells people of questions: that they are asked, that time is running out, and what came of it. Given to
 * {@link Reach#notifier}.
 *
 * <p>It is told of what is stored, at least once, also after a crash, by one of the servers at a time: within two seconds by the one
 * that has asked, or within twelve if that has died. A notice that comes again has the same {@link Notice#id}. It is called on a
 * thread of its own, one notice after another, so it delays no run and no other notifier; it needs a time limit for what it waits for. One that
 * hangs for two minutes loses its place to another server, which tells the notice again.
 *
 * <p>After an exception it is called twice more at once. Then the notice waits, for ten seconds at first and an hour at last, and the
 * next ones come, new ones first; after 20 attempts, more than nine hours later, it is kept and counted, and not tried again by itself. It cannot change a
 * decision.
 */
@FunctionalInterface
public interface ApprovalNotifier {

    /**
     * Tells people.
     *
     * @throws Exception if they could not be told, which is tried again
     */
    void tell(Notice notice) throws Exception;
}
