package io.holdpoint.javalin;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.OfficeTools;
import io.javalin.Javalin;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The stream of changes over real HTTP. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ChangesRouteTest {

    private static final Caller ADA = Caller.of("ada");

    private final ScriptedModel model = new ScriptedModel();
    private final Holdpoint agent = Holdpoint.builder(Bench.Assistant.class)
            .streamingChatModel(model)
            .tools(new OfficeTools())
            .approvalAuthorizer(ApprovalAuthorizer.role("approver"))
            .build();
    private final Javalin server = Javalin.create(config -> {
                config.startup.showJavalinBanner = false;
                config.registerPlugin(new AgUiPlugin(agui -> agui.agent(agent)
                        .authenticator(Authenticator.bearerTokens(
                                Map.of("g", Caller.of("grace", "approver"), "e", Caller.of("eve"))))));
            })
            .start("127.0.0.1", 0);
    private final HttpClient client = HttpClient.newHttpClient();
    private final List<BufferedReader> open = new ArrayList<>();

    @AfterEach
    void stop() throws IOException {
        agent.close();
        for (BufferedReader each : open) {
            each.close();
        }
        server.stop();
    }

    private HttpResponse<InputStream> get(String token, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + server.port() + "/agent/changes"))
                .header("Authorization", "Bearer " + token);
        return client.send(
                (headers.length == 0 ? request : request.headers(headers)).build(), BodyHandlers.ofInputStream());
    }

    private BufferedReader lines(HttpResponse<InputStream> response) {
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Type").orElse("")).startsWith("text/event-stream");
        BufferedReader lines = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
        open.add(lines);
        return lines;
    }

    private static String next(BufferedReader lines, String prefix) throws IOException {
        String line = lines.readLine();
        while (line != null && !line.startsWith(prefix)) {
            line = lines.readLine();
        }
        return String.valueOf(line);
    }

    private PendingInterrupt held(String threadId) {
        model.calls(call("c1", "sendEmail", Bench.MAIL));
        return agent.as(ADA).send(threadId, "Write").interrupts().get(0);
    }

    @Test
    void aPageHearsOfChangesAsTheyHappenAndGoesOnWhereItWas() throws Exception {
        BufferedReader lines = lines(get("g"));
        assertThat(next(lines, "data:")).isEqualTo("data: {\"kind\":\"OPENED\"}");
        PendingInterrupt question = held("t");

        String id = next(lines, "id:");
        assertThat(next(lines, "data:"))
                .isEqualTo("data: {\"kind\":\"ASKED\",\"threadId\":\"t\",\"interruptId\":\"" + question.id() + "\"}");

        model.says("Done.");
        agent.as(Caller.of("grace", "approver"))
                .decide("t", question.asApproval().deny());
        BufferedReader again = lines(get("g", "Last-Event-ID", id.substring(4)));
        assertThat(next(again, "data:")).contains("OPENED");
        assertThat(next(again, "data:")).contains("ANSWERED", question.id());
    }

    @Test
    void aStrangerHearsNothingAndTheStreamEndsWithTheAgent() throws Exception {
        BufferedReader eves = lines(get("e"));
        BufferedReader graces = lines(get("g"));
        next(graces, "data:");
        held("t");
        assertThat(next(graces, "data:")).contains("ASKED");

        agent.close();

        assertThat(next(eves, "data:")).contains("OPENED");
        assertThat(next(eves, "data:")).isEqualTo("null");
        assertThat(next(graces, "data:")).isEqualTo("null");
        assertThat(get("g").statusCode()).isEqualTo(503);
    }

    @Test
    void whoeverIsNotSignedInAndAPositionThatIsNoneAreRefused() throws Exception {
        assertThat(get("x").statusCode()).isEqualTo(401);
        HttpResponse<InputStream> refused = get("g", "Last-Event-ID", "abc");
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(new String(refused.body().readAllBytes(), StandardCharsets.UTF_8))
                .contains("Last-Event-ID:");
    }
}
