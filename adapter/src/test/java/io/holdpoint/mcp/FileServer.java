package io.holdpoint.mcp;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;

/**
 * The program of an MCP server: JSON-RPC 2.0, a line per message, over stdin and stdout. It pretends to work on files, and
 * writes a line about each call into a file, before it answers, so that somebody else can count. The first argument names
 * that file, the second the version of the server: in version 2 {@code delete_file} takes other parameters.
 */
public final class FileServer {

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private final Path calls;
    private final String version;

    private FileServer(Path calls, String version) {
        this.calls = calls;
        this.version = version;
    }

    /** What starts the server. */
    public static List<String> command(Path calls, String version) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                FileServer.class.getName(),
                calls.toString(),
                version);
    }

    public static void main(String[] args) throws IOException {
        FileServer server = new FileServer(Path.of(args[0]), args[1]);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            JsonNode message = MAPPER.readTree(line);
            Optional<ObjectNode> result = server.answer(message);
            if (message.has("id") && result.isPresent()) {
                ObjectNode response = MAPPER.createObjectNode().put("jsonrpc", "2.0");
                response.set("id", message.get("id"));
                out.println(response.set("result", result.get()).toString());
            }
        }
    }

    private Optional<ObjectNode> answer(JsonNode message) throws IOException {
        JsonNode parameters = message.path("params");
        return switch (message.path("method").asText()) {
            case "initialize" -> Optional.of(initialized(parameters));
            case "tools/list" -> Optional.of(tools());
            case "tools/call" -> Optional.of(call(parameters.path("name").asText(), parameters.path("arguments")));
            case "ping" -> Optional.of(MAPPER.createObjectNode());
            default -> Optional.empty();
        };
    }

    private ObjectNode initialized(JsonNode parameters) {
        ObjectNode result = MAPPER.createObjectNode();
        result.put("protocolVersion", parameters.path("protocolVersion").asText());
        result.putObject("capabilities").putObject("tools");
        result.putObject("serverInfo").put("name", "files").put("version", version);
        return result;
    }

    private ObjectNode tools() {
        String deleted = version.equals("2") ? "pattern" : "path";
        ObjectNode result = MAPPER.createObjectNode();
        result.putArray("tools")
                .add(tool("read_file", "readOnlyHint", "path"))
                .add(tool("write_file", "idempotentHint", "path", "text"))
                .add(tool("resize_file", "idempotentHint", "path", "size"))
                .add(tool("delete_file", "destructiveHint", deleted));
        return result;
    }

    private static ObjectNode tool(String name, String hint, String... parameters) {
        ObjectNode tool = MAPPER.createObjectNode().put("name", name).put("description", name);
        ObjectNode schema = tool.putObject("inputSchema").put("type", "object");
        for (String parameter : parameters) {
            schema.withObject("/properties")
                    .putObject(parameter)
                    .put("type", parameter.equals("size") ? "number" : "string");
            schema.withArray("required").add(parameter);
        }
        tool.putObject("annotations").put(hint, true);
        return tool;
    }

    /** A path {@code denied} is answered with an error, and {@code poison} kills the server in the middle of the work. */
    private ObjectNode call(String tool, JsonNode arguments) throws IOException {
        String line = tool + " " + arguments + "\n";
        Files.writeString(calls, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        String path = arguments.path("path").asText();
        if (path.equals("poison")) {
            Runtime.getRuntime().halt(1);
        }
        boolean denied = path.equals("denied");
        ObjectNode result = MAPPER.createObjectNode().put("isError", denied);
        result.putArray("content")
                .addObject()
                .put("type", "text")
                .put("text", denied ? "permission denied" : tool + " done");
        return result;
    }
}
