package io.holdpoint.store;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import io.holdpoint.agui.Interrupt;
import java.time.Instant;

/**
 * What a person is asked about a call. Immutable.
 *
 * @param kind what an answer is for; the client is not told, and cannot change it
 * @param interrupt what the client sees; its {@code responseSchema} is the one the answer is checked against
 * @param askedAt when the question was stored
 */
public record Question(Kind kind, Interrupt interrupt, Instant askedAt) {

    /** What an answer is for. */
    public enum Kind {
        /** It says whether the call may run. */
        APPROVAL(false),
        /** It is the call's result: the tool has no body. */
        RESULT(false),
        /** It says what came of an attempt that nobody saw the end of. */
        OUTCOME_UNKNOWN(true),
        /** The tool asked while it ran: it runs again and is given the answer. */
        RESTART(true),
        /** The tool asked while it ran: the answer is the call's result. */
        RESPONSE(true),
        /** The tool failed: the answer says whether it is tried again. */
        TOOL_ERROR(true),
        /** This version does not know: another one stored it. */
        @JsonEnumDefaultValue
        UNKNOWN(true);

        private final boolean followsAttempt;

        Kind(boolean followsAttempt) {
            this.followsAttempt = followsAttempt;
        }
    }

    /**
     * Whether this was asked because the call had been attempted already.
     *
     * @return {@code false} if it was asked before anything ran
     */
    public boolean followsAttempt() {
        return kind.followsAttempt;
    }

    /**
     * Whether an answer that decides comes too late.
     *
     * @param now the present
     * @return {@code true} from {@code expiresAt} on
     */
    public boolean isExpired(Instant now) {
        Instant expiresAt = interrupt.expiresAt();
        return expiresAt != null && !now.isBefore(expiresAt);
    }
}
