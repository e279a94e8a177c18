package io.holdpoint.agents;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.internal.gate.ApprovalForm;
import io.holdpoint.internal.gate.ToolArguments;
import io.holdpoint.internal.question.QuestionKind;
import io.holdpoint.internal.question.Restart;
import io.holdpoint.store.Call;
import io.holdpoint.store.Call.Answer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The answers to a question of an agent in a tool: perhaps an edit that somebody else had to approve, and the last answer. */
record Given(Optional<Answer> edit, Answer answer) {

    /** The answers that a call has, by the ids of the interrupts of the agent that works in it. */
    static Map<String, Given> of(List<Call.Asked> ofCall) {
        Map<String, List<Call.Asked>> answered = new HashMap<>();
        for (Call.Asked asked : ofCall) {
            String id = Restart.askedAs(asked.question());
            if (!id.isEmpty()) {
                answered.computeIfAbsent(id, unseen -> new ArrayList<>()).add(asked);
            }
        }
        Map<String, Given> given = new HashMap<>();
        answered.forEach((id, asked) -> given.put(id, given(asked)));
        return given;
    }

    /** The other agent has seen none of the edits before the last answer, so they arrive there together, in the name of the last editor. */
    private static Given given(List<Call.Asked> asked) {
        Call.Asked last = asked.get(asked.size() - 1);
        Answer answer = last.answer().orElseThrow();
        int first = asked.size() - 1;
        while (first > 0 && isApprovedIn(asked.get(first - 1), asked.get(first))) {
            first--;
        }
        boolean runs = QuestionKind.of(last.question())
                .wouldRun(last.question(), payload(last))
                .isPresent();
        if (first == asked.size() - 1 || !runs || !(payload(last) instanceof ObjectNode approval)) {
            return new Given(Optional.empty(), answer);
        }
        ObjectNode edits = AguiCodec.mapper().createObjectNode();
        asked.subList(first, asked.size())
                .forEach(edit -> ApprovalForm.sentEdits(payload(edit)).ifPresent(edits::setAll));
        ObjectNode together = ApprovalForm.withEdits(approval.deepCopy(), edits);
        if (approval.has(ApprovalForm.EDITS)) {
            return new Given(Optional.empty(), with(together, answer));
        }
        Answer edit = asked.get(asked.size() - 2).answer().orElseThrow();
        return new Given(Optional.of(with(together, edit)), answer);
    }

    /** Checks whether a question shows the call as the answer to the one before has edited it. */
    private static boolean isApprovedIn(Call.Asked edit, Call.Asked next) {
        ObjectNode shown = ToolArguments.canonical(
                PendingInterrupt.of(next.question().interrupt()).arguments());
        return QuestionKind.isEdited(edit.question(), payload(edit))
                && QuestionKind.of(edit.question())
                        .wouldRun(edit.question(), payload(edit))
                        .filter(shown::equals)
                        .isPresent();
    }

    private static Answer with(ObjectNode payload, Answer given) {
        return new Answer(given.how(), payload, given.answeredBy(), given.answeredAt(), given.roles(), given.via());
    }

    private static JsonNode payload(Call.Asked asked) {
        return asked.answer().map(Answer::payload).orElseGet(NullNode::getInstance);
    }
}
