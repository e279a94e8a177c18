package io.holdpoint.internal.aiservice;

import static dev.langchain4j.service.IllegalConfigurationException.illegalConfiguration;

import dev.langchain4j.memory.ChatMemory;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.guardrail.GuardrailService;
import dev.langchain4j.service.memory.ChatMemoryService;
import io.holdpoint.UserTurn;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.agent.AiServiceMethod;
import io.holdpoint.internal.agent.HookFailedException;
import io.holdpoint.internal.agent.RunHooks;
import io.holdpoint.internal.turn.Turn;
import java.util.Optional;

/**
 * Builds the AI Service of a turn: LangChain4j's own, with the application's settings, around the turn's decorators. Model
 * and memory are set after the customizer, so that nothing of the application's stands outside of them. Thread-safe.
 */
public final class AiServiceFactory<A> {

    private final AgentConfig<A> settings;
    private final GuardrailService guardrails;
    private final boolean addsMedia;

    public AiServiceFactory(AgentConfig<A> settings, GuardrailService guardrails) {
        this.settings = settings;
        this.guardrails = guardrails;
        this.addsMedia =
                settings.turnFunction.orElseThrow() instanceof AiServiceMethod<A> method && !method.takesContents();
    }

    public A build(Turn turn, UserTurn said, ChatMemory threadMemory, RunHooks<A> hooks) {
        TypedText text = new TypedText(said, addsMedia);
        TurnServiceContext context = new TurnServiceContext(
                settings.serviceClass, itself -> new TurnGuardrails(guardrails, turn.preparation(), text));
        GatedToolService tools = new GatedToolService(turn, said);
        context.toolService = tools;
        turn.runsIn(tools);
        AiServices<A> builder = AiServices.builder(context);
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
                .ifPresent(model -> context.chatModel = gated(model, turn));
        Optional.ofNullable(context.streamingChatModel)
                .or(() -> settings.streamingChatModel)
                .ifPresent(model -> context.streamingChatModel = gated(model, turn));
        if (context.retrievalAugmentor != null) {
            context.retrievalAugmentor = new TurnAugmentor(context.retrievalAugmentor, turn, said, text);
        }
        if (context.moderationModel != null) {
            context.moderationModel = turn.preparation().moderatedBy(context.moderationModel);
        }
        ChatMemory memory = new BatchChatMemory(threadMemory, turn, text);
        context.initChatMemories(id -> {
            if (!id.equals(ChatMemoryService.DEFAULT)
                    && !id.equals(turn.threadId())
                    && !id.equals(settings.memories.id(turn.threadId()))) {
                throw illegalConfiguration(
                        "The @MemoryId of a turn is its thread: pass turn.threadId(), not \"%s\".", id);
            }
            return memory;
        });
        A service = builder.build();
        return OneCall.of(
                settings.serviceClass,
                service,
                text,
                method -> turn.calls(method, guardrails.hasOutputGuardrails(method)));
    }

    private static ChatModel gated(ChatModel model, Turn turn) {
        return new GatedChatModel(model, turn);
    }

    private static StreamingChatModel gated(StreamingChatModel model, Turn turn) {
        return new GatedStreamingChatModel(model, turn);
    }
}
