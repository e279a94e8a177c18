package io.holdpoint.internal.aiservice;

import static dev.langchain4j.service.IllegalConfigurationException.illegalConfiguration;

import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.memory.ChatMemory;
import dev.langchain4j.service.AiServiceContext;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.guardrail.GuardrailService;
import dev.langchain4j.service.memory.ChatMemoryService;
import io.holdpoint.UserTurn;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.agent.HookFailedException;
import io.holdpoint.internal.agent.RunHooks;
import io.holdpoint.internal.turn.Run;
import io.holdpoint.internal.turn.Turn;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Builds the AI Service of a turn: LangChain4j's own, with the application's settings, around the turn's decorators. Model
 * and memory are set after the customizer, so that all of the application's parts stand inside of them. Thread-safe.
 */
public final class AiServiceFactory<A> {

    private final AgentConfig<A> settings;
    private final GuardrailService guardrails;
    private final ProviderLookups lookups = new ProviderLookups();

    public AiServiceFactory(AgentConfig<A> settings, GuardrailService guardrails) {
        this.settings = settings;
        this.guardrails = guardrails;
    }

    /** With {@code addsMedia}, the method that is going to be called has no parameter for them. */
    A build(Run run, Turn turn, UserTurn said, boolean addsMedia, ChatMemory threadMemory, RunHooks<A> hooks) {
        TypedText text = new TypedText(said, addsMedia);
        TurnServiceContext context = lookups.remembered(() -> new TurnServiceContext(
                settings.serviceClass, itself -> new TurnGuardrails(guardrails, turn.preparation, text)));
        Optional<TurnListeners> listeners =
                context.eventListenerRegistrar instanceof TurnListeners told ? Optional.of(told) : Optional.empty();
        listeners.ifPresent(told -> told.tellOf(turn, text));
        GatedToolService tools = new GatedToolService(run, turn, said, settings.memories.id(run.threadId), listeners);
        context.toolService = tools;
        turn.runsIn(tools);
        AiServices<A> builder = lookups.remembered(() -> AiServices.builder(context));
        builder.tools(settings.tools);
        builder.toolProviders(settings.toolProviders);
        settings.customizer.accept(builder);
        hooks.customize(builder);
        if (context.hasChatMemory()) {
            throw new HookFailedException(
                    "A run customizer has set a chat memory. Threads have theirs from the builder's"
                            + " chatMemoryProvider(...).");
        }

        Optional.ofNullable(context.chatModel)
                .or(() -> settings.chatModel)
                .ifPresent(model -> context.chatModel = new GatedChatModel(model, run, turn));
        Optional.ofNullable(context.streamingChatModel)
                .or(() -> settings.streamingChatModel)
                .ifPresent(model -> context.streamingChatModel = new GatedStreamingChatModel(model, run, turn));
        if (context.retrievalAugmentor != null) {
            context.retrievalAugmentor =
                    new TurnAugmentor(context.retrievalAugmentor, run, turn.preparation, said, text);
        }
        if (context.moderationModel != null) {
            context.moderationModel = turn.preparation.moderatedBy(context.moderationModel);
        }
        giveMemoryId(context, tools.memoryId);
        ChatMemory memory = new BatchChatMemory(threadMemory, run, turn, text);
        context.initChatMemories(id -> {
            if (!id.equals(ChatMemoryService.DEFAULT)
                    && !id.equals(run.threadId)
                    && !id.equals(settings.memories.id(run.threadId))) {
                throw illegalConfiguration(
                        "The @MemoryId of a turn is its thread: pass turn.threadId(), not \"%s\".", id);
            }
            return memory;
        });
        InvocationHandler service = Proxy.getInvocationHandler(builder.build());
        return settings.serviceClass.cast(Proxy.newProxyInstance(
                settings.serviceClass.getClassLoader(),
                new Class<?>[] {settings.serviceClass},
                new SingleUse(service, run, turn, text, guardrails, listeners)));
    }

    /** Providers of messages get the memory's id also where the AI Service's method does not take it. */
    private static void giveMemoryId(AiServiceContext context, Object memoryId) {
        UnaryOperator<Object> known = id -> ChatMemoryService.DEFAULT.equals(id) ? memoryId : id;
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

    /** LangChain4j's AI Service context for one turn, with the guardrails that the agent shares between turns. */
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
