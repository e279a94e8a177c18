package io.holdpoint.agui;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;

/**
 * A JSON value that a deserializer of this package refuses. Also makes the sentence for a client about any JSON that Jackson
 * could not read as a record: Jackson keeps the path, and the tree shows what stands there.
 */
final class JsonProblem extends JsonMappingException {

    private static final long serialVersionUID = 1L;
    private static final int MAX_SHOWN = 40;

    private static final Map<Class<?>, String> NAMES = Map.of(
            String.class, "a string",
            Boolean.class, "a boolean",
            Long.class, "a whole number of at most 64 bits",
            Integer.class, "a whole number from 0 to " + Integer.MAX_VALUE,
            JsonNode.class, "any JSON value",
            MessageContent.class, MessageContent.EXPECTED);

    private final String expected;
    private final boolean isOfType;

    private JsonProblem(JsonParser parser, String expected, boolean isOfType) {
        super(parser, "must be " + expected);
        this.expected = expected;
        this.isOfType = isOfType;
    }

    /** Refuses a value of another type than the expected one. */
    static JsonProblem wrongType(JsonParser parser, String expected) {
        return new JsonProblem(parser, expected, false);
    }

    /** Refuses a value of the right type that is not among the expected ones. */
    static JsonProblem wrongValue(JsonParser parser, String expected) {
        return new JsonProblem(parser, expected, true);
    }

    /** Refuses a record without a component that it must have. */
    static JsonProblem missing(JsonParser parser, RecordComponent component) {
        return wrongType(parser, name(component.getType())).in(component.getName());
    }

    /** Adds the field in which the problem is to its path. */
    JsonProblem in(String field) {
        prependPath(new Reference(null, field));
        return this;
    }

    /** Adds the element in which the problem is to its path. */
    JsonProblem in(int element) {
        prependPath(new Reference(null, element));
        return this;
    }

    /** Describes the problem in a sentence that begins with the path of the field. */
    static AguiFormatException explain(JsonMappingException e, JsonNode json) {
        StringBuilder path = new StringBuilder();
        JsonNode value = json;
        Class<?> declared = Object.class;
        for (Reference step : e.getPath()) {
            String field = step.getFieldName();
            if (field == null) {
                path.append('[').append(step.getIndex()).append(']');
                value = value.path(step.getIndex());
            } else {
                path.append(path.isEmpty() ? "" : ".").append(field);
                value = value.path(field);
                declared = typeOf(step.getFrom() instanceof Class<?> owner ? owner : Object.class, field);
            }
        }
        if (e instanceof ValueInstantiationException && e.getCause() instanceof IllegalArgumentException refused) {
            return new AguiFormatException((path.isEmpty() ? "" : path + ".") + refused.getMessage(), e);
        }
        if (e instanceof MismatchedInputException wrong && wrong.getTargetType() != null) {
            declared = wrong.getTargetType();
        }
        boolean isOfType = e instanceof JsonProblem own && own.isOfType;
        String expected = e instanceof JsonProblem own ? own.expected : name(declared);
        boolean isAbsent =
                value.isMissingNode() || value.isNull() && !path.toString().endsWith("]");
        if (isAbsent || isOfType && value.asText().isEmpty()) {
            return new AguiFormatException(path + ": required, " + expected, e);
        }
        String start = path.isEmpty() ? "the JSON" : path.toString();
        return new AguiFormatException(start + ": must be " + expected + ", was " + shown(value, isOfType), e);
    }

    /** The declared type of a record's field; {@code Object} if it is none of its components. */
    private static Class<?> typeOf(Class<?> owner, String field) {
        if (owner.isRecord()) {
            for (RecordComponent component : owner.getRecordComponents()) {
                if (component.getName().equals(field)) {
                    return component.getType();
                }
            }
        }
        return Object.class;
    }

    private static String name(Class<?> type) {
        if (type == ArrayNode.class || Collection.class.isAssignableFrom(type)) {
            return "an array";
        }
        return type.isEnum() ? "a string" : NAMES.getOrDefault(type, "an object");
    }

    private static String shown(JsonNode value, boolean isOfType) {
        String text = value.asText();
        if (value.isNumber() && text.length() <= MAX_SHOWN) {
            return "the number " + text;
        }
        if (value.isTextual() && isOfType) {
            return '"' + (text.length() <= MAX_SHOWN ? text : text.substring(0, MAX_SHOWN) + "…") + '"';
        }
        return value.getNodeType().name().toLowerCase(Locale.ROOT);
    }
}
