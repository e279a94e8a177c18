package io.holdpoint.mcp;

import dev.langchain4j.mcp.McpToolProvider;
import dev.langchain4j.mcp.client.DefaultMcpClient;
import dev.langchain4j.mcp.client.McpClient;
import dev.langchain4j.mcp.client.transport.stdio.StdioMcpTransport;
import dev.langchain4j.service.tool.ToolProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A {@link FileServer} in a process of its own, with LangChain4j's client of it. */
public final class FileServerProcess implements AutoCloseable {

    private final Path calls;
    private final StdioMcpTransport transport;
    private final McpClient client;

    private FileServerProcess(Path calls, StdioMcpTransport transport, McpClient client) {
        this.calls = calls;
        this.transport = transport;
        this.client = client;
    }

    /** Starts a server that notes its calls in a file. */
    public static FileServerProcess start(Path calls) {
        return start(calls, Duration.ofMinutes(1));
    }

    /** Starts a server whose client waits that long for an answer. */
    static FileServerProcess start(Path calls, Duration patience) {
        return start(calls, "1", patience);
    }

    static FileServerProcess start(Path calls, String version, Duration patience) {
        StdioMcpTransport transport = StdioMcpTransport.builder()
                .command(FileServer.command(calls, version))
                .build();
        // A health check would start a server that died again, sooner or later.
        McpClient client = DefaultMcpClient.builder()
                .key("files")
                .transport(transport)
                .autoHealthCheck(false)
                .toolExecutionTimeout(patience)
                .build();
        return new FileServerProcess(calls, transport, client);
    }

    /** What gives its tools to an AI Service. */
    public ToolProvider tools() {
        return McpToolProvider.builder().mcpClients(client).build();
    }

    /** What the server was told to do, oldest first, as it says itself. */
    public List<String> calls() {
        try {
            return Files.exists(calls) ? Files.readAllLines(calls) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends the server as a crash would. */
    void kill() {
        transport.getProcess().destroyForcibly().onExit().join();
    }

    boolean isAlive() {
        return transport.getProcess().isAlive();
    }

    @Override
    public void close() {
        try {
            client.close();
        } catch (Exception e) {
            throw new IllegalStateException(
                    "The client of process " + transport.getProcess().pid(), e);
        }
        transport.getProcess().onExit().join();
    }
}
