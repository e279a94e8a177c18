package io.holdpoint.internal.gate;

import static dev.langchain4j.service.IllegalConfigurationException.illegalConfiguration;

import dev.langchain4j.service.tool.AiServiceTool;
import dev.langchain4j.service.tool.DefaultToolExecutor;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.ServiceLoader;
import java.util.Set;

/**
 * The tools that are functions of Kotlin, recognised without any class of Kotlin. Only a module can fill in the defaults that a call leaves
 * out: without it, a tool with defaults is refused.
 */
public final class KotlinTools {

    /** The compiler of Kotlin makes a method of this ending, or a constructor with this last parameter, for those who leave something out. */
    private static final String DEFAULT = "$default";

    private static final String DEFAULT_OF_CONSTRUCTOR = "kotlin.jvm.internal.DefaultConstructorMarker";

    private KotlinTools() {}

    /** Looked for when there is a function of Kotlin. */
    private static final class Module {

        /**
         * By the class loader that has this class: a framework's jar and a web application have theirs for all of their libraries, but the
         * thread that builds an agent may have any.
         */
        static final ToolShape SHAPE = ServiceLoader.load(ToolShape.class, ToolShape.class.getClassLoader())
                .findFirst()
                .orElseGet(NoModule::new);
    }

    /** Tells whether the compiler of Kotlin has made a class. */
    public static boolean isKotlin(Class<?> type) {
        for (Annotation each : type.getAnnotations()) {
            if (each.annotationType().getName().equals("kotlin.Metadata")) {
                return true;
            }
        }
        return false;
    }

    static AiServiceTool shaped(AiServiceTool tool, Object object) {
        return tool.toolExecutor() instanceof DefaultToolExecutor executor
                        && isKotlin(executor.originalMethod().getDeclaringClass())
                ? Module.SHAPE.shaped(tool, executor, object)
                : tool;
    }

    static Set<String> neverNull(Method method) {
        return isKotlin(method.getDeclaringClass()) ? Module.SHAPE.neverNull(method) : Set.of();
    }

    /** Takes functions without defaults: they run as they are shown. */
    private static final class NoModule implements ToolShape {

        @Override
        public AiServiceTool shaped(AiServiceTool tool, DefaultToolExecutor executor, Object object) {
            requireNoDefaults(executor.originalMethod());
            return tool;
        }

        @Override
        public Set<String> neverNull(Method method) {
            requireNoDefaults(method);
            return Set.of();
        }

        private static void requireNoDefaults(Method method) {
            for (Class<?> type = method.getDeclaringClass(); type != null; type = type.getSuperclass()) {
                requireNoDefaults(method, type);
            }
            for (Parameter parameter : method.getParameters()) {
                for (AnnotatedElement part : ParameterParts.of(parameter)) {
                    if (part instanceof Class<?> type && hasDefaults(type)) {
                        throw refused(
                                method,
                                "its parameter \"" + MethodArguments.name(parameter) + "\", of the class "
                                        + type.getName() + ", has fields with default values");
                    }
                }
            }
        }

        private static void requireNoDefaults(Method method, Class<?> type) {
            boolean hasDefaults = declares(type, method.getName() + DEFAULT)
                    || Arrays.stream(type.getDeclaredClasses())
                            .anyMatch(inner -> declares(inner, method.getName() + DEFAULT));
            if (hasDefaults) {
                throw refused(method, "its parameters have default values");
            }
            for (Class<?> each : type.getInterfaces()) {
                requireNoDefaults(method, each);
            }
        }

        private static boolean declares(Class<?> type, String name) {
            return Arrays.stream(type.getDeclaredMethods())
                    .anyMatch(method -> method.getName().equals(name));
        }

        private static boolean hasDefaults(Class<?> type) {
            for (Constructor<?> constructor : type.getDeclaredConstructors()) {
                Class<?>[] parameters = constructor.getParameterTypes();
                int last = parameters.length - 1;
                if (last > 0
                        && parameters[last].getName().equals(DEFAULT_OF_CONSTRUCTOR)
                        && parameters[last - 1] == int.class
                        && isKotlin(type)) {
                    return true;
                }
            }
            return false;
        }

        private static RuntimeException refused(Method method, String what) {
            return illegalConfiguration(
                    "The tool %s is a function of Kotlin, and %s: Holdpoint needs its module for Kotlin to show and run what a"
                            + " call leaves out. Add the dependency io.holdpoint:holdpoint-kotlin.",
                    ToolMethod.describe(method), what);
        }
    }
}
