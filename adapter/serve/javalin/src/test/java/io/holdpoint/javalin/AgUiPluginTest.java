package io.holdpoint.javalin;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.service.TokenStream;
import dev.langchain4j.service.UserMessage;
import io.holdpoint.Holdpoint;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.OfficeTools;
import io.javalin.Javalin;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.eclipse.jetty.server.ServerConnector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The endpoint over real HTTP: statuses, headers, frames. */
class AgUiPluginTest {

    interface Assistant {
        TokenStream chat(@UserMessage List<Content> message);
    }

    private final ScriptedModel model = new ScriptedModel();
    private final OfficeTools tools = new OfficeTools();
    private final Holdpoint agent = Holdpoint.builder(Assistant.class)
            .streamingChatModel(model)
            .tools(tools)
            .build();
    private final Javalin server = Javalin.create(config -> {
                config.startup.showJavalinBanner = false;
                config.registerPlugin(new AgUiPlugin(agui -> agui.agent(agent)));
            })
            .start("127.0.0.1", 0);
    private final HttpClient client = HttpClient.newHttpClient();

    @AfterEach
    void stop() {
        server.stop();
    }

    @Test
    void aRunIsAStreamOfFramesThatEndsWithTheRun() throws Exception {
        model.says("Hello there.");

        HttpResponse<String> response = post(input("t", "Hi"));

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Type").orElse("")).startsWith("text/event-stream");
        assertThat(response.headers().firstValue("Cache-Control")).contains("no-cache, no-transform");
        assertThat(response.body()).doesNotContain("\r").endsWith("\n\n");
        List<String> types = response.body()
                .lines()
                .filter(line -> line.startsWith("data: "))
                .map(line -> AguiCodec.readEvent(line.substring(6)).type())
                .toList();
        assertThat(types).startsWith("RUN_STARTED", "TEXT_MESSAGE_START").endsWith("TEXT_MESSAGE_END", "RUN_FINISHED");
    }

    @Test
    void anInputThatCannotBeReadIs400AndNamesTheField() throws Exception {
        for (String body : List.of("", "{", "[]", "null", "{\"runId\":\"r\",\"messages\":[]}")) {
            HttpResponse<String> response = post(body);

            assertThat(response.statusCode()).as(body).isEqualTo(400);
            assertThat(AguiCodec.mapper().readTree(response.body()).path("code").asText())
                    .isEqualTo("INPUT_INVALID");
        }
        assertThat(post("{\"runId\":\"r\",\"messages\":[]}").body()).contains("threadId");
    }

    @Test
    void anAnswerOnAnUnknownThreadIs404() throws Exception {
        HttpResponse<String> response = post("{\"threadId\":\"nobody\",\"runId\":\"r\",\"messages\":[],"
                + "\"resume\":[{\"interruptId\":\"i\",\"status\":\"resolved\",\"payload\":{\"approved\":true}}]}");

        assertThat(response.statusCode()).isEqualTo(404);
        assertThat(response.body()).contains("THREAD_NOT_FOUND").doesNotContain("nobody");
    }

    @Test
    void aSecondRunOnABusyThreadIs409AndTheFirstGoesOn() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        model.answers(request -> {
            asked.countDown();
            await(answer);
            return AiMessage.from("Done.");
        });
        CompletableFuture<HttpResponse<String>> first =
                client.sendAsync(request(input("t", "Hi")), HttpResponse.BodyHandlers.ofString());
        await(asked);

        HttpResponse<String> second = post(input("t", "Me too"));
        answer.countDown();

        assertThat(second.statusCode()).isEqualTo(409);
        assertThat(second.body()).contains("RUN_IN_PROGRESS");
        assertThat(first.get().body()).contains("Done.", "RUN_FINISHED");
    }

    @Test
    void aHoldIsReachedEvenIfTheClientIsGone() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        model.answers(request -> {
            asked.countDown();
            await(answer);
            return AiMessage.from(
                    "word ".repeat(50_000), List.of(call("c1", "deleteRecords", "{\"table\":\"users\"}")));
        });
        CompletableFuture<HttpResponse<String>> gone =
                client.sendAsync(request(input("t", "Hi")), HttpResponse.BodyHandlers.ofString());
        await(asked);
        gone.cancel(true);
        answer.countDown();

        HttpResponse<String> later = presentUntilHeld();

        assertThat(later.body()).contains("\"interrupt\"", "deleteRecords");
        assertThat(tools.effects()).isEmpty();
    }

    @Test
    void theCapabilitiesSayThatCallsCanBeApprovedAndEdited() throws Exception {
        HttpRequest get =
                HttpRequest.newBuilder(uri("/agent/capabilities")).GET().build();

        String body = client.send(get, HttpResponse.BodyHandlers.ofString()).body();

        assertThat(AguiCodec.mapper()
                        .readTree(body)
                        .path("humanInTheLoop")
                        .path("approveWithEdits")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void aPluginWithoutAnAgentIsRefusedWhenTheServerIsBuilt() {
        assertThatThrownBy(() -> Javalin.create(config -> config.registerPlugin(new AgUiPlugin(agui -> {}))))
                .hasMessageContaining("config.agent(...)");
    }

    /** Else it would be at /agentinfo, without a word. */
    @Test
    void aRouteThatDoesNotBeginWithASlashIsRefused() {
        assertThatThrownBy(() -> Javalin.create(config -> config.registerPlugin(
                        new AgUiPlugin(agui -> agui.agent(agent).route(AgUiRoute.CAPABILITIES, "info")))))
                .hasMessage("route(CAPABILITIES, \"info\"): must be empty, or begin with a slash, such as \"/info\"");
    }

    /** The abandoned run ends on its own; until then the thread is busy. */
    private HttpResponse<String> presentUntilHeld() throws Exception {
        HttpResponse<String> response;
        do {
            response = post("{\"threadId\":\"t\",\"runId\":\"r2\",\"messages\":[]}");
        } while (response.statusCode() == 409);
        return response;
    }

    private HttpResponse<String> post(String body) throws Exception {
        return client.send(request(body), HttpResponse.BodyHandlers.ofString());
    }

    private HttpRequest request(String body) {
        return HttpRequest.newBuilder(uri("/agent"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + server.port() + path);
    }

    private static String input(String threadId, String text) {
        return "{\"threadId\":\"" + threadId + "\",\"runId\":\"r1\",\"messages\":[{\"id\":\"m1\",\"role\":\"user\","
                + "\"content\":\"" + text + "\"}]}";
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @Logs("Agents are served at every address of this machine*")
    void aBurstOfConnectionsWaitsAndTheApplicationsOwnNumberStays() {
        Javalin server = Javalin.create(config -> {
                    config.startup.showJavalinBanner = false;
                    config.jetty.addConnector((jetty, settings) -> {
                        ServerConnector own = new ServerConnector(jetty);
                        own.setAcceptQueueSize(7);
                        return own;
                    });
                    config.jetty.addConnector((jetty, settings) -> new ServerConnector(jetty));
                    config.registerPlugin(new AgUiPlugin(agui -> agui.agent(Holdpoint.builder(Bench.Assistant.class)
                            .streamingChatModel(new ScriptedModel())
                            .build())));
                })
                .start();
        try {
            assertThat(server.jettyServer().server().getConnectors())
                    .extracting(each -> ((ServerConnector) each).getAcceptQueueSize())
                    .containsExactlyInAnyOrder(7, 1_024);
        } finally {
            server.stop();
        }
    }
}
