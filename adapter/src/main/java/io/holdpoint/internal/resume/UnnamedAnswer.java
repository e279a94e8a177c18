package io.holdpoint.internal.resume;

import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.store.Hold;
import io.holdpoint.store.Question;
import io.holdpoint.store.Store;
import io.holdpoint.store.ThreadRecord;
import java.util.List;
import java.util.Optional;

/**
 * The draft dialect may leave out which interrupt an answer is for. Such an answer may come twice, late, or from another tab,
 * and must not decide about what its client has never seen: it counts as long as it can only mean one interrupt, the only
 * one that the thread has ever issued.
 */
public final class UnnamedAnswer {

    private UnnamedAnswer() {}

    /**
     * Names the interrupt.
     *
     * @param store knows which interrupts there were
     * @param thread what is known of the input's thread
     * @param input what came in
     * @return the input; an entry without id has the one that it can only mean, or none still
     */
    public static RunAgentInput named(Store store, Optional<ThreadRecord> thread, RunAgentInput input) {
        if (input.resume().stream().noneMatch(UnnamedAnswer::isUnnamed)) {
            return input;
        }
        return thread.flatMap(ThreadRecord::hold)
                .flatMap(UnnamedAnswer::onlyQuestion)
                .filter(only -> store.countInterrupts(input.threadId(), 2) == 1)
                .map(only -> named(input, only.interrupt().id()))
                .orElse(input);
    }

    static boolean isUnnamed(ResumeEntry entry) {
        return entry.interruptId().isEmpty();
    }

    private static Optional<Question> onlyQuestion(Hold hold) {
        List<Question> questions =
                hold.calls().stream().flatMap(call -> call.questions().stream()).toList();
        return questions.size() == 1 ? Optional.of(questions.get(0)) : Optional.empty();
    }

    private static RunAgentInput named(RunAgentInput input, String interruptId) {
        return input.withResume(input.resume().stream()
                .map(entry -> isUnnamed(entry)
                        ? new ResumeEntry(interruptId, entry.status(), entry.payload(), entry.metadata())
                        : entry)
                .toList());
    }
}
