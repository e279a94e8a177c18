package io.holdpoint.demo.e2e;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.exception.AuthenticationException;
import dev.langchain4j.exception.InternalServerException;
import dev.langchain4j.exception.RateLimitException;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.PartialToolCall;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel;
import io.holdpoint.demo.e2e.OpenAiReply.Call;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The double against LangChain4j's own client of the format, streamed. */
class FakeOpenAiServerStreamingTest {

    private static final Call TRANSFER =
            new Call("call_1", "transfer", "{\"amount\":20,\"to\":\"Carol 🎉 & \\\"Bob\\\"\"}");
    private static final Call MAIL = new Call("call_2", "mail", "{\"to\":\"ada@example.com\"}");

    private FakeOpenAiServer server;

    @AfterEach
    void stop() {
        server.close();
    }

    @BeforeEach
    void start() throws IOException {
        server = FakeOpenAiServer.start(1);
    }

    @Test
    void textArrivesInSeveralPartsWithItsUsage() throws Exception {
        server.then(OpenAiReply.text("The transfer to Carol has been made."));

        Recorder stream = ask(server);
        ChatResponse response = stream.response();

        assertThat(stream.texts).hasSizeGreaterThan(1);
        assertThat(String.join("", stream.texts)).isEqualTo("The transfer to Carol has been made.");
        assertThat(response.aiMessage().text()).isEqualTo("The transfer to Carol has been made.");
        assertThat(response.metadata().tokenUsage().totalTokenCount()).isEqualTo(18);
        assertThat(server.requests()).singleElement().satisfies(request -> assertThat(
                        request.at("/stream_options/include_usage").asBoolean())
                .isTrue());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void parallelCallsArriveWholeWhereverTheirArgumentsAreCut(long seed) throws Exception {
        try (FakeOpenAiServer seeded = FakeOpenAiServer.start(seed)) {
            seeded.then(OpenAiReply.textAndCalls("Two things.", TRANSFER, MAIL));

            Recorder stream = ask(seeded);
            ChatResponse response = stream.response();

            assertThat(response.aiMessage().text()).isEqualTo("Two things.");
            assertThat(response.aiMessage().toolExecutionRequests())
                    .extracting(ToolExecutionRequest::id, ToolExecutionRequest::arguments)
                    .containsExactly(tuple("call_1", TRANSFER.arguments()), tuple("call_2", MAIL.arguments()));
            assertThat(stream.callParts).hasSizeGreaterThan(4);
        }
    }

    @ParameterizedTest
    @CsvSource({"401", "429", "500"})
    void errorStatusesReachTheHandler(int status) throws Exception {
        server.then(new OpenAiReply.Failure(status));

        Throwable error = ask(server).error();

        assertThat(error)
                .isInstanceOf(
                        switch (status) {
                            case 401 -> AuthenticationException.class;
                            case 429 -> RateLimitException.class;
                            default -> InternalServerException.class;
                        });
    }

    @Test
    void aConnectionCutInTheMiddleIsAnError() throws Exception {
        server.then(new OpenAiReply.Cut(OpenAiReply.text("a text long enough to be cut in the middle")));

        assertThat(ask(server).error()).isNotNull();
    }

    @Test
    void aRequestBeyondTheScriptIsAnErrorAndIsReported() throws Exception {
        assertThat(ask(server).error()).isInstanceOf(InternalServerException.class);
        assertThat(server.violations()).containsExactly("nothing scripted for request 1");
    }

    private static Recorder ask(FakeOpenAiServer server) {
        Recorder recorder = new Recorder();
        OpenAiStreamingChatModel.builder()
                .baseUrl(server.baseUrl())
                .apiKey("test")
                .modelName("gpt-test")
                .build()
                .chat("hello", recorder);
        return recorder;
    }

    private static final class Recorder implements StreamingChatResponseHandler {

        private static final long HANG_GUARD_SECONDS = 60;

        final List<String> texts = new CopyOnWriteArrayList<>();
        final List<PartialToolCall> callParts = new CopyOnWriteArrayList<>();
        private final CompletableFuture<ChatResponse> end = new CompletableFuture<>();

        ChatResponse response() throws ExecutionException, InterruptedException, TimeoutException {
            return end.get(HANG_GUARD_SECONDS, SECONDS);
        }

        Throwable error() throws InterruptedException, ExecutionException, TimeoutException {
            return end.handle((response, error) -> error).get(HANG_GUARD_SECONDS, SECONDS);
        }

        @Override
        public void onPartialResponse(String part) {
            texts.add(part);
        }

        @Override
        public void onPartialToolCall(PartialToolCall part) {
            callParts.add(part);
        }

        @Override
        public void onCompleteResponse(ChatResponse response) {
            end.complete(response);
        }

        @Override
        public void onError(Throwable error) {
            end.completeExceptionally(error);
        }
    }
}
