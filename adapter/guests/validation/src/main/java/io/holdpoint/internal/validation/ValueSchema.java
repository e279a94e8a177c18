package io.holdpoint.internal.validation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.agui.AguiCodec;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** The schema of one value while its constraints are read: of two bounds the stricter one counts. Not thread-safe. */
final class ValueSchema {

    private final ObjectNode node = AguiCodec.mapper().createObjectNode();
    private boolean required;

    ObjectNode node() {
        return node;
    }

    /** A required value is present and not {@code null}. */
    boolean isRequired() {
        return required;
    }

    void require() {
        required = true;
    }

    boolean isEmpty() {
        return node.isEmpty() && !required;
    }

    void atLeast(String keyword, BigDecimal bound) {
        JsonNode present = node.get(keyword);
        if (present == null || present.decimalValue().compareTo(bound) < 0) {
            node.put(keyword, bound);
        }
    }

    void atMost(String keyword, BigDecimal bound) {
        JsonNode present = node.get(keyword);
        if (present == null || present.decimalValue().compareTo(bound) > 0) {
            node.put(keyword, bound);
        }
    }

    /** A schema has one pattern; further ones are schemas of their own that hold as well. */
    void pattern(String regex) {
        if (!node.has("pattern")) {
            node.put("pattern", regex);
            return;
        }
        ArrayNode others = node.get("allOf") instanceof ArrayNode present ? present : node.putArray("allOf");
        others.addObject().put("pattern", regex);
    }

    /** Says only that there is a value: a type of the platform may be anything in JSON. */
    void ofAnyType() {
        if (required) {
            ArrayNode types = node.putArray("type");
            List.of("string", "number", "boolean", "array", "object").forEach(types::add);
        }
    }

    /** Says the type of the value: keywords about one type let values of all others pass. */
    void typed(Kind kind) {
        if (required) {
            node.put("type", kind.jsonType());
        } else {
            node.putArray("type").add(kind.jsonType()).add("null");
            if (node.get("enum") instanceof ArrayNode values) {
                values.addNull();
            }
        }
    }

    /** The JSON form of a Java type, as LangChain4j reads it. */
    enum Kind {
        TEXT("string"),
        INTEGER("integer"),
        NUMBER("number"),
        BOOLEAN("boolean"),
        LIST("array"),
        MAP("object"),
        OBJECT("object");

        private static final Set<Class<?>> INTEGERS = Set.of(
                byte.class,
                Byte.class,
                short.class,
                Short.class,
                int.class,
                Integer.class,
                long.class,
                Long.class,
                BigInteger.class);

        private static final Set<Class<?>> TEXTS = Set.of(char.class, Character.class, UUID.class);

        private final String jsonType;

        Kind(String jsonType) {
            this.jsonType = jsonType;
        }

        static Kind of(Class<?> type) {
            if (CharSequence.class.isAssignableFrom(type) || type.isEnum() || TEXTS.contains(type)) {
                return TEXT;
            }
            if (INTEGERS.contains(type)) {
                return INTEGER;
            }
            if (Number.class.isAssignableFrom(type) || type == double.class || type == float.class) {
                return NUMBER;
            }
            if (type == boolean.class || type == Boolean.class) {
                return BOOLEAN;
            }
            if (type.isArray() || Collection.class.isAssignableFrom(type)) {
                return LIST;
            }
            return Map.class.isAssignableFrom(type) ? MAP : OBJECT;
        }

        String jsonType() {
            return jsonType;
        }

        boolean isNumeric() {
            return this == INTEGER || this == NUMBER;
        }
    }

    /** The fields of an object while they are read. */
    static final class Fields {

        private final ObjectNode properties = AguiCodec.mapper().createObjectNode();
        private final List<String> required = new ArrayList<>();

        void property(String name, ValueSchema value) {
            if (value.isRequired()) {
                required.add(name);
            }
            if (!value.node().isEmpty()) {
                properties.set(name, value.node());
            }
        }

        /** Adds another name of a property, which is never required. */
        void alias(String name, ValueSchema value) {
            if (!value.node().isEmpty() && !properties.has(name)) {
                properties.set(name, value.node().deepCopy());
            }
        }

        boolean isEmpty() {
            return properties.isEmpty() && required.isEmpty();
        }

        void addTo(ObjectNode schema) {
            if (!properties.isEmpty()) {
                schema.set("properties", properties);
            }
            if (!required.isEmpty()) {
                ArrayNode names = schema.putArray("required");
                required.forEach(names::add);
            }
        }

        ObjectNode withDefinitions(Map<String, ObjectNode> definitions) {
            ObjectNode schema = AguiCodec.mapper().createObjectNode();
            addTo(schema);
            if (!definitions.isEmpty()) {
                ObjectNode defs = schema.putObject("$defs");
                definitions.forEach(defs::set);
            }
            return schema;
        }
    }
}
