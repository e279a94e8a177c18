package io.holdpoint.demo.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * One AG-UI thread as a client keeps it: its messages are those of the last snapshot, sent again with every run. Not
 * thread-safe.
 */
final class AguiTestClient {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final HttpClient http = HttpClient.newHttpClient();
    private final Optional<String> token;
    private URI server;
    private final String threadId;
    private List<JsonNode> messages = new ArrayList<>();
    private final ArrayNode context = MAPPER.createArrayNode();

    AguiTestClient(URI server) {
        this(server, Optional.empty(), UUID.randomUUID().toString());
    }

    private AguiTestClient(URI server, Optional<String> token, String threadId) {
        this.server = server;
        this.token = token;
        this.threadId = threadId;
    }

    /** A client that says who it is. */
    static AguiTestClient withToken(URI server, String token) {
        return new AguiTestClient(server, Optional.of(token), UUID.randomUUID().toString());
    }

    /** Cancels what is open in all threads of a server without people. */
    static void cancelAll(URI server) throws IOException, InterruptedException {
        JsonNode open = open(server);
        while (!open.isEmpty()) {
            Map<String, List<ObjectNode>> answers = new LinkedHashMap<>();
            for (JsonNode each : open) {
                answers.computeIfAbsent(each.path("threadId").asText(), thread -> new ArrayList<>())
                        .add(cancel(each.path("interrupt")));
            }
            for (Map.Entry<String, List<ObjectNode>> thread : answers.entrySet()) {
                new AguiTestClient(server, Optional.empty(), thread.getKey())
                        .resume(thread.getValue().toArray(ObjectNode[]::new));
            }
            JsonNode left = open(server);
            if (left.equals(open)) {
                throw new IOException("cancelled, and still open: " + left);
            }
            open = left;
        }
    }

    private static JsonNode open(URI server) throws IOException, InterruptedException {
        AguiTestClient client = new AguiTestClient(server);
        HttpResponse<String> response =
                client.http.send(client.request("/agent/interrupts").GET().build(), BodyHandlers.ofString());
        return MAPPER.readTree(response.body()).path("interrupts");
    }

    /** The same thread, on another server from now on. */
    void moveTo(URI other) {
        server = other;
    }

    String threadId() {
        return threadId;
    }

    /** What goes with every input from now on. */
    AguiTestClient context(String description, String value) {
        context.addObject().put("description", description).put("value", value);
        return this;
    }

    /** Runs the agent on a new user message of several parts. */
    AguiRun say(ArrayNode parts) throws IOException, InterruptedException {
        messages.add(MAPPER.createObjectNode()
                .put("id", UUID.randomUUID().toString())
                .put("role", "user")
                .set("content", parts));
        return run();
    }

    /** Runs the agent on a new user message. */
    AguiRun say(String text, ObjectNode... resume) throws IOException, InterruptedException {
        messages.add(MAPPER.createObjectNode()
                .put("id", UUID.randomUUID().toString())
                .put("role", "user")
                .put("content", text));
        return run(resume);
    }

    /** Runs the agent with answers and no new message. */
    AguiRun resume(ObjectNode... answers) throws IOException, InterruptedException {
        return run(answers);
    }

    static ObjectNode approve(JsonNode interrupt) {
        ObjectNode entry = entry(interrupt, "resolved");
        entry.putObject("payload").put("approved", true);
        return entry;
    }

    static ObjectNode approveWith(JsonNode interrupt, JsonNode editedArgs) {
        ObjectNode entry = entry(interrupt, "resolved");
        entry.putObject("payload").put("approved", true).set("editedArgs", editedArgs);
        return entry;
    }

    static ObjectNode deny(JsonNode interrupt, String reason) {
        ObjectNode entry = entry(interrupt, "resolved");
        entry.putObject("payload").put("approved", false).put("reason", reason);
        return entry;
    }

    static ObjectNode cancel(JsonNode interrupt) {
        return entry(interrupt, "cancelled");
    }

    /** What the demo's tools did for a call. */
    List<JsonNode> effects(String toolCallId) throws IOException, InterruptedException {
        HttpResponse<String> response = http.send(request("/demo/effects").GET().build(), BodyHandlers.ofString());
        List<JsonNode> effects = new ArrayList<>();
        MAPPER.readTree(response.body()).forEach(effects::add);
        effects.removeIf(effect -> !effect.path("toolCallId").asText().equals(toolCallId));
        return effects;
    }

    private AguiRun run(ObjectNode... resume) throws IOException, InterruptedException {
        ObjectNode input = MAPPER.createObjectNode()
                .put("protocolVersion", "1.0")
                .put("threadId", threadId)
                .put("runId", UUID.randomUUID().toString());
        input.putArray("messages").addAll(messages);
        input.putArray("tools");
        input.set("context", context);
        if (resume.length > 0) {
            ArrayNode entries = input.putArray("resume");
            List.of(resume).forEach(entries::add);
        }
        HttpResponse<String> response = http.send(
                request("/agent")
                        .header("Content-Type", "application/json")
                        .header("Accept", "text/event-stream")
                        .POST(BodyPublishers.ofString(input.toString()))
                        .build(),
                BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            throw new IOException("POST /agent answered " + response.statusCode() + ": " + response.body());
        }
        AguiRun run = new AguiRun(events(response.body()));
        if (!run.snapshot().isEmpty()) {
            messages = new ArrayList<>(run.snapshot());
        }
        return run;
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(server.resolve(path))
                .timeout(Duration.ofSeconds(ChildProcess.HANG_GUARD_SECONDS));
        token.ifPresent(known -> request.header("Authorization", "Bearer " + known));
        return request;
    }

    private static List<JsonNode> events(String body) throws IOException {
        List<JsonNode> events = new ArrayList<>();
        for (String frame : body.split("\n\n")) {
            if (frame.startsWith("data: ")) {
                events.add(MAPPER.readTree(frame.substring("data: ".length())));
            } else if (!frame.isEmpty() && !frame.startsWith(":")) {
                throw new IOException("not a frame of this protocol: " + frame);
            }
        }
        return events;
    }

    private static ObjectNode entry(JsonNode interrupt, String status) {
        return MAPPER.createObjectNode()
                .put("interruptId", interrupt.path("id").asText())
                .put("status", status);
    }
}
