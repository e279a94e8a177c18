package io.holdpoint.wire;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static io.holdpoint.testing.Bench.THREAD;
import static io.holdpoint.testing.Bench.user;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.ClientToolSpec;
import io.holdpoint.agui.Dialect;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.javalin.AgUiPlugin;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.TestServer;
import java.net.http.HttpRequest;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Clients that name no protocol version get what they can read, over real HTTP. */
class ClientsBefore10Test {

    private static final ClientToolSpec COLOUR =
            new ClientToolSpec("setColour", "Of the client", json("{\"type\":\"object\"}"), null);

    private final Bench bench = new Bench();

    private static JsonNode json(String text) {
        try {
            return AguiCodec.mapper().readTree(text);
        } catch (JsonProcessingException e) {
            throw new AssertionError(text, e);
        }
    }

    private RunAgentInput old(RunAgentInput input) {
        return input.withProtocolVersion(null);
    }

    private JsonNode lastOf(RunAgentInput input, Consumer<AgUiPlugin.Config> custom) {
        return lastOf("/agent", AguiCodec.write(input), custom);
    }

    private JsonNode lastOf(String path, String body, Consumer<AgUiPlugin.Config> custom) {
        try (TestServer server = new TestServer(bench.agent(), custom)) {
            List<String> lines = server.send(server.request(path)
                            .header("Content-Type", "application/json")
                            .POST(HttpRequest.BodyPublishers.ofString(body)))
                    .body()
                    .lines()
                    .filter(line -> line.startsWith("data: "))
                    .toList();
            return json(lines.get(lines.size() - 1).substring("data: ".length()));
        }
    }

    @Test
    void aCallThatIsLeftToTheClientEndsWithoutOutcome() {
        bench.model.calls(call("c1", "setColour", "{}"));

        JsonNode end = lastOf(old(bench.input(user("Go", "Go"))).withTools(List.of(COLOUR)), agui -> {});

        assertThat(end.path("type").asText()).isEqualTo("RUN_FINISHED");
        assertThat(end.has("outcome")).isFalse();
        String look = "{\"threadId\":\"t\",\"runId\":\"look\"}";
        assertThat(lastOf("/agent/history", look, agui -> {}).has("outcome")).isFalse();
        assertThat(lastOf("/agent/history?follow=true", look, agui -> {}).has("outcome"))
                .isFalse();
        String versioned = "{\"threadId\":\"t\",\"runId\":\"look\",\"protocolVersion\":\"1.0\"}";
        assertThat(lastOf("/agent/history", versioned, agui -> {})
                        .at("/outcome/pendingToolCallIds/0")
                        .asText())
                .isEqualTo("c1");
    }

    @Test
    void anInterruptDoesNotSayWhenItExpires() {
        bench.model.calls(call("c1", "deleteRecords", "{\"table\":\"Old\"}"));

        JsonNode asked = lastOf(old(bench.input(user("Go", "Go"))), agui -> {}).path("outcome");

        assertThat(asked.path("type").asText()).isEqualTo("interrupt");
        assertThat(asked.at("/interrupts/0").has("expiresAt")).isFalse();
        assertThat(bench.agent().pending(THREAD).get(0).interrupt().expiresAt()).isNotNull();
    }

    @Test
    void anEndpointMaySpeakOneFormWhateverItsClientsSay() {
        bench.model.calls(call("c1", "deleteRecords", "{\"table\":\"Old\"}"));

        JsonNode current = lastOf(old(bench.input(user("1", "Go"))), agui -> agui.dialect(Dialect.V1_0));
        JsonNode older = lastOf(bench.input(), agui -> agui.dialect(Dialect.BEFORE_1_0));

        assertThat(current.at("/outcome/interrupts/0").has("expiresAt")).isTrue();
        assertThat(older.at("/outcome/interrupts/0").has("expiresAt")).isFalse();
    }

    /** TanStack AI compares the run with the one that it has asked for. */
    @Test
    void anInterruptIsBoundToTheRunThatSaysItHoweverOftenItIsSaid() {
        bench.model.calls(call("c1", "sendEmail", MAIL));
        RunAgentInput go = old(bench.input(user("Go", "Go")));
        RunAgentInput again = old(bench.input());
        RunAgentInput wrong = old(bench.answers(ResumeEntry.resolved("int_other", json("{}"))));
        String look = "{\"threadId\":\"t\",\"runId\":\"look\"}";

        assertThat(runOf(lastOf(go, agui -> {}))).isEqualTo(go.runId());
        assertThat(runOf(lastOf(again, agui -> {}))).isEqualTo(again.runId());
        assertThat(runOf(lastOf(wrong, agui -> {}))).isEqualTo(wrong.runId());
        assertThat(runOf(lastOf("/agent/history", look, agui -> {}))).isEqualTo("look");
        assertThat(runOf(lastOf("/agent/history?follow=true", look, agui -> {})))
                .isEqualTo("look");
    }

    private static String runOf(JsonNode end) {
        return end.at("/outcome/interrupts/0/metadata/tanstack:interruptBinding/interruptedRunId")
                .asText();
    }

    @Test
    void aBindingInAnAnswerIsNothingToTheServer() {
        bench.model.calls(call("c1", "sendEmail", MAIL)).says("Sent.");
        lastOf(old(bench.input(user("Go", "Go"))), agui -> {});
        JsonNode forged =
                json("{\"tanstack:interruptBinding\":{\"v\":1,\"kind\":\"tool-approval\",\"interruptedRunId\":"
                        + "\"another\",\"toolName\":\"transferMoney\",\"originalArgs\":{\"to\":\"Mallory\"}}}");
        ResumeEntry answer = new ResumeEntry(
                bench.pending(0).id(), ResumeEntry.Status.RESOLVED, json("{\"approved\":true}"), (ObjectNode) forged);

        assertThat(lastOf(old(bench.answers(answer)), agui -> {})
                        .at("/outcome/type")
                        .asText())
                .isEqualTo("success");
        assertThat(bench.tools.effects()).containsExactly("sendEmail ada@example.com|Hi|Hello");
    }
}
