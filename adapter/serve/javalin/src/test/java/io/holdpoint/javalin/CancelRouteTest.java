package io.holdpoint.javalin;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.data.message.Content;
import dev.langchain4j.service.TokenStream;
import dev.langchain4j.service.UserMessage;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
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
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The cancel route over real HTTP. */
class CancelRouteTest {

    interface Assistant {
        TokenStream chat(@UserMessage List<Content> message);
    }

    private final ScriptedModel model = new ScriptedModel();
    private final Holdpoint agent = Holdpoint.builder(Assistant.class)
            .streamingChatModel(model)
            .tools(new OfficeTools())
            .build();
    private final Javalin server = Javalin.create(config -> {
                config.startup.showJavalinBanner = false;
                config.registerPlugin(new AgUiPlugin(agui -> agui.agent(agent)
                        .maxBodyBytes(1_000)
                        .authenticator(
                                Authenticator.bearerTokens(Map.of("a", Caller.of("ada"), "b", Caller.of("bob"))))));
            })
            .start("127.0.0.1", 0);
    private final HttpClient client = HttpClient.newHttpClient();

    @AfterEach
    void stop() {
        server.stop();
    }

    private HttpResponse<String> post(String path, String token, String type, String body) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                        .header("Content-Type", type)
                        .header("Authorization", "Bearer " + token)
                        .POST(BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    private HttpResponse<String> cancel(String token, String body) throws Exception {
        return post("/agent/cancel", token, "application/json", body);
    }

    @Test
    void whatIsHeldIsLetGoOfByItsOwnerOnly() throws Exception {
        model.calls(call("c1", "sendEmail", Bench.MAIL));
        agent.as(Caller.of("ada")).send("t", "Mail Ada");

        HttpResponse<String> ofBob = cancel("b", "{\"threadId\":\"t\"}");
        HttpResponse<String> ofAda = cancel("a", "{\"threadId\":\"t\",\"runId\":\"r\",\"messages\":[]}");
        HttpResponse<String> again = cancel("a", "{\"threadId\":\"t\"}");

        assertThat(ofBob.statusCode()).isEqualTo(404);
        assertThat(ofAda.statusCode()).as(ofAda.body()).isEqualTo(200);
        assertThat(ofAda.body()).isEqualTo("{\"cancelled\":true}");
        assertThat(again.statusCode()).isEqualTo(404);
        assertThat(again.body()).isEqualTo(ofBob.body()).contains("NOTHING_TO_CANCEL");
        assertThat(agent.as(Caller.of("ada")).pending("t")).isEmpty();
    }

    @Test
    void whatIsNoRequestToCancelIsRefused() throws Exception {
        for (String body : List.of("", "{", "[]", "null", "{}", "{\"threadId\":7}", "{\"threadId\":null}")) {
            HttpResponse<String> refused = cancel("a", body);

            assertThat(refused.statusCode()).as(body).isEqualTo(400);
            assertThat(refused.body()).contains("INPUT_INVALID").containsAnyOf("threadId: ", "must be a JSON object");
        }
        assertThat(cancel("a", "{\"threadId\":\"\"}").statusCode()).isEqualTo(404);
        assertThat(cancel("a", "{\"threadId\":\"" + "t".repeat(1_000) + "\"}").statusCode())
                .isEqualTo(413);
        assertThat(post("/agent/cancel", "a", "text/plain", "{\"threadId\":\"t\"}")
                        .statusCode())
                .isEqualTo(415);
        assertThat(cancel("stranger", "{\"threadId\":\"t\"}").statusCode()).isEqualTo(401);
    }

    @Test
    void whileTheAgentShutsDownARunIs503() throws Exception {
        agent.shutdown(Duration.ZERO);

        HttpResponse<String> refused =
                post("/agent", "a", "application/json", "{\"threadId\":\"t\",\"runId\":\"r\",\"messages\":[]}");

        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.body()).contains("SHUTTING_DOWN");
    }
}
