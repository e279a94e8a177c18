package io.holdpoint.follow;

import java.util.Optional;

/**
 * A change of a question, for pages that are open: which one, and what kind of change, nothing of its content; or who looks at it. Immutable.
 *
 * @param position its place, from which a reader can go on
 * @param threadId the thread, as its reader knows it; empty for {@link Kind#OPENED}
 * @param interruptId the question; empty if the change is about all that was open in the thread
 * @param by id of the caller who looks at the question; empty for every other kind
 */
public record QuestionChange(
        long position, Kind kind, Optional<String> threadId, Optional<String> interruptId, Optional<String> by) {

    /** The kind of a change. */
    public enum Kind {
        /**
         * No change: the reader is told of all changes from here on. Of earlier ones it may have missed some, so it reads again what is open.
         * It comes again when the agent is halted or released, and when the database was away, or has lost changes in a failover: positions may
         * be lower then.
         */
        OPENED,
        /** It came. */
        ASKED,
        /** Somebody has approved it, and it needs others as well, or approvals no longer count. */
        VOTED,
        /** Somebody has answered or cancelled it, or it has expired. */
        ANSWERED,
        /** Time has reminded or warned of it, or asks others as well; or somebody has given it more time, or handed it to another one. */
        TIMED,
        /** Its call has come to its end. */
        SETTLED,
        /** No change: somebody else is looking at it, on this node. It comes again as long as they do. */
        LOOKED_AT
    }
}
