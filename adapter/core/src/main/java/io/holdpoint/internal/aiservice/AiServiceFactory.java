package io.holdpoint.internal.aiservice;

import static dev.langchain4j.service.IllegalConfigurationException.illegalConfiguration;

import dev.langchain4j.memory.ChatMemory;
import dev.langchain4j.service.AiServiceContext;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.guardrail.GuardrailService;
import dev.langchain4j.service.memory.ChatMemoryAccess;
import dev.langchain4j.service.memory.ChatMemoryService;
import io.holdpoint.UserTurn;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.agent.AiServiceMethod;
import io.holdpoint.internal.agent.HookFailedException;
import io.holdpoint.internal.agent.RunHooks;
import io.holdpoint.internal.turn.Failures;
import io.holdpoint.internal.turn.Run;
import io.holdpoint.internal.turn.Turn;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Builds the AI Service of a turn: LangChain4j's own, with the application's settings, around the turn's decorators. Model
 * and memory are set after the customizer, so that nothing of the application's stands outside of them. Thread-safe.
 */
public final class AiServiceFactory<A> {

    private final AgentConfig<A> settings;
    private final GuardrailService guardrails;
    private final boolean addsMedia;
    private final ProviderLookups lookups = new ProviderLookups();

    public AiServiceFactory(AgentConfig<A> settings, GuardrailService guardrails) {
        this.settings = settings;
        this.guardrails = guardrails;
        this.addsMedia =
                settings.turnFunction.orElseThrow() instanceof AiServiceMethod<A> method && !method.takesContents();
    }

    A build(Run run, Turn turn, UserTurn said, ChatMemory threadMemory, RunHooks<A> hooks) {
        TypedText text = new TypedText(said, addsMedia);
        TurnServiceContext context = lookups.remembered(() -> new TurnServiceContext(
                settings.serviceClass, itself -> new TurnGuardrails(guardrails, turn.preparation, text)));
        GatedToolService tools = new GatedToolService(run, turn, said, settings.memories.id(run.threadId));
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
        ChatMemory memory = new BatchChatMemory(threadMemory, turn, text);
        context.initChatMemories(id -> {
            if (!id.equals(ChatMemoryService.DEFAULT)
                    && !id.equals(run.threadId)
                    && !id.equals(settings.memories.id(run.threadId))) {
                throw illegalConfiguration(
                        "The @MemoryId of a turn is its thread: pass turn.threadId(), not \"%s\".", id);
            }
            return memory;
        });
        A service = builder.build();
        return SingleUse.of(
                settings.serviceClass,
                service,
                text,
                method -> turn.calls(method, guardrails.hasOutputGuardrails(method)));
    }

    /** The AI Service as a turn function gets it: it can be called once. */
    private static final class SingleUse implements InvocationHandler {

        private final InvocationHandler service;
        private final TypedText text;
        private final Consumer<Method> called;
        private final AtomicBoolean used = new AtomicBoolean();

        private SingleUse(InvocationHandler service, TypedText text, Consumer<Method> called) {
            this.service = service;
            this.text = text;
            this.called = called;
        }

        /** LangChain4j's AI Service is a proxy: its handler is asked directly, whatever the visibility of the interface. */
        static <A> A of(Class<A> type, A service, TypedText text, Consumer<Method> called) {
            InvocationHandler handler = Proxy.getInvocationHandler(service);
            Object proxy = Proxy.newProxyInstance(
                    type.getClassLoader(), new Class<?>[] {type}, new SingleUse(handler, text, called));
            return type.cast(proxy);
        }

        @Override
        public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
            if (method.isDefault()) {
                return invokeDefault(proxy, method, arguments);
            }
            if (method.getDeclaringClass() != Object.class && method.getDeclaringClass() != ChatMemoryAccess.class) {
                if (!used.compareAndSet(false, true)) {
                    throw new Failures.MisuseException("One turn is one call of the AI Service: " + method.getName()
                            + "() is a second one. Call it in another turn, or build another AI Service for it.");
                }
                called.accept(method);
                return service.invoke(proxy, method, text.hidden(method, arguments));
            }
            return service.invoke(proxy, method, arguments);
        }

        /** Unlike {@link InvocationHandler#invokeDefault}, for interfaces that are not public as well. */
        private static @Nullable Object invokeDefault(Object proxy, Method method, Object @Nullable [] arguments)
                throws Throwable {
            return MethodHandles.privateLookupIn(method.getDeclaringClass(), MethodHandles.lookup())
                    .unreflectSpecial(method, method.getDeclaringClass())
                    .bindTo(proxy)
                    .invokeWithArguments(arguments == null ? new Object[0] : arguments);
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
