package io.holdpoint.internal.aiservice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.observability.api.AiServiceListenerRegistrar;
import dev.langchain4j.observability.api.event.AiServiceEvent;
import dev.langchain4j.observability.api.event.AiServiceStartedEvent;
import dev.langchain4j.observability.api.listener.AiServiceListener;
import dev.langchain4j.service.TokenStream;
import dev.langchain4j.spi.observability.AiServiceListenerRegistrarFactory;
import dev.langchain4j.spi.services.TokenStreamAdapter;
import io.holdpoint.internal.aiservice.AiServiceFactory.ProviderLookups;
import io.holdpoint.testing.Bench;
import java.io.IOException;
import java.lang.reflect.Type;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The class loader under which AI Services are built. */
class ProviderLookupsTest {

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

    /** An adapter that only the application's class loader knows. */
    public static final class Adapter implements TokenStreamAdapter {

        @Override
        public boolean canAdaptTokenStreamTo(Type type) {
            return type == StringBuilder.class;
        }

        @Override
        public Object adapt(TokenStream tokenStream) {
            return new StringBuilder();
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

    /** An agent whose runs have an AI Service each. */
    private static Bench serviceForEachRun() {
        return new Bench(builder -> builder.aiServicePerRun((service, run) -> {}));
    }

    @Test
    void noTurnSearchesForProvidersIfAllShareAnAiService() {
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
    void onlyTheFirstTurnSearchesForProviders() {
        application();
        Bench bench = serviceForEachRun();
        bench.model.says("One.").says("Two.").says("Three.");
        bench.say("1");
        searched.clear();

        bench.say("2");
        bench.say("3");

        assertThat(searched).isEmpty();
    }

    @Test
    void anotherContextClassLoaderIsSearchedForItsOwnProviders() {
        application();
        Bench bench = serviceForEachRun();
        bench.model.says("One.").says("Two.");
        bench.say("1");
        searched.clear();

        application();
        bench.say("2");

        assertThat(searched).isNotEmpty();
    }

    @Test
    void aProviderOfTheApplicationIsUsedInEveryTurn() throws IOException {
        application();
        provides(AiServiceListenerRegistrarFactory.class, CountingRegistrars.class);
        for (Bench bench : List.of(new Bench(), serviceForEachRun())) {
            bench.model.says("One.").says("Two.");
            int started = CountingRegistrars.STARTED.get();

            bench.say("1");
            bench.say("2");

            assertThat(CountingRegistrars.STARTED.get() - started).isEqualTo(2);
        }
    }

    @Test
    void anAdapterOfTheApplicationIsFoundAlone() throws IOException {
        application();
        provides(TokenStreamAdapter.class, Adapter.class);

        assertThat(adapters()).hasSize(1).first().isInstanceOf(Adapter.class);
    }

    @Test
    void whereThereIsNoAdapterOneThatAdaptsNothingIsFoundInstead() {
        application();

        assertThat(adapters())
                .hasSize(1)
                .first()
                .matches(adapter -> !adapter.canAdaptTokenStreamTo(Object.class))
                .matches(adapter -> !adapter.canAdaptTokenStreamTo(TokenStream.class));
    }

    private static List<TokenStreamAdapter> adapters() {
        return new ProviderLookups().remembered(() -> ServiceLoader.load(TokenStreamAdapter.class).stream()
                .map(ServiceLoader.Provider::get)
                .toList());
    }

    @Test
    void customizersModelAndToolsSeeTheApplicationsClassLoader() {
        Application application = application();
        List<ClassLoader> seen = new ArrayList<>();
        Bench bench = new Bench(builder -> builder.aiService(
                        service -> seen.add(Thread.currentThread().getContextClassLoader()))
                .aiServicePerRun(
                        (service, run) -> seen.add(Thread.currentThread().getContextClassLoader())));
        bench.model.answers(request -> {
            seen.add(Thread.currentThread().getContextClassLoader());
            return AiMessage.from("One.");
        });

        bench.say("1");

        assertThat(seen).hasSize(4).containsOnly(application);
        assertThat(Thread.currentThread().getContextClassLoader()).isSameAs(application);
    }

    @Test
    void theClassLoaderIsBackAfterAnException() {
        Application application = application();

        assertThatThrownBy(() -> new ProviderLookups().remembered(() -> {
                    throw new IllegalStateException("broken");
                }))
                .hasMessage("broken");

        assertThat(Thread.currentThread().getContextClassLoader()).isSameAs(application);
    }

    @Test
    void aThreadWithoutContextClassLoaderStaysWithoutOne() {
        Thread.currentThread().setContextClassLoader(null);

        ClassLoader during =
                new ProviderLookups().remembered(() -> Thread.currentThread().getContextClassLoader());

        assertThat(during.getParent()).isSameAs(ClassLoader.getSystemClassLoader());
        assertThat(Thread.currentThread().getContextClassLoader()).isNull();
    }
}
