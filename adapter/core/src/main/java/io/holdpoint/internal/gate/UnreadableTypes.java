package io.holdpoint.internal.gate;

import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.deser.AbstractDeserializer;
import com.fasterxml.jackson.databind.deser.BeanDeserializerBase;
import com.fasterxml.jackson.databind.deser.DefaultDeserializationContext;
import com.fasterxml.jackson.databind.deser.SettableBeanProperty;
import com.fasterxml.jackson.databind.deser.impl.UnsupportedTypeDeserializer;
import com.fasterxml.jackson.databind.type.LogicalType;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Finds the types in a parameter that Jackson, as LangChain4j uses it, makes of no JSON. The application's
 * constructors do not run for that.
 */
final class UnreadableTypes {

    /** LangChain4j reads these itself, as a text. */
    private static final Set<Class<?>> READ_AS_TEXTS = Set.of(String.class, UUID.class);

    private static final String AS_STRING = "Take a String, and convert it in the tool.";

    private static final String MODULE = "Take a String, or add Jackson's module for it to the class path, such as"
            + " jackson-datatype-jsr310 for java.time.";

    private final DeserializationContext jackson;
    private final List<Unreadable> found = new ArrayList<>();
    private final Set<JavaType> seen = new HashSet<>();

    /** A type that cannot be read, and its place in the parameter: an empty path is the parameter itself. */
    record Unreadable(String path, String problem) {}

    private UnreadableTypes(ObjectMapper mapper) {
        this.jackson = context(mapper);
    }

    /** Finds how types are read, without any JSON. */
    static DeserializationContext context(ObjectMapper mapper) {
        return ((DefaultDeserializationContext) mapper.getDeserializationContext())
                .createDummyInstance(mapper.getDeserializationConfig());
    }

    static List<Unreadable> in(ObjectMapper mapper, JavaType type) {
        UnreadableTypes types = new UnreadableTypes(mapper);
        types.look("", type);
        return types.found;
    }

    private void look(String path, JavaType type) {
        if (!seen.add(type)) {
            return;
        }
        JsonDeserializer<?> reader;
        try {
            reader = jackson.findRootValueDeserializer(type);
        } catch (JsonMappingException e) {
            add(path, type, "is a type that Jackson refuses (" + e.getOriginalMessage() + ")", AS_STRING);
            return;
        }
        Class<?> raw = type.getRawClass();
        if (path.isEmpty() && isTextOfJdk(raw, reader)) {
            add(path, type, "is written as a text, and LangChain4j reads this text as JSON", AS_STRING);
        } else if (reader instanceof UnsupportedTypeDeserializer) {
            add(
                    path,
                    type,
                    "is a type that Jackson knows only with another module",
                    path.isEmpty() ? AS_STRING : MODULE);
        } else if (reader instanceof AbstractDeserializer) {
            add(
                    path,
                    type,
                    "is abstract",
                    "Take a record or class, or tell Jackson the implementations: seal the type, or mark it with"
                            + " @JsonTypeInfo and @JsonSubTypes.");
        } else if (reader instanceof BeanDeserializerBase bean) {
            if (bean.getValueInstantiator().canInstantiate()) {
                Iterator<SettableBeanProperty> properties = bean.properties();
                properties.forEachRemaining(
                        property -> look(ToolArguments.step(path, property.getName()), property.getType()));
            } else {
                add(path, type, "has no constructor that Jackson can use", constructorFor(raw));
            }
        } else if (type.isContainerType()) {
            look(path + "/*", type.getContentType());
        }
    }

    /** A text of an application's own type may be one that is JSON as well. */
    private static boolean isTextOfJdk(Class<?> raw, JsonDeserializer<?> reader) {
        boolean isText = reader.logicalType() == LogicalType.Textual
                || reader.logicalType() == LogicalType.OtherScalar
                || raw == char.class
                || raw == Character.class;
        return isText
                && !READ_AS_TEXTS.contains(raw)
                && (raw.isPrimitive() || raw.getName().startsWith("java."));
    }

    private static String constructorFor(Class<?> raw) {
        if (KotlinTools.isKotlin(raw)) {
            return "Add jackson-module-kotlin to the class path.";
        }
        return raw.isMemberClass() && !Modifier.isStatic(raw.getModifiers())
                ? "Make the class static."
                : "Make it a record, give it a constructor without parameters, or mark its constructor with @JsonCreator and"
                        + " the constructor's parameters with @JsonProperty(\"name\").";
    }

    private void add(String path, JavaType type, String why, String remedy) {
        found.add(new Unreadable(path, type.toCanonical() + " " + why + ". " + remedy));
    }
}
