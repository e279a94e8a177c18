package io.holdpoint.service;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.memory.ChatMemory;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.service.TokenStream;
import dev.langchain4j.service.tool.ToolProviderResult;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.RunResult;
import io.holdpoint.UserTurn;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two runs of one agent at the same time: each has its own memory, tools and model. */
class ConcurrentRunsTest {

    private static final List<String> THREADS = List.of("ada", "bob");

    private final CyclicBarrier bothAtTheModel = new CyclicBarrier(2);
    private final Map<String, ScriptedModel> models = Map.of("ada", modelOf("ada"), "bob", modelOf("bob"));
    private final Map<Object, ChatMemory> memories = new ConcurrentHashMap<>();
    private final Map<String, List<String>> executed =
            Map.of("ada", new CopyOnWriteArrayList<>(), "bob", new CopyOnWriteArrayList<>());
    private final Threads clients = new Threads();

    /** Streams its answer. */
    interface Streaming {
        TokenStream chat(@dev.langchain4j.service.UserMessage List<Content> message);
    }

    /** Returns its answer. */
    interface Blocking {
        String chat(@dev.langchain4j.service.UserMessage List<Content> message);
    }

    @AfterEach
    void stop() {
        clients.close();
    }

    /** Calls the thread's own tool, and answers when both models have been asked for it and again with its result. */
    private ScriptedModel modelOf(String threadId) {
        return new ScriptedModel()
                .answers(request -> {
                    meet();
                    return AiMessage.from(call("c", "toolOf_" + threadId, "{}"));
                })
                .answers(request -> {
                    meet();
                    return AiMessage.from("Done for " + threadId);
                });
    }

    private void meet() {
        try {
            bothAtTheModel.await(20, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private Holdpoint agent(boolean streaming) {
        return streaming
                ? custom(Holdpoint.builder(Streaming.class).streamingChatModel(run -> models.get(run.threadId())))
                : custom(Holdpoint.builder(Blocking.class).chatModel(run -> models.get(run.threadId())));
    }

    private <A> Holdpoint custom(HoldpointBuilder<A> builder) {
        return builder.chatMemoryProvider(
                        id -> memories.computeIfAbsent(id, each -> MessageWindowChatMemory.withMaxMessages(20)))
                .toolProviders(request -> {
                    String threadId = request.invocationParameters().get(UserTurn.THREAD_ID);
                    return ToolProviderResult.builder()
                            .add(
                                    ToolSpecification.builder()
                                            .name("toolOf_" + threadId)
                                            .build(),
                                    (call, memoryId) -> {
                                        executed.get(threadId).add(call.name() + " for " + memoryId);
                                        return "result of " + threadId;
                                    })
                            .build();
                })
                .build();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void neverSeeEachOther(boolean streaming) throws Exception {
        Holdpoint agent = agent(streaming);
        List<Future<RunResult>> runs = new ArrayList<>();
        for (String threadId : THREADS) {
            runs.add(clients.submit(() -> agent.send(threadId, "I am " + threadId)));
        }

        for (int i = 0; i < 2; i++) {
            String threadId = THREADS.get(i);
            String other = THREADS.get(1 - i);
            assertThat(runs.get(i).get(30, TimeUnit.SECONDS)).isInstanceOf(RunResult.Completed.class);
            assertThat(executed.get(threadId)).containsExactly("toolOf_" + threadId + " for " + threadId);
            assertThat(models.get(threadId).requests()).hasSize(2);
            for (ChatRequest request : models.get(threadId).requests()) {
                assertThat(request.toolSpecifications())
                        .extracting(ToolSpecification::name)
                        .containsExactly("toolOf_" + threadId);
                assertThat(request.messages().toString())
                        .contains("I am " + threadId)
                        .doesNotContain(other);
            }
            List<ChatMessage> remembered = memories.get(threadId).messages();
            assertThat(remembered).hasSize(4);
            assertThat(remembered.toString())
                    .contains("result of " + threadId, "Done for " + threadId)
                    .doesNotContain(other);
        }
    }
}
