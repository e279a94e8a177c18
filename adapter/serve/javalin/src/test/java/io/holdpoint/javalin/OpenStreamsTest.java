package io.holdpoint.javalin;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.user;
import static io.holdpoint.testing.RawClient.LAST_CHUNK;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.ManualTimer;
import io.holdpoint.testing.RawClient;
import io.holdpoint.testing.TestServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Streams that are open for long: while the model is silent, while the client does not read, after it has gone. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OpenStreamsTest {

    private static final String COMMENT = ": keep-alive\n\n";

    /** Far more than the operating system buffers for a client that does not read. */
    private static final String ENDLESS = ("x".repeat(9_999) + " ").repeat(2_000);

    /** Answers when the test does, and keeps no thread until then. */
    private static final class SilentModel implements StreamingChatModel {

        private final BlockingQueue<StreamingChatResponseHandler> asked = new LinkedBlockingQueue<>();

        @Override
        public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
            asked.add(handler);
        }

        private static void answer(StreamingChatResponseHandler handler, AiMessage message) {
            if (message.text() != null) {
                for (String word : message.text().split("(?<= )")) {
                    handler.onPartialResponse(word);
                }
            }
            handler.onCompleteResponse(ChatResponse.builder().aiMessage(message).build());
        }
    }

    private record Gone(List<String> pending, RunAgentInput input) {}

    private final ManualTimer timer = new ManualTimer();
    private final SilentModel model = new SilentModel();
    private final BlockingQueue<Gone> gone = new LinkedBlockingQueue<>();
    private final Bench bench = new Bench(builder -> builder.streamingChatModel(model));
    private Optional<TestServer> server = Optional.empty();

    private RawClient client(int bufferBytes, String threadId) throws Exception {
        if (server.isEmpty()) {
            server = Optional.of(new TestServer(bench.agent(), agui -> agui.timer(timer::after)
                    .bufferBytes(bufferBytes)
                    .authenticator(request -> Optional.of(Caller.of("ada")))
                    .onDisconnect((agent, input) -> gone.add(new Gone(
                            agent.pending(input.threadId()).stream()
                                    .map(open -> open.toolName())
                                    .toList(),
                            input)))));
        }
        return new RawClient(server.get().port()).say(threadId);
    }

    private RawClient client(String threadId) throws Exception {
        return client(AgUiPlugin.Config.DEFAULT_BUFFER_BYTES, threadId);
    }

    @AfterEach
    void stop() {
        server.ifPresent(TestServer::close);
    }

    @Test
    void aSilentStreamGetsACommentAtEveryBeatAndEndsAsUsual() throws Exception {
        try (RawClient client = client("t")) {
            StreamingChatResponseHandler asked = model.asked.take();
            client.readTo("RUN_STARTED");
            client.readTo("\n\n");

            for (int i = 0; i < 3; i++) {
                ringUntilHeard(client);
                assertThat(client.readTo(COMMENT)).endsWith(COMMENT);
            }
            SilentModel.answer(asked, AiMessage.from("Here I am."));

            assertThat(client.readAll()).contains("Here ", "RUN_FINISHED").endsWith(LAST_CHUNK);
            assertThat(timer.delays()).containsOnly(Duration.ofSeconds(1));
        }
    }

    /** What was read may not have been flushed to the end yet: then no comment is needed. */
    private void ringUntilHeard(RawClient client) throws Exception {
        while (!client.hasMore()) {
            timer.ring();
        }
    }

    @Test
    void nothingIsScheduledOnceNoStreamIsOpen() throws Exception {
        try (RawClient client = client("t")) {
            StreamingChatResponseHandler asked = model.asked.take();
            client.readTo("RUN_STARTED");
            SilentModel.answer(asked, AiMessage.from("Done."));
            client.readAll();

            timer.ring();

            assertThat(timer.waiting()).isZero();
        }
    }

    @Test
    void idleStreamsKeepNoThreads() throws Exception {
        client("warm up").close();
        int before = Thread.activeCount();
        List<RawClient> clients = new ArrayList<>();
        List<StreamingChatResponseHandler> asked = new ArrayList<>();
        model.asked.take();
        for (int i = 0; i < 200; i++) {
            RawClient client = client("t" + i);
            clients.add(client);
            asked.add(model.asked.take());
            client.readTo("RUN_STARTED");
            client.readTo("\n\n");
        }

        for (RawClient client : clients) {
            ringUntilHeard(client);
        }

        assertThat(Thread.activeCount() - before).isLessThan(100);
        for (int i = 0; i < clients.size(); i++) {
            SilentModel.answer(asked.get(i), AiMessage.from("Answer " + i));
            assertThat(clients.get(i).readAll())
                    .contains(COMMENT, "\"" + i + "\"", "RUN_FINISHED")
                    .endsWith(LAST_CHUNK);
            clients.get(i).close();
        }
    }

    @Test
    void aClientThatReadsLateGetsEverythingAndItsRunDoesNotWaitForIt() throws Exception {
        try (RawClient late = client(2 * ENDLESS.length(), "late");
                RawClient other = new RawClient(server.orElseThrow().port())) {
            SilentModel.answer(model.asked.take(), AiMessage.from(ENDLESS)); // returns although nobody reads
            other.say("other");
            SilentModel.answer(model.asked.take(), AiMessage.from("Not held up."));

            assertThat(other.readTo("RUN_FINISHED")).contains("Not ", "RUN_FINISHED");
            assertThat(late.readAll().split("TEXT_MESSAGE_CONTENT", -1)).hasSize(2_001);
            assertThat(gone).isEmpty();
        }
    }

    @Test
    @Logs("More than * bytes wait for a client")
    void aClientThatNeverReadsIsDroppedAndItsHoldIsReached() throws Exception {
        try (RawClient deaf = client(100_000, "t")) {
            AiMessage held = AiMessage.from(ENDLESS, List.of(call("c1", "sendEmail", Bench.MAIL)));

            SilentModel.answer(model.asked.take(), held);

            assertThat(gone.take().input().runId()).isEqualTo("r-t");
            assertThat(bench.agent().as(Caller.of("ada")).pending("t")).hasSize(1);
            assertThat(deaf.readAll())
                    .contains("RUN_STARTED")
                    .doesNotContain("RUN_FINISHED")
                    .doesNotEndWith(LAST_CHUNK);
        }
    }

    @Test
    void whoListensIsToldOnceThatAClientIsGoneAndActsForItsCaller() throws Exception {
        client("held").close();
        SilentModel.answer(model.asked.take(), AiMessage.from(call("c1", "sendEmail", Bench.MAIL)));
        RawClient leaving = client("t");
        leaving.readTo("RUN_STARTED");
        leaving.close();

        Optional<Gone> heard = Optional.empty();
        while (heard.isEmpty()) { // the first write after the end of a connection succeeds
            timer.ring();
            heard = Optional.ofNullable(gone.poll())
                    .filter(each -> each.input().threadId().equals("t"));
        }

        assertThat(heard.get().input().messages()).containsExactly(user("m-t", "Hi"));
        SilentModel.answer(model.asked.take(), AiMessage.from(call("c1", "sendEmail", Bench.MAIL)));
        assertThat(bench.agent().as(Caller.of("ada")).pending("t")).hasSize(1);
        timer.ring();
        assertThat(gone).noneMatch(each -> each.input().threadId().equals("t"));
    }

    @Test
    void aRunWhoseClientIsGoneMayBeCancelled() throws Exception {
        server = Optional.of(
                new TestServer(bench.agent(), agui -> agui.timer(timer::after).onDisconnect((agent, input) -> {
                    DisconnectListener.CANCEL.disconnected(agent, input);
                    gone.add(new Gone(List.of(), input));
                })));
        RawClient leaving = new RawClient(server.get().port()).say("t");
        leaving.readTo("RUN_STARTED");
        leaving.close();

        while (gone.isEmpty()) {
            timer.ring();
        }
        while (bench.store.active("t", bench.clock.instant()).isPresent()) {
            Thread.onSpinWait();
        }

        assertThat(bench.store.find("t").orElseThrow().turn()).isEmpty();
        assertThat(bench.store.transcript("t")).hasSize(1);
    }

    /** Waits at each point until the client has what was said before, and leaves its thread interrupted. */
    private static final class WaitingTools {

        private final Semaphore clientHasIt = new Semaphore(0);

        @Tool("Waits")
        public String search(String query) {
            clientHasIt.acquireUninterruptibly();
            Thread.currentThread().interrupt();
            return query + " found";
        }
    }

    @Test
    void aClientSeesEachEventWhileTheRunWaitsForModelAndTool() throws Exception {
        WaitingTools tools = new WaitingTools();
        Semaphore clientHasIt = tools.clientHasIt;
        StreamingChatModel waiting = new StreamingChatModel() {
            @Override
            public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
                clientHasIt.acquireUninterruptibly();
                for (String word : List.of("one ", "two ", "three ")) {
                    handler.onPartialResponse(word);
                    clientHasIt.acquireUninterruptibly();
                }
                boolean isDone =
                        request.messages().get(request.messages().size() - 1) instanceof ToolExecutionResultMessage;
                AiMessage said = isDone
                        ? AiMessage.from("one two three ")
                        : AiMessage.from("one two three ", List.of(call("c1", "search", "{\"query\":\"ada\"}")));
                handler.onCompleteResponse(
                        ChatResponse.builder().aiMessage(said).build());
            }
        };
        Holdpoint agent = Holdpoint.builder(Bench.Assistant.class)
                .streamingChatModel(waiting)
                .tools(tools)
                .build();
        server = Optional.of(new TestServer(agent, agui -> {}));
        try (RawClient client = new RawClient(server.get().port()).say("t")) {
            for (String event : List.of("RUN_STARTED", "one ", "two ", "three ", "TOOL_CALL_END", "TOOL_CALL_RESULT")) {
                assertThat(client.readTo(event)).endsWith(event);
                clientHasIt.release();
            }
            clientHasIt.release(3);

            assertThat(client.readAll()).contains("RUN_FINISHED").endsWith(LAST_CHUNK);
        }
    }

    /** The stop button of a client is a closed connection. */
    @Test
    void whoeverStopsAStreamAndSaysSomethingIsAnswered() throws Exception {
        RawClient stopped = client(1_000_000, "t");
        model.asked.take();
        stopped.close();
        RawClient next = new RawClient(server.orElseThrow().port()).say("/agent", "t", "next");

        SilentModel.answer(model.asked.take(), AiMessage.from("Yes?"));

        assertThat(next.readAll()).startsWith("HTTP/1.1 200").contains("Yes?", "RUN_FINISHED");
    }
}
