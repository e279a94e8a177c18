package io.holdpoint.service;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.exception.AuthenticationException;
import dev.langchain4j.exception.ContentFilteredException;
import dev.langchain4j.exception.InternalServerException;
import dev.langchain4j.exception.InvalidRequestException;
import dev.langchain4j.exception.LangChain4jException;
import dev.langchain4j.exception.ModelNotFoundException;
import dev.langchain4j.exception.RateLimitException;
import dev.langchain4j.exception.TimeoutException;
import dev.langchain4j.exception.UnresolvedModelServerException;
import dev.langchain4j.model.ModelProvider;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.output.FinishReason;
import io.holdpoint.ErrorCode;
import io.holdpoint.RunResult;
import io.holdpoint.agui.RunEvent;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.RecordingSink;
import io.holdpoint.testing.Shape;
import io.holdpoint.testing.Unchecked;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.http.HttpTimeoutException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What a model can do wrong, what the client is told, and that the thread goes on. */
@Logs({"Run * on thread * failed", "A call of the tool * was refused to the model because of its arguments"})
class ModelFailureTest {

    private static final String SECRET = "sk-secret at host.internal";

    private final Bench bench = new Bench();

    static Stream<Arguments> failures() {
        return Stream.of(
                Arguments.of(new TimeoutException(SECRET), ErrorCode.MODEL_TIMEOUT),
                Arguments.of(new LangChain4jException(new HttpTimeoutException(SECRET)), ErrorCode.MODEL_TIMEOUT),
                Arguments.of(new AuthenticationException(SECRET), ErrorCode.MODEL_UNAUTHORIZED),
                Arguments.of(new RateLimitException(SECRET), ErrorCode.MODEL_RATE_LIMITED),
                Arguments.of(new ContentFilteredException(SECRET), ErrorCode.MODEL_REFUSED),
                Arguments.of(new InvalidRequestException(SECRET), ErrorCode.MODEL_REQUEST_INVALID),
                Arguments.of(new ModelNotFoundException(SECRET), ErrorCode.MODEL_REQUEST_INVALID),
                Arguments.of(new InternalServerException(SECRET), ErrorCode.MODEL_UNAVAILABLE),
                Arguments.of(new UnresolvedModelServerException(SECRET), ErrorCode.MODEL_UNAVAILABLE),
                Arguments.of(new LangChain4jException(new IOException(SECRET)), ErrorCode.MODEL_UNAVAILABLE),
                Arguments.of(new UncheckedIOException(new ConnectException(SECRET)), ErrorCode.MODEL_UNAVAILABLE),
                Arguments.of(
                        new IllegalStateException(SECRET, new RateLimitException(SECRET)),
                        ErrorCode.MODEL_RATE_LIMITED),
                Arguments.of(
                        new IllegalArgumentException(SECRET, new RateLimitException(SECRET)),
                        ErrorCode.MODEL_RATE_LIMITED),
                Arguments.of(new IllegalArgumentException(SECRET), ErrorCode.MODEL_REQUEST_INVALID),
                Arguments.of(new IllegalStateException(SECRET), ErrorCode.RUN_FAILED));
    }

    @ParameterizedTest
    @EnumSource(
            names = {
                "INPUT_GUARDRAIL",
                "MODERATION",
                "MODEL_REFUSED",
                "MODEL_REPEATS_ITSELF",
                "TOO_MANY_ROUNDS",
                "TOO_MANY_TOKENS",
                "APPLICATION_FAULT"
            })
    void nobodyIsToldToSendAgainWhatIsRefusedAgain(ErrorCode code) {
        assertThat(code.message()).doesNotContain("send the same input again");
        assertThat(code.sentence()).doesNotContain("Try again");
    }

    private void fails(RecordingSink stream, ErrorCode code) {
        assertThat(stream.last()).isInstanceOfSatisfying(RunEvent.Error.class, error -> {
            assertThat(error.code()).isEqualTo(code.name());
            assertThat(error.message()).isNotBlank().doesNotContain("sk-", "host", "Exception", "\n");
        });
    }

