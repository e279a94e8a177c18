package io.holdpoint.mcp;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.jackson2.JacksonMcpJsonMapper;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/**
 * A server that is a process of this machine. The SDK's own transport leaves whoever waits for it waiting when it has ended, or has written
 * anything but messages.
 */
final class ServerProcess extends StdioClientTransport {

    private static final Logger LOG = LoggerFactory.getLogger(ServerProcess.class);

    /** Each message has one of them. */
    private static final Set<String> MEMBERS = Set.of("method", "result", "error");

    private static final int LAST_LINES = 5;

    private final String command;
    private final CompletableFuture<CallToolResult> ended = new CompletableFuture<>();
    private final Deque<String> lastLines = new ArrayDeque<>();
    private final CompletableFuture<Void> speaks = new CompletableFuture<>();

    ServerProcess(ServerParameters process, int longestMessage) {
        super(process, new JacksonMcpJsonMapper(new Tolerant()), longestMessage);
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

    /** Without the gateway's variables, which may be the tokens of people. */
    @Override
    protected ProcessBuilder getProcessBuilder() {
        ProcessBuilder process = super.getProcessBuilder();
        process.environment().clear();
        return process;
    }

    /** Reads a line that is no message, such as one of a log, as progress of nothing. */
    private static final class Tolerant extends ObjectMapper {

        private static final long serialVersionUID = 1L;
        private static final String NOTHING = "{\"jsonrpc\": \"2.0\", \"method\":"
                + " \"notifications/progress\", \"params\": {\"progressToken\": \"\", \"progress\": 0}}";

        private Tolerant() {
            super(Results.JSON);
        }

        @Override
        public <T> T readValue(String line, JavaType type) throws JsonProcessingException {
            try {
                T read = super.readValue(line, type);
                if (read instanceof Map<?, ?> message && !Collections.disjoint(message.keySet(), MEMBERS)) {
                    return read;
                }
            } catch (JsonProcessingException e) {
                LOG.debug("A line of a server is no message", e);
            }
            return super.readValue(NOTHING, type);
        }
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
