package io.holdpoint.internal.aiservice;

import static dev.langchain4j.service.IllegalConfigurationException.illegalConfiguration;

import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.memory.ChatMemory;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.moderation.ModerationModel;
import dev.langchain4j.observability.api.AiServiceListenerRegistrar;
import dev.langchain4j.observability.api.DefaultAiServiceListenerRegistrar;
import dev.langchain4j.service.AiServiceContext;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.TokenStream;
import dev.langchain4j.service.guardrail.GuardrailService;
import dev.langchain4j.service.memory.ChatMemoryService;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.spi.ServiceHelper;
import dev.langchain4j.spi.observability.AiServiceListenerRegistrarFactory;
import dev.langchain4j.spi.services.TokenStreamAdapter;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.agent.HookFailedException;
import io.holdpoint.internal.agent.Hooks.RunHooks;
import io.holdpoint.internal.turn.Turn;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
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
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Builds the AI Service of an agent: LangChain4j's own, with the application's settings, inside decorators that obey the
 * present {@link AiServiceCall}. All turns share one, unless a run customizer may change it, or it moderates, which LangChain4j
 * does on a thread where no call is found. Model and memory are set after the customizers, so that all of the application's
 * parts stand inside of them. Thread-safe.
 */
public final class AiServiceFactory<A> {

    private final AgentConfig<A> settings;
    private final GuardrailService guardrails;
    private final ProviderLookups lookups = new ProviderLookups();
    private final Optional<Service> shared;

    /** LangChain4j's AI Service, with the parts that a call asks itself. */
    record Service(
            InvocationHandler handler,
            GatedToolService tools,
            GuardrailService guardrails,
            Optional<TurnListeners> listeners,
            boolean moderates) {}

    public AiServiceFactory(AgentConfig<A> settings, GuardrailService guardrails) {
        this.settings = settings;
        this.guardrails = guardrails;
        this.shared = settings.hooks.customizers.isEmpty()
                ? Optional.of(build(service -> {}, model -> model)).filter(service -> !service.moderates())
                : Optional.empty();
    }

    Service forTurn(Turn turn, RunHooks<A> hooks) {
        return shared.isPresent() ? shared.get() : build(hooks::customize, turn.preparation::moderatedBy);
    }

    private Service build(Consumer<AiServices<A>> customizer, UnaryOperator<ModerationModel> moderation) {
        TurnServiceContext context = lookups.remembered(
                () -> new TurnServiceContext(settings.serviceClass, itself -> new TurnGuardrails(guardrails)));
        GatedToolService tools = new GatedToolService();
        context.toolService = tools;
        AiServices<A> builder = lookups.remembered(() -> AiServices.builder(context));
        builder.tools(settings.tools);
        builder.toolProviders(settings.toolProviders);
        settings.customizer.accept(builder);
        customizer.accept(builder);
        if (context.hasChatMemory()) {
            throw new HookFailedException(
                    "A run customizer has set a chat memory. Threads have theirs from the builder's"
                            + " chatMemoryProvider(...).");
        }

        Optional<ChatModel> chatModel = Optional.ofNullable(context.chatModel).or(() -> settings.chatModel);
        chatModel.ifPresent(model -> context.chatModel = new GatedChatModel(model));
        Optional<StreamingChatModel> streamingModel =
                Optional.ofNullable(context.streamingChatModel).or(() -> settings.streamingChatModel);
        streamingModel.ifPresent(model -> context.streamingChatModel = new GatedStreamingChatModel(model));
        Stream.<Object>concat(chatModel.stream(), streamingModel.stream()) // a model may bring tools of its own
                .distinct()
                .filter(model -> model instanceof ToolProvider && !settings.toolProviders.contains(model))
                .forEach(model -> builder.toolProvider((ToolProvider) model));
        if (context.retrievalAugmentor != null) {
            context.retrievalAugmentor = new TurnAugmentor(context.retrievalAugmentor);
        }
        boolean moderates = context.moderationModel != null;
        if (moderates) {
            context.moderationModel = moderation.apply(context.moderationModel);
        }
        giveMemoryId(context);
        context.chatMemoryService = new CallMemories();
        return new Service(
                Proxy.getInvocationHandler(builder.build()),
                tools,
                guardrails,
                context.eventListenerRegistrar instanceof TurnListeners told ? Optional.of(told) : Optional.empty(),
                moderates);
    }

    /** Providers of messages get the memory's id also where the AI Service's method does not take it. */
    private static void giveMemoryId(AiServiceContext context) {
        UnaryOperator<Object> known =
                id -> ChatMemoryService.DEFAULT.equals(id) ? AiServiceCall.present().memoryId : id;
        Function<Object, Optional<String>> system = context.systemMessageProvider;
        Function<Object, Optional<String>> user = context.userMessageProvider;
        context.systemMessageProvider = id -> system.apply(known.apply(id));
        context.userMessageProvider = id -> user.apply(known.apply(id));
        Function<InvocationContext, String> withContext = context.systemMessageProviderWithContext;
        if (withContext != null) {
            context.systemMessageProviderWithContext = call -> withContext.apply(call.toBuilder()
                    .chatMemoryId(known.apply(call.chatMemoryId()))
                    .build());
        }
    }

    /** The memory of the present call, and of no other. */
    private static final class CallMemories extends ChatMemoryService {

        CallMemories() {
            super(id -> AiServiceCall.present().memory);
        }

        @Override
        public ChatMemory getOrCreateChatMemory(Object id) {
            AiServiceCall<?> call = AiServiceCall.present();
            if (!isOf(call, id)) {
                throw illegalConfiguration(
                        "The @MemoryId of a turn is its thread: pass turn.threadId(), not \"%s\".", id);
            }
            return call.memory;
        }

        @Override
        public @Nullable ChatMemory getChatMemory(Object id) {
            AiServiceCall<?> call = AiServiceCall.present();
            return isOf(call, id) ? call.memory : null;
        }

        /** A thread's memory stays. */
        @Override
        public @Nullable ChatMemory evictChatMemory(Object id) {
            return getChatMemory(id);
        }

        private static boolean isOf(AiServiceCall<?> call, Object id) {
            return id.equals(ChatMemoryService.DEFAULT) || id.equals(call.memoryId) || id.equals(call.run.threadId);
        }
    }

    /** LangChain4j's AI Service context for an agent, with the guardrails that all its turns share. */
    static final class TurnServiceContext extends AiServiceContext {

        private final Function<AiServiceContext, GuardrailService> guardrails;

        TurnServiceContext(Class<?> serviceClass, Function<AiServiceContext, GuardrailService> guardrails) {
            super(serviceClass);
            this.guardrails = guardrails;
        }

        @Override
        public GuardrailService guardrailService() {
            return guardrails.apply(this);
        }

        GuardrailService ownGuardrails() {
            return super.guardrailService();
        }
    }

    /**
     * Makes LangChain4j create {@link TurnListeners}, and keeps its constructors from searching the class path again where each run
     * has an AI Service of its own. They look for providers with {@link java.util.ServiceLoader}, which asks the context class loader
     * for each file of providers and forgets what it finds. During the construction the thread's context class loader is one that
     * remembers which files there are, and is otherwise the application's; the providers themselves are created anew, as always.
     * Thread-safe.
     */
    static final class ProviderLookups {

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
}
