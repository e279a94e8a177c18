package io.holdpoint.internal.resume;

import io.holdpoint.ErrorCode;
import io.holdpoint.store.Commit;
import java.util.List;

/** What an input comes to. */
public sealed interface Plan {

    /**
     * It is refused; nothing was consumed.
     *
     * @param code why
     * @param message what is wrong and what to do
     */
    record Rejected(ErrorCode code, String message) implements Plan {}

    /**
     * It is accepted.
     *
     * @param commit what becomes true by it, before the first step
     * @param steps what to do; none to present the thread as it is
     */
    record Accepted(Commit commit, List<Step> steps) implements Plan {

        /** Copies the list. */
        public Accepted {
            steps = List.copyOf(steps);
        }
    }
}
