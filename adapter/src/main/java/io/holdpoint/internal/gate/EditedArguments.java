package io.holdpoint.internal.gate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** The arguments of an edit as they will run, as far as the stored question says. */
public final class EditedArguments {

    private EditedArguments() {}

    /**
     * Adds the defaults that the question was asked with. A tool that has others by now does not run: its hash differs.
     *
     * @param responseSchema the question's
     * @param edited arguments that match it
     * @return the same in canonical form, complete
     */
    public static ObjectNode complete(ObjectNode responseSchema, ObjectNode edited) {
        ObjectNode complete = edited.deepCopy();
        JsonNode parameters =
                responseSchema.path("properties").path("editedArgs").path("properties");
        parameters.properties().forEach(parameter -> {
            JsonNode value = parameter.getValue().get("default");
            if (value != null && !complete.hasNonNull(parameter.getKey())) {
                complete.set(parameter.getKey(), value.deepCopy());
            }
        });
        return ToolArguments.canonical(complete);
    }
}
