package io.holdpoint.tutorials.t06;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A small MCP server: two tools on notes, over stdin and stdout. Any other server would do. */
public final class NotesServer {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private NotesServer() {}

    /** Returns the command that starts it. */
    public static List<String> command() {
        List<String> path = new ArrayList<>();
        for (Class<?> type : List.of(NotesServer.class, ObjectMapper.class, JsonFactory.class, JsonProperty.class)) {
            try {
                path.add(Path.of(type.getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .toURI())
                        .toString());
            } catch (URISyntaxException e) {
                throw new IllegalStateException(e);
            }
        }
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return List.of(java, "-cp", String.join(File.pathSeparator, path), NotesServer.class.getName());
    }

    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            JsonNode message = MAPPER.readTree(line);
            if (message.has("id")) {
                ObjectNode response = MAPPER.createObjectNode().put("jsonrpc", "2.0");
                response.set("id", message.get("id"));
                response.set("result", answer(message.path("method").asText(), message.path("params")));
                out.println(response);
            }
        }
    }

    private static ObjectNode answer(String method, JsonNode parameters) {
        ObjectNode result = MAPPER.createObjectNode();
        switch (method) {
            case "initialize" -> {
                result.put("protocolVersion", parameters.path("protocolVersion").asText());
                result.putObject("capabilities").putObject("tools");
                result.putObject("serverInfo").put("name", "notes").put("version", "1");
            }
            case "tools/list" ->
                result.putArray("tools").add(tool("read_note", true)).add(tool("delete_note", false));
            case "tools/call" ->
                result.putArray("content")
                        .addObject()
                        .put("type", "text")
                        .put("text", parameters.path("name").asText() + " done: " + parameters.path("arguments"));
            default -> {} // ping
        }
        return result;
    }

    private static ObjectNode tool(String name, boolean readOnly) {
        ObjectNode tool = MAPPER.createObjectNode().put("name", name).put("description", name);
        ObjectNode schema = tool.putObject("inputSchema").put("type", "object");
        schema.putObject("properties").putObject("title").put("type", "string");
        schema.putArray("required").add("title");
        tool.putObject("annotations").put("readOnlyHint", readOnly);
        return tool;
    }
}
