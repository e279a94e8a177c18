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