    @ParameterizedTest
    @MethodSource("failures")
    void theClientGetsACodeAndNothingOfWhatTheProviderSaid(RuntimeException failure, ErrorCode code) {
        bench.model.fails(failure).says("Hello.");

        fails(bench.say("Hi"), code);

        assertThat(bench.say("Hi").text()).as("the same input again").isEqualTo("Hello.");
        assertThat(bench.memory()).hasSize(2);
    }

    @ParameterizedTest
    @MethodSource("failures")
    void anotherMessageIsHeardAfterAFailure(RuntimeException failure, ErrorCode code) {
        bench.model.calls(call("c1", "sendEmail", Bench.MAIL));
        bench.say("Mail Ada");
        bench.model.fails(failure).says("Hello.");

        fails(bench.resume(bench.pending(0).asApproval().approve()), code);

        assertThat(bench.say("Never mind").text()).isEqualTo("Hello.");
        assertThat(bench.tools.effects()).hasSize(1);
    }

    /** A model that is not written in Java. */
    @ParameterizedTest
    @EnumSource
    void aCheckedExceptionOfTheModelIsItsFailure(Shape shape) {
        ScriptedModel model = new ScriptedModel().answers(request -> {
            throw Unchecked.<RuntimeException>of(new ConnectException(SECRET));
        });

        RunResult result = shape.builder(model).build().send("t", "Hi");

        assertThat(result.failure().orElseThrow().code()).isEqualTo(ErrorCode.MODEL_UNAVAILABLE);
    }

    @Test
    void aBrokenConnectionOfTheApplicationIsNoFailureOfTheModel() {
        Bench broken = new Bench(builder -> builder.aiService(service -> service.systemMessageProvider(id -> {
            throw new UncheckedIOException(new ConnectException(SECRET));
        })));

        fails(broken.say("Hi"), ErrorCode.RUN_FAILED);
    }

    @Test
    void anEmptyAnswerIsAFailure() {
        bench.model.answers(request -> AiMessage.from("")).says("Hello.");

        fails(bench.say("Hi"), ErrorCode.MODEL_ANSWER_EMPTY);

        assertThat(bench.say("Hi").text()).isEqualTo("Hello.");
        assertThat(bench.memory()).hasSize(2);
    }

    @Test
    void anAnswerThatTheProviderFiltersIsARefusal() {
        StreamingChatModel filtered = new StreamingChatModel() {
            @Override
            public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
                handler.onPartialResponse("How to ");
                handler.onCompleteResponse(ChatResponse.builder()
                        .aiMessage(AiMessage.from("How to "))
                        .finishReason(FinishReason.CONTENT_FILTER)
                        .build());
            }
        };
        Bench strict = new Bench(builder -> builder.streamingChatModel(filtered));

        fails(strict.say("Hi"), ErrorCode.MODEL_REFUSED);

