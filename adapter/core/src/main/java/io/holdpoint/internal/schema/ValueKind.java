package io.holdpoint.internal.schema;

import java.math.BigInteger;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** What a Java type is in JSON, as LangChain4j has it. */
enum ValueKind {
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

    ValueKind(String jsonType) {
        this.jsonType = jsonType;
    }

    static ValueKind of(Class<?> type) {
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
