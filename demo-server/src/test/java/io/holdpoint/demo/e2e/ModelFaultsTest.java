package io.holdpoint.demo.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel;
import dev.langchain4j.service.TokenStream;
import dev.langchain4j.service.UserMessage;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Event;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.demo.e2e.OpenAiReply.Call;
import io.holdpoint.demo.e2e.OpenAiReply.Cut;
import io.holdpoint.demo.e2e.OpenAiReply.Failure;
import io.holdpoint.demo.e2e.OpenAiReply.Frames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What LangChain4j's own OpenAI model makes of a provider's faults, and what the client gets to hear of them. */
class ModelFaultsTest {

    private static final String KEY = "sk-secret";
    private static final String HALF =
            "data: {\"id\":\"x\",\"model\":\"gpt-test\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"How to \"},"
                    + "\"finish_reason\":null}]}";

    /** A whole call, of an answer that goes on. */
    private static final String CALL =
            "data: {\"id\":\"x\",\"model\":\"gpt-test\",\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,"
                    + "\"id\":\"c9\",\"type\":\"function\",\"function\":{\"name\":\"find\","
                    + "\"arguments\":\"{\\\"name\\\":\\\"Ada\\\"}\"}}]},\"finish_reason\":null}]}";

    interface Assistant {
        TokenStream chat(@UserMessage List<Content> message);
    }

    /** A tool that writes down what it did. */
    public static final class Tools {

        private final List<String> effects = new CopyOnWriteArrayList<>();

        @Tool
        public String find(@P("name") String name) {
            effects.add(name);
            return name + "@example.com";
        }
    }

    @RegisterExtension
    final ErrorLog log = new ErrorLog();

    private final Tools tools = new Tools();
    private FakeOpenAiServer openAi;

    @BeforeEach
    void start() throws Exception {
        openAi = FakeOpenAiServer.start(7);
    }

    @AfterEach
    void everyRequestWasOneOpenAiAccepts() {
        openAi.close();
        assertThat(openAi.violations()).isEmpty();
    }

    private Holdpoint agent(Duration timeout) {
        return Holdpoint.builder(Assistant.class)
                .streamingChatModel(OpenAiStreamingChatModel.builder()
                        .baseUrl(openAi.baseUrl())
                        .apiKey(KEY)
                        .modelName("gpt-test")
                        .timeout(timeout)
                        .build())
                .tools(tools)
                .aiService(service -> service.maxToolCallingRoundTrips(3)
                        .hallucinatedToolNameStrategy(
                                request -> ToolExecutionResultMessage.from(request, "there is no such tool")))
                .build();
    }

    private static List<Event> say(Holdpoint agent, String text) {
        List<Event> events = new CopyOnWriteArrayList<>();
        Message message = new Message.User(text, MessageContent.text(text));
        agent.run(RunAgentInput.of("t", "run of " + text, List.of(message)), events::add)
                .join();
        return events;
    }

    private static String outcome(List<Event> events) {
        return AguiCodec.toTree(events.get(events.size() - 1))
                .at("/outcome/type")
                .asText();
    }

    private void failsWith(ErrorCode code, List<Event> events) {
        assertThat(log.take())
                .singleElement()
                .asString()
                .contains(" - Run run of ")
                .endsWith("on thread t failed");
        var last = AguiCodec.toTree(events.get(events.size() - 1));
        assertThat(last.path("type").asText()).isEqualTo("RUN_ERROR");
        assertThat(last.path("code").asText()).isEqualTo(code.name());
        assertThat(last.path("message").asText())
                .isNotBlank()
                .doesNotContain(KEY, "127.0.0.1", "Scripted", "Exception", "secret", "{", "\n");
        List<String> open = new ArrayList<>();
        events.stream().map(Event::type).forEach(type -> {
            if (type.endsWith("_START")) {
                open.add(type);
            } else if (type.endsWith("_END")) {
                open.remove(type.replace("_END", "_START"));
            }
        });
        assertThat(open).as("left open").isEmpty();
    }

