package io.holdpoint.people;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.ToolSpecification;
import io.holdpoint.internal.gate.ArgumentPath;
import io.holdpoint.internal.gate.ToolSchemas;
import io.holdpoint.rule.Answering;
import io.holdpoint.rule.Rule;
import io.holdpoint.rule.Terms;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.Set;

/**
 * Wants the value of an argument repeated in each approval, for {@link io.holdpoint.ToolPolicy#rules}; {@link
 * io.holdpoint.RequiresApproval#confirm()} says the same. Immutable.
 *
 * @param argument the name as the model sees it, or the path to a part of an argument
 */
public record Confirmation(String argument) implements Rule {

    private static final Set<String> WITH_TEXT = Set.of("string", "number", "integer", "boolean");

    /** Wants the value of this argument repeated. Several policies and an annotation that name one must name the same. */
    public static Confirmation of(String argument) {
        return new Confirmation(argument);
    }

    @Override
    public String name() {
        return "confirm";
    }

    @Override
    public Terms terms() {
        ObjectNode schema = JsonNodeFactory.instance
                .objectNode()
                .put("type", "string")
                .put("description", "With approved: true, the value of " + argument + ", repeated as it will run.")
                .put("title", argument);
        return Terms.field(schema);
    }

    @Override
    public void requireFitting(ToolSpecification tool) {
        ToolSchemas.requirePart(argument, tool, "", "%sconfirm names \"%s\", but the tool's parameters are %s.");
        if (!ToolSchemas.isRequired(argument, WITH_TEXT, tool)) {
            throw new IllegalArgumentException("confirm names \"" + argument
                    + "\", which is not a required text, number, boolean or enum, so there may be nothing to repeat. Make it required"
                    + " (a part of an argument: and the parts above it), or name another one.");
        }
    }

    @Override
    public Rule and(Rule other) {
        if (other instanceof Confirmation theirs && !equals(theirs)) {
            throw new IllegalArgumentException("they want the values of " + argument + " and " + theirs.argument
                    + " repeated. Let all of them name the same argument in confirm.");
        }
        return Rule.super.and(other);
    }

    /** The name of the argument is read from what was asked. */
    @Override
    public Optional<String> onAnswer(Answering answer) {
        String asked = answer.terms().path("title").asText(argument);
        JsonNode value = ArgumentPath.get(answer.call().arguments(), asked);
        if (repeats(answer.payload().path(name()), value)) {
            return Optional.empty();
        }
        boolean isEmpty = value.isTextual() && value.textValue().isBlank();
        return Optional.of(
                isEmpty
                        ? asked + " is empty, so nothing can be repeated; approve it with another value, or deny it"
                        : "must repeat the value of " + asked + ", as the call would run with it");
    }

    /** A number may be written in another way. A value without a text cannot be repeated. */
    private static boolean repeats(JsonNode said, JsonNode value) {
        String text = said.asText().strip();
        if (text.isEmpty() || value.isNull() || !value.isValueNode()) {
            return false;
        }
        if (!value.isNumber()) {
            return text.equals(value.asText().strip());
        }
        try {
            return new BigDecimal(text).compareTo(value.decimalValue()) == 0;
        } catch (NumberFormatException e) {
            return false;
        }
    }
}
