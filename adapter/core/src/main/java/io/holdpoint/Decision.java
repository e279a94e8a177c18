package io.holdpoint;

import io.holdpoint.agui.ResumeEntry;
import java.util.Optional;

/**
 * An answer to one open interrupt of a thread, for {@link Holdpoint#decide(java.util.List)}. Immutable.
 *
 * @param threadId the thread, as the caller knows it
 * @param answer the answer, which names its interrupt, see {@link PendingInterrupt}
 * @param shown the {@link PendingInterrupt#fingerprint()} of what the person saw; empty if the answer is taken whatever they saw
 */
public record Decision(String threadId, ResumeEntry answer, Optional<String> shown) {

    /** The most decisions of one list. */
    public static final int MAX = 200;

    /** Makes the decision of a person who saw the question like this; an answer to another one is never taken. */
    public static Decision of(AskedQuestion seen, ResumeEntry answer) {
        return new Decision(
                seen.threadId(), answer, Optional.of(seen.interrupt().fingerprint()));
    }
}
