package io.holdpoint.javalin;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static io.holdpoint.testing.Bench.user;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.Caller;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.TestServer;
import io.javalin.Javalin;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A page of another site neither approves nor reads anything, even if its name leads to this server. */
class OtherSitesTest {

    private final Bench bench = new Bench();

    private TestServer server(Consumer<AgUiPlugin.Config> config) {
        return new TestServer(bench.agent(), config);
    }

    private static String post(TestServer server, String body, String host, String... headers) {
        return server.raw("POST /agent HTTP/1.1\r\nHost: " + host + "\r\nContent-Type: application/json\r\n"
                + (headers.length == 0 ? "" : String.join("\r\n", headers) + "\r\n")
                + "Content-Length: " + body.length() + "\r\nConnection: close\r\n\r\n" + body);
    }

    @Test
    void whatIsHeldIsNotApprovedUnderAnotherName() {
        bench.model.calls(call("c1", "sendEmail", MAIL));
        bench.say("Go");
        Bench.Everything before = bench.everything();
        String approval =
                AguiCodec.write(bench.answers(bench.pending(0).asApproval().approve()));

        try (TestServer server = server(agui -> {})) {
            String refused = post(server, approval, "evil.example:" + server.port(), "Origin: http://evil.example");

            assertThat(refused)
                    .startsWith("HTTP/1.1 403")
                    .contains("SITE_REFUSED", "config.hosts(\\\"evil.example\\\")");
            assertThat(bench.everything()).isEqualTo(before);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/agent/capabilities", "/agent/interrupts"})
    void nothingIsReadUnderAnotherName(String path) {
        try (TestServer server = server(agui -> {})) {
            assertThat(server.raw("GET " + path + " HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"))
                    .startsWith("HTTP/1.1 403");
        }
    }

    @Test
    void namesThatAreConfiguredAndTheLoopbackAreTaken() {
        String input = AguiCodec.write(bench.input(user("u1", "Hi")));
        try (TestServer server = server(agui -> agui.hosts("agent.example"))) {
            for (String host : new String[] {"agent.example", "localhost:1", "127.0.0.1:" + server.port(), "[::1]"}) {
                bench.model.says("Hello.");
                assertThat(post(server, input, host)).as(host).startsWith("HTTP/1.1 200");
            }
        }
    }

    @Test
    void theNameDoesNotCountWhereEverybodyMustAuthenticate() {
        bench.model.says("Hello.");
        try (TestServer server =
                server(agui -> agui.authenticator(Authenticator.bearerTokens(Map.of("secret", Caller.of("ada")))))) {
            String input = AguiCodec.write(bench.input(user("u1", "Hi")));

            assertThat(post(server, input, "any.example", "Authorization: Bearer secret"))
                    .startsWith("HTTP/1.1 200");
            assertThat(post(
                            server,
                            input,
                            "any.example",
                            "Authorization: Bearer secret",
                            "Origin: https://evil.example"))
                    .startsWith("HTTP/1.1 403");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Origin: https://evil.example", "Origin: null", "Sec-Fetch-Site: cross-site"})
    void aForeignPageIsRefusedUnlessCorsAllowsIt(String header) {
        String input = AguiCodec.write(bench.input(user("u1", "Hi")));
        try (TestServer server = server(agui -> {})) {
            assertThat(post(server, input, "localhost", header))
                    .startsWith("HTTP/1.1 403")
                    .contains("CORS");
        }
        assertThat(bench.model.requests()).isEmpty();
    }

    @Test
    void anOriginThatJavalinsCorsPluginAllowsIsTaken() {
        bench.model.says("Hello.");
        String input = AguiCodec.write(bench.input(user("u1", "Hi")));
        try (TestServer server = TestServer.of(Javalin.create(config -> {
                    config.startup.showJavalinBanner = false;
                    config.registerPlugin(new AgUiPlugin(agui -> agui.agent(bench.agent())));
                    config.bundledPlugins.enableCors(
                            cors -> cors.addRule(rule -> rule.allowHost("https://ui.example")));
                })
                .start("127.0.0.1", 0))) {
            assertThat(post(server, input, "localhost", "Origin: https://ui.example", "Sec-Fetch-Site: cross-site"))
                    .startsWith("HTTP/1.1 200");
            assertThat(post(server, input, "localhost", "Origin: https://evil.example"))
                    .startsWith("HTTP/1.1 403");
        }
    }
}
