package io.holdpoint.providers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.data.message.Content;
import dev.langchain4j.memory.ChatMemory;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.service.Result;
import dev.langchain4j.service.TokenStream;
import dev.langchain4j.service.UserMessage;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RunResult;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.hook.RunInfo;
import io.holdpoint.hook.RunObserver;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.test.VirtualClock;
import io.holdpoint.testing.RecordingSink;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/** A conversation with an agent whose model is LangChain4j's module for one provider, over HTTP. */
final class Talk implements AutoCloseable {

    static final String THREAD = "t";
    static final String PAY = "{\"amount\":5}";

    interface Blocking {
        Result<String> chat(@UserMessage List<Content> message);
    }

    interface Streaming {
        TokenStream chat(@UserMessage List<Content> message);
    }

    final ProviderServer server;
    final Desk desk = new Desk();
    final VirtualClock clock = new VirtualClock();
    private final ProviderServer another;
    private final boolean streaming;
    private final InMemoryStore store = new InMemoryStore();
    private final Map<Object, ChatMemory> memories = new ConcurrentHashMap<>();
    private final CountDownLatch ends = new CountDownLatch(2);
    private final List<Holdpoint> agents = new ArrayList<>();
    private int runs;
    private Holdpoint agent;

    /** The other server is for an agent in a tool. */
    Talk(ProviderServer server, ProviderServer another, boolean streaming) {
        this.server = server.anew();
        this.another = another.anew();
        this.streaming = streaming;
        agent = built(builder -> builder.tools(desk));
    }

    /** Another agent on the same thread, as a deployment puts one in place of the other. */
    Talk by(UnaryOperator<HoldpointBuilder<?>> custom) {
        agent = built(custom);
        return this;
    }

    private Holdpoint built(UnaryOperator<HoldpointBuilder<?>> custom) {
        Holdpoint made = custom.apply(on(server)
                        .store(store)
                        .observers(new RunObserver() {
                            @Override
                            public void ended(RunInfo run, RunResult result) {
                                ends.countDown();
                            }
                        })
                        .chatMemoryProvider(
                                id -> memories.computeIfAbsent(id, unknown -> MessageWindowChatMemory.builder()
                                        .id(id)
                                        .maxMessages(100)
                                        .build())))
                .build();
        agents.add(made);
        return made;
    }

    private HoldpointBuilder<?> on(ProviderServer asked) {
        HoldpointBuilder<?> builder = streaming
                ? Holdpoint.builder(Streaming.class).streamingChatModel(asked.streamingModel)
                : Holdpoint.builder(Blocking.class).chatModel(asked.model);
        return builder.clock(clock);
    }

    /** An agent in a tool, with a server of its own. */
    Holdpoint clerk() {
        Holdpoint clerk = on(another).name("clerk").store(store).tools(desk).build();
        agents.add(clerk);
        return clerk;
    }

    ProviderServer serverOfClerk() {
        return another;
    }

    /** Waits for the end of the second run, which nobody has asked for. */
    void awaitEnd() {
        try {
            assertThat(ends.await(1, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    Holdpoint agent() {
        return agent;
    }

    RunResult send(String text) {
        return agent.send(THREAD, text);
    }

    /** Sends a message after which a person is asked. */
    Talk held() {
        assertThat(send("Go")).isInstanceOf(RunResult.Interrupted.class);
        return this;
    }

    PendingInterrupt question(int index) {
        return agent.pending(THREAD).get(index);
    }

    PendingInterrupt.Approval approval(int index) {
        return question(index).asApproval();
    }

    /** Answers, and expects that the turn ends with an answer of the model. */
    void answered(ResumeEntry... answers) {
        completed(agent.resume(THREAD, answers));
    }

    void completed(RunResult result) {
        assertThat(result).as("with %s", server.broken()).isInstanceOf(RunResult.Completed.class);
    }

    void failed(RunResult result, ErrorCode code) {
        assertThat(result).isInstanceOf(RunResult.Failed.class);
        assertThat(result.failure().orElseThrow().code())
                .as("with %s", server.broken())
                .isEqualTo(code);
    }

    RecordingSink run(List<Message> messages, ResumeEntry... answers) {
        RecordingSink sink = new RecordingSink();
        agent.run(RunAgentInput.of(THREAD, "run-" + ++runs, messages).withResume(List.of(answers)), sink)
                .join();
        return sink;
    }

    /** Answers, and says something new in the same input. */
    void typed(String text, ResumeEntry... answers) {
        assertThat(run(List.of(new Message.User(text, MessageContent.text(text))), answers)
                        .text())
                .as("with %s", server.broken())
                .isEqualTo("Typed.");
    }

    /** The thread goes on, twice, because what the first of them has left is in the request of the second. */
    void goesOn() {
        assertThat(server.left()).as("lines of the script").isZero();
        server.says("One.").says("Two.");
        RunResult first = send("And now?");
        assertThat(server.broken()).isEmpty();
        assertThat(first.text()).as("%s", first).isEqualTo("One.");
        assertThat(send("And then?").text()).isEqualTo("Two.");
        assertThat(server.broken()).isEmpty();
    }

    @Override
    public void close() {
        agents.forEach(Holdpoint::close);
    }
}
