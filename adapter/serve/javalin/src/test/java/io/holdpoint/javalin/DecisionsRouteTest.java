package io.holdpoint.javalin;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.ToolPolicy;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.people.Effect;
import io.holdpoint.people.Plan;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.OfficeTools;
import io.javalin.Javalin;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The route of decisions over real HTTP: an answer to one question, without a stream. */
class DecisionsRouteTest {

    private static final Caller ADA = Caller.of("ada");

    private static final Effect EFFECT =
            call -> Plan.of(Map.of("to", call.argument("to", String.class).orElse("")));

    private final ScriptedModel model = new ScriptedModel();
    private final OfficeTools tools = new OfficeTools();
    private final Holdpoint agent = Holdpoint.builder(Bench.Assistant.class)
            .streamingChatModel(model)
            .tools(tools)
            .toolPolicies(ToolPolicy.named("sendEmail").rules(EFFECT))
            .approvalAuthorizer(ApprovalAuthorizer.role("approver"))
            .build();
    private final Javalin server = Javalin.create(config -> {
                config.startup.showJavalinBanner = false;
                config.registerPlugin(new AgUiPlugin(agui -> agui.agent(agent)
                        .authenticator(Authenticator.bearerTokens(
                                Map.of("a", ADA, "g", Caller.of("grace", "approver"), "e", Caller.of("eve"))))));
            })
            .start("127.0.0.1", 0);
    private final HttpClient client = HttpClient.newHttpClient();

    @AfterEach
    void stop() {
        server.stop();
    }

    private HttpResponse<String> post(String token, String body) throws Exception {
        return post("decisions", token, body);
    }

    private HttpResponse<String> post(String route, String token, String body) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/agent/" + route))
                        .header("Content-Type", "application/json")
                        .header("Authorization", "Bearer " + token)
                        .POST(BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    private static String answer(PendingInterrupt question, String payload) {
        return "{\"threadId\":\"t\",\"interruptId\":\"" + question.id() + "\",\"status\":\"resolved\",\"payload\":"
                + payload + "}";
    }

    private List<PendingInterrupt> held() {
        model.calls(call("c1", "sendEmail", Bench.MAIL), call("c2", "sendEmail", Bench.MAIL));
        model.says("Done.");
        return agent.as(ADA).send("t", "Two mails").interrupts();
    }

    @Test
    void thePlanOfAnEditIsToldToWhoMayGiveTheAnswerWhichIsNotTaken() throws Exception {
        List<PendingInterrupt> open = held();
        String edit = answer(
                open.get(0),
                "{\"approved\":true,\"editedArgs\":{\"to\":\"new@example.com\",\"subject\":\"Hi\",\"body\":\"Hi\"}}");

        JsonNode told = AguiCodec.mapper().readTree(post("plans", "g", edit).body());

        assertThat(told.at("/effect/plan")).hasToString("{\"to\":\"new@example.com\"}");
        assertThat(told.at("/effect/fingerprint").asText()).hasSize(64);
        assertThat(post("plans", "a", edit).body()).contains("INTERRUPT_FORBIDDEN");
        assertThat(post("plans", "e", edit).statusCode()).isEqualTo(404);
        assertThat(post("plans", "g", answer(open.get(0), "{\"approved\":false}"))
                        .body())
                .isEqualTo("{}");
        assertThat(agent.as(ADA).pending("t")).hasSize(2);
        assertThat(tools.effects()).isEmpty();
    }

    @Test
    void anAnswerIsTakenWithStatus202AndSaysWhetherItWaitsOrRuns() throws Exception {
        List<PendingInterrupt> open = held();

        HttpResponse<String> waits = post("g", answer(open.get(0), "{\"approved\":true}"));
        HttpResponse<String> runs = post("g", answer(open.get(1), "{\"approved\":false,\"reason\":\"no\"}"));

        assertThat(waits.statusCode()).as(waits.body()).isEqualTo(202);
        JsonNode first = AguiCodec.mapper().readTree(waits.body());
        assertThat(first.path("status").asText()).isEqualTo("waits");
        assertThat(first.path("interrupts")).hasSize(1);
        assertThat(first.at("/interrupts/0/id").asText()).isEqualTo(open.get(1).id());
        assertThat(runs.statusCode()).as(runs.body()).isEqualTo(202);
        JsonNode last = AguiCodec.mapper().readTree(runs.body());
        assertThat(last.path("status").asText()).isEqualTo("runs");
        assertThat(last.path("runId").asText()).isNotEmpty();
        assertThat(last.has("interrupts")).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "a; {\"approved\":true}; 400; INTERRUPT_FORBIDDEN",
                "e; {\"approved\":true}; 404; THREAD_NOT_FOUND",
                "x; {\"approved\":true}; 401; UNAUTHENTICATED",
                "g; {\"approved\":\"yes\"}; 400; INTERRUPT_PAYLOAD_INVALID"
            })
    void aRefusedAnswerHasTheCodeThatAListWouldHave(String token, String payload, int status, String code)
            throws Exception {
        HttpResponse<String> refused = post(token, answer(held().get(0), payload));

        assertThat(refused.statusCode()).as(refused.body()).isEqualTo(status);
        assertThat(AguiCodec.mapper().readTree(refused.body()).path("code").asText())
                .isEqualTo(code);
        assertThat(agent.as(ADA).pending("t")).hasSize(2);
        assertThat(tools.effects()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{}; threadId",
                "{\"threadId\":\"t\"}; interruptId",
                "{\"threadId\":\"t\",\"interruptId\":\"i\"}; status",
                "{\"threadId\":\"t\",\"interruptId\":\"i\",\"status\":\"maybe\"}; status",
                "{\"threadId\":\"t\",\"interruptId\":\"\",\"status\":\"resolved\"}; interruptId"
            })
    void aBodyThatIsNoAnswerIsRefusedAndTheFieldIsNamed(String body, String field) throws Exception {
        HttpResponse<String> refused = post("g", body);

        assertThat(refused.statusCode()).isEqualTo(400);
        JsonNode told = AguiCodec.mapper().readTree(refused.body());
        assertThat(told.path("code").asText()).isEqualTo("INPUT_INVALID");
        assertThat(told.path("message").asText()).startsWith(field + ":");
    }

