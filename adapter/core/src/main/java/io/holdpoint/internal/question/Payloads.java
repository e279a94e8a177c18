package io.holdpoint.internal.question;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.internal.gate.ApprovalForm;
import io.holdpoint.internal.gate.EditedQuestion;
import io.holdpoint.internal.gate.Gate;
import io.holdpoint.internal.gate.ModelTexts;
import io.holdpoint.internal.gate.ToolArguments;
import io.holdpoint.internal.gate.Voices;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call;
import io.holdpoint.store.Call.Question;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads and checks parts that the payloads of several kinds of answer share. */
final class Payloads {

    private Payloads() {}

    /** A copy in which the note, and whatever the form does not declare, is absent if it is JSON {@code null}. */
    static ObjectNode withoutNulls(ObjectNode payload, ObjectNode schema) {
        ObjectNode copy = payload.deepCopy();
        payload.properties().forEach(member -> {
            boolean mayBeAbsent =
                    member.getKey().equals("note") || !schema.path("properties").has(member.getKey());
            if (mayBeAbsent && member.getValue().isNull()) {
                copy.remove(member.getKey());
            }
        });
        return copy;
    }

    /** Checks an answer that the schema describes completely; returns the violations. */
    static List<String> violations(Question question, Optional<JsonNode> payload, QuestionKind.SchemaCheck check) {
        if (payload.isEmpty()) {
            return List.of(": is missing; answer as the responseSchema says, or cancel");
        }
        ObjectNode schema = question.interrupt().responseSchema();
        return schema == null ? List.of() : check.violations(schema, payload.get());
    }

    /**
     * Checks whether an answer declines a question of a tool that did not say what an answer looks like: a front end that knows
     * nothing of the tool has approve and deny. A tool that wants {@code approved} as an answer says so with a schema.
     */
    static boolean declines(Question question, JsonNode payload) {
        ObjectNode schema = question.interrupt().responseSchema();
        boolean takesResponse = Gate.metadata(question).path(Restart.RESPOND).booleanValue();
        return ApprovalForm.declines(payload)
                && (schema == null || (takesResponse ? schema.path("anyOf").path(0) : schema).isEmpty());
    }

    static String declined(Call call, JsonNode denial) {
        return ModelTexts.unfinished(
                call.toolName(), ApprovalForm.reason(denial).orElse(null));
    }

    /** Writes the metadata with which an interrupt describes its call. */
    static ObjectNode describe(ObjectNode metadata, Call call, String arguments) {
        ObjectNode langchain4j = metadata.withObject("/langchain4j");
        langchain4j.put("toolName", call.toolName());
        call.proposedBy().ifPresent(proposer -> langchain4j.put(Batch.PROPOSED_BY, proposer));
        Gate.show(langchain4j, ToolArguments.read(arguments), arguments);
        return langchain4j;
    }

    /** Checks whether the person was shown the arguments that would be executed: by their hash, and by themselves. */
    static boolean showed(Question question, NextStep.Execute execute) {
        JsonNode metadata = Gate.metadata(question);
        boolean isDelegated = Voices.isDelegated(question);
        JsonNode own = isDelegated ? metadata.get(Voices.DELEGATED_BY) : metadata;
        String arguments = execute.arguments();
        return ToolArguments.sha256(arguments).equals(own.path("argsSha256").asText())
                && (isDelegated
                        || arguments.equals(
                                metadata.path("args") instanceof ObjectNode shown
                                        ? ToolArguments.write(ToolArguments.canonical(shown))
                                        : "{}"));
    }

    /** Checks whether the question was asked because somebody had edited the arguments, by an answer to the one before it. */
    static boolean isOfEdit(Question question) {
        return Gate.metadata(question).has(EditedQuestion.EDITED_BY) && !Voices.isDelegated(question);
    }

    /** The arguments that the person was shown: what runs unless they are edited. */
    static ObjectNode shown(Question question) {
        return PendingInterrupt.of(question.interrupt()).arguments();
    }

    /** The schema of an answer that is one of several actions, with a note for the model. */
    static ObjectNode actionSchema(
            String description, Optional<ObjectNode> editedArgs, String note, String... actions) {
        ObjectNode schema = AguiCodec.mapper().createObjectNode().put("type", "object");
        ObjectNode properties = schema.putObject("properties");
        ObjectNode action = properties.putObject("action").put("type", "string");
        ArrayNode names = action.putArray("enum");
        for (String each : actions) {
            names.add(each);
        }
        action.put("description", description);
        if (editedArgs.isPresent()) {
            properties.set(ApprovalForm.EDITS, editedArgs.get());
        }
        properties.putObject("note").put("type", "string").put("description", note);
        schema.putArray("required").add("action");
        return schema.put("additionalProperties", false);
    }

    static Optional<String> text(@Nullable JsonNode payload, String field) {
        JsonNode value = payload == null ? null : payload.get(field);
        return value != null && value.isTextual() ? Optional.of(value.textValue()) : Optional.empty();
    }
}
