package io.holdpoint.internal.aiservice;

import static dev.langchain4j.service.IllegalConfigurationException.illegalConfiguration;

import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.memory.ChatMemory;
import dev.langchain4j.model.moderation.ModerationModel;
import dev.langchain4j.service.AiServiceContext;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.guardrail.GuardrailService;
import dev.langchain4j.service.memory.ChatMemoryService;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.agent.HookFailedException;
import io.holdpoint.internal.agent.RunHooks;
import io.holdpoint.internal.turn.Turn;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
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

        Optional.ofNullable(context.chatModel)
                .or(() -> settings.chatModel)
                .ifPresent(model -> context.chatModel = new GatedChatModel(model));
        Optional.ofNullable(context.streamingChatModel)
                .or(() -> settings.streamingChatModel)
                .ifPresent(model -> context.streamingChatModel = new GatedStreamingChatModel(model));
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
}
