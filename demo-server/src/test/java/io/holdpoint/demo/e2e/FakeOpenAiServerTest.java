package io.holdpoint.demo.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.exception.AuthenticationException;
import dev.langchain4j.exception.InternalServerException;
import dev.langchain4j.exception.InvalidRequestException;
import dev.langchain4j.exception.RateLimitException;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.openai.OpenAiChatModel;
import io.holdpoint.demo.e2e.OpenAiReply.Call;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The double against LangChain4j's own client of the format, not streamed. */
class FakeOpenAiServerTest {

    private FakeOpenAiServer server;
    private OpenAiChatModel model;

    @BeforeEach
    void start() throws IOException {
        server = FakeOpenAiServer.start(1);
        model = OpenAiChatModel.builder()
                .baseUrl(server.baseUrl())
                .apiKey("test")
                .modelName("gpt-test")
                .maxRetries(0)
                .build();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void textAndUsageArrive() {
        server.then(OpenAiReply.text("Grüße, Ada"));

        ChatResponse response = model.chat(UserMessage.from("hello"));

        assertThat(response.aiMessage().text()).isEqualTo("Grüße, Ada");
        assertThat(response.metadata().tokenUsage().inputTokenCount()).isEqualTo(11);
        assertThat(response.metadata().tokenUsage().outputTokenCount()).isEqualTo(7);
    }

    @Test
    void parallelCallsArriveAndTheirAnswersAreAccepted() {
        server.then(
                OpenAiReply.calls(new Call("call_1", "a", "{\"x\":1}"), new Call("call_2", "b", "{\"y\":2}")),
                OpenAiReply.text("done"));
        UserMessage question = UserMessage.from("both");

        AiMessage held = model.chat(question).aiMessage();
        ChatResponse end = model.chat(
                question,
                held,
                ToolExecutionResultMessage.from("call_2", "b", "two"),
                ToolExecutionResultMessage.from("call_1", "a", "one"));

        assertThat(held.toolExecutionRequests())
                .extracting(ToolExecutionRequest::arguments)
                .containsExactly("{\"x\":1}", "{\"y\":2}");
        assertThat(end.aiMessage().text()).isEqualTo("done");
        assertThat(server.violations()).isEmpty();
    }

    @Test
    void requestsAreRecordedWithTheirTools() {
        server.then(OpenAiReply.text("ok"));
        ToolSpecification tool = ToolSpecification.builder()
                .name("transfer")
                .parameters(
                        JsonObjectSchema.builder().addIntegerProperty("amount").build())
                .build();

        model.chat(ChatRequest.builder()
                .messages(UserMessage.from("hi"))
                .toolSpecifications(tool)
                .build());

        assertThat(server.requests()).singleElement().satisfies(request -> {
            assertThat(request.at("/model").asText()).isEqualTo("gpt-test");
            assertThat(request.at("/tools/0/function/name").asText()).isEqualTo("transfer");
            assertThat(request.at("/messages/0/content").asText()).isEqualTo("hi");
        });
    }

    @Test
    void aCallWithoutItsAnswerIsRefused() {
        AiMessage call = AiMessage.from(List.of(request("call_1"), request("call_2")));

        assertThatThrownBy(() ->
                        model.chat(UserMessage.from("go"), call, ToolExecutionResultMessage.from("call_1", "a", "one")))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("did not have response messages: call_2");
    }

    @Test
    void aMessageBetweenACallAndItsAnswerIsRefused() {
        assertThatThrownBy(() -> model.chat(
                        UserMessage.from("go"),
                        AiMessage.from(request("call_1")),
                        UserMessage.from("wait"),
                        ToolExecutionResultMessage.from("call_1", "a", "one")))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("did not have response messages: call_1");
    }

    @Test
    void anAnswerWithoutItsCallIsRefused() {
        assertThatThrownBy(
                        () -> model.chat(UserMessage.from("go"), ToolExecutionResultMessage.from("call_1", "a", "one")))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("must be a response to a preceeding message");
        assertThat(server.violations()).hasSize(1);
    }

    @Test
    void aCallAnsweredTwiceIsRefused() {
        assertThatThrownBy(() -> model.chat(
                        UserMessage.from("go"),
                        AiMessage.from(request("call_1")),
                        ToolExecutionResultMessage.from("call_1", "a", "one"),
                        ToolExecutionResultMessage.from("call_1", "a", "one")))
                .isInstanceOf(InvalidRequestException.class);
    }

    @Test
    void errorStatusesBecomeLangChain4jsExceptions() {
        server.then(new OpenAiReply.Failure(401), new OpenAiReply.Failure(429), new OpenAiReply.Failure(500));

        assertThatThrownBy(() -> model.chat("1")).isInstanceOf(AuthenticationException.class);
        assertThatThrownBy(() -> model.chat("2")).isInstanceOf(RateLimitException.class);
        assertThatThrownBy(() -> model.chat("3")).isInstanceOf(InternalServerException.class);
    }

    @Test
    void anOutageLeavesTheScriptWhereItIs() {
        server.then(OpenAiReply.text("back"));
        server.breakDown(500);

        assertThatThrownBy(() -> model.chat("1")).isInstanceOf(InternalServerException.class);
        server.recover();

        assertThat(model.chat("2")).isEqualTo("back");
    }

    @Test
    void aCutConnectionIsAnError() {
        server.then(new OpenAiReply.Cut(OpenAiReply.text("never seen whole")));

        assertThatThrownBy(() -> model.chat("1")).hasRootCauseInstanceOf(IOException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "call_0123456789012345678901234567890123456789"})
    void aCallIdTheServiceWouldRefuseIsRefused(String id) {
        assertThatThrownBy(() -> model.chat(
                        UserMessage.from("go"),
                        AiMessage.from(request(id)),
                        ToolExecutionResultMessage.from(id, "a", "one")))
                .isInstanceOf(InvalidRequestException.class);
    }

    private static ToolExecutionRequest request(String id) {
        return ToolExecutionRequest.builder().id(id).name("a").arguments("{}").build();
    }
}
