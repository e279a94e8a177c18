package io.holdpoint.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpServerSession;
import io.modelcontextprotocol.spec.McpServerTransport;
import io.modelcontextprotocol.spec.McpServerTransportProvider;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** A message that comes while another one is on its way waits, and is not lost. */
class OneAtATimeTest {

    private final AtomicReference<McpServerTransport> line = new AtomicReference<>();
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger overlapping = new AtomicInteger();
    private final Thread second = new Thread(() -> send("second"));

    /** In the midst of its first message it begins the second, and goes on when that waits or has come in. */
    private final class Slow implements McpServerTransport {

        @Override
        public Mono<Void> sendMessage(JSONRPCMessage message) {
            return Mono.fromRunnable(() -> {
                if (inside.incrementAndGet() > 1) {
                    overlapping.incrementAndGet();
                }
                if (second.getState() == Thread.State.NEW) {
                    second.start();
                    while (second.getState() != Thread.State.BLOCKED && second.isAlive()) {
                        Thread.onSpinWait();
                    }
                }
                inside.decrementAndGet();
            });
        }

        @Override
        public <T> T unmarshalFrom(Object data, TypeRef<T> type) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Mono<Void> closeGracefully() {
            return Mono.empty();
        }
    }

    private final class Provider implements McpServerTransportProvider {

        @Override
        public void setSessionFactory(McpServerSession.Factory sessions) {
            sessions.create(new Slow());
        }

        @Override
        public Mono<Void> notifyClients(String method, Object params) {
            return Mono.empty();
        }

        @Override
        public Mono<Void> closeGracefully() {
            return Mono.empty();
        }
    }

    private void send(String method) {
        line.get().sendMessage(new JSONRPCNotification("2.0", method, null)).block();
    }

    @Test
    void aMessageWaitsForTheOneBeforeIt() throws Exception {
        new OneAtATime(new Provider()).setSessionFactory(transport -> {
            line.set(transport);
            return null;
        });

        send("first");
        second.join();

        assertThat(overlapping).hasValue(0);
    }
}
