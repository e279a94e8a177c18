package io.holdpoint.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Iterator;
import java.util.Optional;

/** What a client of 2026-07-28 sends, as it is on the wire. */
record NewEraClient(String address, String name, Optional<String> token, String capabilities) {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String META = "io.modelcontextprotocol/";

    /** One with forms, which has not signed in. */
    NewEraClient(String address) {
        this(address, "modern", Optional.empty(), "{\"elicitation\":{\"form\":{}}}");
    }

    /** The result or the error of {@code append}. */
    JsonNode append(String text, Optional<JsonNode> asked, String answer) throws Exception {
        ObjectNode params = JSON.createObjectNode().put("name", "append");
        params.putObject("arguments").put("text", text);
        asked.ifPresent(result -> params.set("requestState", result.get("requestState")));
        if (!answer.isEmpty()) {
            params.set("inputResponses", JSON.readTree("{\"question\":" + answer + "}"));
        }
        String body = HttpClient.newHttpClient()
                .send(
                        request("tools/call", params)
                                .header("Mcp-Name", "append")
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
        String last = body.lines()
                .filter(line -> line.contains("\"id\""))
                .reduce((one, other) -> other)
                .orElse(body);
        JsonNode response = JSON.readTree(last.replaceFirst("^data: ?", ""));
        return response.path("result").isMissingNode() ? response : response.get("result");
    }

    /** The lines of a stream that tells of changed tools. */
    Iterator<String> listen() throws Exception {
        ObjectNode params = JSON.createObjectNode();
        params.putObject("notifications").put("toolsListChanged", true);
        return HttpClient.newHttpClient()
                .send(request("subscriptions/listen", params).build(), HttpResponse.BodyHandlers.ofLines())
                .body()
                .iterator();
    }

    private HttpRequest.Builder request(String method, ObjectNode params) throws Exception {
        ObjectNode meta = params.putObject("_meta").put(META + "protocolVersion", "2026-07-28");
        meta.putObject(META + "clientInfo").put("name", name).put("version", "1");
        meta.set(META + "clientCapabilities", JSON.readTree(capabilities));
        ObjectNode call =
                JSON.createObjectNode().put("jsonrpc", "2.0").put("id", 1).put("method", method);
        call.set("params", params);
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address + "/mcp"))
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream")
                .header("MCP-Protocol-Version", "2026-07-28")
                .header("Mcp-Method", method)
                .POST(HttpRequest.BodyPublishers.ofString(call.toString()));
        token.ifPresent(known -> request.header("Authorization", "Bearer " + known));
        return request;
    }

    JsonNode append(String text) throws Exception {
        return append(text, Optional.empty(), "");
    }

    /** The same call again, with what its user says. */
    JsonNode approve(String text, JsonNode asked) throws Exception {
        return append(text, Optional.of(asked), "{\"action\":\"accept\",\"content\":{\"decision\":\"approve\"}}");
    }

    static String text(JsonNode result) {
        return result.at("/content").findValuesAsText("text").toString();
    }
}
