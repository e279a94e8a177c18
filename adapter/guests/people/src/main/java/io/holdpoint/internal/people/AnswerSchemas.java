package io.holdpoint.internal.people;

import static dev.langchain4j.service.IllegalConfigurationException.illegalConfiguration;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.type.TypeFactory;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.langchain4j.internal.JsonSchemaElementUtils;
import dev.langchain4j.internal.JsonSchemaElementUtils.VisitedClassMetadata;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.request.json.JsonSchemaElement;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.internal.gate.ToolArguments;
import io.holdpoint.internal.gate.ToolSchemas;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** Makes the JSON Schema of the answers to a question from a return type and the annotation's own schema. Immutable. */
final class AnswerSchemas {

    /** The classes of the JDK that LangChain4j describes as a single value. */
    private static final Set<Class<?>> SCALARS = Set.of(
            Boolean.class,
            Character.class,
            Byte.class,
            Short.class,
            Integer.class,
            Long.class,
            BigInteger.class,
            Float.class,
            Double.class,
            BigDecimal.class,
            UUID.class);

    private final String where;

    /** Error messages name the place of the annotation. */
    AnswerSchemas(String where) {
        this.where = where;
    }

    ObjectNode of(Type type, String more) {
        if (isAnyJson(type)) {
            if (more.isBlank()) {
                throw illegalConfiguration(
                        "%s: %s can be anything. Say with responseSchema what an answer looks like.",
                        where, type.getTypeName());
            }
            return usable(object(more));
        }
        ObjectNode schema = ofType(type);
        return more.isBlank() ? schema : usable(merged(schema, object(more)));
    }

    private static boolean isAnyJson(Type type) {
        Class<?> raw = raw(type);
        return raw == Object.class || JsonNode.class.isAssignableFrom(raw) || isMap(raw);
    }

    private static boolean isMap(Class<?> raw) {
        return Map.class.isAssignableFrom(raw);
    }

    /** Describes a type as LangChain4j describes it to a model; without references, which not every client follows. */
    private ObjectNode ofType(Type type) {
        requireSupported(type, new HashSet<>());
        Map<Class<?>, VisitedClassMetadata> visited = new LinkedHashMap<>();
        JsonSchemaElement element = JsonSchemaElementUtils.jsonSchemaElementFrom(raw(type), type, null, true, visited);
        if (visited.values().stream().anyMatch(each -> each.recursionDetected)) {
            throw unsupported(type, "contains itself");
        }
        if (element instanceof JsonObjectSchema object && object.properties().isEmpty()) {
            throw unsupported(type, "has no fields");
        }
        return ToolSchemas.closed(AguiCodec.mapper().valueToTree(JsonSchemaElementUtils.toMap(element)));
    }

    private void requireSupported(Type type, Set<Class<?>> seen) {
        Class<?> raw = raw(type);
        if (raw == void.class || raw == Void.class) {
            throw illegalConfiguration("%s returns nothing: the return type says what an answer looks like.", where);
        }
        if (raw.isArray()) {
            requireSupported(
                    type instanceof GenericArrayType array ? array.getGenericComponentType() : raw.getComponentType(),
                    seen);
        } else if (Collection.class.isAssignableFrom(raw)) {
            if (!(type instanceof ParameterizedType generic) || generic.getActualTypeArguments().length != 1) {
                throw unsupported(type, "does not say of what");
            }
            requireSupported(generic.getActualTypeArguments()[0], seen);
        } else if (!isScalar(raw) && isOfALibrary(raw)) {
            throw unsupported(type, "cannot be asked for");
        } else if (!isScalar(raw) && seen.add(raw)) {
            Arrays.stream(raw.getDeclaredFields())
                    .filter(field -> !Modifier.isStatic(field.getModifiers()) && !isMap(field.getType()))
                    .forEach(field -> requireSupported(field.getGenericType(), seen));
        }
    }

    private static boolean isScalar(Class<?> raw) {
        return raw.isPrimitive() || raw.isEnum() || CharSequence.class.isAssignableFrom(raw) || SCALARS.contains(raw);
    }

    private static boolean isOfALibrary(Class<?> raw) {
        String name = raw.getPackageName();
        return name.startsWith("java.") || name.startsWith("javax.") || name.startsWith("dev.langchain4j.");
    }

    private RuntimeException unsupported(Type type, String why) {
        return illegalConfiguration(
                "%s: %s %s. Return a boolean, a number, a String, an enum, a record of those, or a List of any.",
                where, type.getTypeName(), why);
    }

    private static Class<?> raw(Type type) {
        boolean isVariable = type instanceof TypeVariable<?> || type instanceof WildcardType;
        return isVariable ? Object.class : TypeFactory.rawClass(type);
    }

    private ObjectNode object(String json) {
        try {
            if (ToolArguments.readValue(json) instanceof ObjectNode object && !object.isEmpty()) {
                return object;
            }
            throw illegalConfiguration("%s: the responseSchema is not a JSON object with keywords in it.", where);
        } catch (JsonProcessingException e) {
            throw illegalConfiguration("%s: the responseSchema is not JSON: %s", where, e.getOriginalMessage());
        }
    }

    /** A misspelt field would leave the real one without its limits. */
    private ObjectNode merged(ObjectNode schema, ObjectNode more) {
        more.properties().forEach(keyword -> {
            boolean fields = keyword.getKey().equals("properties");
            if (schema.get(keyword.getKey()) instanceof ObjectNode present
                    && keyword.getValue() instanceof ObjectNode added) {
                if (fields) {
                    added.fieldNames().forEachRemaining(name -> requireField(present, name));
                }
                merged(present, added);
            } else {
                schema.set(keyword.getKey(), keyword.getValue());
            }
        });
        return schema;
    }

    private void requireField(ObjectNode fields, String name) {
        if (!fields.has(name)) {
            throw illegalConfiguration(
                    "%s: the responseSchema names the field %s, but an answer has none of that name.", where, name);
        }
    }

    /** Refuses what is not a JSON schema: with it, no answer would ever be accepted. */
    private ObjectNode usable(ObjectNode schema) {
        List<Error> errors = MetaSchema.INSTANCE.validate(schema);
        if (!errors.isEmpty()) {
            throw illegalConfiguration(
                    "%s: the responseSchema is not a JSON schema (draft 2020-12): %s.",
                    where,
                    errors.stream()
                            .map(error -> error.getInstanceLocation() + ": " + error.getMessage())
                            .distinct()
                            .collect(Collectors.joining("; ")));
        }
        return schema;
    }

    /** Loaded when it is first needed: most questions say everything with their return type. */
    private static final class MetaSchema {

        static final Schema INSTANCE = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(SchemaLocation.of(SpecificationVersion.DRAFT_2020_12.getDialectId()));
    }
}
