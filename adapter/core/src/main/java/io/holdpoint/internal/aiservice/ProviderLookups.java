package io.holdpoint.internal.aiservice;

import dev.langchain4j.observability.api.AiServiceListenerRegistrar;
import dev.langchain4j.observability.api.DefaultAiServiceListenerRegistrar;
import dev.langchain4j.service.TokenStream;
import dev.langchain4j.spi.ServiceHelper;
import dev.langchain4j.spi.observability.AiServiceListenerRegistrarFactory;
import dev.langchain4j.spi.services.TokenStreamAdapter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Type;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes LangChain4j create {@link TurnListeners}, and keeps its constructors from searching the class path again where each run
 * has an AI Service of its own. They look for providers with {@link java.util.ServiceLoader}, which asks the context class loader
 * for each file of providers and forgets what it finds. During the construction the thread's context class loader is one that
 * remembers which files there are, and is otherwise the application's; the providers themselves are created anew, as always.
 * Thread-safe.
 */
final class ProviderLookups {

    private volatile Optional<Remembering> last = Optional.empty();

    /** Constructs something; the thread's context class loader is back when this returns or throws. */
    <T> T remembered(Supplier<T> construction) {
        Thread thread = Thread.currentThread();
        ClassLoader own = thread.getContextClassLoader();
        try {
            thread.setContextClassLoader(of(own));
        } catch (SecurityException e) {
            return construction.get(); // some pools fix the loader of their threads
        }
        try {
            return construction.get();
        } finally {
            thread.setContextClassLoader(own);
        }
    }

    private ClassLoader of(@Nullable ClassLoader own) {
        ClassLoader parent = own == null ? ClassLoader.getSystemClassLoader() : own;
        Optional<Remembering> known = last;
        if (known.isPresent() && known.get().getParent() == parent) {
            return known.get();
        }
        Remembering created = new Remembering(parent);
        last = Optional.of(created);
        return created;
    }

    /** Delegates to its parent, and asks it once for each file of providers. */
    private static final class Remembering extends ClassLoader {

        private static final String FILES = "META-INF/services/";
        private static final String ADAPTERS = FILES + TokenStreamAdapter.class.getName();
        private static final String REGISTRARS = FILES + AiServiceListenerRegistrarFactory.class.getName();
        private static final Map<String, Class<?>> OURS = Map.of(
                NoAdapter.class.getName(), NoAdapter.class,
                Registrars.class.getName(), Registrars.class);

        static {
            registerAsParallelCapable();
        }

        private final Map<String, List<URL>> found = new ConcurrentHashMap<>();
        private final boolean hasRegistrar;

        /** Created while the parent is still the context class loader. */
        Remembering(ClassLoader parent) {
            super(parent);
            if (ServiceHelper.loadFactories(TokenStreamAdapter.class).isEmpty()) {
                found.put(ADAPTERS, List.of(file(NoAdapter.class)));
            }
            hasRegistrar = ServiceLoader.load(AiServiceListenerRegistrarFactory.class, parent)
                    .findFirst()
                    .isPresent();
            found.put(REGISTRARS, List.of(file(Registrars.class)));
        }

        @Override
        public Enumeration<URL> getResources(String name) throws IOException {
            if (!name.startsWith(FILES)) {
                return super.getResources(name);
            }
            List<URL> files = found.get(name);
            if (files == null) {
                files = Collections.list(super.getResources(name));
                found.put(name, files);
            }
            return Collections.enumeration(files);
        }

        /** The parent need not know Holdpoint, or may know another copy of it. */
        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            Class<?> own = OURS.get(name);
            return own != null ? own : super.loadClass(name, resolve);
        }

        /** A file of providers that has this one. */
        private static URL file(Class<?> provider) {
            byte[] text = provider.getName().getBytes(StandardCharsets.UTF_8);
            try {
                return new URL(null, "holdpoint:" + provider.getSimpleName(), new URLStreamHandler() {
                    @Override
                    protected URLConnection openConnection(URL url) {
                        return new URLConnection(url) {
                            @Override
                            public void connect() {}

                            @Override
                            public InputStream getInputStream() {
                                return new ByteArrayInputStream(text);
                            }
                        };
                    }
                });
            } catch (MalformedURLException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /**
     * Stands where there is no adapter. LangChain4j searches its own class loader as well if it finds none, and that search
     * cannot be remembered. Public for {@link java.util.ServiceLoader}.
     */
    public static final class NoAdapter implements TokenStreamAdapter {

        @Override
        public boolean canAdaptTokenStreamTo(Type type) {
            return false;
        }

        @Override
        public Object adapt(TokenStream tokenStream) {
            throw new UnsupportedOperationException("adapts to nothing");
        }
    }

    /** Makes the listeners of a context obey its turns; they are in a registrar of the application's own, if it has one. */
    public static final class Registrars implements AiServiceListenerRegistrarFactory {

        @Override
        public AiServiceListenerRegistrar get() {
            Remembering loader = (Remembering) Thread.currentThread().getContextClassLoader();
            return new TurnListeners(
                    loader.hasRegistrar
                            ? ServiceLoader.load(AiServiceListenerRegistrarFactory.class, loader.getParent())
                                    .findFirst()
                                    .orElseThrow()
                                    .get()
                            : new DefaultAiServiceListenerRegistrar(),
                    loader.hasRegistrar);
        }
    }
}
