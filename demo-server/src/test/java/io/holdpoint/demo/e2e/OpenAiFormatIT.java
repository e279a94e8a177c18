package io.holdpoint.demo.e2e;

import static io.holdpoint.demo.e2e.AguiTestClient.approve;
import static io.holdpoint.demo.e2e.AguiTestClient.approveWith;
import static io.holdpoint.demo.e2e.AguiTestClient.cancel;
import static io.holdpoint.demo.e2e.AguiTestClient.deny;
import static io.holdpoint.demo.e2e.Json.assertSame;
import static io.holdpoint.demo.e2e.Json.only;
import static io.holdpoint.demo.e2e.Json.parse;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.holdpoint.demo.e2e.OpenAiReply.Call;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The packaged server with a hosted model: what reaches the provider, and what happens when the provider fails. */
class OpenAiFormatIT {

    private static final AtomicInteger TESTS = new AtomicInteger();
    private static FakeOpenAiServer openAi;
    private static DemoProcess demo;

    /** The server is the same for all tests, and what was effected is told apart by the ids of the calls. */
    private final int test = TESTS.incrementAndGet();

    private final Call toBob = new Call("call_bob" + test, "transferMoney", "{\"amount\":500,\"to\":\"Bob\"}");
    private final Call toCarol = new Call("call_carol" + test, "transferMoney", "{\"amount\":200,\"to\":\"Carol\"}");
    private AguiTestClient thread;

    @BeforeAll
    static void start() throws Exception {
        openAi = FakeOpenAiServer.start(7);
        demo = DemoProcess.start(
                Map.of("OPENAI_API_KEY", "test", "OPENAI_BASE_URL", openAi.baseUrl(), "OPENAI_MODEL", "gpt-test"));
    }

    @AfterAll
    static void stop() {
        try (FakeOpenAiServer stopped = openAi;
                DemoProcess ended = demo) {}
    }

    @BeforeEach
    void begin() {
        openAi.startOver();
        thread = new AguiTestClient(demo.url());
    }

    @AfterEach
    void everyRequestWasOneOpenAiAccepts() {
        assertThat(openAi.violations()).as(() -> demo.output()).isEmpty();
    }

    @Test
    void aHeldCallRunsWhenItIsApproved() throws Exception {
        openAi.then(OpenAiReply.textAndCalls("I will transfer it.", toBob), OpenAiReply.text("Done."));

        AguiRun held = thread.say("Transfer 500 to Bob");
        String call = onlyCall(held);
        assertThat(held.outcome()).isEqualTo("interrupt");
        assertThat(thread.effects(call)).isEmpty();
        AguiRun resumed = thread.resume(approve(only(held.interrupts())));

        assertThat(resumed.outcome()).isEqualTo("success");
        assertSame(argumentsOfOnlyEffect(call), parse(toBob.arguments()));
        assertThat(resumed.results(call)).hasSize(1);
        assertThat(resumed.types()).doesNotContain("TOOL_CALL_START");
        assertThat(toolMessages(lastRequest())).hasSize(1);
        assertThat(lastRequest().path("model").asText()).isEqualTo("gpt-test");
    }

    private static String chunk(String delta, String finishReason) {
        return "data: {\"id\":\"x\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"gpt-test\",\"choices\":[{\"index\":0,"
                + "\"delta\":" + delta + ",\"finish_reason\":" + finishReason + "}]}";
    }

    @Test
    void theModelsThinkingIsTold() throws Exception {
        openAi.then(new OpenAiReply.Frames(List.of(
                chunk("{\"role\":\"assistant\",\"reasoning_content\":\"They want to be greeted.\"}", "null"),
                chunk("{\"content\":\"Hello.\"}", "null"),
                chunk("{}", "\"stop\""),
                "data: [DONE]")));

        AguiRun run = thread.say("Hi");

        assertThat(run.outcome()).isEqualTo("success");
        assertThat(run.types()).containsSubsequence("REASONING_MESSAGE_CONTENT", "TEXT_MESSAGE_CONTENT");
    }

