package io.holdpoint.internal.gate;

import static dev.langchain4j.service.IllegalConfigurationException.illegalConfiguration;

import dev.langchain4j.service.IllegalConfigurationException;
import dev.langchain4j.service.tool.DefaultToolExecutor;
import java.lang.reflect.Field;
import java.lang.reflect.Proxy;

/**
 * Looks behind LangChain4j's executor of a method: an annotation may be on an interface that only the object's class
 * implements. The executor does not tell its object, so its field is read.
 */
final class ToolObjects {

    private static final Field OBJECT = objectField();

    private ToolObjects() {}

    /** The class of the tool's object; for a JDK proxy, the class or interface that declares the method. */
    static Class<?> visibleClassOf(DefaultToolExecutor executor) {
        Class<?> type;
        try {
            type = OBJECT.get(executor).getClass();
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("the field was made accessible", e);
        }
        return Proxy.isProxyClass(type) ? executor.originalMethod().getDeclaringClass() : type;
    }

    /**
     * The class of the tool's object.
     *
     * @throws IllegalConfigurationException if the object is a JDK proxy and the method one of its interfaces': what is
     *     annotated behind it cannot be seen
     */
    static Class<?> classOf(DefaultToolExecutor executor) {
        Class<?> type = visibleClassOf(executor);
        if (type.isInterface() || Proxy.isProxyClass(type)) {
            throw invisible(type);
        }
        return type;
    }

    static IllegalConfigurationException invisible(Class<?> proxy) {
        return illegalConfiguration(
                "The tool object %s is a JDK proxy: @RequiresApproval on the object behind it cannot be seen."
                        + " Give the object itself.",
                proxy.getName());
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
}
