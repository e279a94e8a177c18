package io.holdpoint.agents;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.internal.gate.Edits;
import io.holdpoint.internal.gate.Gate;
import io.holdpoint.internal.gate.ToolArguments;
import io.holdpoint.internal.question.QuestionKind;
import io.holdpoint.internal.question.Restart;
import io.holdpoint.store.Call;
import io.holdpoint.store.Call.Answer;
import io.holdpoint.store.Call.Question;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The last answer to a question of an agent in a tool, as it was asked here, and perhaps the edit that it approves. */
record Given(Optional<Answer> edit, Call.Asked last) {

    /** The answers that a call has, by the ids of the interrupts of the agent that works in it. */
    static Map<String, Given> of(List<Call.Asked> ofCall) {
        Map<String, Given> given = new HashMap<>();
        Map<String, Call.Asked> before = new HashMap<>();
        for (Call.Asked asked : ofCall) {
            String id = Restart.askedAs(asked.question());
            if (!id.isEmpty()) {
                Optional<Answer> edit = Optional.ofNullable(before.put(id, asked))
                        .filter(earlier -> isApprovedIn(earlier, asked))
                        .flatMap(Call.Asked::answer);
                given.put(id, new Given(edit, asked));
            }
        }
        return given;
    }

    Answer answer() {
        return last.answer().orElseThrow();
    }

    /** The answer to the question about the edited call. */
    Given withoutEdit() {
        return new Given(Optional.empty(), last);
    }

    /** Checks whether a question of the other agent shows the call, and what rules say of it, as the one that was answered here. */
    boolean isOf(Question question, Set<String> rules) {
        return Stream.concat(Stream.of("args"), rules.stream())
                .allMatch(part -> Edits.isSame(
                        Gate.metadata(question).path(part),
                        Gate.metadata(last.question()).path(part)));
    }

    /**
     * Checks whether a question shows the call as the answer to the one before has edited it, and was answered with an approval of just that. An edit
     * replaces all arguments, also those of an edit before it, so the other agent need not see that one.
     */
    private static boolean isApprovedIn(Call.Asked edit, Call.Asked next) {
        ObjectNode shown = ToolArguments.canonical(
                PendingInterrupt.of(next.question().interrupt()).arguments());
        JsonNode approval = payload(next);
        return !QuestionKind.isEdited(next.question(), approval)
                && QuestionKind.of(next.question())
                        .wouldRun(next.question(), approval)
                        .isPresent()
                && QuestionKind.isEdited(edit.question(), payload(edit))
                && QuestionKind.of(edit.question())
                        .wouldRun(edit.question(), payload(edit))
                        .filter(shown::equals)
                        .isPresent();
    }

    private static JsonNode payload(Call.Asked asked) {
        return asked.answer().map(Answer::payload).orElseGet(NullNode::getInstance);
    }
}