    @Test
    void picturesDocumentsAndContextArriveAtTheProvider() throws Exception {
        openAi.then(OpenAiReply.text("A pixel."), OpenAiReply.text("Still a pixel."));
        thread.context("The page that is shown", "Gallery");

        AguiRun run = thread.say((ArrayNode) parse("""
                [{"type": "text", "text": "What is this?"},
                 {"type": "image", "source": {"type": "data", "value": "iVBORw0KGgo=", "mimeType": "image/png"}},
                 {"type": "image", "source": {"type": "url", "value": "https://example.com/a.png"}},
                 {"type": "document", "source": {"type": "data", "value": "JVBERg==", "mimeType": "application/pdf"}},
                 {"type": "binary", "mimeType": "audio/wav", "data": "UklGRg=="}]"""));
        assertThat(run.outcome()).isEqualTo("success");
        JsonNode content = userMessages(lastRequest()).get(0).path("content");
        assertThat(content.at("/0/text").asText())
                .contains("The page that is shown: Gallery")
                .endsWith("What is this?");
        assertThat(content.at("/1/image_url/url").asText()).isEqualTo("data:image/png;base64,iVBORw0KGgo=");
        assertThat(content.at("/2/image_url/url").asText()).isEqualTo("https://example.com/a.png");
        assertThat(content.at("/3/file/file_data").asText()).isEqualTo("data:application/pdf;base64,JVBERg==");
        assertThat(content.at("/4/input_audio/data").asText()).isEqualTo("UklGRg==");

        thread.say("Sure?");
        JsonNode later = userMessages(lastRequest()).get(0).path("content");
        assertThat(later.at("/0/text").asText()).isEqualTo("What is this?");
        assertThat(later).hasSize(5);
    }

    @Test
    void aPictureThatTheProviderRefusesDoesNotBlockTheThread() throws Exception {
        openAi.breakDown(400);
        AguiRun refused = thread.say((ArrayNode) parse("""
                [{"type": "image", "source": {"type": "data", "value": "iVBORw0KGgo=", "mimeType": "image/png"}}]"""));
        openAi.recover();
        openAi.then(OpenAiReply.text("Hello."));

        AguiRun next = thread.say("Never mind");

        assertThat(refused.types()).endsWith("RUN_ERROR");
        assertThat(next.outcome()).isEqualTo("success");
        assertThat(lastRequest().toString()).doesNotContain("iVBORw0KGgo");
    }

    @Test
    void ofTwoParallelCallsOneIsApprovedAndOneDenied() throws Exception {
        openAi.then(OpenAiReply.calls(toBob, toCarol), OpenAiReply.text("Bob has it."));

        AguiRun held = thread.say("Transfer 500 to Bob and 200 to Carol");
        String bob = held.callIds().get(0);
        String carol = held.callIds().get(1);
        AguiRun resumed = thread.resume(
                approve(interrupt(held, bob)), deny(interrupt(held, carol), "Carol has moved to another bank"));

        assertThat(resumed.outcome()).isEqualTo("success");
        assertThat(thread.effects(bob)).hasSize(1);
        assertThat(thread.effects(carol)).isEmpty();
        assertThat(resumed.results(carol)).hasSize(1);
        assertThat(toolMessages(lastRequest())).hasSize(2).anySatisfy(message -> assertThat(
                        message.path("content").asText())
                .contains("Carol has moved to another bank"));
    }

    @Test
    void anEditedCallRunsWithTheEditsAndTheModelIsTold() throws Exception {
        openAi.then(OpenAiReply.calls(toBob), OpenAiReply.text("Seven it is."));
        JsonNode edited = parse("{\"amount\":7,\"to\":\"Bob\"}");

        AguiRun held = thread.say("Transfer 500 to Bob");
        AguiRun resumed = thread.resume(approveWith(only(held.interrupts()), edited));

        assertThat(resumed.outcome()).isEqualTo("success");
        assertSame(argumentsOfOnlyEffect(onlyCall(held)), edited);
        JsonNode proposal = assistantWithCalls(lastRequest());
        assertThat(proposal.at("/tool_calls/0/function/arguments").asText())
                .as("the model's own message stays as it wrote it")
                .isEqualTo(toBob.arguments());
        assertThat(only(toolMessages(lastRequest())).path("content").toString()).contains("7");
    }

    @Test
    void aFreeCallBesideAHeldOneRunsOnceAndAfterTheApproval() throws Exception {
        openAi.then(request -> OpenAiReply.calls(
                new Call("call_search", "searchContacts", SampleArguments.of(request, "searchContacts")), toBob));
        openAi.then(OpenAiReply.text("Both done."));

        AguiRun held = thread.say("Find Ada and transfer 500 to Bob");
        String search = held.callIds().get(0);
        assertThat(held.interrupts()).hasSize(1);
        assertThat(held.types()).doesNotContain("TOOL_CALL_RESULT");
        assertThat(thread.effects(search)).isEmpty();
        AguiRun resumed = thread.resume(approve(only(held.interrupts())));

        assertThat(resumed.outcome()).isEqualTo("success");
        assertThat(resumed.results(search)).hasSize(1);
        assertThat(thread.effects(search)).hasSizeLessThanOrEqualTo(1);
        assertThat(thread.effects(held.callIds().get(1))).hasSize(1);
        assertThat(toolMessages(lastRequest())).hasSize(2);
    }

