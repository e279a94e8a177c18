package io.holdpoint.internal.gate;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import dev.langchain4j.model.chat.request.json.JsonArraySchema;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.request.json.JsonReferenceSchema;
import dev.langchain4j.model.chat.request.json.JsonSchemaElement;
import java.lang.reflect.Type;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Names the members of objects in a schema as Jackson reads them: LangChain4j describes a type by the names of its fields. */
final class JacksonNames {

    private final ObjectMapper mapper;
    private final Map<String, JsonSchemaElement> described;
    private final Map<String, JsonSchemaElement> read = new HashMap<>();

    private JacksonNames(ObjectMapper mapper, Map<String, JsonSchemaElement> described) {
        this.mapper = mapper;
        this.described = described;
    }

    /** The names by which Jackson reads the fields of a class, by those of the fields. */
    static Map<String, String> of(JavaType type, ObjectMapper mapper) {
        Map<String, String> names = new HashMap<>();
        for (BeanPropertyDefinition property : properties(type, mapper)) {
            names.put(property.getInternalName(), property.getName());
        }
        return names;
    }

    private static List<BeanPropertyDefinition> properties(JavaType type, ObjectMapper mapper) {
        return mapper.getDeserializationConfig().introspect(type).findProperties();
    }

    /** The same parameters, whose types are these by their names. */
    static JsonObjectSchema in(JsonObjectSchema parameters, Map<String, Type> types, ObjectMapper mapper) {
        JacksonNames names = new JacksonNames(mapper, parameters.definitions());
        Map<String, JsonSchemaElement> read = new LinkedHashMap<>(parameters.properties());
        for (Map.Entry<String, JsonSchemaElement> each : read.entrySet()) {
            if (types.containsKey(each.getKey())) {
                each.setValue(names.in(each.getValue(), mapper.constructType(types.get(each.getKey()))));
            }
        }
        Map<String, JsonSchemaElement> definitions = new LinkedHashMap<>(parameters.definitions());
        definitions.putAll(names.read);
        return copy(parameters, read, parameters.required(), definitions);
    }

    private JsonSchemaElement in(JsonSchemaElement schema, JavaType type) {
        if (schema instanceof JsonReferenceSchema reference) {
            JsonSchemaElement definition = described.get(reference.reference());
            if (definition != null && read.putIfAbsent(reference.reference(), definition) == null) {
                read.put(reference.reference(), in(definition, type));
            }
        } else if (schema instanceof JsonArraySchema array && type.isContainerType()) {
            return JsonArraySchema.builder()
                    .description(array.description())
                    .items(in(array.items(), type.getContentType()))
                    .build();
        } else if (schema instanceof JsonObjectSchema object
                && !object.properties().isEmpty()) {
            return renamed(object, type);
        }
        return schema;
    }

    private JsonObjectSchema renamed(JsonObjectSchema object, JavaType type) {
        Map<String, JavaType> types = new HashMap<>();
        for (BeanPropertyDefinition property : properties(type, mapper)) {
            types.put(property.getInternalName(), property.getPrimaryType());
        }
        Map<String, String> names = of(type, mapper);
        Map<String, JsonSchemaElement> members = new LinkedHashMap<>();
        object.properties()
                .forEach((field, schema) -> members.put(
                        names.getOrDefault(field, field),
                        types.containsKey(field) ? in(schema, types.get(field)) : schema));
        List<String> required = object.required() == null
                ? List.of()
                : object.required().stream()
                        .map(field -> names.getOrDefault(field, field))
                        .toList();
        return copy(object, members, required, object.definitions());
    }

    private static JsonObjectSchema copy(
            JsonObjectSchema schema,
            Map<String, JsonSchemaElement> properties,
            List<String> required,
            Map<String, JsonSchemaElement> definitions) {
        return JsonObjectSchema.builder()
                .description(schema.description())
                .addProperties(properties)
                .required(required)
                .additionalProperties(schema.additionalProperties())
                .definitions(definitions)
                .build();
    }
}