    static Stream<Arguments> faults() {
        return Stream.of(
                Arguments.of(new Failure(400), ErrorCode.MODEL_REQUEST_INVALID),
                Arguments.of(new Failure(401), ErrorCode.MODEL_UNAUTHORIZED),
                Arguments.of(new Failure(403), ErrorCode.MODEL_UNAUTHORIZED),
                Arguments.of(new Failure(404), ErrorCode.MODEL_REQUEST_INVALID),
                Arguments.of(new Failure(408), ErrorCode.MODEL_TIMEOUT),
                Arguments.of(new Failure(429), ErrorCode.MODEL_RATE_LIMITED),
                Arguments.of(new Failure(500), ErrorCode.MODEL_UNAVAILABLE),
                Arguments.of(new Failure(503), ErrorCode.MODEL_UNAVAILABLE),
                Arguments.of(new Cut(OpenAiReply.text("An answer that is broken off")), ErrorCode.MODEL_UNAVAILABLE),
                Arguments.of(
                        new Cut(OpenAiReply.calls(new Call("c0", "find", "{\"name\":\"Ada\"}"))),
                        ErrorCode.MODEL_UNAVAILABLE),
                Arguments.of(new Frames(List.of("data: [DONE]")), ErrorCode.MODEL_ANSWER_INCOMPLETE),
                Arguments.of(OpenAiReply.text(""), ErrorCode.MODEL_ANSWER_EMPTY),
                Arguments.of(
                        new Frames(List.of(
                                HALF,
                                HALF.replace("{\"content\":\"How to \"}", "{}").replace("null", "\"content_filter\""),
                                "data: [DONE]")),
                        ErrorCode.MODEL_REFUSED),
                Arguments.of(
                        new Frames(List.of(HALF, "event: error\ndata: {\"error\":{\"message\":\"secret\"}}")),
                        ErrorCode.RUN_FAILED),
                Arguments.of(new Frames(List.of(HALF)), ErrorCode.MODEL_ANSWER_INCOMPLETE),
                Arguments.of(new Frames(List.of(HALF, "data: [DONE]")), ErrorCode.MODEL_ANSWER_INCOMPLETE),
                Arguments.of(
                        new Frames(List.of(HALF, "data: {\"error\":{\"message\":\"secret\"}}", "data: [DONE]")),
                        ErrorCode.MODEL_ANSWER_INCOMPLETE),
                Arguments.of(new Frames(List.of(CALL)), ErrorCode.MODEL_ANSWER_INCOMPLETE),
                Arguments.of(new Frames(List.of(CALL, "data: [DONE]")), ErrorCode.MODEL_ANSWER_INCOMPLETE),
                Arguments.of(
                        new Frames(List.of(
                                CALL,
                                HALF.replace("{\"content\":\"How to \"}", "{}").replace("null", "\"length\""),
                                "data: [DONE]")),
                        ErrorCode.MODEL_ANSWER_INCOMPLETE),
                Arguments.of(new Frames(List.of(HALF, "data: {\"choices\": secret")), ErrorCode.MODEL_UNAVAILABLE));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void aFaultEndsTheStreamWithACodeAndTheThreadGoesOn(OpenAiReply fault, ErrorCode code) {
        Holdpoint agent = agent(Duration.ofMinutes(5));
        openAi.then(fault, OpenAiReply.text("Hello."), OpenAiReply.text("Hello again."));

        failsWith(code, say(agent, "Hi"));

        assertThat(outcome(say(agent, "Hi"))).as("the same input again").isEqualTo("success");
        assertThat(outcome(say(agent, "Good morning"))).isEqualTo("success");
        assertThat(tools.effects).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("faults")
    void afterARoundOfToolsAFaultDoesNotRunThemAgain(OpenAiReply fault, ErrorCode code) {
        Holdpoint agent = agent(Duration.ofMinutes(5));
        openAi.then(OpenAiReply.calls(new Call("c1", "find", "{\"name\":\"Ada\"}")), fault);
        openAi.then(OpenAiReply.text("Hello."));

        failsWith(code, say(agent, "Find Ada"));

        assertThat(outcome(say(agent, "Find Ada"))).as("the same input again").isEqualTo("success");
        assertThat(tools.effects).containsExactly("Ada");
    }

    @Test
    void aModelThatDoesNotAnswerInTime() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        openAi.then(request -> {
            await(never);
            return OpenAiReply.text("Too late.");
        });

        failsWith(ErrorCode.MODEL_TIMEOUT, say(agent(Duration.ofMillis(300)), "Hi"));

        never.countDown();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aProviderThatIsNotThere() {
        Holdpoint agent = agent(Duration.ofMinutes(5));
        openAi.close();

        failsWith(ErrorCode.MODEL_UNAVAILABLE, say(agent, "Hi"));
    }

    @Test
    void aToolThatDoesNotExistAndArgumentsThatAreNotJsonAreToldToTheModel() {
        openAi.then(OpenAiReply.calls(
                new Call("c1", "search", "{}"), new Call("c2", "find", "{\"name\":"), new Call("c3", "find", "[]")));
        openAi.then(OpenAiReply.text("Sorry."));

        assertThat(outcome(say(agent(Duration.ofMinutes(5)), "Go"))).isEqualTo("success");

        assertThat(tools.effects).isEmpty();
        assertThat(Json.elements(openAi.requests().get(1).path("messages")))
                .extracting(message -> message.path("role").asText())
                .containsExactly("user", "assistant", "tool", "tool", "tool");
    }

    @Test
    void aModelThatCallsToolsForEver() {
        Holdpoint agent = agent(Duration.ofMinutes(5));
        for (int i = 0; i < 4; i++) {
            openAi.then(OpenAiReply.calls(new Call("c" + i, "find", "{\"name\":\"" + i + "\"}")));
        }

        failsWith(ErrorCode.TOO_MANY_ROUNDS, say(agent, "Go"));

        openAi.then(OpenAiReply.text("I stop."));
        assertThat(outcome(say(agent, "Stop"))).isEqualTo("success");
        assertThat(tools.effects).containsExactly("0", "1", "2");
    }
}
