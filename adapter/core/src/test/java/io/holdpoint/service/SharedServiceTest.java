package io.holdpoint.service;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolMemoryId;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.guardrail.OutputGuardrail;
import dev.langchain4j.guardrail.OutputGuardrailRequest;
import dev.langchain4j.guardrail.OutputGuardrailResult;
import dev.langchain4j.memory.ChatMemory;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.service.tool.ToolExecutor;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunResult;
import io.holdpoint.ToolPolicy;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Shape;
import io.holdpoint.testing.Threads;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Turns share LangChain4j's AI Service: on whatever threads its code runs, it works for the turn that it was called in. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SharedServiceTest {

    private final CyclicBarrier both = new CyclicBarrier(2);
    private final Threads threads = new Threads();
    private final Map<Object, ChatMemory> memories = new ConcurrentHashMap<>();
    private final List<String> executed = new CopyOnWriteArrayList<>();

    @AfterEach
    void stop() {
        threads.close();
    }

    /** Tools that note the thread that they are called for. */
    final class Notes {

        @Tool
        public String note(String who, @ToolMemoryId Object threadId) {
            executed.add(who + " for " + threadId);
            return "noted " + who;
        }
    }

    /** Has two tools called at once, then answers; two threads at a time. */
    private AiMessage meets(ChatRequest request) {
        try {
            both.await(20, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        String who = UserMessage.findLast(request.messages()).orElseThrow().singleText();
        return request.messages().get(request.messages().size() - 1) instanceof UserMessage
                ? AiMessage.from(
                        call("1", "note", "{\"who\":\"" + who + "\"}"),
                        call("2", "note", "{\"who\":\"" + who + "\"}"),
                        call("3", "unknown", "{}"))
                : AiMessage.from("Done for " + who);
    }

    /** The model streams from threads of its own. */
    private Holdpoint agent(Shape shape) {
        ScriptedModel model = new ScriptedModel();
        for (int request = 0; request < 4; request++) {
            model.answers(this::meets);
        }
        return shape.builder(
                        model,
                        service -> service.hallucinatedToolNameStrategy(
                                call -> ToolExecutionResultMessage.from(call, "no such tool")))
                .streamingChatModel(new StreamingChatModel() {
                    @Override
                    public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
                        threads.execute(() -> model.doChat(request, handler));
                    }
                })
                .tools(new Notes())
                .chatMemoryProvider(
                        id -> memories.computeIfAbsent(id, each -> MessageWindowChatMemory.withMaxMessages(20)))
                .build();
    }

    @ParameterizedTest
    @EnumSource
    void turnsAtTheSameTimeDoNotMeet(Shape shape) throws Exception {
        Holdpoint agent = agent(shape);
        List<Future<RunResult>> runs = new ArrayList<>();
        for (String who : List.of("ada", "bob")) {
            runs.add(threads.submit(() -> agent.send(who, who)));
        }

        for (Future<RunResult> run : runs) {
            assertThat(run.get(30, TimeUnit.SECONDS)).isInstanceOf(RunResult.Completed.class);
        }

        assertThat(executed).containsExactlyInAnyOrder("ada for ada", "ada for ada", "bob for bob", "bob for bob");
        assertThat(memories.get("ada").messages()).hasSize(6);
        assertThat(memories.get("ada").messages().toString())
                .contains("noted ada", "no such tool", "Done for ada")
                .doesNotContain("bob");
        assertThat(memories.get("bob").messages().toString())
                .contains("noted bob", "no such tool", "Done for bob")
                .doesNotContain("ada");
    }

    /** A tool that talks to the agent that it is a tool of. */
    static final class Consults {

        final AtomicReference<Holdpoint> agent = new AtomicReference<>();

        @Tool
        public String consult(String question) {
            return ((RunResult.Completed) agent.get().send("inner", question)).text();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aTurnInsideATurnLeavesTheOuterOneAsItWas(Shape shape) {
        Consults tool = new Consults();
        ScriptedModel model = new ScriptedModel()
                .calls(call("1", "consult", "{\"question\":\"inner?\"}"))
                .says("inner!")
                .says("outer!");
        Holdpoint agent = shape.builder(model)
                .tools(tool)
                .chatMemoryProvider(
                        id -> memories.computeIfAbsent(id, each -> MessageWindowChatMemory.withMaxMessages(20)))
                .build();
        tool.agent.set(agent);

        RunResult outer = agent.send("outer", "outer?");

        assertThat(((RunResult.Completed) outer).text()).isEqualTo("outer!");
        assertThat(memories.get("inner").messages()).hasSize(2);
        assertThat(memories.get("outer").messages()).hasSize(4);
    }

    /** Asks the model again on another thread. */
    private final class Elsewhere implements OutputGuardrail {

        @Override
        public OutputGuardrailResult validate(OutputGuardrailRequest request) {
            return request.responseFromLLM().aiMessage().text().equals("good")
                    ? success()
                    : successWith(CompletableFuture.supplyAsync(
                                    () -> request.chatExecutor().execute(), threads)
                            .join()
                            .aiMessage()
                            .text());
        }
    }

    @ParameterizedTest
    @EnumSource
    void aGuardrailMayAskTheModelOnAnotherThread(Shape shape) {
        ScriptedModel model = new ScriptedModel().says("bad").says("good");
        Holdpoint agent = shape.builder(model, service -> service.outputGuardrails(new Elsewhere()))
                .build();

        RunResult result = agent.send("t", "Go");

        assertThat(Optional.of(result).map(done -> ((RunResult.Completed) done).text()))
                .contains("good");
    }

    /** A stream that starts on a thread of the application's, as its decorator wants it. */
    @ParameterizedTest
    @EnumSource
    void oneExecutorMayServeSeveralTools(Shape shape) {
        ToolExecutor any = (request, id) -> {
            executed.add(request.name());
            return "done";
        };
        Map<ToolSpecification, ToolExecutor> tools = new LinkedHashMap<>();
        for (String name : List.of("look", "erase", "stroll")) {
            tools.put(ToolSpecification.builder().name(name).build(), any);
        }
        ScriptedModel model = new ScriptedModel();
        Holdpoint agent = shape.builder(model, service -> service.tools(tools))
                .toolPolicies(ToolPolicy.named("erase"))
                .build();

        for (int turn = 0; turn < 2; turn++) {
            model.calls(call("a" + turn, "look", "{}"), call("b" + turn, "stroll", "{}"))
                    .calls(call("c" + turn, "erase", "{}"));
            assertThat(agent.send("t" + turn, "Go")).isInstanceOf(RunResult.Interrupted.class);
        }

        assertThat(executed).hasSize(4).doesNotContain("erase");
    }
}