    @Test
    void anErrorOfTheProviderAfterTheApprovalDoesNotRunTheToolAgain() throws Exception {
        openAi.then(OpenAiReply.calls(toBob));
        AguiRun held = thread.say("Transfer 500 to Bob");

        openAi.breakDown(500);
        AguiRun failed = thread.resume(approve(only(held.interrupts())));
        openAi.recover();
        openAi.then(OpenAiReply.text("Done."));
        AguiRun repeated = thread.resume(approve(only(held.interrupts())));

        assertThat(failed.types()).endsWith("RUN_ERROR");
        assertThat(repeated.outcome()).isEqualTo("success");
        assertThat(thread.effects(onlyCall(held))).hasSize(1);
        assertThat(toolMessages(lastRequest())).hasSize(1);
    }

    @Test
    void aConnectionCutAfterTheApprovalDoesNotRunTheToolAgain() throws Exception {
        openAi.then(OpenAiReply.calls(toBob));
        openAi.then(new OpenAiReply.Cut(OpenAiReply.text("The transfer to Bob has been made as you asked.")));
        AguiRun held = thread.say("Transfer 500 to Bob");

        AguiRun failed = thread.resume(approve(only(held.interrupts())));
        openAi.then(OpenAiReply.text("Done."));
        AguiRun repeated = thread.resume(approve(only(held.interrupts())));

        assertThat(failed.types()).endsWith("RUN_ERROR");
        assertThat(repeated.outcome()).isEqualTo("success");
        assertThat(thread.effects(onlyCall(held))).hasSize(1);
    }

    @Test
    void steeringAwayLeavesNoCallWithoutItsAnswer() throws Exception {
        openAi.then(OpenAiReply.calls(toBob, toCarol), OpenAiReply.text("Nothing sent."), OpenAiReply.text("Hello."));

        AguiRun held = thread.say("Transfer 500 to Bob and 200 to Carol");
        AguiRun steered = thread.say(
                "Forget it",
                cancel(held.interrupts().get(0)),
                cancel(held.interrupts().get(1)));
        AguiRun next = thread.say("Good morning");

        assertThat(List.of(steered.outcome(), next.outcome())).containsExactly("success", "success");
        assertThat(openAi.requests()).hasSize(3);
        assertThat(toolMessages(lastRequest())).hasSize(2);
        assertThat(thread.effects(held.callIds().get(0))).isEmpty();
    }

    @Test
    void eachRunReportsTheUsageOfItsOwnModelCalls() throws Exception {
        openAi.then(OpenAiReply.textAndCalls("I will transfer it.", toBob), OpenAiReply.text("Done."));

        AguiRun held = thread.say("Transfer 500 to Bob");
        AguiRun resumed = thread.resume(approve(only(held.interrupts())));
        AguiRun presented = thread.resume();

        assertThat(held.end().at("/usage/0/inputTokens").asInt()).isEqualTo(17);
        assertThat(held.end().at("/usage/0/outputTokens").asInt()).isEqualTo(3);
        assertThat(resumed.end().at("/usage/0/inputTokens").asInt()).isEqualTo(11);
        assertThat(resumed.end().at("/usage/0/outputTokens").asInt()).isEqualTo(7);
        assertThat(presented.end().path("usage")).isEmpty();
    }

    private JsonNode lastRequest() {
        return openAi.requests().get(openAi.requests().size() - 1);
    }

    private JsonNode argumentsOfOnlyEffect(String toolCallId) throws Exception {
        return only(thread.effects(toolCallId)).path("args");
    }

    private static String onlyCall(AguiRun run) {
        assertThat(run.callIds()).hasSize(1);
        return run.callIds().get(0);
    }

    private static JsonNode interrupt(AguiRun run, String toolCallId) {
        return only(run.interrupts().stream()
                .filter(interrupt -> interrupt.path("toolCallId").asText().equals(toolCallId))
                .toList());
    }

    private static List<JsonNode> toolMessages(JsonNode request) {
        return messages(request, "tool");
    }

    private static List<JsonNode> userMessages(JsonNode request) {
        return messages(request, "user");
    }

    private static List<JsonNode> messages(JsonNode request, String role) {
        return messages(request).stream()
                .filter(message -> message.path("role").asText().equals(role))
                .toList();
    }

    private static JsonNode assistantWithCalls(JsonNode request) {
        return only(messages(request).stream()
                .filter(message -> message.has("tool_calls"))
                .toList());
    }

    private static List<JsonNode> messages(JsonNode request) {
        return Json.elements(request.path("messages"));
    }
}
