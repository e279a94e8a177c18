package io.holdpoint.internal.gate;

import java.lang.reflect.Method;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;

/**
 * The asynchronous return types that AI Services and tools may have, those of libraries by their names. LangChain4j works for
 * such methods on a way of its own from 1.20, and takes them for objects to be parsed before.
 */
public final class AsyncTypes {

    private static final Set<String> BY_NAME = Set.of(
            "org.reactivestreams.Publisher",
            "kotlinx.coroutines.flow.Flow",
            "kotlinx.coroutines.Deferred",
            "io.smallrye.mutiny.Uni",
            "io.reactivex.rxjava3.core.SingleSource");

    /** The last parameter of a Kotlin {@code suspend fun}. */
    private static final String CONTINUATION = "kotlin.coroutines.Continuation";

    private AsyncTypes() {}

    /** The asynchronous type that a method returns, as its author wrote it. */
    public static Optional<String> of(Method method) {
        Class<?>[] parameters = method.getParameterTypes();
        if (parameters.length > 0 && parameters[parameters.length - 1].getName().equals(CONTINUATION)) {
            return Optional.of("its value to a " + CONTINUATION + " (it is a Kotlin suspend fun)");
        }
        return isAsync(method.getReturnType())
                ? Optional.of(method.getGenericReturnType().getTypeName())
                : Optional.empty();
    }

    private static boolean isAsync(Class<?> type) {
        if (Future.class.isAssignableFrom(type)
                || CompletionStage.class.isAssignableFrom(type)
                || Flow.Publisher.class.isAssignableFrom(type)
                || BY_NAME.contains(type.getName())) {
            return true;
        }
        for (Class<?> each : type.getInterfaces()) {
            if (isAsync(each)) {
                return true;
            }
        }
        return type.getSuperclass() != null && isAsync(type.getSuperclass());
    }
}