        assertThat(strict.memory()).hasSize(1);
    }

    @Test
    void tooManyRoundsAreStoppedAndTheUserSaysHowToGoOn() {
        Bench few = new Bench(builder -> builder.aiService(service -> service.maxToolCallingRoundTrips(2)));
        for (int i = 0; i < 3; i++) {
            few.model.calls(call("c" + i, "searchContacts", "{\"query\":\"" + i + "\"}"));
        }

        fails(few.say("Find everybody"), ErrorCode.TOO_MANY_ROUNDS);

        assertThat(few.tools.effects()).hasSize(2);
        few.model.says("I stop.");
        assertThat(few.say("Stop").text()).isEqualTo("I stop.");
    }

    @Test
    void aHallucinatedToolAndMalformedArgumentsAreToldToTheModel() {
        Bench lenient = new Bench(builder -> builder.aiService(service -> service.hallucinatedToolNameStrategy(
                request -> dev.langchain4j.data.message.ToolExecutionResultMessage.from(request, "no such tool"))));
        lenient.model
                .calls(call("c1", "sendMoney", "{}"), call("c2", "searchContacts", "{\"query\":"))
                .says("Sorry.");

        assertThat(lenient.say("Go").text()).isEqualTo("Sorry.");

        assertThat(lenient.model.lastResult("c1")).isEqualTo("no such tool");
        assertThat(lenient.model.lastResult("c2")).contains("not executed");
        ScriptedModel.requireWellFormed(lenient.memory());
        assertThat(lenient.agent().pending(THREAD)).isEmpty();
    }

    @Test
    void aModelThatMakesTheSameUselessCallsIsStoppedSoon() {
        for (int i = 0; i < 3; i++) {
            bench.model.calls(call("c" + i, "searchContacts", "{\"query\":"));
        }

        fails(bench.say("Find everybody"), ErrorCode.MODEL_REPEATS_ITSELF);

        assertThat(bench.model.requests()).hasSize(3);
        bench.model.says("I stop.");
        assertThat(bench.say("Stop").text()).isEqualTo("I stop.");
        ScriptedModel.requireWellFormed(bench.memory());
    }

    @Test
    void aModelThatCorrectsItselfGoesOn() {
        bench.model
                .calls(call("c1", "searchContacts", "{\"query\":"))
                .calls(call("c2", "searchContacts", "{\"query\":"))
                .calls(call("c3", "searchContacts", "{\"query\":\"Ada\"}"))
                .calls(call("c4", "searchContacts", "{\"query\":"))
                .says("Found her.");

        assertThat(bench.say("Find Ada").text()).isEqualTo("Found her.");
    }

    /** LangChain4j's model of the provider ends a stream that was cut like a whole one, except for this. */
    @ParameterizedTest
    @EnumSource(names = {"OPEN_AI", "GOOGLE_AI_GEMINI", "MISTRAL_AI", "ANTHROPIC"})
    void aStreamWithoutItsFinishReasonIsNoAnswer(ModelProvider provider) {
        List<AiMessage> cut = List.of(AiMessage.from("I will se"), AiMessage.from(call("c1", "sendEmail", Bench.MAIL)));
        for (AiMessage message : cut) {
            Bench strict = new Bench(builder -> builder.streamingChatModel(ending(message, provider)));

            fails(strict.say("Mail Ada"), ErrorCode.MODEL_ANSWER_INCOMPLETE);

            assertThat(strict.pending()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"OLLAMA", "OTHER"})
    void otherProvidersNeedNotGiveAFinishReason(ModelProvider provider) {
        Bench lax = new Bench(builder ->
                builder.streamingChatModel(ending(AiMessage.from(call("c1", "sendEmail", Bench.MAIL)), provider)));

        lax.say("Mail Ada");

        assertThat(lax.pending()).hasSize(1);
    }

    private static StreamingChatModel ending(AiMessage message, ModelProvider provider) {
        return new StreamingChatModel() {
            @Override
            public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
                handler.onCompleteResponse(
                        ChatResponse.builder().aiMessage(message).build());
            }

            @Override
            public ModelProvider provider() {
                return provider;
            }
        };
    }

    @Test
    void toolCallsThatAreCutAtTheTokenLimitAreNoQuestion() {
        StreamingChatModel cut = new StreamingChatModel() {
            @Override
            public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
                handler.onCompleteResponse(ChatResponse.builder()
                        .aiMessage(AiMessage.from(call("c1", "sendEmail", Bench.MAIL)))
                        .finishReason(FinishReason.LENGTH)
                        .build());
            }
        };
        Bench strict = new Bench(builder -> builder.streamingChatModel(cut));

        RecordingSink sink = strict.say("Mail Ada");

        fails(sink, ErrorCode.MODEL_ANSWER_INCOMPLETE);
        assertThat(((RunEvent.Error) sink.last()).message()).contains("cut off").contains("ask for less at a time");
        assertThat(sink.detail()).contains("token limit");
        assertThat(strict.pending()).isEmpty();
        assertThat(strict.memory()).hasSize(1);
    }
}
