package io.holdpoint.internal.schema;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.agui.AguiCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The schema of an object while its properties are read. Not thread-safe. */
final class ObjectSchema {

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

    /** Another name of a property, which need not be used. */
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
