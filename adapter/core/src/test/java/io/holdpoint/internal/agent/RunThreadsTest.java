package io.holdpoint.internal.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The threads of runs where the JDK has no virtual ones. */
class RunThreadsTest {

    private final Thread here = Thread.currentThread();
    private final ClassLoader before = here.getContextClassLoader();
    private final Executor pool = AgentConfig.pool();

    @AfterEach
    void restore() {
        here.setContextClassLoader(before);
    }

    @Test
    void aTaskHasTheContextClassLoaderOfTheThreadThatHandsItOver() {
        for (int i = 0; i < 10; i++) { // most of them on a thread that has had another one
            ClassLoader ofApplication = new ClassLoader(before) {};
            here.setContextClassLoader(ofApplication);

            assertThat(handOver(() -> Thread.currentThread().getContextClassLoader()))
                    .isSameAs(ofApplication);
        }
    }

    @Test
    void aThreadDoesNotKeepTheUserOfTheRequestThatItWasMadeFor() {
        InheritableThreadLocal<String> user = new InheritableThreadLocal<>();
        user.set("ada");

        assertThat(handOver(user::get)).isNull();
    }

    @Test
    void anIdleThreadDoesNotKeepTheApplicationOfItsLastTask() throws Exception {
        here.setContextClassLoader(new ClassLoader(before) {});
        Thread thread = handOver(Thread::currentThread);

        thread.join(); // ends after a second without a task
        assertThat(thread.getContextClassLoader()).isSameAs(AgentConfig.class.getClassLoader());
    }

    private <T> T handOver(Supplier<T> task) {
        return CompletableFuture.supplyAsync(task, pool).join();
    }
}
