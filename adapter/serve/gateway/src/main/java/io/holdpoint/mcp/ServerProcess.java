package io.holdpoint.mcp;

import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/**
 * A server that is a process of this machine. The SDK's own transport leaves whoever waits for it waiting when it has ended, or has written
 * anything but messages.
 */
final class ServerProcess extends StdioClientTransport {

    private static final int LAST_LINES = 5;

    private final String command;
    private final CompletableFuture<CallToolResult> ended = new CompletableFuture<>();
    private final Deque<String> lastLines = new ArrayDeque<>();
    private final CompletableFuture<Void> speaks = new CompletableFuture<>();

    ServerProcess(ServerParameters process, McpJsonMapper mapper) {
        super(process, mapper, Upstream.LONGEST_MESSAGE);
        command = process.getCommand();
        setStdErrorHandler(this::said);
    }

    /** Completed, with an exception, when there is no process any more. */
    CompletableFuture<CallToolResult> ended() {
        return ended;
    }

    @Override
    public Mono<Void> connect(Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler) {
        // an error's own message has the arguments, which may be secrets
        return super.connect(handler)
                .onErrorMap(e -> new IllegalStateException("the command \"" + command + "\" cannot be started"))
                .doOnError(ended::completeExceptionally)
                .doOnSuccess(started -> watch());
    }

    /** One after the other: the SDK gives a message up that it cannot hand on at once, and calls come from many threads. */
    @Override
    public synchronized Mono<Void> sendMessage(JSONRPCMessage message) {
        return super.sendMessage(message);
    }

    /** Without the gateway's variables, which may be the tokens of people. */
    @Override
    protected ProcessBuilder getProcessBuilder() {
        ProcessBuilder process = super.getProcessBuilder();
        process.environment().clear();
        return process;
    }

    private void watch() {
        Thread watch = new Thread(this::awaitEnd, "holdpoint-mcp-process");
        watch.setDaemon(true);
        watch.start();
    }

    private void awaitEnd() {
        awaitForExit();
        // another thread reads what it has said last
        speaks.completeOnTimeout(null, 1, TimeUnit.SECONDS).join();
        ended.completeExceptionally(new IllegalStateException("its process has ended" + lastWords()));
    }

    private synchronized void said(String line) {
        lastLines.add(line);
        speaks.complete(null);
        if (lastLines.size() > LAST_LINES) {
            lastLines.remove();
        }
    }

    private synchronized String lastWords() {
        return lastLines.isEmpty() ? "" : ", and has said: " + String.join(" / ", lastLines);
    }
}
