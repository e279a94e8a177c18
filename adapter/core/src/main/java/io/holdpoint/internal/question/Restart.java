package io.holdpoint.internal.question;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.ToolInterrupt;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.internal.Ids;
import io.holdpoint.internal.gate.MethodArguments;
import io.holdpoint.internal.gate.ModelTexts;
import io.holdpoint.store.Call;
import io.holdpoint.store.Call.Answer;
import io.holdpoint.store.Call.Question;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What the tool asked while it ran: it is executed again, with the same arguments, and is given the answer. */
public record Restart() implements QuestionKind {

    static final Restart KIND = new Restart();

    /**
     * Asks what a tool wants to know.
     *
     * @param call a claimed call
     * @param interrupt what its tool asks
     * @param now the present
     * @return the question, with a new interrupt id
     */
    public static Question ask(Call call, ToolInterrupt interrupt, Instant now) {
        ObjectNode metadata = interrupt.clientMetadata();
        Payloads.describe(metadata, call.toolName(), Decision.again(call).arguments());
        return new Question(
                interrupt.isAnsweredWithResult() ? Question.Kind.RESPONSE : Question.Kind.RESTART,
                new Interrupt(
                        Ids.interrupt(),
                        interrupt.reason(),
                        interrupt.message(),
                        call.toolCallId(),
                        interrupt.responseSchema(),
                        interrupt.expiry().map(now::plus).orElse(null),
                        metadata),
                now);
    }

    @Override
    public List<String> violations(Question question, Optional<JsonNode> payload, SchemaCheck check) {
        return Payloads.violations(question, payload, check);
    }

    @Override
    public Optional<ObjectNode> wouldRun(Question question, JsonNode payload) {
        return Optional.of(Payloads.shown(question));
    }

    @Override
    public Decision decide(Call call, Question question, Answer answer, MethodArguments tool) {
        if (answer.how() != Answer.How.RESOLVED) {
            return new Decision.Settle(Call.State.FAILED, ModelTexts.unfinished(call.toolName()));
        }
        Decision.Execute again = Decision.again(call);
        return Payloads.showed(question, again) ? again : Decision.notAgain(call, ModelTexts.ARGUMENTS_CHANGED);
    }

    /**
     * What the tool was told so far. What was said about other arguments, before a person edited them, does not count.
     *
     * @param call a call
     * @param execute what is about to be executed
     * @return the payloads of the answers to what the tool itself has asked, oldest first
     */
    public static List<JsonNode> answers(Call call, Decision.Execute execute) {
        List<JsonNode> answers = new ArrayList<>();
        for (Call.Asked asked : call.asked()) {
            Question question = asked.question();
            JsonNode payload = asked.answer().map(answer -> answer.payload()).orElse(null);
            if (question.kind() == Question.Kind.RESTART && payload != null && Payloads.showed(question, execute)) {
                answers.add(payload.deepCopy());
            }
        }
        return answers;
    }
}
