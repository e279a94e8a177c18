package io.holdpoint.internal.aiservice;

import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.memory.ChatMemory;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.moderation.Moderation;
import dev.langchain4j.model.moderation.ModerationModel;
import dev.langchain4j.model.output.Response;
import dev.langchain4j.observability.api.AiServiceListenerRegistrar;
import dev.langchain4j.observability.api.DefaultAiServiceListenerRegistrar;
import dev.langchain4j.service.AiServiceContext;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.guardrail.GuardrailService;
import dev.langchain4j.service.memory.ChatMemoryService;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolProviderResult;
import dev.langchain4j.spi.observability.AiServiceListenerRegistrarFactory;
import io.holdpoint.hook.RunInfo;
import io.holdpoint.internal.agent.AgentConfig;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Builds the AI Service of an agent: LangChain4j's own, with the application's settings, inside decorators that obey the
 * present {@link AiServiceCall}. All turns share one. Model and memory are set after the customizer, so that all of the
 * application's parts stand inside of them. Thread-safe.
 */
public final class AiServiceFactory {

    private static final ModerationModel BY_THE_TURN = new ModerationModel() {
        @Override
        public Response<Moderation> moderate(List<ChatMessage> messages) {
            return Response.from(Moderation.notFlagged());
        }
    };

    /** The tools that the model of the present run brings. */
    private static final ToolProvider OF_THE_RUN = request -> {
        AiServiceCall call = AiServiceCall.present();
        return Stream.concat(call.chatModel.stream(), call.streamingChatModel.stream())
                .filter(ToolProvider.class::isInstance)
                .findFirst()
                .map(model -> ((ToolProvider) model).provideTools(request))
                .orElseGet(() -> ToolProviderResult.builder().build());
    };

    /** LangChain4j's AI Service, with the parts that a call asks itself. */
    public record Service(
            Object proxy,
            InvocationHandler handler,
            GatedToolService tools,
            GuardrailService guardrails,
            Optional<TurnListeners> listeners,
            Optional<Function<RunInfo, ChatModel>> chatModel,
            Optional<Function<RunInfo, StreamingChatModel>> streamingChatModel,
            Optional<ModerationModel> moderationModel) {}

    private AiServiceFactory() {}

    /** Builds the AI Service, with guardrails that all turns share. */
    public static <A> Service build(AgentConfig<A> settings, GuardrailService guardrails) {
        TurnServiceContext context = Registrars.listeningTo(
                () -> new TurnServiceContext(settings.serviceClass, Optional.of(new TurnGuardrails(guardrails))));
        GatedToolService tools = new GatedToolService();
        context.toolService = tools;
        AiServices<A> builder = AiServices.builder(context);
        builder.tools(settings.tools);
        builder.toolProviders(settings.toolProviders);
        settings.customizer.accept(builder);

        Set<ToolProvider> ofModels = new LinkedHashSet<>();
        Optional<Function<RunInfo, ChatModel>> chatModel = either(context.chatModel, settings.chatModel);
        if (chatModel.isPresent()) {
            context.chatModel = new GatedChatModel();
            addToolsOf(chatModel.get(), ofModels);
        }
        Optional<Function<RunInfo, StreamingChatModel>> streamingChatModel =
                either(context.streamingChatModel, settings.streamingChatModel);
        if (streamingChatModel.isPresent()) {
            context.streamingChatModel = new GatedStreamingChatModel();
            addToolsOf(streamingChatModel.get(), ofModels);
        }
        for (ToolProvider provider : ofModels) {
            if (!settings.toolProviders.contains(provider)) {
                builder.toolProvider(provider);
            }
        }
        if (context.retrievalAugmentor != null) {
            context.retrievalAugmentor = new TurnAugmentor(context.retrievalAugmentor);
        }
        Optional<ModerationModel> moderationModel = Optional.ofNullable(context.moderationModel);
        if (moderationModel.isPresent()) {
            context.moderationModel = BY_THE_TURN;
        }
        giveWholeContext(context);
        context.chatMemoryService = new CallMemories();
        A built = builder.build();
        return new Service(
                built,
                Proxy.getInvocationHandler(built),
                tools,
                guardrails,
                context.eventListenerRegistrar instanceof TurnListeners told ? Optional.of(told) : Optional.empty(),
                chatModel,
                streamingChatModel,
                moderationModel);
    }

    private static <M> Optional<Function<RunInfo, M>> either(
            @Nullable M set, Optional<Function<RunInfo, M>> otherwise) {
        return set == null ? otherwise : Optional.of(new AgentConfig.SameModel<>(set));
    }

    /** A model may bring tools of its own. */
    private static void addToolsOf(Function<RunInfo, ?> models, Set<ToolProvider> providers) {
        if (!(models instanceof AgentConfig.SameModel<?> same)) {
            providers.add(OF_THE_RUN);
        } else if (same.model() instanceof ToolProvider provider) {
            providers.add(provider);
        }
    }

