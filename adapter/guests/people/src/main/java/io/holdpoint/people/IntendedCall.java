package io.holdpoint.people;

import dev.langchain4j.model.output.structured.Description;

/**
 * A call that a model is going to propose, as the parameter of a tool with the rule {@link IntendedCalls}: {@code List<IntendedCall> calls}. Immutable.
 *
 * @param tool the tool's name as the model sees it
 * @param arguments a JSON object as a text, because not every provider takes a schema of an object of which nothing else is known
 * @param times how often the same call is going to be made, from 1 to 100
 */
public record IntendedCall(
        @Description("The name of the tool.") String tool,

        @Description("All of its arguments, exactly as they are going to be: a JSON object, as a text.")
        String arguments,

        @Description("How often the tool is going to be called with these arguments.")
        int times) {}
