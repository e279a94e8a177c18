package io.holdpoint.internal.gate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;

/**
 * Makes the schema of edited arguments take the arguments that are shown, so that what a person sees is always a valid edit. Where the
 * two differ, because LangChain4j describes a type in another way than Jackson reads it, or leaves out that an object is open, the
 * schema takes over the shape of what is shown. The tool's own check of edits stays as strict as it is.
 */
final class ShownSchema {

    /** The keywords that say nothing about the shape of a value. */
    private static final List<String> ANNOTATIONS = List.of("title", "description", "default", "readOnly");

    private ShownSchema() {}

    /** Returns the same schema if it takes the value already. */
    static ObjectNode taking(ObjectNode schema, JsonNode value) {
        if (schema.path("anyOf").isArray()) {
            return takesOne(schema.get("anyOf"), value) ? schema : withAlternative(schema, value);
        }
        if (!isOfType(schema.path("type"), value) || !isAmong(schema.path("enum"), value)) {
            return shaped(schema, value);
        }
        if (value instanceof ObjectNode object) {
            return takingMembers(schema, object);
        }
        return value instanceof ArrayNode array && schema.get("items") instanceof ObjectNode items
                ? takingElements(schema, items, array)
                : schema;
    }

    private static ObjectNode takingMembers(ObjectNode schema, ObjectNode value) {
        ObjectNode taking = withoutMissing(schema, value);
        for (Map.Entry<String, JsonNode> member : value.properties()) {
            String name = member.getKey();
            if (taking.path("properties").get(name) instanceof ObjectNode declared) {
                boolean isLeftOut = member.getValue().isNull() && !ArgumentPath.isRequired(taking, name);
                ObjectNode fitting = isLeftOut ? declared : taking(declared, member.getValue());
                if (fitting != declared) {
                    taking = copied(schema, taking);
                    taking.withObject("/properties").set(name, fitting);
                }
            } else if (taking.path("additionalProperties").isBoolean()
                    && !taking.path("additionalProperties").booleanValue()) {
                taking = copied(schema, taking);
                taking.remove("additionalProperties");
                taking.withObject("/properties").set(name, shaped(taking.objectNode(), member.getValue()));
            }
        }
        return isPartlyFixed(schema) ? fixedAsShown(schema, taking) : taking;
    }

    /** Further members may not be changed where some of the declared ones may not. */
    private static ObjectNode fixedAsShown(ObjectNode schema, ObjectNode taking) {
        if (taking.has("additionalProperties") || !schema.has("additionalProperties")) {
            return taking;
        }
        taking.put("additionalProperties", false);
        taking.path("properties").properties().stream()
                .filter(member -> !schema.path("properties").has(member.getKey()))
                .forEach(member -> ((ObjectNode) member.getValue()).put("readOnly", true));
        return taking;
    }

    private static boolean isPartlyFixed(ObjectNode schema) {
        for (JsonNode member : schema.path("properties")) {
            if (member.path("readOnly").booleanValue()) {
                return true;
            }
        }
        return false;
    }

    private static ObjectNode copied(ObjectNode schema, ObjectNode taking) {
        return taking == schema ? schema.deepCopy() : taking;
    }

    private static ObjectNode withoutMissing(ObjectNode schema, ObjectNode value) {
        ObjectNode taking = schema;
        for (JsonNode name : schema.path("required")) {
            if (!value.has(name.asText())) {
                taking = copied(schema, taking);
                ArrayNode fewer = taking.arrayNode();
                taking.path("required").forEach(each -> {
                    if (!each.equals(name)) {
                        fewer.add(each);
                    }
                });
                taking.set("required", fewer);
            }
        }
        return taking;
    }

    /** Elements of different shapes may be anything. */
    private static ObjectNode takingElements(ObjectNode schema, ObjectNode items, ArrayNode value) {
        ObjectNode taking = items;
        for (JsonNode element : value) {
            taking = taking(taking, element);
        }
        for (JsonNode element : value) {
            if (taking(taking, element) != taking) {
                taking = annotationsOf(items);
                break;
            }
        }
        if (taking == items) {
            return schema;
        }
        ObjectNode copy = schema.deepCopy();
        copy.set("items", taking);
        return copy;
    }

    private static boolean takesOne(JsonNode alternatives, JsonNode value) {
        for (JsonNode each : alternatives) {
            if (!(each instanceof ObjectNode schema) || taking(schema, value) == schema) {
                return true;
            }
        }
        return false;
    }

    private static ObjectNode withAlternative(ObjectNode schema, JsonNode value) {
        ObjectNode copy = schema.deepCopy();
        copy.withArray("/anyOf").add(shaped(schema.objectNode(), value));
        return copy;
    }

    /** A schema that says of what type the value is, and nothing of a {@code null}. */
    private static ObjectNode shaped(ObjectNode schema, JsonNode value) {
        ObjectNode shaped = annotationsOf(schema);
        switch (value.getNodeType()) {
            case STRING -> shaped.put("type", "string");
            case NUMBER -> shaped.put("type", "number");
            case BOOLEAN -> shaped.put("type", "boolean");
            case ARRAY -> shaped.put("type", "array");
            case OBJECT -> shaped.put("type", "object");
            case NULL, MISSING, BINARY, POJO -> {}
        }
        return shaped;
    }

    private static ObjectNode annotationsOf(ObjectNode schema) {
        ObjectNode kept = schema.objectNode();
        ANNOTATIONS.stream().filter(schema::has).forEach(keyword -> kept.set(keyword, schema.get(keyword)));
        return kept;
    }

    private static boolean isAmong(JsonNode constants, JsonNode value) {
        return !constants.isArray() || constants.valueStream().anyMatch(value::equals);
    }

    private static boolean isOfType(JsonNode type, JsonNode value) {
        if (type.isArray()) {
            return type.valueStream().anyMatch(each -> isOfType(each, value));
        }
        return switch (type.asText()) {
            case "string" -> value.isTextual();
            case "integer" ->
                value.isNumber() && value.decimalValue().stripTrailingZeros().scale() <= 0;
            case "number" -> value.isNumber();
            case "boolean" -> value.isBoolean();
            case "array" -> value.isArray();
            case "object" -> value.isObject();
            case "null" -> value.isNull();
            default -> true;
        };
    }
}
