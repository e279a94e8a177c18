package io.holdpoint.mcp;

import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpServerSession;
import io.modelcontextprotocol.spec.McpServerTransport;
import io.modelcontextprotocol.spec.McpServerTransportProvider;
import java.util.List;
import reactor.core.publisher.Mono;

/** Sends one message at a time: the SDK's transport for standard output loses one that comes while another is on its way. Thread-safe. */
record OneAtATime(McpServerTransportProvider provider) implements McpServerTransportProvider {

    private record Line(McpServerTransport transport) implements McpServerTransport {

        @Override
        public Mono<Void> sendMessage(JSONRPCMessage message) {
            return Mono.defer(() -> {
                synchronized (transport) {
                    return Mono.fromFuture(transport.sendMessage(message).toFuture());
                }
            });
        }

        @Override
        public <T> T unmarshalFrom(Object data, TypeRef<T> type) {
            return transport.unmarshalFrom(data, type);
        }

        @Override
        public Mono<Void> closeGracefully() {
            return transport.closeGracefully();
        }
    }

    @Override
    public void setSessionFactory(McpServerSession.Factory sessions) {
        provider.setSessionFactory(transport -> sessions.create(new Line(transport)));
    }

    @Override
    public Mono<Void> notifyClients(String method, Object params) {
        return provider.notifyClients(method, params);
    }

    @Override
    public Mono<Void> notifyClient(String session, String method, Object params) {
        return provider.notifyClient(session, method, params);
    }

    @Override
    public Mono<Void> closeGracefully() {
        return provider.closeGracefully();
    }

    @Override
    public List<String> protocolVersions() {
        return provider.protocolVersions();
    }
}
