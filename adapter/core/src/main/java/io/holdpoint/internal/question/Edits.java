package io.holdpoint.internal.question;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.internal.gate.EditedArguments;
import io.holdpoint.internal.gate.MethodArguments;
import io.holdpoint.internal.gate.ToolArguments;
import io.holdpoint.store.Call;
import io.holdpoint.store.Question;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The {@code editedArgs} of an answer that executes a call, whatever it was asked for. */
final class Edits {

    private static final String FIELD = "editedArgs";

    private Edits() {}

    /** What keeps edits from being looked at any further; empty if nothing does, or there are none. */
    static Optional<String> excess(JsonNode answer) {
        if (answer.get(FIELD) instanceof ObjectNode edited) {
            try {
                ToolArguments.requireModest(edited);
            } catch (ToolArguments.MalformedException e) {
                return Optional.of("/" + FIELD + ": " + e.getMessage());
            }
        }
        return Optional.empty();
    }

    /** The answer to be checked: a {@code null} for an optional argument stands for leaving it out, and stays what it is. */
    static ObjectNode withoutOptionalNulls(ObjectNode schema, ObjectNode answer) {
        if (!(answer.get(FIELD) instanceof ObjectNode edited)) {
            return answer;
        }
        ObjectNode copy = answer.deepCopy();
        copy.set(
                FIELD,
                EditedArguments.withoutOptionalNulls(schema.path("properties").path(FIELD), edited));
        return copy;
    }

    /** What is wrong with them besides what the schema says. */
    static List<String> violations(Question question, ObjectNode schema, JsonNode answer) {
        List<String> violations = new ArrayList<>();
        if (answer.has(FIELD) && !schema.path("properties").has(FIELD)) {
            violations.add("/" + FIELD + ": the arguments of this call cannot be edited; leave editedArgs out");
        } else if (answer.get(FIELD) instanceof ObjectNode edited) {
            violations.addAll(EditedArguments.violations(schema, Payloads.shown(question), edited));
        }
        return violations;
    }

    /** The complete arguments that would run: the edited ones, or those that the person was shown. */
    static ObjectNode wouldRun(Question question, JsonNode answer) {
        ObjectNode schema = question.interrupt().responseSchema();
        ObjectNode shown = Payloads.shown(question);
        return answer.get(FIELD) instanceof ObjectNode edited && schema != null
                ? EditedArguments.complete(schema, shown, edited)
                : shown;
    }

    /** The execution with the edited arguments, if there are any. */
    static Optional<Decision.Execute> execute(Call call, Question question, JsonNode answer, MethodArguments tool) {
        ObjectNode schema = question.interrupt().responseSchema();
        if (!(answer.get(FIELD) instanceof ObjectNode edited) || schema == null) {
            return Optional.empty();
        }
        ObjectNode kept = EditedArguments.keepReadOnly(schema, Payloads.shown(question), edited);
        String arguments = ToolArguments.write(tool.complete(kept));
        return Optional.of(new Decision.Execute(arguments, !arguments.equals(call.arguments())));
    }
}
