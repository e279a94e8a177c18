package io.holdpoint.internal.run;

import io.holdpoint.agui.Message;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.internal.turn.Run;
import io.holdpoint.store.Batch;
import java.util.List;
import java.util.Optional;

/** Finds the final text of a turn again, for a caller that gives the same answers once more because it did not hear it. */
final class GivenAnswer {

    private final Run run;

    GivenAnswer(Run run) {
        this.run = run;
    }

    /** The text; empty if the turn that was answered has none, or is not kept any more. */
    String to(List<ResumeEntry> repeated) {
        Optional<Batch> batch = repeated.isEmpty()
                ? Optional.empty()
                : run.store.findByInterrupt(run.threadId, repeated.get(0).interruptId());
        if (batch.isEmpty()) {
            return "";
        }
        String answered = batch.get().turn().userMessageId();
        String text = "";
        for (Message message : run.store.transcriptAfter(run.threadId, answered)) {
            if (message instanceof Message.User) {
                break;
            } else if (message instanceof Message.Assistant assistant) {
                text = assistant.toolCalls().isEmpty() && assistant.content() != null ? assistant.content() : "";
            }
        }
        return text;
    }
}
