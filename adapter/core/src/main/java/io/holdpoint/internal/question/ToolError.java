package io.holdpoint.internal.question;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.internal.Ids;
import io.holdpoint.internal.gate.ApprovalForm;
import io.holdpoint.internal.gate.Gate;
import io.holdpoint.internal.gate.GatedTool;
import io.holdpoint.internal.gate.MethodArguments;
import io.holdpoint.internal.gate.ModelTexts;
import io.holdpoint.internal.gate.ToolArguments;
import io.holdpoint.store.Call;
import io.holdpoint.store.Call.Answer;
import io.holdpoint.store.Call.Question;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The tool failed: shall it be tried again? The answer is
 * {@code {"action": "retry" | "give_up", "editedArgs"?: {...}, "note"?: "..."}}; {@code editedArgs} is read only with
 * {@code retry}. Cancelling the question gives up.
 */
public record ToolError() implements QuestionKind {

    static final ToolError KIND = new ToolError();

    /** Asks about a call whose last attempt failed with this error, as the model would be told, and which would run with these arguments. */
    public static Question ask(Call call, String arguments, String error, GatedTool tool, Instant now) {
        ObjectNode metadata = AguiCodec.mapper().createObjectNode();
        ObjectNode langchain4j = Payloads.describe(metadata, call, arguments);
        langchain4j.put("error", error);
        langchain4j.put("attempts", call.attempts().size());
        tool.reversibility().ifPresent(found -> langchain4j.put("reversibility", found.wireName()));
        Interrupt interrupt = new Interrupt(
                Ids.interrupt(),
                PendingInterrupt.Failure.REASON,
                ModelTexts.failedQuestion(call.toolName()),
                call.toolCallId(),
                Payloads.actionSchema(
                        "retry: run it again. give_up: tell the model that it failed.",
                        tool.editedArgs(ToolArguments.read(arguments)),
                        "For give_up: what the model should know. Passed on as said by a person.",
                        "retry",
                        "give_up"),
                null,
                metadata);
        return new Question(Question.Kind.TOOL_ERROR, interrupt, now);
    }

    @Override
    public List<String> violations(Question question, Optional<JsonNode> payload, SchemaCheck check) {
        ObjectNode schema = question.interrupt().responseSchema();
        if (schema == null || !(payload.orElse(null) instanceof ObjectNode answer)) {
            return List.of(": must be a JSON object such as {\"action\": \"give_up\"}");
        }
        List<String> undeclared = ApprovalForm.undeclared(schema, answer);
        if (!undeclared.isEmpty()) {
            return undeclared;
        }
        ObjectNode relevant = Payloads.withoutNulls(answer, schema);
        ApprovalForm form = ApprovalForm.of(question);
        if (!retries(answer)) {
            relevant.remove(ApprovalForm.EDITS);
        }
        Optional<String> excess = ApprovalForm.excess(relevant);
        if (excess.isPresent()) {
            return List.of(excess.get());
        }
        List<String> violations = new ArrayList<>(check.violations(schema, form.withoutOptionalNulls(relevant)));
        violations.addAll(form.editViolations(relevant));
        return violations;
    }

    @Override
    public Optional<ObjectNode> wouldRun(Question question, JsonNode payload) {
        return retries(payload) ? Optional.of(ApprovalForm.of(question).wouldRun(payload)) : Optional.empty();
    }

    @Override
    public NextStep decide(Call call, Question question, Answer answer, MethodArguments tool) {
        JsonNode payload = answer.payload();
        if (payload == null) {
            return new NextStep.Settle(Call.State.FAILED, ModelTexts.notTriedAgain(error(question)));
        }
        if (!retries(payload)) {
            return givesUp(question, payload);
        }
        Optional<NextStep.Execute> shown = NextStep.asShown(call, question, tool);
        if (shown.isEmpty()) {
            return NextStep.notAgain(call, ModelTexts.ARGUMENTS_CHANGED);
        }
        Optional<ObjectNode> edits = ApprovalForm.of(question).edits(payload);
        return edits.isPresent() ? NextStep.edited(call, tool, edits.get()) : shown.get();
    }

    /** The failure that a question is about, as the model would be told. */
    public static String error(Question question) {
        return Gate.metadata(question).path("error").asText();
    }

    private static NextStep givesUp(Question question, JsonNode payload) {
        return new NextStep.Settle(
                Call.State.FAILED,
                ModelTexts.gaveUp(
                        error(question), Payloads.text(payload, "note").orElse(null)));
    }

    private static boolean retries(JsonNode payload) {
        return Payloads.text(payload, "action").filter("retry"::equals).isPresent();
    }
}
