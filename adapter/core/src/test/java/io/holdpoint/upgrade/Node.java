package io.holdpoint.upgrade;

import java.util.List;

/** A node of some version, in words that all versions share: types of the JDK. The outcomes are the names that the versions have for them. */
public interface Node {

    /** Sends a message of the owner. */
    String send(String threadId, String text);

    /** Approves questions in one list, as a client does. */
    String approve(String person, String threadId, List<String> interruptIds);

    /** Approves one question without a run of one's own; the version before has nothing of that kind. */
    String decide(String person, String threadId, String interruptId);

    /** Gives up all open questions of the thread. */
    String cancel(String threadId);

    /** The ids of the open questions. */
    List<String> pending(String threadId);

    /** Does what is due, and tells in how many threads; the version before has nothing of that kind. */
    int actOnTime();
}
