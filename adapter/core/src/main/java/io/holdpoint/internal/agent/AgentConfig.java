package io.holdpoint.internal.agent;

import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.tool.AiServiceTool;
import dev.langchain4j.service.tool.ToolProvider;
import io.holdpoint.TurnFunction;
import io.holdpoint.internal.gate.PolicyReader;
import io.holdpoint.internal.lease.BeatTimer;
import io.holdpoint.internal.memory.ChatMemories;
import io.holdpoint.store.Store;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * What an agent was built with. Immutable.
 *
 * @param serviceClass the AI Service's interface
 * @param turnFunction how a turn calls it
 * @param chatModel for methods that return a value
 * @param streamingChatModel for methods that return a {@code TokenStream}
 * @param tools scanned once
 * @param toolProviders asked in every turn
 * @param policies who must be asked about which tool
 * @param customizer the rest of the AI Service
 * @param memories of the threads
 * @param store of threads and batches
 * @param clock tells the time
 * @param executor runs the runs that come in over a transport
 * @param governance who may decide, what is noted, how long and how much is kept
 * @param timer for the heartbeat of active runs
 * @param exchange what passes between client and model
 * @param hooks the application's
 * @param <A> the AI Service
 */
public record AgentConfig<A>(
        Class<A> serviceClass,
        TurnFunction<A> turnFunction,
        Optional<ChatModel> chatModel,
        Optional<StreamingChatModel> streamingChatModel,
        List<AiServiceTool> tools,
        List<ToolProvider> toolProviders,
        PolicyReader policies,
        Consumer<AiServices<A>> customizer,
        ChatMemories memories,
        Store store,
        Clock clock,
        Executor executor,
        Governance governance,
        BeatTimer timer,
        Exchange exchange,
        Hooks<A> hooks) {}
