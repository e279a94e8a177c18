package io.holdpoint.javalin;

import static io.holdpoint.testing.Bench.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdpoint.Caller;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.TestServer;
import io.javalin.Javalin;
import io.javalin.http.ForbiddenResponse;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which agent a request reaches, and what it is told if it reaches none. */
class SeveralAgentsTest {

    private final Bench plain = new Bench();
    private final Bench mail = new Bench();

    private String body() {
        return AguiCodec.write(plain.input(user("u1", "Hi")));
    }

    private HttpResponse<String> post(TestServer server, String path) {
        return server.send(
                server.request(path).header("Content-Type", "application/json").POST(BodyPublishers.ofString(body())));
    }

    private static void refused(HttpResponse<String> response, int status, String code) throws Exception {
        assertThat(response.statusCode()).isEqualTo(status);
        assertThat(response.headers().firstValue("Content-Type").orElse("")).startsWith("application/json");
        assertThat(AguiCodec.mapper().readTree(response.body()).path("code").asText())
                .isEqualTo(code);
        assertThat(AguiCodec.mapper().readTree(response.body()).path("message").asText())
                .isNotBlank();
    }

    @Test
    void anAgentWithAnIdIsReachedByItAndTheOtherAtItsOwnPath() {
        plain.model.says("I am the plain one.");
        mail.model.says("I am the mail one.");
        try (TestServer server = new TestServer(plain.agent(), agui -> agui.agent("mail", mail.agent()))) {
            assertThat(post(server, "/agent").body()).contains("plain ");
            assertThat(post(server, "/agents/mail").body()).contains("mail ");
            assertThat(server.send(server.request("/agents/mail/capabilities").GET())
                            .body())
                    .contains("humanInTheLoop");
        }
    }

    @Test
    void anUnknownAgentIs404ToThoseWhoMayKnow() throws Exception {
        try (TestServer server = new TestServer(plain.agent(), agui -> agui.agent("mail", mail.agent())
                .authenticator(Authenticator.bearerTokens(Map.of("secret", Caller.of("ada")))))) {
            refused(post(server, "/agents/nobody"), 401, "UNAUTHENTICATED");
            refused(
                    server.send(server.request("/agents/nobody")
                            .header("Content-Type", "application/json")
                            .header("Authorization", "Bearer secret")
                            .POST(BodyPublishers.ofString(body()))),
                    404,
                    "AGENT_NOT_FOUND");
        }
    }

    @Test
    void pathsMayBeOthers() {
        plain.model.says("Here.");
        mail.model.says("There.");
        try (TestServer server = new TestServer(plain.agent(), agui -> agui.path("/api/")
                .agentsPath("/api/by-id")
                .agent("mail", mail.agent())
                .route(AgUiRoute.RUN, "/run")
                .route(AgUiRoute.CAPABILITIES, "/can"))) {
            assertThat(post(server, "/api/run").body()).contains("Here.");
            assertThat(post(server, "/api/by-id/mail/run").body()).contains("There.");
            assertThat(server.send(server.request("/api/can").GET()).statusCode())
                    .isEqualTo(200);
            assertThat(post(server, "/agent").statusCode()).isEqualTo(404);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /agent, POST",
        "PUT, /agent, POST",
        "DELETE, /agent/capabilities, GET",
        "POST, /agent/capabilities, GET",
        "PATCH, /agents/mail, POST",
        "OPTIONS, /agent, POST"
    })
    void aMethodThatAPathDoesNotHaveIs405AndNamesTheOthers(String method, String path, String allowed)
            throws Exception {
        try (TestServer server = new TestServer(plain.agent(), agui -> agui.agent("mail", mail.agent()))) {
            HttpResponse<String> response =
                    server.send(server.request(path).method(method, BodyPublishers.ofString("{}")));

            refused(response, 405, "METHOD_NOT_ALLOWED");
            assertThat(response.headers().firstValue("Allow")).contains(allowed);
        }
    }

    @Test
    void whatTheApplicationServesAtAPathOfOursStaysItsOwn() {
        plain.model.says("Here.");
        Javalin server = Javalin.create(config -> {
                    config.startup.showJavalinBanner = false;
                    config.registerPlugin(new AgUiPlugin(agui -> agui.agent(plain.agent())));
                    config.routes.get("/agent", ctx -> ctx.status(404).result("a page of its own"));
                })
                .start("127.0.0.1", 0);
        try {
            TestServer client = TestServer.of(server);
            assertThat(client.send(client.request("/agent").GET()).body()).isEqualTo("a page of its own");
            assertThat(post(client, "/agent").body()).contains("Here.");
        } finally {
            server.stop();
        }
    }

    @Test
    void aCallerThatIsSentAwayIs403() throws Exception {
        try (TestServer server = new TestServer(
                plain.agent(),
                agui -> agui.authenticator(request -> {
                    if (request.header("X-Suspended") != null) {
                        throw new ForbiddenResponse();
                    }
                    return Optional.of(Caller.of("ada"));
                }))) {
            HttpResponse<String> response =
                    server.send(server.request().header("X-Suspended", "yes").POST(BodyPublishers.ofString(body())));

            refused(response, 403, "FORBIDDEN");
            assertThat(plain.model.requests()).isEmpty();
        }
    }

    @Test
    void settingsThatCannotWorkAreMistakes() {
        AgUiPlugin.Config config = new AgUiPlugin.Config().agent("mail", mail.agent());

        assertThatThrownBy(() -> config.agent("mail", plain.agent())).hasMessageContaining("mail");
        assertThatThrownBy(() -> config.agent("a/b", plain.agent())).hasMessageContaining("a/b");
        assertThatThrownBy(() -> config.agent("", plain.agent())).hasMessageContaining("id");
        assertThatThrownBy(() -> config.bufferBytes(0)).hasMessageContaining("bufferBytes");
        assertThatThrownBy(() -> config.keepAlive(java.time.Duration.ofSeconds(-1)))
                .hasMessageContaining("keepAlive");
    }
}
