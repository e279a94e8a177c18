package io.holdpoint.tutorials.t15;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.slack.api.Slack;
import com.slack.api.SlackConfig;
import com.slack.api.app_backend.SlackSignature;
import com.slack.api.app_backend.SlackSignature.HeaderNames;
import com.slack.api.methods.MethodsClient;
import io.javalin.Javalin;
import io.javalin.http.Context;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Stands for Slack: keeps what people see, and posts what they press. */
final class PretendSlack implements AutoCloseable {

    static final String SIGNING_SECRET = "a secret that only Slack and the app know";

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Javalin server;
    private final BlockingQueue<String> seen = new LinkedBlockingQueue<>();
    private int messages;
    /** The last message with buttons, as Slack gives it to the app. */
    private volatile ObjectNode asked = JSON.createObjectNode();

    PretendSlack() {
        this.server = Javalin.create(config -> {
                    config.routes.post(
                            "/api/auth.test", request -> request.json("{\"ok\": true, \"team_id\": \"T1\"}"));
                    config.routes.post("/api/chat.postMessage", this::shows);
                    config.routes.post("/api/chat.update", this::shows);
                    config.routes.post("/api/chat.postEphemeral", this::tells);
                })
                .start("127.0.0.1", 0);
    }

    MethodsClient client() {
        SlackConfig config = new SlackConfig();
        config.setMethodsEndpointUrlPrefix("http://127.0.0.1:" + server.port() + "/api/");
        return Slack.getInstance(config).methods("xoxb-pretended");
    }

    private synchronized void shows(Context request) throws IOException {
        boolean isNew = request.path().endsWith("postMessage");
        JsonNode blocks = JSON.readTree(request.formParam("blocks"));
        ObjectNode message = JSON.createObjectNode().put("ts", isNew ? "1." + ++messages : request.formParam("ts"));
        message.set("blocks", blocks);
        StringBuilder line = new StringBuilder(isNew ? "new:      " : "changed:  ").append(text(blocks.get(0)));
        for (JsonNode element : blocks.get(blocks.size() - 1).path("elements")) {
            line.append(
                    element.path("type").asText().equals("button")
                            ? "  [" + text(element) + "]"
                            : "  " + element.path("text").asText());
        }
        asked = line.toString().contains("[Approve]") ? message : asked;
        seen.add(line.toString());
        request.json("{\"ok\": true, \"ts\": " + message.get("ts") + "}");
    }

    private static String text(JsonNode element) {
        return element.at("/text/text").asText();
    }

    private void tells(Context request) {
        seen.add("to " + request.formParam("user") + ":  " + request.formParam("text"));
        request.json("{\"ok\": true}");
    }

    /** Returns what somebody sees next. */
    String next() throws InterruptedException {
        String next = seen.poll(60, TimeUnit.SECONDS);
        if (next == null) {
            throw new IllegalStateException("The app has shown nothing.");
        }
        return next;
    }

    boolean isQuiet() {
        return seen.isEmpty();
    }

    /** Presses a button of the last message that had some; gives the status that the app answers. */
    int press(URI app, String user, String action) throws IOException, InterruptedException {
        String time = String.valueOf(System.currentTimeMillis() / 1_000);
        String body = body(user, action);
        return post(app, time, body, new SlackSignature.Generator(SIGNING_SECRET).generate(time, body));
    }

    String body(String user, String action) {
        ObjectNode press = JSON.createObjectNode().put("type", "block_actions");
        press.putObject("user").put("id", user);
        press.set("message", asked);
        String question = asked.at("/blocks/2/elements/0/value").asText();
        press.putArray("actions").addObject().put("action_id", action).put("value", question);
        return "payload=" + URLEncoder.encode(press.toString(), StandardCharsets.UTF_8);
    }

    static int post(URI app, String time, String body, String signature) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(app)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .header(HeaderNames.X_SLACK_REQUEST_TIMESTAMP, time)
                .header(HeaderNames.X_SLACK_SIGNATURE, signature)
                .POST(BodyPublishers.ofString(body))
                .build();
        return HttpClient.newHttpClient()
                .send(request, BodyHandlers.discarding())
                .statusCode();
    }

    @Override
    public void close() {
        server.stop();
    }
}