    private HttpResponse<String> ask(String token, String path) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/agent" + path))
                        .header("Authorization", "Bearer " + token)
                        .build(),
                BodyHandlers.ofString());
    }

    @Test
    void aListIsAnsweredWithWhatBecameOfEachOfIt() throws Exception {
        held();
        JsonNode inbox = AguiCodec.mapper()
                .readTree(ask("g", "/interrupts?threads=accessible").body())
                .path("interrupts");
        String one =
                "{\"threadId\":\"t\",\"interruptId\":\"%s\",\"status\":\"resolved\",\"payload\":{\"approved\":true},"
                        + "\"fingerprint\":\"%s\"}";
        String first = inbox.at("/0/interrupt/id").asText();
        String second = inbox.at("/1/interrupt/id").asText();

        HttpResponse<String> answer = post(
                "g",
                "{\"decisions\":["
                        + one.formatted(first, inbox.at("/0/fingerprint").asText()) + ","
                        + one.formatted(second, "what was shown before") + ","
                        + one.formatted(second, inbox.at("/1/fingerprint").asText())
                                .replace("\"t\"", "\"no\"") + ","
                        + one.formatted(second, inbox.at("/1/fingerprint").asText()) + "]}");

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
        JsonNode told = AguiCodec.mapper().readTree(answer.body()).path("decisions");
        assertThat(told).hasSize(4);
        assertThat(told.at("/0/status").asText()).isEqualTo("waits");
        assertThat(told.at("/0/interrupts")).hasSize(1);
        assertThat(told.at("/1/status").asText()).isEqualTo("refused");
        assertThat(told.at("/1/code").asText()).isEqualTo("INTERRUPT_CHANGED");
        assertThat(told.at("/1/interruptId").asText()).isEqualTo(second);
        assertThat(told.at("/2/code").asText()).isEqualTo("THREAD_NOT_FOUND");
        assertThat(told.at("/2/threadId").asText()).isEqualTo("no");
        assertThat(told.at("/3/status").asText()).isEqualTo("runs");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{\"decisions\":1}; decisions:",
                "{\"decisions\":[1]}; decisions[0].threadId:",
                "{\"decisions\":[{\"threadId\":\"t\",\"interruptId\":\"ID\",\"status\":\"cancelled\"},{\"threadId\":\"t\"}]}; decisions[1].interruptId:",
                "{\"decisions\":[{\"threadId\":\"t\",\"interruptId\":\"ID\",\"status\":\"cancelled\",\"fingerprint\":7}]}; decisions[0].fingerprint:"
            })
    void aListThatCannotBeReadDecidesNothingAndTheFieldIsNamed(String body, String field) throws Exception {
        String id = held().get(0).id();

        HttpResponse<String> refused = post("a", body.replace("ID", id));

        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(AguiCodec.mapper().readTree(refused.body()).path("message").asText())
                .startsWith(field);
        assertThat(agent.as(ADA).pending("t")).hasSize(2);
    }

    @Test
    void aListThatIsTooLongDecidesNothing() throws Exception {
        String id = held().get(0).id();
        String one = "{\"threadId\":\"t\",\"interruptId\":\"" + id + "\",\"status\":\"cancelled\"}";

        HttpResponse<String> refused =
                post("a", "{\"decisions\":[" + String.join(",", Collections.nCopies(201, one)) + "]}");

        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("INPUT_INVALID").contains("at most 200");
        assertThat(agent.as(ADA).pending("t")).hasSize(2);
    }
}
