package io.holdpoint.internal.agent;

import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The threads of agents without an executor of their own: virtual ones, or a growing pool where the JDK has none. */
final class SharedThreads {

    static final Executor EXECUTOR = create();

    private SharedThreads() {}

    private static Executor create() {
        try {
            return (Executor)
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (ReflectiveOperationException e) { // before Java 21
            return new ThreadPoolExecutor(
                    0,
                    Integer.MAX_VALUE,
                    1,
                    TimeUnit.SECONDS,
                    new SynchronousQueue<>(),
                    task -> new Thread(task, "holdpoint-run"));
        }
    }
}
