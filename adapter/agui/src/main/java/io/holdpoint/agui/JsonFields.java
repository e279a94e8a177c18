package io.holdpoint.agui;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeType;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one JSON object and the path that leads to it: reads them strictly typed and says precisely what is
 * wrong.
 * An optional field that is JSON null counts as absent (older clients send those), except where any JSON is allowed.
 */
record JsonFields(ObjectNode node, String path) {

    /** The fields of {@code node}, which must be an object. */
    static JsonFields of(JsonNode node, String path) {
        if (node instanceof ObjectNode object) {
            return new JsonFields(object, path);
        }
        throw wrongType(path, "an object", node);
    }

    /** The path of a field of this object. */
    String pathOf(String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    String text(String name) {
        return required(optionalText(name), name, "a string");
    }

    String nonEmptyText(String name) {
        String text = text(name);
        if (text.isEmpty()) {
            throw new AguiFormatException(pathOf(name) + ": required, a string that is not empty");
        }
        return text;
    }

    String id(String name) {
        String id = text(name);
        if (!Agui.isId(id)) {
            throw new AguiFormatException(Agui.notAnId(pathOf(name)));
        }
        return id;
    }

    @Nullable
    String optionalText(String name) {
        JsonNode value = present(name);
        if (value == null || value.isTextual()) {
            return value == null ? null : value.textValue();
        }
        throw wrongType(pathOf(name), "a string", value);
    }

    @Nullable
    Boolean optionalBoolean(String name) {
        JsonNode value = present(name);
        if (value == null || value.isBoolean()) {
            return value == null ? null : value.booleanValue();
        }
        throw wrongType(pathOf(name), "a boolean", value);
    }

    @Nullable
    Long optionalLong(String name) {
        JsonNode value = present(name);
        if (value == null || value.isIntegralNumber() && value.canConvertToLong()) {
            return value == null ? null : value.longValue();
        }
        throw wrongType(pathOf(name), "a whole number of at most 64 bits", value);
    }

    /** A whole number from 0 to {@link Integer#MAX_VALUE}. */
    @Nullable
    Integer optionalCount(String name) {
        JsonNode value = present(name);
        if (value == null || value.isIntegralNumber() && value.canConvertToInt() && value.intValue() >= 0) {
            return value == null ? null : value.intValue();
        }
        throw wrongType(pathOf(name), "a whole number from 0 to " + Integer.MAX_VALUE, value);
    }

    /** Any JSON, null included. */
    JsonNode json(String name) {
        return required(optionalJson(name), name, "any JSON value");
    }

    /** Any JSON, null included; Java's {@code null} if absent. */
    @Nullable
    JsonNode optionalJson(String name) {
        return node.get(name);
    }

    ObjectNode object(String name) {
        return required(optionalObject(name), name, "an object");
    }

    @Nullable
    ObjectNode optionalObject(String name) {
        JsonNode value = present(name);
        if (value == null || value instanceof ObjectNode) {
            return (ObjectNode) value;
        }
        throw wrongType(pathOf(name), "an object", value);
    }

    ArrayNode array(String name) {
        return required(optionalArray(name), name, "an array");
    }

    private @Nullable ArrayNode optionalArray(String name) {
        JsonNode value = present(name);
        if (value == null || value instanceof ArrayNode) {
            return (ArrayNode) value;
        }
        throw wrongType(pathOf(name), "an array", value);
    }

    /** The fields of a nested object. */
    JsonFields child(String name) {
        return new JsonFields(object(name), pathOf(name));
    }

    /** The fields of a nested object; {@code null} if absent. */
    @Nullable
    JsonFields optionalChild(String name) {
        ObjectNode child = optionalObject(name);
        return child == null ? null : new JsonFields(child, pathOf(name));
    }

    /** The objects of an array, each read by {@code reader}; those it returns {@code null} for are skipped. */
    <T> List<T> list(String name, Function<JsonFields, ? extends @Nullable T> reader) {
        return read(array(name), name, reader);
    }

    /** Like {@link #list}; empty if absent. */
    <T> List<T> optionalList(String name, Function<JsonFields, ? extends @Nullable T> reader) {
        ArrayNode array = optionalArray(name);
        return array == null ? List.of() : read(array, name, reader);
    }

    private <T> List<T> read(ArrayNode array, String name, Function<JsonFields, ? extends @Nullable T> reader) {
        List<T> items = new ArrayList<>(array.size());
        for (int i = 0; i < array.size(); i++) {
            T item = reader.apply(of(array.get(i), pathOf(name) + "[" + i + "]"));
            if (item != null) {
                items.add(item);
            }
        }
        return items;
    }

    /** The strings of an array; empty if absent. */
    List<String> optionalTexts(String name) {
        ArrayNode array = optionalArray(name);
        List<String> texts = new ArrayList<>();
        for (int i = 0; array != null && i < array.size(); i++) {
            JsonNode item = array.get(i);
            if (!item.isTextual()) {
                throw wrongType(pathOf(name) + "[" + i + "]", "a string", item);
            }
            texts.add(item.textValue());
        }
        return texts;
    }

    /** Runs a constructor that checks its arguments, and reports what it refuses with this object's path. */
    <T> T checked(Supplier<T> constructor) {
        try {
            return constructor.get();
        } catch (IllegalArgumentException e) {
            throw new AguiFormatException(path.isEmpty() ? e.getMessage() : path + "." + e.getMessage(), e);
        }
    }

    /** The error of a field whose value is none of those allowed. */
    AguiFormatException notOneOf(String name, String allowed) {
        String value = text(name);
        String shown = value.length() <= 40 ? value : value.substring(0, 40) + "…";
        return new AguiFormatException(pathOf(name) + ": must be " + allowed + ", was \"" + shown + "\"");
    }

    /** A value that is never null; {@code null} if absent. */
    @Nullable
    JsonNode present(String name) {
        JsonNode value = node.get(name);
        return value == null || value.isNull() ? null : value;
    }

    private <T> T required(@Nullable T value, String name, String what) {
        if (value == null) {
            throw new AguiFormatException(pathOf(name) + ": required, " + what);
        }
        return value;
    }

    /** The error of a value of another JSON type, or a number out of range. */
    static AguiFormatException wrongType(String path, String expected, JsonNode actual) {
        String was =
                actual.getNodeType() == JsonNodeType.NUMBER && actual.asText().length() <= 40
                        ? "the number " + actual.asText()
                        : actual.getNodeType().name().toLowerCase(Locale.ROOT);
        return new AguiFormatException((path.isEmpty() ? "the JSON" : path) + ": must be " + expected + ", was " + was);
    }
}
