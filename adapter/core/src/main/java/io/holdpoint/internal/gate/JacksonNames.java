package io.holdpoint.internal.gate;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;

/** Names the members of objects in a schema as Jackson reads them: LangChain4j describes a type by the names of its fields. */
final class JacksonNames {

    private JacksonNames() {}

    /** Changes a schema without references, of a value of this type. */
    static void give(JsonNode schema, JavaType type, ObjectMapper mapper) {
        if (type.isContainerType()) {
            give(schema.path("items"), type.getContentType(), mapper);
        } else if (schema.path("properties") instanceof ObjectNode properties && !properties.isEmpty()) {
            Map<String, String> names = new LinkedHashMap<>();
            for (BeanPropertyDefinition property :
                    mapper.getDeserializationConfig().introspect(type).findProperties()) {
                if (properties.has(property.getInternalName())) {
                    give(properties.get(property.getInternalName()), property.getPrimaryType(), mapper);
                    names.put(property.getInternalName(), property.getName());
                }
            }
            rename((ObjectNode) schema, properties, names);
        }
    }

    private static void rename(ObjectNode schema, ObjectNode properties, Map<String, String> names) {
        ObjectNode renamed = schema.objectNode();
        properties
                .properties()
                .forEach(
                        member -> renamed.set(names.getOrDefault(member.getKey(), member.getKey()), member.getValue()));
        schema.set("properties", renamed);
        if (schema.get("required") instanceof ArrayNode required) {
            ArrayNode all = schema.arrayNode();
            required.forEach(name -> all.add(names.getOrDefault(name.asText(), name.asText())));
            schema.set("required", all);
        }
    }
}