    /** Providers and transformers get the memory's id also where the AI Service's method does not take it, and the data of the turn. */
    private static void giveWholeContext(AiServiceContext context) {
        Function<Object, Optional<String>> system = context.systemMessageProvider;
        Function<Object, Optional<String>> user = context.userMessageProvider;
        context.systemMessageProvider = id -> system.apply(memoryId(id));
        context.userMessageProvider = id -> user.apply(memoryId(id));
        Function<InvocationContext, String> withContext = context.systemMessageProviderWithContext;
        if (withContext != null) {
            context.systemMessageProviderWithContext =
                    call -> withContext.apply(AiServiceCall.present().whole(call));
        }
        BiFunction<String, InvocationContext, String> transformer = context.systemMessageTransformer;
        if (transformer != null) {
            context.systemMessageTransformer = (text, call) ->
                    transformer.apply(text, AiServiceCall.present().whole(call));
        }
        BiFunction<ChatRequest, Object, ChatRequest> ofRequests = context.chatRequestTransformer;
        context.chatRequestTransformer = (request, id) -> ofRequests.apply(request, memoryId(id));
    }

    private static Object memoryId(Object given) {
        return ChatMemoryService.DEFAULT.equals(given) ? AiServiceCall.present().memoryId : given;
    }

    /** The memory of the present call, and of no other. */
    private static final class CallMemories extends ChatMemoryService {

        CallMemories() {
            super(id -> AiServiceCall.present().memory);
        }

        @Override
        public ChatMemory getOrCreateChatMemory(Object id) {
            return AiServiceCall.present().memory;
        }

        @Override
        public @Nullable ChatMemory getChatMemory(Object id) {
            AiServiceCall call = AiServiceCall.present();
            return isOf(call, id) ? call.memory : null;
        }

        /** A thread's memory stays. */
        @Override
        public @Nullable ChatMemory evictChatMemory(Object id) {
            return getChatMemory(id);
        }

        private static boolean isOf(AiServiceCall call, Object id) {
            return id.equals(ChatMemoryService.DEFAULT) || id.equals(call.memoryId) || id.equals(call.run.threadId);
        }
    }

    /** LangChain4j's AI Service context for an agent, with these guardrails in place of those that the context makes. */
    static final class TurnServiceContext extends AiServiceContext {

        private final Optional<GuardrailService> guardrails;

        TurnServiceContext(Class<?> serviceClass, Optional<GuardrailService> guardrails) {
            super(serviceClass);
            this.guardrails = guardrails;
        }

        @Override
        public GuardrailService guardrailService() {
            return guardrails.orElseGet(super::guardrailService);
        }
    }

    /**
     * Makes LangChain4j create {@link TurnListeners}, around the registrar of the application if it has one. A context creates its
     * registrar in its constructor, by {@link ServiceLoader}, which asks the thread's context class loader: during the construction
     * that is one which knows this provider only, and is otherwise the application's. Public for {@link ServiceLoader}.
     */
    public static final class Registrars implements AiServiceListenerRegistrarFactory {

        /** Constructs a context; the thread's context class loader is back when this returns or throws. */
        static <T> T listeningTo(Supplier<T> construction) {
            return construct(construction, List.of(Registrars.class.getResource("registrars")));
        }

        /** Constructs a context that no listener of the application hears of. */
        static <T> T withoutListeners(Supplier<T> construction) {
            return construct(construction, List.of());
        }

        private static <T> T construct(Supplier<T> construction, List<URL> factories) {
            Thread thread = Thread.currentThread();
            ClassLoader own = thread.getContextClassLoader();
            try {
                thread.setContextClassLoader(
                        new Loader(own == null ? ClassLoader.getSystemClassLoader() : own, factories));
            } catch (SecurityException e) {
                return construction.get(); // some pools fix the loader of their threads
            }
            try {
                return construction.get();
            } finally {
                thread.setContextClassLoader(own);
            }
        }

        @Override
        public AiServiceListenerRegistrar get() {
            Optional<AiServiceListenerRegistrarFactory> own = ServiceLoader.load(
                            AiServiceListenerRegistrarFactory.class,
                            Thread.currentThread().getContextClassLoader().getParent())
                    .findFirst();
            return new TurnListeners(
                    own.map(AiServiceListenerRegistrarFactory::get).orElseGet(DefaultAiServiceListenerRegistrar::new),
                    own.isPresent());
        }

        private static final class Loader extends ClassLoader {

            private static final String FILE = "META-INF/services/" + AiServiceListenerRegistrarFactory.class.getName();

            private final List<URL> factories;

            Loader(ClassLoader parent, List<URL> factories) {
                super(parent);
                this.factories = factories;
            }

            @Override
            public Enumeration<URL> getResources(String name) throws IOException {
                return name.equals(FILE) ? Collections.enumeration(factories) : super.getResources(name);
            }

            /** The parent need not know Holdpoint, or may know another copy of it. */
            @Override
            protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
                return name.equals(Registrars.class.getName()) ? Registrars.class : super.loadClass(name, resolve);
            }
        }
    }
}
