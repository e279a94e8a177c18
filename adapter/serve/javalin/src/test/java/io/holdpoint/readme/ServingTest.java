package io.holdpoint.readme;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static io.holdpoint.testing.Bench.user;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.StreamRules;
import io.holdpoint.testing.TestServer;
import io.javalin.Javalin;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.Test;

/** README's ways to serve an agent work. */
class ServingTest {

    private final Bench bench = new Bench();
    private final Bench mail = new Bench();

    @Test
    void severalAgentsShareAPlugin() {
        bench.model.says("Hello.");
        mail.model.says("You have mail.");
        Javalin server = Serving.several(bench.agent(), mail.agent()).start("127.0.0.1", 0);
        try {
            TestServer client = TestServer.of(server);

            assertThat(client.post(bench.input(user("u1", "Hi"))).body()).contains("Hello.");
            assertThat(client.send(client.request("/agents/mail")
                                    .header("Content-Type", "application/json")
                                    .POST(BodyPublishers.ofString(AguiCodec.write(mail.input(user("u1", "Hi"))))))
                            .body())
                    .contains("mail.");
            assertThat(client.send(client.request("/agent/info").GET()).statusCode())
                    .isEqualTo(200);
        } finally {
            server.stop();
        }
    }

    @Test
    void onlyTheNamedOriginMayUseItInABrowserAndOnlyThere() throws Exception {
        Javalin server = Serving.several(bench.agent(), mail.agent()).start("127.0.0.1", 0);
        try {
            TestServer client = TestServer.of(server);

            for (String path : List.of("/agent", "/agents/mail", "/agent/info")) {
                HttpResponse<String> allowed = preflight(client, path, "https://app.example.com");
                assertThat(allowed.statusCode()).as(path).isEqualTo(200);
                assertThat(allowed.headers().firstValue("Access-Control-Allow-Origin"))
                        .contains("https://app.example.com");
                assertThat(preflight(client, path, "https://evil.example")
                                .headers()
                                .map())
                        .doesNotContainKey("access-control-allow-origin");
            }
            assertThat(preflight(client, "/health", "https://app.example.com")
                            .headers()
                            .map())
                    .doesNotContainKey("access-control-allow-origin");
        } finally {
            server.stop();
        }
    }

    private static HttpResponse<String> preflight(TestServer client, String path, String origin) {
        return client.send(client.request(path)
                .header("Origin", origin)
                .header("Access-Control-Request-Method", "POST")
                .header("Access-Control-Request-Headers", "content-type")
                .method("OPTIONS", BodyPublishers.noBody()));
    }

    @Test
    void theServerOfTheJdkIsEnough() throws Exception {
        bench.model.calls(call("c1", "sendEmail", MAIL)).says("Sent.");
        HttpServer server = Serving.withoutJavalin(bench.agent(), 0);
        try {
            HttpResponse<String> held = post(server, AguiCodec.write(bench.input(user("u1", "Write to Ada"))));
            HttpResponse<String> done = post(
                    server,
                    AguiCodec.write(bench.answers(bench.pending(0).asApproval().approve())));

            assertThat(held.headers().firstValue("Content-Type")).contains("text/event-stream");
            StreamRules.check(TestServer.events(held));
            assertThat(held.body()).contains("\"type\":\"interrupt\"").endsWith("\n\n");
            StreamRules.check(TestServer.events(done));
            assertThat(done.body()).contains("TOOL_CALL_RESULT", "Sent.", "RUN_FINISHED");
            assertThat(bench.tools.effects()).hasSize(1);
        } finally {
            server.stop(0);
        }
    }

    @Test
    void whatIsNotStartedIsNoStream() throws Exception {
        HttpServer server = Serving.withoutJavalin(bench.agent(), 0);
        try {
            assertThat(post(server, "{").body()).isEqualTo("{\"code\":\"INPUT_INVALID\"}");
            RunAgentInput answer = bench.answers(io.holdpoint.agui.ResumeEntry.cancelled("nothing"));
            assertThat(post(server, AguiCodec.write(answer)).body()).isEqualTo("{\"code\":\"THREAD_NOT_FOUND\"}");
        } finally {
            server.stop(0);
        }
    }

    private static HttpResponse<String> post(HttpServer server, String body) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:"
                                        + server.getAddress().getPort() + "/agent"))
                                .POST(BodyPublishers.ofString(body))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }
}
