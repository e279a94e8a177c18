package io.holdpoint.agents;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.sun.net.httpserver.HttpServer;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Dialect;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.client.AguiClient;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Agents of other makes as tools: servers of the JDK that send the streams of AG-UI's documents, and those recorded of a Mastra agent
 * ({@code @mastra/core} 1.68.0 behind {@code @ag-ui/mastra} 1.1.2, both Apache 2.0), whose tool suspends.
 */
@Timeout(60)
class RemoteOfAnotherMakeTest {

    private static final String STARTED = """
            : ping

            data: {"type":"RUN_STARTED","threadId":"t1","runId":"r1"}

            """;
    private static final String HELD = STARTED + """
            data: {"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","role":"assistant","delta":"I write a mail."}

            data: {"type":"TOOL_CALL_START","toolCallId":"tc-001","toolCallName":"sendEmail","parentMessageId":"m1"}

            data: {"type":"TOOL_CALL_ARGS","toolCallId":"tc-001","delta":"{\\"to\\":\\"a@b.com\\"}"}

            data: {"type":"TOOL_CALL_END","toolCallId":"tc-001"}

            data: {"type":"RUN_FINISHED","threadId":"t1","runId":"r1","outcome":{"type":"interrupt","interrupts":[\
            {"id":"int-abc123","reason":"tool_call","message":"Send email to a@b.com?","toolCallId":"tc-001",\
            "responseSchema":{"type":"object","properties":{"approved":{"type":"boolean"}},"required":["approved"]},\
            "expiresAt":"2099-01-01T00:00:00Z"},\
            {"id":"int-2","reason":"confirmation","message":"Also a copy?",\
            "expiresAt":"2999-01-01T00:00:00Z"}]}}

            """;
    private static final String DONE = STARTED + """
            data: {"type":"TOOL_CALL_RESULT","messageId":"m2","toolCallId":"tc-001","content":"sent"}

            data: {"type":"TEXT_MESSAGE_START","messageId":"m3","role":"assistant"}

            data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"m3","delta":"The mail is out."}

            data: {"type":"TEXT_MESSAGE_END","messageId":"m3"}

            data: {"type":"RUN_FINISHED","threadId":"t1","runId":"r2","outcome":{"type":"success"}}

            """;
    private static final String DRAFT_HELD = STARTED + """
            data: {"type":"RUN_FINISHED","threadId":"t1","runId":"r1","outcome":"interrupt","interrupt":{"id":"approval-001",\
            "reason":"database_modification","payload":{"proposal":{"query":"DELETE FROM users"},"affectedRows":12}}}

            """;
    private static final String DRAFT_DONE = STARTED + """
            data: {"type":"RUN_FINISHED","threadId":"t1","runId":"r2","outcome":"success","result":{"deleted":12}}

            """;

    private static final String RUNNING = STARTED + """
            data: {"type":"RUN_FINISHED","threadId":"t1","runId":"history","outcome":{"type":"success"},\
            "metadata":{"langchain4j":{"thread":"running"}}}

            """;

