package io.holdpoint.internal.langchain4j;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.langchain4j.internal.Json;
import dev.langchain4j.service.tool.DefaultToolExecutor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Optional;

/**
 * The members of LangChain4j that are read by reflection, because no public member gives the same:
 *
 * <ul>
 *   <li>{@code DefaultToolExecutor.object}: the object whose method is the tool, for its annotations and its class
 *   <li>{@code DefaultToolExecutor.coerceArgument} and {@code prepareArguments}: the values that a method gets of a call's arguments
 *   <li>{@code Json.CODEC} and its {@code getObjectMapper}: the mapper with which they are made, with the modules of the application
 * </ul>
 */
public final class PrivateMembers {

    private static final Field OBJECT = objectField();

    private PrivateMembers() {}

    /** The object whose method is the tool. */
    public static Object toolObject(DefaultToolExecutor executor) {
        try {
            return OBJECT.get(executor);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("the field was made accessible", e);
        }
    }

    /** A method of LangChain4j's executor, which converts arguments only on the way into a call. */
    public static Method ofExecutor(String name, Class<?>... parameters) {
        try {
            Method found = DefaultToolExecutor.class.getDeclaredMethod(name, parameters);
            found.setAccessible(true);
            return found;
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(
                    "This version of LangChain4j is not supported: DefaultToolExecutor has no method '" + name + "'",
                    e);
        }
    }

    private static Field objectField() {
        try {
            Field field = DefaultToolExecutor.class.getDeclaredField("object");
            field.setAccessible(true);
            return field;
        } catch (NoSuchFieldException e) {
            throw new IllegalStateException(
                    "This version of LangChain4j is not supported: DefaultToolExecutor has no field 'object'", e);
        }
    }

    /** A copy of the mapper that makes arguments; empty if it is another codec's, or refuses to be copied. */
    public static Optional<ObjectMapper> jackson() {
        try {
            Field codec = Json.class.getDeclaredField("CODEC");
            codec.setAccessible(true);
            Object used = codec.get(null);
            Method mapper = used.getClass().getMethod("getObjectMapper");
            mapper.setAccessible(true);
            return Optional.of(((ObjectMapper) mapper.invoke(used)).copy());
        } catch (ReflectiveOperationException | IllegalStateException e) { // a mapper may refuse to be copied
            return Optional.empty();
        }
    }
}
