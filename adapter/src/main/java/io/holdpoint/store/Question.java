package io.holdpoint.store;

import io.holdpoint.agui.Interrupt;
import java.time.Instant;

/**
 * What a person is asked about a call. Immutable.
 *
 * @param interrupt what the client sees; its {@code responseSchema} is the one the answer is checked against
 * @param askedAt when the question was stored
 */
public record Question(Interrupt interrupt, Instant askedAt) {

    /** The reason of an interrupt that asks about an attempt of unknown outcome. */
    public static final String OUTCOME_UNKNOWN = "langchain4j:outcome_unknown";

    /**
     * Whether this was asked because the call had been attempted already.
     *
     * @return {@code true} for a question about an attempt of unknown outcome
     */
    public boolean followsAttempt() {
        return interrupt.reason().equals(OUTCOME_UNKNOWN);
    }

    /**
     * Whether an approval comes too late.
     *
     * @param now the present
     * @return {@code true} from {@code expiresAt} on
     */
    public boolean isExpired(Instant now) {
        Instant expiresAt = interrupt.expiresAt();
        return expiresAt != null && !now.isBefore(expiresAt);
    }
}
