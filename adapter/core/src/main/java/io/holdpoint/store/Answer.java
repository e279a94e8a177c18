package io.holdpoint.store;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdpoint.agui.ResumeEntry;
import java.time.Instant;

/**
 * What settled a question. Immutable. Of what the client sent, only what is read later is kept: no metadata, and no payload
 * unless it decides.
 *
 * @param how what kind of answer this is
 * @param entry the resume entry that the client sent; for an expired question one that cancels it
 * @param answeredBy id of the caller whose input it came with
 * @param answeredAt when the answer was accepted
 */
public record Answer(How how, ResumeEntry entry, String answeredBy, Instant answeredAt) {

    /** Drops what nobody reads: nobody checks it either. */
    public Answer {
        String interruptId = entry.interruptId();
        JsonNode payload = entry.payload();
        entry = how == How.RESOLVED
                ? new ResumeEntry(interruptId, ResumeEntry.Status.RESOLVED, payload, null)
                : ResumeEntry.cancelled(interruptId);
    }

    /** What kind of answer it is. */
    public enum How {
        /** The person decided; the payload says what. */
        RESOLVED,
        /** The person let go of the question without deciding. */
        CANCELLED,
        /** The person let go of everything to say something else: nothing of the batch runs any more. */
        STEERED_AWAY,
        /** Nobody answered in time: nothing of the batch runs any more. */
        EXPIRED
    }
}
