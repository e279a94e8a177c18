package io.holdpoint.javalin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Bench;
import io.javalin.Javalin;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@code POST <agent>/halt} and {@code /release} for one role, and {@code GET <agent>/halted} for everybody. */
class HaltRouteTest {

    private final Holdpoint agent = Holdpoint.builder(Bench.Assistant.class)
            .streamingChatModel(new ScriptedModel())
            .build();
    private final Javalin server = start(agent, agui -> agui.haltRole("operator"));
    private final HttpClient client = HttpClient.newHttpClient();

    private static Javalin start(Holdpoint agent, Consumer<AgUiPlugin.Config> settings) {
        return Javalin.create(config -> {
                    config.startup.showJavalinBanner = false;
                    config.registerPlugin(new AgUiPlugin(agui -> settings.accept(agui.agent(agent)
                            .authenticator(Authenticator.bearerTokens(
                                    Map.of("a", Caller.of("ada"), "o", Caller.of("olga", "operator")))))));
                })
                .start("127.0.0.1", 0);
    }

    @AfterEach
    void stop() {
        server.stop();
    }

    private HttpResponse<String> send(Javalin to, String token, String path, BodyPublishersOf body) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + to.port() + path))
                .header("Content-Type", "application/json")
                .header("Authorization", "Bearer " + token);
        return client.send(body.in(request).build(), BodyHandlers.ofString());
    }

    /** The method and the body of a request. */
    private interface BodyPublishersOf {
        HttpRequest.Builder in(HttpRequest.Builder request);
    }

    private static BodyPublishersOf post(String body) {
        return request -> request.POST(BodyPublishers.ofString(body));
    }

    private JsonNode halted(String token) throws Exception {
        return AguiCodec.mapper()
                .readTree(send(server, token, "/agent/halted", HttpRequest.Builder::GET)
                        .body());
    }

    @Test
    void whoHasTheRoleHaltsAndReleasesTheAgentAndEverybodyIsTold() throws Exception {
        HttpResponse<String> halt = send(server, "o", "/agent/halt", post("{\"reason\":\"incident 42\"}"));

        assertThat(halt.statusCode()).as(halt.body()).isEqualTo(200);
        assertThat(halted("a").path("halted").asBoolean()).isTrue();
        assertThat(halted("a").path("reason").asText()).isEqualTo("incident 42");
        assertThat(halted("a").path("mayHalt").asBoolean()).isFalse();
        assertThat(halted("o").path("mayHalt").asBoolean()).isTrue();
        HttpResponse<String> run = send(
                server,
                "a",
                "/agent",
                post(
                        "{\"threadId\":\"t\",\"runId\":\"r\",\"messages\":[{\"id\":\"u\",\"role\":\"user\",\"content\":\"Hi\"}]}"));
        assertThat(run.statusCode()).isEqualTo(503);
        assertThat(run.body()).contains("AGENT_HALTED");

        assertThat(send(server, "o", "/agent/release", post("{\"reason\":\"fixed\"}"))
                        .statusCode())
                .isEqualTo(200);
        assertThat(halted("a").toString()).isEqualTo("{\"halted\":false,\"mayHalt\":false}");
    }

    @Test
    void nobodyElseHaltsOrReleasesIt() throws Exception {
        agent.halt("incident 42");

        for (String path : new String[] {"/agent/halt", "/agent/release"}) {
            HttpResponse<String> refused = send(server, "a", path, post("{\"reason\":\"mine\"}"));
            assertThat(refused.statusCode()).isEqualTo(403);
            assertThat(refused.body()).contains("FORBIDDEN");
        }
        assertThat(halted("o").path("reason").asText()).isEqualTo("incident 42");
    }

    @Test
    void withoutARoleNobodyMay() throws Exception {
        Javalin other = start(
                Holdpoint.builder(Bench.Assistant.class)
                        .streamingChatModel(new ScriptedModel())
                        .build(),
                agui -> {});
        try {
            assertThat(send(other, "o", "/agent/halt", post("{\"reason\":\"mine\"}"))
                            .statusCode())
                    .isEqualTo(403);
        } finally {
            other.stop();
        }
    }

    @Test
    void aHaltWithoutAReasonIsRefused() throws Exception {
        HttpResponse<String> refused = send(server, "o", "/agent/halt", post("{}"));

        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("reason");
        assertThat(agent.halted()).isEmpty();
    }

    @Test
    void aReasonThatIsNoLineOfTextIsRefusedByItsName() throws Exception {
        for (String reason : new String[] {"", " ", "one\\ntwo", "\\u0000", "\\u001b[2J"}) {
            for (String path : new String[] {"/agent/halt", "/agent/release"}) {
                HttpResponse<String> refused = send(server, "o", path, post("{\"reason\":\"" + reason + "\"}"));

                assertThat(refused.statusCode()).as(refused.body()).isEqualTo(400);
                assertThat(refused.body()).contains("INPUT_INVALID", "reason: ");
            }
        }
        assertThat(agent.halted()).isEmpty();
    }
}
