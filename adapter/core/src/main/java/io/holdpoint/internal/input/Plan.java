package io.holdpoint.internal.input;

import io.holdpoint.ErrorCode;
import io.holdpoint.agui.Message;
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
     * @param heard new messages of the input: if the run is held before it comes to them, the client must keep them, and
     *     they count as new when they are sent again
     */
    record Accepted(Commit commit, List<Step> steps, List<Message> heard) implements Plan {

        /** Copies the lists. */
        public Accepted {
            heard = List.copyOf(heard);
            steps = List.copyOf(steps);
        }
    }
}
