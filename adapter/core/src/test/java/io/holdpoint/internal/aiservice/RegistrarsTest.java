package io.holdpoint.internal.aiservice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.observability.api.AiServiceListenerRegistrar;
import dev.langchain4j.observability.api.event.AiServiceEvent;
import dev.langchain4j.observability.api.event.AiServiceStartedEvent;
import dev.langchain4j.observability.api.listener.AiServiceListener;
import dev.langchain4j.spi.observability.AiServiceListenerRegistrarFactory;
import io.holdpoint.internal.aiservice.AiServiceFactory.Registrars;
import io.holdpoint.testing.Bench;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The class loader under which AI Services are built. */
class RegistrarsTest {

    private static final String FILES = "META-INF/services/";

    private final ClassLoader before = Thread.currentThread().getContextClassLoader();
    private final List<String> searched = Collections.synchronizedList(new ArrayList<>());

    @TempDir
    private Path providers;

    /** The application's class loader: counts the searches for providers, and may have some of its own. */
    private final class Application extends ClassLoader {

        Application() {
            super(before);
        }

        @Override
        public Enumeration<URL> getResources(String name) throws IOException {
            if (!name.startsWith(FILES)) {
                return super.getResources(name);
            }
            searched.add(name);
            Path own = providers.resolve(name.substring(FILES.length()));
            return Files.exists(own)
                    ? Collections.enumeration(List.of(own.toUri().toURL()))
                    : super.getResources(name);
        }
    }

    /** A provider that only the application's class loader knows. */
    public static final class CountingRegistrars implements AiServiceListenerRegistrarFactory {

        static final AtomicInteger STARTED = new AtomicInteger();

        @Override
        public AiServiceListenerRegistrar get() {
            return new CountingRegistrar();
        }
    }

    private static final class CountingRegistrar implements AiServiceListenerRegistrar {

        @Override
        public <T extends AiServiceEvent> void register(AiServiceListener<T> listener) {}

        @Override
        public <T extends AiServiceEvent> void unregister(AiServiceListener<T> listener) {}

        @Override
        public <T extends AiServiceEvent> void fireEvent(T event) {
            if (event instanceof AiServiceStartedEvent) {
                CountingRegistrars.STARTED.incrementAndGet();
            }
        }

        @Override
        public void shouldThrowExceptionOnEventError(boolean shouldThrow) {}
    }

    private Application application() {
        Application application = new Application();
        Thread.currentThread().setContextClassLoader(application);
        return application;
    }

    private void provides(Class<?> service, Class<?> provider) throws IOException {
        Files.writeString(providers.resolve(service.getName()), provider.getName());
    }

    @AfterEach
    void restore() {
        Thread.currentThread().setContextClassLoader(before);
    }

    @Test
    void noTurnSearchesForProviders() {
        application();
        Bench bench = new Bench();
        bench.model.says("One.").says("Two.");
        searched.clear();

        bench.say("1");
        application();
        bench.say("2");

        assertThat(searched).isEmpty();
    }

    @Test
    void aProviderOfTheApplicationIsUsedInEveryTurn() throws IOException {
        application();
        provides(AiServiceListenerRegistrarFactory.class, CountingRegistrars.class);
        Bench bench = new Bench();
        bench.model.says("One.").says("Two.");
        int started = CountingRegistrars.STARTED.get();

        bench.say("1");
        bench.say("2");

        assertThat(CountingRegistrars.STARTED.get() - started).isEqualTo(2);
    }

    @Test
    void customizersModelAndToolsSeeTheApplicationsClassLoader() {
        Application application = application();
        List<ClassLoader> seen = new ArrayList<>();
        Bench bench = new Bench(builder ->
                builder.aiService(service -> seen.add(Thread.currentThread().getContextClassLoader())));
        bench.model.answers(request -> {
            seen.add(Thread.currentThread().getContextClassLoader());
            return AiMessage.from("One.");
        });

        bench.say("1");

        assertThat(seen).hasSize(3).containsOnly(application);
        assertThat(Thread.currentThread().getContextClassLoader()).isSameAs(application);
    }

    @Test
    void theClassLoaderIsBackAfterAnException() {
        Application application = application();

        assertThatThrownBy(() -> Registrars.listeningTo(() -> {
                    throw new IllegalStateException("broken");
                }))
                .hasMessage("broken");

        assertThat(Thread.currentThread().getContextClassLoader()).isSameAs(application);
    }

    @Test
    void aThreadWithoutContextClassLoaderStaysWithoutOne() {
        Thread.currentThread().setContextClassLoader(null);

        ClassLoader during = Registrars.listeningTo(() -> Thread.currentThread().getContextClassLoader());

        assertThat(during.getParent()).isSameAs(ClassLoader.getSystemClassLoader());
        assertThat(Thread.currentThread().getContextClassLoader()).isNull();
    }
}
