package io.holdpoint.tutorials.t21;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.exception.ToolExecutionException;
import dev.langchain4j.mcp.client.DefaultMcpClient;
import dev.langchain4j.mcp.client.McpClient;
import dev.langchain4j.mcp.client.transport.stdio.StdioMcpTransport;
import io.holdpoint.tutorials.t06.NotesServer;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Tutorial 21: people in front of an MCP server. The program is the assistant, and then the person at the page. */
public final class Main {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern PAGE = Pattern.compile("decides at (http://\\S+)/\\.");

    static final String CONFIG = """
            servers:
              notes: { command: "%s", args: %s }
            policies:
              - { tools: "*", when: not readOnly, approval: required }
            store: "jdbc:sqlite:%s"
            wait: PT1S
            page: { port: 0 }
            """;

    private Main() {}

    public static void main(String[] args) throws Exception {
        run(Path.of("adapter", "serve", "gateway", "target", "holdpoint-gateway.jar"), System.out);
    }

    public static void run(Path jar, PrintStream out) throws Exception {
        if (Files.notExists(jar)) {
            throw new IllegalStateException(
                    "There is no " + jar + ". Build it: mvn -q package -DskipTests -pl adapter/serve/gateway -am");
        }
        Path folder = Files.createTempDirectory("holdpoint");
        List<String> server = NotesServer.command();
        String arguments = JSON.writeValueAsString(server.subList(1, server.size()));
        Path config = Files.writeString(
                folder.resolve("gateway.yml"),
                CONFIG.formatted(server.get(0), arguments, folder.resolve("holdpoint.db")));

        // readme
        McpClient assistant = DefaultMcpClient.builder()
                .transport(StdioMcpTransport.builder()
                        .command(List.of("java", "-jar", jar.toString(), "--config", config.toString()))
                        .build())
                .build();
        // end
        try {
            // readme
            out.println("Read:   " + call(assistant, "read_note"));
            String held = call(assistant, "delete_note");
            out.println("Delete: " + held);
            // end
            Matcher page = PAGE.matcher(held);
            if (!page.find()) {
                throw new IllegalStateException("It is not held: " + held);
            }
            decide(page.group(1), out);
            String told = held;
            // readme
            while (told.startsWith("Not run yet")) {
                told = call(assistant, "delete_note");
            }
            out.println("Delete: " + call(assistant, "delete_note"));
            // end
        } finally {
            assistant.close();
        }
    }

    /** The result; what is held comes as an error, which a model reads as well. */
    private static String call(McpClient assistant, String tool) {
        ToolExecutionRequest request = ToolExecutionRequest.builder()
                .name(tool)
                .arguments("{\"title\":\"Shopping\"}")
                .build();
        try {
            return assistant.executeTool(request).resultText();
        } catch (ToolExecutionException held) {
            return held.getMessage();
        }
    }

    /** Does what the button of the page does. */
    private static void decide(String page, PrintStream out) throws IOException, InterruptedException {
        HttpClient browser = HttpClient.newHttpClient();
        URI inbox = URI.create(page + "/agent/interrupts?threads=accessible");
        JsonNode asked = JSON.readTree(
                        browser.send(HttpRequest.newBuilder(inbox).build(), BodyHandlers.ofString())
                                .body())
                .at("/interrupts/0");
        out.println("Page:   " + asked.at("/interrupt/message").asText());
        ObjectNode answer = JSON.createObjectNode()
                .put("threadId", asked.path("threadId").asText())
                .put("interruptId", asked.at("/interrupt/id").asText())
                .put("status", "resolved");
        answer.putObject("payload").put("approved", true);
        HttpRequest pressed = HttpRequest.newBuilder(URI.create(page + "/agent/decisions"))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(answer.toString()))
                .build();
        int status = browser.send(pressed, BodyHandlers.discarding()).statusCode();
        out.println("Somebody presses Approve: " + status);
    }
}
