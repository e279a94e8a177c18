package io.holdpoint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.internal.gate.ApprovalForm;
import io.holdpoint.internal.gate.ArgumentPath;
import io.holdpoint.internal.gate.EditedQuestion;
import io.holdpoint.internal.gate.Gate;
import io.holdpoint.internal.gate.ToolArguments;
import io.holdpoint.store.Grant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An interrupt that waits for an answer. Its kind has the methods that make the answers: an {@link Approval} is approved or
 * denied, an {@link Input} is answered, a {@link Failure} is retried or given up, an {@link UnknownOutcome} is reported as done
 * or not done. Every kind can be {@linkplain #cancel() cancelled}. {@code instanceof} tells the kinds apart, and from Java 21 on an
 * exhaustive {@code switch}.
 *
 * <p>Immutable. Making an answer does not send it: give the answers to all interrupts of a thread to {@link Holdpoint#resume}
 * together. A value that cannot be written as JSON is an {@link IllegalArgumentException}.
 */
public sealed interface PendingInterrupt {

    /** Reads an interrupt as one of the four kinds, by its reason. */
    static PendingInterrupt of(Interrupt interrupt) {
        return switch (interrupt.reason()) {
            case Approval.REASON -> new Approval(interrupt);
            case Failure.REASON -> new Failure(interrupt);
            case UnknownOutcome.REASON -> new UnknownOutcome(interrupt);
            default -> new Input(interrupt);
        };
    }

    /** Returns the AG-UI interrupt, as the client sees it. */
    Interrupt interrupt();

    /** Returns the interrupt's id. */
    default String id() {
        return interrupt().id();
    }

    /**
     * Returns the reason of the interrupt, which also tells its kind: {@code tool_call} for an {@link Approval};
     * {@code input_required}, {@code confirmation} or the application's own for an {@link Input}; {@code langchain4j:tool_error} for a
     * {@link Failure}; {@code langchain4j:outcome_unknown} for an {@link UnknownOutcome}.
     */
    default String reason() {
        return interrupt().reason();
    }

    /**
     * Returns a hash of what a person is shown and decides about: the sentence, the call with its arguments, and what rules say of it; not the form, which does not change while a question is open. It stays as it is when votes come, steps of time are taken, more
     * time is given, it is handed over, or somebody else looks. {@link Decision#shown} has it.
     */
    default String fingerprint() {
        ObjectNode shown = (ObjectNode) AguiCodec.toTree(interrupt());
        shown.remove(List.of("expiresAt", "responseSchema"));
        if (shown.at("/metadata/langchain4j") instanceof ObjectNode ours) {
            if (ours.has(Gate.FINGERPRINT)) {
                return ours.path(Gate.FINGERPRINT).asText();
            }
            ours.remove(List.of("approvals", "timeline", "mayDecide", "refused", "settled"));
        }
        return ToolArguments.sha256(ToolArguments.write(ToolArguments.canonical(shown)));
    }

    /** Returns the sentence that the person is asked; empty if there is none. */
    default String message() {
        return Objects.requireNonNullElse(interrupt().message(), "");
    }

    /** Returns the name of the tool that waits, as the model sees it; empty if the interrupt is not about a tool. */
    default String toolName() {
        return langchain4j(interrupt()).path("toolName").asText();
    }

    /**
     * Returns the id of the caller who has edited the arguments, where they have to be approved, by somebody else
     * ({@link ApprovalAuthorizer.Request#askAboutEdits}) or with more than the edit said; empty if they are as the model proposed them.
     */
    default Optional<String> editedBy() {
        JsonNode editor = langchain4j(interrupt()).path(EditedQuestion.EDITED_BY);
        return editor.isTextual() ? Optional.of(editor.textValue()) : Optional.empty();
    }

    /**
     * Returns {@link #arguments()} as text for a mail, a chat or a ticket: indented JSON, in which every character is written as its code
     * that would not be seen, or would turn the text around. The message of a question has its values so already.
     */
    default String argumentsAsText() {
        return ApprovalForm.asText(arguments());
    }

    /** Returns a copy of the complete arguments as they would run, in the order in which the tool declares them. */
    default ObjectNode arguments() {
        ObjectNode ordered = AguiCodec.mapper().createObjectNode();
        if (langchain4j(interrupt()).get("args") instanceof ObjectNode arguments) {
            for (String name : declared(interrupt())) {
                if (arguments.has(name)) {
                    ordered.set(name, arguments.get(name).deepCopy());
                }
            }
            for (Map.Entry<String, JsonNode> each : arguments.properties()) {
                if (!ordered.has(each.getKey())) {
                    ordered.set(each.getKey(), each.getValue().deepCopy());
                }
            }
        }
        return ordered;
    }

    /** The names of a tool's arguments, as the schema of their edits has them, or else the metadata. */
    private static List<String> declared(Interrupt interrupt) {
        List<String> names = new ArrayList<>();
        Optional<String> edits = interrupt.edits();
        if (edits.isPresent()
                && Objects.requireNonNull(interrupt.responseSchema())
                                .path("properties")
                                .path(edits.get())
                                .path("properties")
                        instanceof ObjectNode declared) {
            for (Map.Entry<String, JsonNode> each : declared.properties()) {
                names.add(each.getKey());
            }
        } else {
            for (JsonNode name : langchain4j(interrupt).path("argsOrder")) {
                names.add(name.asText());
            }
        }
        return names;
    }

    /**
     * Answers with JSON as it came, from a form for instance; it has to match the interrupt's {@code responseSchema}, or the
     * answer is refused ({@link ErrorCode#INTERRUPT_PAYLOAD_INVALID}).
     */
    default ResumeEntry answer(JsonNode payload) {
        return ResumeEntry.resolved(interrupt(), payload.deepCopy());
    }

    /** Cancels the interrupt without deciding. The call is not executed, or not executed again. */
    default ResumeEntry cancel() {
        return ResumeEntry.cancelled(interrupt());
    }

    /** Returns the interrupt as an approval, where the program knows that it is one; {@link IllegalStateException} if it is not. */
    default Approval asApproval() {
        return as(Approval.class);
    }

    /** Returns the interrupt as a question of the model or of a tool, like {@link #asApproval}. */
    default Input asInput() {
        return as(Input.class);
    }

    /** Returns the interrupt as a failed call, like {@link #asApproval}. */
    default Failure asFailure() {
        return as(Failure.class);
    }

    /** Returns the interrupt as a call of unknown outcome, like {@link #asApproval}. */
    default UnknownOutcome asUnknownOutcome() {
        return as(UnknownOutcome.class);
    }

    private <K extends PendingInterrupt> K as(Class<K> kind) {
        if (!kind.isInstance(this)) {
            throw new IllegalStateException("The interrupt " + id() + " has the reason " + reason() + ": it is a "
                    + getClass().getSimpleName() + ", not a " + kind.getSimpleName() + ".");
        }
        return kind.cast(this);
    }

    private static JsonNode langchain4j(Interrupt interrupt) {
        ObjectNode metadata = interrupt.metadata();
        return metadata == null ? AguiCodec.mapper().missingNode() : metadata.path("langchain4j");
    }

    private static ResumeEntry action(PendingInterrupt asked, String action, @Nullable String note) {
        ObjectNode payload = AguiCodec.mapper().createObjectNode().put("action", action);
        return ResumeEntry.resolved(asked.interrupt(), note == null ? payload : payload.put("note", note));
    }

    /** A tool call that waits for an approval (reason {@code tool_call}); see {@link RequiresApproval}. */
    record Approval(Interrupt interrupt) implements PendingInterrupt {

        /** The interrupt's {@code reason}, AG-UI's own. */
        public static final String REASON = "tool_call";

        /** Executes the call as proposed: {@code {"approved": true}}. */
        public ResumeEntry approve() {
            return resolved(ApprovalForm.approval());
        }

        /**
         * Executes the call as proposed, and passes a comment on: {@code {"approved": true, "reason": "..."}}. The model reads it
         * with the result, quoted and cut at 1,000 characters; the tool has it in {@link ToolCallContext#approvalComment()}, the
         * client in the result's metadata, and the audit trail keeps it.
         */
        public ResumeEntry approve(String comment) {
            return resolved(ApprovalForm.approval().put(ApprovalForm.REASON, comment));
        }

        /**
         * Executes the call as proposed, and has the decision remembered for these calls, for as long as the tool allows:
         * {@code {"approved": true, "remember": "tool"}}. Refused ({@link ErrorCode#INTERRUPT_PAYLOAD_INVALID}) if the tool does not allow
         * it, see {@link RequiresApproval#remember()}.
         */
        public ResumeEntry approveAndRemember(Grant.Scope calls) {
            return resolved(ApprovalForm.remembered(calls));
        }

        /**
         * Executes the call as proposed, and has the decision remembered for a while: {@code {"approved": true, "remember": "tool",
         * "rememberMinutes": 10}}.
         *
         * @param minutes how long; at least 1, and not more than the tool allows
         */
        public ResumeEntry approveAndRemember(Grant.Scope calls, int minutes) {
            return resolved(ApprovalForm.remembered(calls).put(ApprovalForm.MINUTES, minutes));
        }

        /**
         * Executes the call as proposed, and has the decision remembered for calls within bounds, for as long as the tool allows:
         * {@code {"approved": true, "remember": "within", "bounds": {"amount": 100}}}, see {@link ToolPolicy#rememberWithin}.
         *
         * @param bounds the largest sum, by the name of the argument that is added up; empty if the tool bounds the number of calls only
         */
        public ResumeEntry approveWithin(Map<String, ? extends Number> bounds) {
            ObjectNode numbers = AguiCodec.mapper().valueToTree(bounds);
            ObjectNode approval = ApprovalForm.remembered(Grant.Scope.WITHIN);
            return resolved(numbers.isEmpty() ? approval : approval.set(ApprovalForm.BOUNDS, numbers));
        }

        /**
         * Executes the call with these arguments instead, which replace the proposed ones as a whole:
         * {@code {"approved": true, "editedArgs": {...}}}, or with the field that {@link Interrupt#edits()} names. The natural way is to
         * take {@link #arguments()} and to change some: a {@code null} that the model sent for an optional argument may stay.
         */
        public ResumeEntry approveWith(Map<String, ?> arguments) {
            return approveWith(AguiCodec.mapper().<ObjectNode>valueToTree(arguments));
        }

        /**
         * Executes the call with one argument changed, and the others as proposed: {@code approval.edit("subject", "Hello")}. A part of
         * an argument is named by its path: {@code approval.edit("payment.amount", 3)}.
         */
        public ResumeEntry edit(String argument, Object value) {
            ObjectNode edited = arguments();
            ArgumentPath.set(edited, argument, AguiCodec.mapper().valueToTree(value));
            return approveWith(edited);
        }

        /** Executes the call with these arguments instead, like {@link #approveWith(Map)}. */
        public ResumeEntry approveWith(ObjectNode arguments) {
            return edited(ApprovalForm.approval(), arguments);
        }

        /**
         * Executes the call with these arguments instead, like {@link #approveWith(Map)}, and passes a comment on, like
         * {@link #approve(String)}.
         */
        public ResumeEntry approveWith(ObjectNode arguments, String comment) {
            return edited(ApprovalForm.approval().put(ApprovalForm.REASON, comment), arguments);
        }

        /**
         * Adds a member that a rule wants to one of this question's approvals, such as the value that {@link RequiresApproval#confirm()} wants
         * repeated: {@code question.with(question.approve(), "confirm", "DE89...")}.
         */
        public ResumeEntry with(ResumeEntry approval, String field, String value) {
            ObjectNode payload = Objects.requireNonNull(approval.payload()).deepCopy();
            return resolved(payload.put(field, value));
        }

        /** Does not execute the call: {@code {"approved": false}}. */
        public ResumeEntry deny() {
            return resolved(ApprovalForm.denial());
        }

        /**
         * Does not execute the call, and tells the model why: {@code {"approved": false, "reason": "..."}}. The reason is quoted to it,
         * and cut at 1,000 characters; {@code null} for none.
         */
        public ResumeEntry deny(@Nullable String reason) {
            return reason == null ? deny() : resolved(ApprovalForm.denial().put(ApprovalForm.REASON, reason));
        }

        /** Gives the result of the call in place of the tool, like {@link #respond(JsonNode)}; it is cut as a tool's result is. */
        public ResumeEntry respond(String result) {
            return respond(TextNode.valueOf(result));
        }

        /**
         * Gives the result of the call in place of the tool, which does not run: {@code {"approved": false, "response": ...}}. The model
         * gets it as text, and is told that a person supplied it. Refused unless the tool allows it ({@link RequiresApproval#respond()}).
         *
         * @throws IllegalArgumentException if the result is JSON {@code null}: that would deny the call
         */
        public ResumeEntry respond(JsonNode result) {
            if (result.isNull() || result.isMissingNode()) {
                throw new IllegalArgumentException("null is no result; deny the call, or respond with a text");
            }
            return resolved(ApprovalForm.denial().set(ApprovalForm.RESPONSE, result.deepCopy()));
        }

        private ResumeEntry resolved(ObjectNode payload) {
            return ResumeEntry.resolved(interrupt, payload);
        }

        private ResumeEntry edited(ObjectNode approval, ObjectNode arguments) {
            return resolved(approval.set(interrupt.edits().orElse(ApprovalForm.EDITS), arguments.deepCopy()));
        }
    }

    /** A question of the model ({@link AsksUser}) or of a tool ({@link ToolInterrupt}): it wants data or a yes or no. */
    record Input(Interrupt interrupt) implements PendingInterrupt {

        /**
         * Answers with a boolean, a number, a text, an enum, a record, or a list or map of those; it has to match the interrupt's
         * {@code responseSchema}.
         */
        public ResumeEntry answer(Object value) {
            return ResumeEntry.resolved(interrupt, AguiCodec.mapper().<JsonNode>valueToTree(value));
        }

        /** Tells whether the person may also answer in place of the tool, see {@link ToolInterrupt#respond()}. */
        public boolean takesResponse() {
            return PendingInterrupt.langchain4j(interrupt).path("respond").booleanValue();
        }

        /**
         * Gives the result of the call, a text or a value that is written as JSON, in place of the tool, which is not executed again:
         * {@code {"response": ...}}. Refused unless {@link #takesResponse()}; {@code null} is an {@link IllegalArgumentException}.
         */
        public ResumeEntry respond(Object result) {
            JsonNode response = AguiCodec.mapper().valueToTree(result);
            if (response == null || response.isNull() || response.isMissingNode()) {
                throw new IllegalArgumentException("null is no result; cancel the interrupt, or respond with a text");
            }
            ObjectNode payload = AguiCodec.mapper().createObjectNode();
            return ResumeEntry.resolved(interrupt, payload.<ObjectNode>set(ApprovalForm.RESPONSE, response));
        }
    }

    /** A call that has failed (reason {@code langchain4j:tool_error}), of a tool that asks on failure. */
    record Failure(Interrupt interrupt) implements PendingInterrupt {

        /** The interrupt's {@code reason}. */
        public static final String REASON = "langchain4j:tool_error";

        /** Returns the failure as the model would be told. */
        public String error() {
            return PendingInterrupt.langchain4j(interrupt).path("error").asText();
        }

        /** Executes the call again, with the arguments of {@link #arguments()}: {@code {"action": "retry"}}. */
        public ResumeEntry retry() {
            return PendingInterrupt.action(this, "retry", null);
        }

        /**
         * Executes the call again, with these arguments, which replace the proposed ones as a whole:
         * {@code {"action": "retry", "editedArgs": {...}}}.
         */
        public ResumeEntry retryWith(Map<String, ?> arguments) {
            return retryWith(AguiCodec.mapper().<ObjectNode>valueToTree(arguments));
        }

        /** Executes the call again, with these arguments, like {@link #retryWith(Map)}. */
        public ResumeEntry retryWith(ObjectNode arguments) {
            ObjectNode payload = AguiCodec.mapper().createObjectNode().put("action", "retry");
            return ResumeEntry.resolved(interrupt, ApprovalForm.withEdits(payload, arguments));
        }

        /** Has the model told that the call failed: {@code {"action": "give_up"}}. */
        public ResumeEntry giveUp() {
            return giveUp(null);
        }

        /**
         * Has the model told that the call failed, with a note if it is not {@code null}: {@code {"action": "give_up", "note": "..."}}.
         * The note is quoted to the model, and cut at 1,000 characters.
         */
        public ResumeEntry giveUp(@Nullable String note) {
            return PendingInterrupt.action(this, "give_up", note);
        }
    }

    /** A call that was interrupted while it ran, so that its outcome is unknown (reason {@code langchain4j:outcome_unknown}). */
    record UnknownOutcome(Interrupt interrupt) implements PendingInterrupt {

        /** The interrupt's {@code reason}. */
        public static final String REASON = "langchain4j:outcome_unknown";

        /** Executes the call again, with the arguments of {@link #arguments()}: {@code {"action": "retry"}}. */
        public ResumeEntry retry() {
            return PendingInterrupt.action(this, "retry", null);
        }

        /** Reports that the call took effect; it is not executed again: {@code {"action": "done"}}. */
        public ResumeEntry done() {
            return done(null);
        }

        /**
         * Reports that the call took effect; it is not executed again: {@code {"action": "done", "note": "..."}}. The note for the model,
         * the result for instance, is quoted to it, and cut at 1,000 characters; {@code null} for none.
         */
        public ResumeEntry done(@Nullable String note) {
            return PendingInterrupt.action(this, "done", note);
        }

        /** Reports that the call had no effect; it is not executed again: {@code {"action": "not_done"}}. */
        public ResumeEntry notDone() {
            return notDone(null);
        }

        /**
         * Reports that the call had no effect; it is not executed again: {@code {"action": "not_done", "note": "..."}}. The note is as of
         * {@link #done(String)}.
         */
        public ResumeEntry notDone(@Nullable String note) {
            return PendingInterrupt.action(this, "not_done", note);
        }
    }
}
