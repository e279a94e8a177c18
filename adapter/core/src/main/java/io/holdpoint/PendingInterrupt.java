package io.holdpoint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.internal.gate.Remembering;
import io.holdpoint.internal.question.OutcomeUnknown;
import io.holdpoint.internal.question.ToolApproval;
import io.holdpoint.internal.question.ToolError;
import io.holdpoint.store.Grant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An interrupt that waits for an answer, with what makes the answers. Immutable; making an answer does not send it: give
 * the answers to all interrupts of a thread to {@link Holdpoint#resume} together.
 *
 * @param interrupt as the client sees it
 */
public record PendingInterrupt(Interrupt interrupt) {

    /**
     * The interrupt's id.
     *
     * @return the id
     */
    public String id() {
        return interrupt.id();
    }

    /**
     * Why the run stopped.
     *
     * @return {@code tool_call} for an approval, {@code input_required} or {@code confirmation} for a question of
     *     {@link AsksUser}, {@code langchain4j:outcome_unknown} for a call that was interrupted
     */
    public String reason() {
        return interrupt.reason();
    }

    /**
     * What the person is asked.
     *
     * @return the sentence; empty if there is none
     */
    public String message() {
        return Optional.ofNullable(interrupt.message()).orElse("");
    }

    /**
     * The tool that waits.
     *
     * @return its name as the model sees it; empty if the interrupt is not about a tool
     */
    public String toolName() {
        return langchain4j().path("toolName").asText();
    }

    /**
     * The complete arguments as they would run.
     *
     * @return a JSON object; a copy
     */
    public ObjectNode arguments() {
        return langchain4j().get("args") instanceof ObjectNode arguments
                ? arguments.deepCopy()
                : AguiCodec.mapper().createObjectNode();
    }

    /**
     * What the tool's {@link ApprovalPreview} gave.
     *
     * @return a copy; empty if the tool has none, or if it failed, which {@code metadata.langchain4j.previewError} says
     */
    public Optional<JsonNode> preview() {
        return Optional.ofNullable(langchain4j().get("preview")).map(JsonNode::deepCopy);
    }

    /**
     * Any answer; it has to match the interrupt's {@code responseSchema}.
     *
     * @param payload the answer; copied
     * @return the answer
     */
    public ResumeEntry answer(JsonNode payload) {
        return ResumeEntry.resolved(id(), payload.deepCopy());
    }

    /**
     * Any answer; it has to match the interrupt's {@code responseSchema}: a boolean, a number, a text, an enum, a record, a
     * list or map of those.
     *
     * @param value is written as JSON
     * @return the answer
     * @throws IllegalArgumentException if it cannot be written as JSON
     */
    public ResumeEntry answer(Object value) {
        return ResumeEntry.resolved(id(), AguiCodec.mapper().<JsonNode>valueToTree(value));
    }

    /**
     * Executes the call as proposed: {@code {"approved": true}}.
     *
     * @return the answer
     * @throws IllegalStateException if the interrupt does not ask for an approval
     */
    public ResumeEntry approve() {
        return ResumeEntry.resolved(id(), approval(true));
    }

    /**
     * Executes the call as proposed, and has the decision remembered for as long as the tool allows:
     * {@code {"approved": true, "remember": "tool"}}. Refused ({@link ErrorCode#INTERRUPT_PAYLOAD_INVALID}) if the tool does
     * not allow it, see {@link RequiresApproval#remember()}.
     *
     * @param calls which calls need not be asked about
     * @return the answer
     * @throws IllegalStateException if the interrupt does not ask for an approval
     */
    public ResumeEntry approveAndRemember(Grant.Scope calls) {
        return ResumeEntry.resolved(id(), approval(true).put(Remembering.REMEMBER, calls.wireName()));
    }

    /**
     * Executes the call as proposed, and has the decision remembered for a while:
     * {@code {"approved": true, "remember": "tool", "rememberMinutes": 10}}.
     *
     * @param calls which calls need not be asked about
     * @param minutes for how long; at least 1, and not more than the tool allows
     * @return the answer
     * @throws IllegalStateException if the interrupt does not ask for an approval
     */
    public ResumeEntry approveAndRemember(Grant.Scope calls, int minutes) {
        return ResumeEntry.resolved(
                id(), approval(true).put(Remembering.REMEMBER, calls.wireName()).put(Remembering.MINUTES, minutes));
    }

    /**
     * Executes the call with these arguments instead: {@code {"approved": true, "editedArgs": {...}}}.
     *
     * @param arguments all arguments of the tool; a full replacement, nothing is merged
     * @return the answer
     * @throws IllegalArgumentException if a value cannot be written as JSON
     * @throws IllegalStateException if the interrupt does not ask for an approval
     */
    public ResumeEntry approveWith(Map<String, ?> arguments) {
        return approveWith(AguiCodec.mapper().<ObjectNode>valueToTree(arguments));
    }

    /**
     * Executes the call with these arguments instead: {@code {"approved": true, "editedArgs": {...}}}.
     *
     * @param arguments all arguments of the tool; a full replacement, nothing is merged
     * @return the answer
     * @throws IllegalStateException if the interrupt does not ask for an approval
     */
    public ResumeEntry approveWith(ObjectNode arguments) {
        ObjectNode payload = approval(true);
        payload.set("editedArgs", arguments.deepCopy());
        return ResumeEntry.resolved(id(), payload);
    }

    /**
     * Does not execute the call: {@code {"approved": false}}.
     *
     * @return the answer
     * @throws IllegalStateException if the interrupt does not ask for an approval
     */
    public ResumeEntry deny() {
        return deny(null);
    }

    /**
     * Does not execute the call, and tells the model why: {@code {"approved": false, "reason": "..."}}.
     *
     * @param reason for the model; quoted to it, and cut at 1,000 characters
     * @return the answer
     * @throws IllegalStateException if the interrupt does not ask for an approval
     */
    public ResumeEntry deny(@Nullable String reason) {
        ObjectNode payload = approval(false);
        if (reason != null) {
            payload.put("reason", reason);
        }
        return ResumeEntry.resolved(id(), payload);
    }

    /**
     * Gives the result of the call in place of the tool, which does not run: {@code {"approved": false, "response": "..."}}.
     *
     * @param result for the model, which is told that a person supplied it; cut as a tool's result is
     * @return the answer; refused unless the tool allows it ({@link RequiresApproval#respond()})
     * @throws IllegalStateException if the interrupt does not ask for an approval
     */
    public ResumeEntry respond(String result) {
        return respond(TextNode.valueOf(result));
    }

    /**
     * Gives the result of the call in place of the tool, which does not run: {@code {"approved": false, "response": ...}}.
     *
     * @param result any JSON but {@code null}; the model gets it as text
     * @return the answer; refused unless the tool allows it ({@link RequiresApproval#respond()})
     * @throws IllegalArgumentException if the result is JSON {@code null}: that would deny the call
     * @throws IllegalStateException if the interrupt does not ask for an approval
     */
    public ResumeEntry respond(JsonNode result) {
        if (result.isNull() || result.isMissingNode()) {
            throw new IllegalArgumentException("null is no result; deny the call, or respond with a text");
        }
        ObjectNode payload = approval(false);
        payload.set("response", result.deepCopy());
        return ResumeEntry.resolved(id(), payload);
    }

    /**
     * Executes a call again that was interrupted or has failed, with the arguments of {@link #arguments()}:
     * {@code {"action": "retry"}}.
     *
     * @return the answer
     * @throws IllegalStateException if the interrupt asks about something else
     */
    public ResumeEntry retry() {
        String expected = reason().equals(ToolError.REASON) ? ToolError.REASON : OutcomeUnknown.REASON;
        return ResumeEntry.resolved(id(), action(expected, "retry", null));
    }

    /**
     * Executes a call again that has failed, with these arguments: {@code {"action": "retry", "editedArgs": {...}}}.
     *
     * @param arguments all arguments of the tool; a full replacement, nothing is merged
     * @return the answer
     * @throws IllegalArgumentException if a value cannot be written as JSON
     * @throws IllegalStateException if the interrupt asks about something else
     */
    public ResumeEntry retryWith(Map<String, ?> arguments) {
        ObjectNode payload = action(ToolError.REASON, "retry", null);
        payload.set("editedArgs", AguiCodec.mapper().<ObjectNode>valueToTree(arguments));
        return ResumeEntry.resolved(id(), payload);
    }

    /**
     * Has the model told that a call failed: {@code {"action": "give_up", "note": "..."}}.
     *
     * @param note for the model, or {@code null}; quoted to it, and cut at 1,000 characters
     * @return the answer
     * @throws IllegalStateException if the interrupt asks about something else
     */
    public ResumeEntry giveUp(@Nullable String note) {
        return ResumeEntry.resolved(id(), action(ToolError.REASON, "give_up", note));
    }

    /**
     * Says that a call that was interrupted took effect; it is not executed again:
     * {@code {"action": "done", "note": "..."}}.
     *
     * @param note for the model, the result for instance, or {@code null}; quoted to it, and cut at 1,000 characters
     * @return the answer
     * @throws IllegalStateException if the interrupt does not ask about a call of unknown outcome
     */
    public ResumeEntry done(@Nullable String note) {
        return ResumeEntry.resolved(id(), action(OutcomeUnknown.REASON, "done", note));
    }

    /**
     * Says that a call that was interrupted had no effect; it is not executed again:
     * {@code {"action": "not_done", "note": "..."}}.
     *
     * @param note for the model, or {@code null}; quoted to it, and cut at 1,000 characters
     * @return the answer
     * @throws IllegalStateException if the interrupt does not ask about a call of unknown outcome
     */
    public ResumeEntry notDone(@Nullable String note) {
        return ResumeEntry.resolved(id(), action(OutcomeUnknown.REASON, "not_done", note));
    }

    /**
     * Lets go of the question without deciding. The call is not executed, or not again.
     *
     * @return the answer
     */
    public ResumeEntry cancel() {
        return ResumeEntry.cancelled(id());
    }

    private ObjectNode approval(boolean approved) {
        requireReason(ToolApproval.REASON);
        return AguiCodec.mapper().createObjectNode().put("approved", approved);
    }

    private ObjectNode action(String expected, String action, @Nullable String note) {
        requireReason(expected);
        ObjectNode payload = AguiCodec.mapper().createObjectNode().put("action", action);
        return note == null ? payload : payload.put("note", note);
    }

    private void requireReason(String expected) {
        if (!reason().equals(expected)) {
            throw new IllegalStateException(
                    "The interrupt " + id() + " has the reason " + reason() + ": this is an answer to " + expected);
        }
    }

    private JsonNode langchain4j() {
        ObjectNode metadata = interrupt.metadata();
        return metadata == null ? AguiCodec.mapper().createObjectNode() : metadata.path("langchain4j");
    }
}
