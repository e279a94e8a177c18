package io.holdpoint.mcp;

import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.server.transport.StdioServerTransportProvider;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpServerTransportProvider;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Mono;

/** The SDK's client and server joined by two pipes, with what goes wrong on the way from the server to the client. */
final class Lines implements McpClientTransport {

    private final McpJsonMapper mapper;
    private final PipedOutputStream toServer = new PipedOutputStream();
    private final PipedInputStream fromServer = new PipedInputStream(1 << 16);
    private final PipedInputStream input;
    private final PipedOutputStream output;

    /** What is delivered of a line that the server has written. */
    volatile UnaryOperator<List<String>> delivered = UnaryOperator.identity();

    /** What comes of a ping, in the place of the server. */
    volatile Optional<Mono<Void>> pinged = Optional.empty();

    /** How often the client has begun. */
    final AtomicInteger connected = new AtomicInteger();

    /** What the client has written. */
    final List<String> sent = new CopyOnWriteArrayList<>();

    Lines() {
        this(Results.mapper());
    }

    /** Lines that are read with this mapper. */
    Lines(McpJsonMapper mapper) {
        this.mapper = mapper;
        try {
            input = new PipedInputStream(toServer, 1 << 16);
            output = new PipedOutputStream(fromServer);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    McpServerTransportProvider server() {
        return new StdioServerTransportProvider(Results.mapper(), input, output, 1 << 28);
    }

    /** Joins the client to a program that is none of the SDK's servers. */
    Lines to(BiConsumer<InputStream, OutputStream> program) {
        program.accept(input, output);
        return this;
    }

    @Override
    public Mono<Void> connect(Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler) {
        return Mono.fromRunnable(() -> {
            connected.incrementAndGet();
            Thread reader = new Thread(() -> read(handler), "lines");
            reader.setDaemon(true);
            reader.start();
        });
    }

    private void read(Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler) {
        try (var lines = new BufferedReader(new InputStreamReader(fromServer, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                for (String each : delivered.apply(List.of(line))) {
                    handler.apply(Mono.just(McpSchema.deserializeJsonRpcMessage(mapper, each)))
                            .subscribe();
                }
            }
        } catch (IOException e) {
            // the other side has closed
        }
    }

    @Override
    public synchronized Mono<Void> sendMessage(JSONRPCMessage message) {
        if (pinged.isPresent()
                && message instanceof JSONRPCRequest request
                && request.method().equals(McpSchema.METHOD_PING)) {
            return pinged.get();
        }
        try {
            String line = Results.mapper().writeValueAsString(message);
            sent.add(line);
            toServer.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            toServer.flush();
            return Mono.empty();
        } catch (IOException e) {
            return Mono.error(e);
        }
    }

    @Override
    public <T> T unmarshalFrom(Object data, TypeRef<T> type) {
        return Results.mapper().convertValue(data, type);
    }

    @Override
    public Mono<Void> closeGracefully() {
        return Mono.fromRunnable(() -> {
            try {
                toServer.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }
}
