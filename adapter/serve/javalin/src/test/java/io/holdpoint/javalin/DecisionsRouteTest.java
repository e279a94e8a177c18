package io.holdpoint.javalin;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.agui.AguiCodec;
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
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The route of decisions over real HTTP: an answer to one question, without a stream. */
class DecisionsRouteTest {

    private static final Caller ADA = Caller.of("ada");

    private final ScriptedModel model = new ScriptedModel();
    private final OfficeTools tools = new OfficeTools();
    private final Holdpoint agent = Holdpoint.builder(Bench.Assistant.class)
            .streamingChatModel(model)
            .tools(tools)
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
        return client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/agent/decisions"))
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
}