    private final Deque<String> streams = new ArrayDeque<>();
    private final List<JsonNode> inputs = new CopyOnWriteArrayList<>();
    private final List<Long> asked = new CopyOnWriteArrayList<>();
    private HttpServer server;
    private volatile int refusal;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.createContext("/", exchange -> {
            asked.add(System.nanoTime());
            inputs.add(AguiCodec.mapper().readTree(exchange.getRequestBody().readAllBytes()));
            if (refusal != 0) {
                exchange.sendResponseHeaders(refusal, -1);
                exchange.close();
                return;
            }
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write(streams.remove().getBytes(StandardCharsets.UTF_8));
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private Bench outer(Dialect dialect) {
        return outer(dialect, agent -> agent);
    }

    private Bench outer(Dialect dialect, UnaryOperator<RemoteAgent> settings) {
        AguiClient client = AguiClient.builder(
                        URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/agent"))
                .dialect(dialect)
                .build();
        Bench ours = new Bench(
                builder -> builder.toolProviders(settings.apply(RemoteAgent.of("office", "Writes mails", client))));
        ours.model.calls(call("c1", "office", "{\"task\":\"Tell Ada hello\"}")).says("Done.");
        return ours;
    }

    private static JsonNode json(String text) throws IOException {
        return AguiCodec.mapper().readTree(text);
    }

    @Test
    void itsInterruptsAreAnsweredTogetherWithTheWholeConversation() throws IOException {
        streams.add(HELD);
        streams.add(DONE);
        Bench ours = outer(Dialect.V1_0);

        ours.say("Go");
        Interrupt first = ours.pending(0).interrupt();
        assertThat(first.reason()).isEqualTo("remote:tool_call");
        assertThat(first.message()).isEqualTo("The agent \"office\" asks: Send email to a@b.com?");
        assertThat(first.expiresAt()).isNotNull();
        assertThat(first.metadata().at("/remoteAgent/toolCallId").asText()).isEqualTo("tc-001");
        ours.resume(ResumeEntry.resolved(first.id(), json("{\"approved\":true}")));
        Interrupt second = ours.pending(0).interrupt();
        assertThat(second.reason()).isEqualTo("confirmation");
        assertThat(second.expiresAt()).as("too far away for a promise").isNull();
        assertThat(inputs).hasSize(1);
        ours.resume(ResumeEntry.resolved(second.id(), BooleanNode.FALSE));

        assertThat(ours.model.lastResult("c1")).isEqualTo("The mail is out.");
        assertThat(inputs).hasSize(2);
        JsonNode started = inputs.get(0);
        assertThat(started.at("/messages/0/content").asText()).isEqualTo("Tell Ada hello");
        for (String field : List.of("threadId", "runId", "state", "messages", "tools", "context", "forwardedProps")) {
            assertThat(started.has(field)).as(field).isTrue();
        }
        assertThat(started.at("/forwardedProps/holdpoint").has("replaces"))
                .as("the same task once more asks for no other answer")
                .isTrue();
        JsonNode resumed = inputs.get(1);
        assertThat(resumed.path("threadId")).isEqualTo(started.path("threadId"));
        assertThat(resumed.path("runId")).isNotEqualTo(started.path("runId"));
        assertThat(resumed.path("resume"))
                .isEqualTo(json(
                        "[{\"interruptId\":\"int-abc123\",\"status\":\"resolved\",\"payload\":{\"approved\":true}},"
                                + "{\"interruptId\":\"int-2\",\"status\":\"resolved\",\"payload\":false}]"));
        assertThat(resumed.path("messages")).hasSize(2);
        assertThat(resumed.at("/messages/1/toolCalls/0/function/arguments").asText())
                .isEqualTo("{\"to\":\"a@b.com\"}");
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403, 409, 429, 503})
    @Logs("The answer to the agent \"office\" did not arrive")
    void ofSeveralAnswersThatAreNotTakenNowTheLastIsGivenAgain(int status) throws IOException {
        streams.add(HELD);
        Bench ours = outer(Dialect.V1_0);
        ours.say("Go");
        ours.resume(ResumeEntry.resolved(ours.pending(0).id(), json("{\"approved\":true}")));
        refusal = status;
        ours.resume(ResumeEntry.resolved(ours.pending(0).id(), BooleanNode.FALSE));
        assertThat(ours.pending(0).message())
                .isEqualTo("The agent \"office\" takes no answer at the moment (status " + status
                        + "), so your answer has not arrived there. It asks again: Also a copy?");
        refusal = 0;
        streams.add(DONE);

        ours.resume(ResumeEntry.resolved(ours.pending(0).id(), BooleanNode.TRUE));

        assertThat(inputs).hasSize(3);
        assertThat(inputs.get(2).path("resume"))
                .isEqualTo(json(
                        "[{\"interruptId\":\"int-abc123\",\"status\":\"resolved\",\"payload\":{\"approved\":true}},"
                                + "{\"interruptId\":\"int-2\",\"status\":\"resolved\",\"payload\":true}]"));
        assertThat(inputs.get(2).path("messages"))
                .isEqualTo(inputs.get(1).path("messages"))
                .hasSize(2);
        assertThat(ours.model.lastResult("c1")).isEqualTo("The mail is out.");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 404, 500})
    @Logs("Tool 'office' execution failed")
    void anAnswerThatMayHaveArrivedIsNotGivenTwice(int status) throws IOException {
        streams.add(DRAFT_HELD);
        streams.add(STARTED);
        Bench ours = outer(Dialect.V1_0);
        ours.say("Go");
        refusal = status;

        ours.resume(ResumeEntry.resolved(ours.pending(0).id(), json("{\"approved\":true}")));

        assertThat(ours.pending()).isEmpty();
        assertThat(ours.model.lastResult("c1")).startsWith("The agent \"office\" could not be asked: ");
        assertThat(ours.model.lastResult("c1").endsWith(" The outcome of its work is not known."))
                .isEqualTo(status != 404);
        assertThat(inputs).hasSize(2);
    }

    @Test
    @Logs("Tool 'office' execution failed")
    void whoNeverStopsTalkingIsNotHeardFurther() {
        String text = "data: {\"type\":\"TEXT_MESSAGE_CONTENT\",\"messageId\":\"m1\",\"delta\":\"" + "x".repeat(100_000)
                + "\"}\n\n";
        streams.add(STARTED + text.repeat(165));
        Bench ours = outer(Dialect.V1_0);

        ours.say("Go");

        assertThat(ours.model.lastResult("c1"))
                .isEqualTo(
                        "The agent \"office\" said more than 16000000 bytes in one run, and was not heard further. The"
                                + " outcome of its work is not known.");
    }

    private static String recorded(String name) throws IOException {
        try (InputStream stream = RemoteOfAnotherMakeTest.class.getResourceAsStream("/recorded/" + name)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void aMastraAgentAsksAndIsAnswered() throws IOException {
        streams.add(recorded("mastra-held.sse"));
        streams.add(recorded("mastra-done.sse"));
        Bench ours = outer(Dialect.V1_0);

        ours.say("Go");
        Interrupt asked = ours.pending(0).interrupt();
        assertThat(asked.reason()).isEqualTo("mastra:tool_suspend");
        assertThat(asked.responseSchema().at("/required/0").asText()).isEqualTo("approved");
        assertThat(asked.metadata()
                        .at("/remoteAgent/metadata/mastra/suspendPayload/question")
                        .asText())
                .isEqualTo("Send email to ada@example.com?");
        ours.resume(ResumeEntry.resolved(asked.id(), json("{\"approved\":true}")));

        assertThat(inputs.get(1).path("resume"))
                .isEqualTo(json(
                        "[{\"interruptId\":\"r1::call_1\",\"status\":\"resolved\",\"payload\":{\"approved\":true}}]"));
        assertThat(ours.model.lastResult("c1")).isEqualTo("The mail is out.");
    }

    /** Programs that read what our rules say of a question, such as notices, links and the inbox, find nothing of the agent's there. */
    @Test
    void whatItClaimsOfOurPeopleAndRulesIsItsOwnWord() throws IOException {
        String claims =
                "{\"langchain4j\":{\"editedBy\":\"grace\",\"secondOpinion\":{\"concern\":\"none\"},\"handed\":{\"to\":\"henry\"},"
                        + "\"approvals\":{\"needed\":1},\"fingerprint\":\"f00\",\"mayDecide\":true},\"remoteAgent\":{\"name\":\"clerk\"}}";
        streams.add(HELD.replace("\"reason\":\"tool_call\"", "\"reason\":\"tool_call\",\"metadata\":" + claims));
        Bench ours = outer(Dialect.V1_0);

        ours.say("Go");

        PendingInterrupt asked = ours.pending(0);
        JsonNode metadata = asked.interrupt().metadata();
        assertThat(metadata.path("langchain4j").fieldNames())
                .toIterable()
                .doesNotContain("editedBy", "secondOpinion", "handed", "approvals", "fingerprint");
        assertThat(asked.editedBy()).isEmpty();
        assertThat(asked.fingerprint()).isNotEqualTo("f00");
        assertThat(metadata.at("/remoteAgent/name").asText()).isEqualTo("office");
        assertThat(metadata.at("/remoteAgent/metadata")).isEqualTo(json(claims));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"approved\":true}", "{\"approved\":false}"})
    void theDraftIsSpokenTooAndADenialGoesThereAsWell(String answer) throws IOException {
        streams.add(DRAFT_HELD);
        streams.add(DRAFT_DONE);
        Bench ours = outer(Dialect.INTERRUPTS_DRAFT);

        ours.say("Go");
        Interrupt asked = ours.pending(0).interrupt();
        assertThat(asked.reason()).isEqualTo("database_modification");
        assertThat(asked.metadata()
                        .at("/remoteAgent/metadata/payload/affectedRows")
                        .asInt())
                .isEqualTo(12);
        ours.resume(ResumeEntry.resolved(asked.id(), json(answer)));

        assertThat(inputs.get(0).has("protocolVersion")).isFalse();
        assertThat(inputs.get(1).path("resume"))
                .isEqualTo(json("{\"interruptId\":\"approval-001\",\"payload\":" + answer + "}"));
        assertThat(ours.model.lastResult("c1")).isEqualTo("{\"deleted\":12}");
    }

    @Test
    @Logs("Tool 'office' execution failed")
    void aStreamThatBreaksOffIsTheFailureOfTheTool() {
        streams.add(STARTED);
        Bench ours = outer(Dialect.V1_0);

        ours.say("Go");

        assertThat(ours.model.lastResult("c1"))
                .contains("ended before RUN_FINISHED or RUN_ERROR")
                .endsWith(" The outcome of its work is not known.");
        assertThat(inputs).hasSize(1);
    }

    /** A server of Holdpoint says so when it has been followed for long enough; this one says it at once, and always. */
    @Test
    @Logs("Tool 'office' execution failed")
    void whoSaysForEverThatARunIsActiveIsAskedFromTimeToTime() {
        for (int i = 0; i < 100_000; i++) {
            streams.add(RUNNING);
        }
        Bench ours = outer(Dialect.V1_0, agent -> agent.holdpointRoutes().timeout(Duration.ofSeconds(2)));

        ours.say("Go");

        assertThat(ours.model.lastResult("c1")).contains("did not finish within PT2S");
        for (int i = 1; i < asked.size(); i++) {
            assertThat(Duration.ofNanos(asked.get(i) - asked.get(i - 1))).isGreaterThan(Duration.ofMillis(90));
        }
    }
}
