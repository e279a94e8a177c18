package io.holdpoint.javalin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Caller;
import io.holdpoint.Decided;
import io.holdpoint.Holdpoint;
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
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The routes of proposals over real HTTP: a call that no model made. */
class ProposalsRouteTest {

    private static final Caller ADA = Caller.of("ada", "job");
    private static final Caller GRACE = Caller.of("grace", "approver", "job");

    private final OfficeTools tools = new OfficeTools();
    private final Holdpoint agent = Holdpoint.builder(Bench.Assistant.class)
            .streamingChatModel(new ScriptedModel())
            .tools(tools)
            .approvalAuthorizer(ApprovalAuthorizer.role("approver"))
            .build();
    private final Javalin server = Javalin.create(config -> {
                config.startup.showJavalinBanner = false;
                config.registerPlugin(new AgUiPlugin(agui -> agui.agent(agent)
                        .proposalRole("job")
                        .authenticator(Authenticator.bearerTokens(
                                Map.of("a", ADA, "g", GRACE, "e", Caller.of("eve", "job"), "u", Caller.of("uma"))))));
            })
            .start("127.0.0.1", 0);
    private final HttpClient client = HttpClient.newHttpClient();

    @AfterEach
    void stop() {
        server.stop();
    }

    private HttpRequest.Builder request(String token, String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/agent" + path))
                .header("Content-Type", "application/json")
                .header("Authorization", "Bearer " + token);
    }

    private HttpResponse<String> post(String token, String body) throws Exception {
        return client.send(
                request(token, "/proposals").POST(BodyPublishers.ofString(body)).build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> get(String token, String path) throws Exception {
        return client.send(request(token, path).build(), BodyHandlers.ofString());
    }

    private static JsonNode json(HttpResponse<String> response) throws Exception {
        return AguiCodec.mapper().readTree(response.body());
    }

    private static String mail(String more) {
        return "{\"tool\":\"sendEmail\",\"arguments\":" + Bench.MAIL + more + "}";
    }

    @Test
    void aProposalIsHeldDecidedAndRead() throws Exception {
        HttpResponse<String> held = post("a", mail(",\"id\":\"refund/7\",\"threadId\":\"t\""));

        assertThat(held.statusCode()).as(held.body()).isEqualTo(202);
        JsonNode waits = json(held);
        assertThat(waits.path("state").asText()).isEqualTo("waits");
        assertThat(waits.at("/interrupts/0/toolCallId").asText()).isEqualTo("refund/7");
        assertThat(waits.at("/interrupts/0/metadata/langchain4j/proposedBy").asText())
                .isEqualTo("ada");
        assertThat(waits.has("result")).isFalse();
        assertThat(tools.effects()).isEmpty();
        Decided decided = agent.as(GRACE)
                .decide("t", agent.as(GRACE).pending("t").get(0).asApproval().approve());
        ((Decided.Runs) decided).result().join();

        HttpResponse<String> again = post("a", mail(",\"id\":\"refund/7\",\"threadId\":\"t\""));

        assertThat(again.statusCode()).isEqualTo(200);
        assertThat(json(again).at("/result/text").asText()).isEqualTo("sent to ada@example.com");
        assertThat(json(again).at("/result/isError").booleanValue()).isFalse();
        assertThat(tools.effects()).hasSize(1);
    }

    @Test
    void withoutIdsTheProposalHasAThreadOfItsOwn() throws Exception {
        JsonNode held = json(post("a", mail("")));

        String id = held.path("id").asText();
        assertThat(held.path("threadId").asText()).isEqualTo(id);
        HttpResponse<String> read = get("a", "/proposals/" + id);
        assertThat(read.statusCode()).isEqualTo(202);
        assertThat(json(read)).isEqualTo(held);
        assertThat(get("g", "/proposals/" + id).statusCode()).isEqualTo(202);
        assertThat(get("e", "/proposals/" + id).statusCode()).isEqualTo(404);
        assertThat(get("x", "/proposals/" + id).statusCode()).isEqualTo(401);
    }

    @Test
    void aCallThatNeedsNobodyIsAnsweredWithItsResult() throws Exception {
        HttpResponse<String> found = post(
                "a",
                "{\"tool\":\"searchContacts\",\"arguments\":{\"query\":\"Ada\"},\"threadId\":\"t\",\"id\":\"a b+c\"}");

        assertThat(found.statusCode()).as(found.body()).isEqualTo(200);
        assertThat(json(found).path("state").asText()).isEqualTo("executed");
        assertThat(json(get("a", "/proposals/a%20b+c?threadId=t"))).isEqualTo(json(found));
    }

    @Test
    void whoeverTalksToAModelMayNotRunItsTools() throws Exception {
        HttpResponse<String> refused = post("u", "{\"tool\":\"searchContacts\",\"arguments\":{\"query\":\"Bob\"}}");

        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(refused.body())
                .contains("FORBIDDEN", "propose calls", "proposalRole(...)", "holdpoint.proposal-role");
        assertThat(tools.effects()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "a; {}; 400; INPUT_INVALID; arguments:",
                "a; {\"arguments\":{}}; 400; INPUT_INVALID; tool:",
                "a; {\"tool\":\"none\",\"arguments\":{}}; 400; INPUT_INVALID; tool:",
                "a; {\"tool\":\"sendEmail\",\"arguments\":[]}; 400; INPUT_INVALID; arguments:",
                "a; {\"tool\":\"sendEmail\",\"arguments\":{},\"id\":7}; 400; INPUT_INVALID; id:",
                "x; {\"tool\":\"sendEmail\",\"arguments\":{}}; 401; UNAUTHENTICATED; Authentication",
                "e; {\"tool\":\"searchContacts\",\"arguments\":{\"query\":\"Ada\"},\"threadId\":\"t\"}; 404; THREAD_NOT_FOUND; There",
                "g; {\"tool\":\"searchContacts\",\"arguments\":{\"query\":\"Ada\"},\"threadId\":\"t\"}; 400; INTERRUPT_FORBIDDEN; Only",
                "a; {\"tool\":\"searchContacts\",\"arguments\":{\"query\":\"Ada\"},\"threadId\":\"t\"}; 400; INTERRUPT_PENDING; A question"
            })
    void whatIsRefusedIsNamed(String token, String body, int status, String code, String message) throws Exception {
        post("a", mail(",\"threadId\":\"t\""));

        HttpResponse<String> refused = post(token, body);

        assertThat(refused.statusCode()).as(refused.body()).isEqualTo(status);
        assertThat(json(refused).path("code").asText()).isEqualTo(code);
        assertThat(json(refused).path("message").asText()).startsWith(message);
        assertThat(tools.effects()).isEmpty();
    }
}
