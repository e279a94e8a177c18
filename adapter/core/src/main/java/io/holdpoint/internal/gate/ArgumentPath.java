package io.holdpoint.internal.gate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.agui.JsonValues;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The name of an argument, or the way to a part of it: {@code p.amount}, {@code lines.0.item}. A name with dots in it is a name where
 * there is one.
 */
public final class ArgumentPath {

    private ArgumentPath() {}

    /** The value at the end of a path; missing if there is none. */
    public static JsonNode get(JsonNode value, String path) {
        return JsonValues.part(value, path);
    }

    private static boolean isIndex(String name) {
        return JsonValues.isIndex(name);
    }

    /** Sets the value at the end of a path in these arguments. Where the path leads nowhere, it counts as a name. */
    public static void set(ObjectNode arguments, String path, JsonNode value) {
        if (arguments.has(path) || !setPart(arguments, path, value)) {
            arguments.set(path, value);
        }
    }

    private static boolean setPart(JsonNode container, String path, JsonNode value) {
        if (container instanceof ArrayNode array && isIndex(path) && array.has(Integer.parseInt(path))) {
            array.set(Integer.parseInt(path), value);
            return true;
        }
        for (int dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
            JsonNode next = JsonValues.step(container, path.substring(0, dot));
            String rest = path.substring(dot + 1);
            if (next.isContainerNode() && setPart(next, rest, value)) {
                return true;
            }
            if (next instanceof ObjectNode object && !rest.isEmpty()) {
                object.set(rest, value);
                return true;
            }
        }
        return false;
    }

    /** Checks whether a schema without references has a place at the end of a path, or does not say what it has. */
    static boolean isDeclared(JsonNode schema, String path) {
        if (isOpen(schema)) {
            return true;
        }
        for (JsonNode each : schema.path("anyOf")) {
            if (isDeclared(each, path)) {
                return true;
            }
        }
        if (schema.path("type").asText().equals("array")) {
            int dot = path.indexOf('.');
            return isIndex(dot < 0 ? path : path.substring(0, dot))
                    && (dot < 0 || isDeclared(schema.path("items"), path.substring(dot + 1)));
        }
        JsonNode properties = schema.path("properties");
        if (properties.has(path)) {
            return true;
        }
        for (int dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
            JsonNode next = properties.path(path.substring(0, dot));
            if (next.isObject() && isDeclared(next, path.substring(dot + 1))) {
                return true;
            }
        }
        return false;
    }

    /** Checks whether a path leads through properties of objects only. */
    static boolean isOfObjects(JsonNode schema, String path) {
        JsonNode properties = schema.path("properties");
        boolean isOfObjects = properties.has(path);
        for (int dot = path.indexOf('.'); !isOfObjects && dot >= 0; dot = path.indexOf('.', dot + 1)) {
            isOfObjects = isOfObjects(properties.path(path.substring(0, dot)), path.substring(dot + 1));
        }
        return isOfObjects;
    }

    /** The schema of a place that every call has: a path through required properties of objects. Empty if there need not be one. */
    static Optional<JsonNode> required(JsonNode schema, String path) {
        JsonNode properties = schema.path("properties");
        if (properties.has(path)) {
            return Optional.of(properties.get(path)).filter(any -> isRequired(schema, path));
        }
        for (int dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
            String name = path.substring(0, dot);
            Optional<JsonNode> found = isRequired(schema, name)
                    ? required(properties.path(name), path.substring(dot + 1))
                    : Optional.empty();
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    /** Checks whether a schema names a member among those that must be there. */
    static boolean isRequired(JsonNode schema, String name) {
        for (JsonNode required : schema.path("required")) {
            if (required.asText().equals(name)) {
                return true;
            }
        }
        return false;
    }

    /** The rest of those paths that lead to parts of a name. */
    static Set<String> below(String name, Set<String> paths) {
        Set<String> below = new LinkedHashSet<>();
        for (String path : paths) {
            if (path.startsWith(name + ".")) {
                below.add(path.substring(name.length() + 1));
            }
        }
        return below;
    }

    /** The paths that lie in both. */
    static Set<String> common(Set<String> ours, Set<String> theirs) {
        Set<String> common = new LinkedHashSet<>();
        for (String one : ours) {
            for (String other : theirs) {
                if (one.equals(other) || one.startsWith(other + ".")) {
                    common.add(one);
                } else if (other.startsWith(one + ".")) {
                    common.add(other);
                }
            }
        }
        return common;
    }

    private static boolean isOpen(JsonNode schema) {
        return !schema.has("anyOf")
                && (!schema.has("type")
                        || schema.path("type").asText().equals("object")
                                && schema.path("properties").isEmpty());
    }
}
