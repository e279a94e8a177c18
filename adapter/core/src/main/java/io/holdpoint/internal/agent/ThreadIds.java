package io.holdpoint.internal.agent;

import io.holdpoint.Caller;
import io.holdpoint.ErrorCode;
import io.holdpoint.RunRejectedException;
import io.holdpoint.agui.Agui;

/**
 * Says which thread a client means. Where ids are per user, a thread's id is {@code @owner:id}; its owner may leave the owner
 * out, and does not see it. Immutable.
 */
public record ThreadIds(boolean perUser) {

    private static final char OWNED = '@';
    private static final char OWNER_END = ':';

    /** The thread that a caller means by an id. */
    public String of(Caller caller, String id) {
        if (!perUser) {
            return id;
        }
        if (id.startsWith(prefix(ownerOf(id, caller.id())))) {
            return id;
        }
        String owned = prefix(caller.id()) + id;
        if (Agui.isId(id) && !Agui.isId(owned)) {
            throw new RunRejectedException(
                    ErrorCode.INPUT_INVALID,
                    "threadId: must have at most "
                            + (Agui.MAX_ID_LENGTH - prefix(caller.id()).length()) + " characters for this caller");
        }
        return owned;
    }

    /** The id by which a caller knows a thread. */
    public String toClient(Caller caller, String threadId) {
        String own = prefix(caller.id());
        String known = perUser && threadId.startsWith(own) ? threadId.substring(own.length()) : threadId;
        return of(caller, known).equals(threadId) ? known : threadId;
    }

    /** Tells whether a thread that does not exist may become the caller's. */
    public boolean mayStart(Caller caller, String threadId) {
        return !perUser || threadId.startsWith(prefix(caller.id()));
    }

    /** An id that names no owner in the one way in which owners are written is the caller's. */
    private static String ownerOf(String id, String otherwise) {
        int end = id.indexOf(OWNER_END);
        if (end < 2 || id.charAt(0) != OWNED) {
            return otherwise;
        }
        return id.substring(1, end).replace("%3A", ":").replace("%25", "%");
    }

    private static String prefix(String owner) {
        return OWNED + owner.replace("%", "%25").replace(":", "%3A") + OWNER_END;
    }
}
