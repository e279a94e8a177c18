package io.holdpoint.internal.gate;

import static dev.langchain4j.service.IllegalConfigurationException.illegalConfiguration;

import dev.langchain4j.service.tool.AiServiceTool;
import dev.langchain4j.service.tool.DefaultToolExecutor;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.ServiceLoader;
import java.util.Set;

/**
 * The tools that are functions of Kotlin, recognised without any class of Kotlin. Only a module knows the defaults that a call leaves out:
 * without it, such a tool is refused.
 */
public final class KotlinTools {

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

    /** Refuses functions: nothing here knows what a call of them may leave out. */
    private static final class NoModule implements ToolShape {

        @Override
        public AiServiceTool shaped(AiServiceTool tool, DefaultToolExecutor executor, Object object) {
            throw refused(executor.originalMethod());
        }

        @Override
        public Set<String> neverNull(Method method) {
            throw refused(method);
        }

        private static RuntimeException refused(Method method) {
            return illegalConfiguration(
                    "The tool %s is a function of Kotlin: Holdpoint needs its module for Kotlin to show and run what a call leaves"
                            + " out. Add the dependency io.holdpoint:holdpoint-kotlin.",
                    ToolMethod.describe(method));
        }
    }
}
