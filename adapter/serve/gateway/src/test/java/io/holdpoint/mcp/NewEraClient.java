package io.holdpoint.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/** What a client of 2026-07-28 sends, as it is on the wire. */
record NewEraClient(Wire wire, String name, String capabilities) {

    static final String FORMS = "{\"elicitation\":{\"form\":{}}}";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String META = "io.modelcontextprotocol/";

    /** On what a client sends. */
    interface Wire {

        /** Sends a request, and reads what answers it. */
        JsonNode send(ObjectNode request) throws Exception;
    }

    /** One over HTTP with forms, which has not signed in. */
    NewEraClient(String address) {
        this(address, Optional.empty(), FORMS);
    }

    /** One over HTTP. */
    NewEraClient(String address, Optional<String> token, String capabilities) {
        this(new Http(address, token), "modern", capabilities);
    }

    /** One that has started a program, with forms. */
    NewEraClient(BiConsumer<InputStream, OutputStream> program) throws IOException {
        this(new Streams(program), "modern", FORMS);
    }

    NewEraClient named(String other) {
        return new NewEraClient(wire, other, capabilities);
    }

    /** The result or the error of a call. */
    JsonNode call(String tool, Map<String, Object> arguments, Optional<JsonNode> asked, String answer)
            throws Exception {
        ObjectNode params = JSON.createObjectNode().put("name", tool);
        params.set("arguments", JSON.valueToTree(arguments));
        asked.ifPresent(result -> params.set("requestState", result.get("requestState")));
        if (!answer.isEmpty()) {
            params.set("inputResponses", JSON.readTree("{\"question\":" + answer + "}"));
        }
        JsonNode response = wire.send(request("tools/call", params));
        return response.path("result").isMissingNode() ? response : response.get("result");
    }

    /** The result of a request with a member of this name and value. */
    JsonNode ask(String method, String name, String value) throws Exception {
        return wire.send(request(method, JSON.createObjectNode().put(name, value)))
                .get("result");
    }

    JsonNode append(String text, Optional<JsonNode> asked, String answer) throws Exception {
        return call("append", Map.of("text", text), asked, answer);
    }

    JsonNode append(String text) throws Exception {
        return append(text, Optional.empty(), "");
    }

    /** The same call again, with what its user says. */
    JsonNode approve(String text, JsonNode asked) throws Exception {
        return append(text, Optional.of(asked), says("approve"));
    }

    static String says(String decision) {
        return "{\"action\":\"accept\",\"content\":{\"decision\":\"" + decision + "\"}}";
    }

    /** The lines of a stream that tells of changed tools. */
    Iterator<String> listen() throws Exception {
        ObjectNode params = JSON.createObjectNode();
        params.putObject("notifications").put("toolsListChanged", true);
        HttpRequest request = ((Http) wire).request(request("subscriptions/listen", params));
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofLines())
                .body()
                .iterator();
    }

    private ObjectNode request(String method, ObjectNode params) throws IOException {
        ObjectNode meta = params.putObject("_meta").put(META + "protocolVersion", "2026-07-28");
        meta.putObject(META + "clientInfo").put("name", name).put("version", "1");
        meta.set(META + "clientCapabilities", JSON.readTree(capabilities));
        ObjectNode call =
                JSON.createObjectNode().put("jsonrpc", "2.0").put("id", 1).put("method", method);
        return call.set("params", params);
    }

    static String text(JsonNode result) {
        return result.at("/content").findValuesAsText("text").toString();
    }

    private record Http(String address, Optional<String> token) implements Wire {

        @Override
        public JsonNode send(ObjectNode request) throws Exception {
            String body = HttpClient.newHttpClient()
                    .send(request(request), HttpResponse.BodyHandlers.ofString())
                    .body();
            String last = body.lines()
                    .filter(line -> line.contains("\"id\""))
                    .reduce((one, other) -> other)
                    .orElse(body);
            return JSON.readTree(last.replaceFirst("^data: ?", ""));
        }

        private HttpRequest request(ObjectNode call) {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address + "/mcp"))
                    .header("Content-Type", "application/json")
                    .header("Accept", "application/json, text/event-stream")
                    .header("MCP-Protocol-Version", "2026-07-28")
                    .header("Mcp-Method", call.path("method").asText())
                    .POST(HttpRequest.BodyPublishers.ofString(call.toString()));
            token.ifPresent(known -> request.header("Authorization", "Bearer " + known));
            JsonNode tool = call.at("/params/name");
            return (tool.isMissingNode() ? request : request.header("Mcp-Name", tool.asText())).build();
        }
    }

    /** The input and the output of a program. */
    static final class Streams implements Wire {

        private final PipedOutputStream input = new PipedOutputStream();
        private final BufferedReader output;

        /** What it has said that answers nothing. */
        final List<String> told = new ArrayList<>();

        Streams(BiConsumer<InputStream, OutputStream> program) throws IOException {
            PipedOutputStream said = new PipedOutputStream();
            output = new BufferedReader(
                    new InputStreamReader(new PipedInputStream(said, 1 << 16), StandardCharsets.UTF_8));
            program.accept(new PipedInputStream(input, 1 << 16), said);
        }

        @Override
        public JsonNode send(ObjectNode request) throws Exception {
            return JSON.readTree(send(request.toString()));
        }

        /** Writes a line, and reads the one that answers it. */
        String send(String line) throws IOException {
            input.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            input.flush();
            String answer = output.readLine();
            while (!answer.contains("\"id\"") && !answer.contains("\"error\"")) {
                told.add(answer);
                answer = output.readLine();
            }
            return answer;
        }
    }
}
