package io.holdpoint.providers;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import io.holdpoint.providers.Reply.ToolUse;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A provider at a port of this machine: answers each request with the next line of its script, in the form of its API, and
 * refuses a request that breaks a rule, as the provider does.
 */
final class ProviderServer implements AutoCloseable {

    static {
        System.setProperty("sun.net.httpserver.nodelay", "true"); // or each answer waits 40 ms for an acknowledgement
    }

    private final HttpServer http;
    final Provider provider;
    final ChatModel model;
    final StreamingChatModel streamingModel;
    private final Queue<Reply> script = new ConcurrentLinkedQueue<>();
    private final List<JsonNode> requests = new CopyOnWriteArrayList<>();
    private final List<String> broken = new CopyOnWriteArrayList<>();
    private int ids;

    ProviderServer(Provider provider) {
        this.provider = provider;
        try {
            http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        http.createContext("/", this::handle);
        http.start();
        model = provider.model(url());
        streamingModel = provider.streamingModel(url());
    }

    private String url() {
        return "http://127.0.0.1:" + http.getAddress().getPort();
    }

    ProviderServer says(String text) {
        script.add(new Reply(200, text, List.of()));
        return this;
    }

    /** A message of calls: of each the tool and its arguments. */
    ProviderServer calls(String... toolsAndArguments) {
        return saysAndCalls("", toolsAndArguments);
    }

    ProviderServer saysAndCalls(String text, String... toolsAndArguments) {
        List<ToolUse> calls = new ArrayList<>();
        for (int i = 0; i < toolsAndArguments.length; i += 2) {
            calls.add(new ToolUse(provider.id(++ids), toolsAndArguments[i], toolsAndArguments[i + 1]));
        }
        script.add(new Reply(200, text, calls));
        return this;
    }

    /** Forgets everything, for the next test; a server with its models is dear. */
    ProviderServer anew() {
        script.clear();
        requests.clear();
        broken.clear();
        return countsAnew();
    }

    /** The ids begin from the start, as those of local servers do with each message. */
    ProviderServer countsAnew() {
        ids = 0;
        return this;
    }

    ProviderServer refuses(int status) {
        script.add(Reply.refusal(status));
        return this;
    }

    JsonNode lastRequest() {
        return requests.get(requests.size() - 1);
    }

    /** The rules that the requests have broken. */
    List<String> broken() {
        return broken;
    }

    int left() {
        return script.size();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            JsonNode request = Provider.JSON.readTree(exchange.getRequestBody());
            requests.add(request);
            List<String> found = provider.broken(request);
            broken.addAll(found);
            Reply reply = found.isEmpty() ? script.poll() : Reply.refusal(400);
            if (reply == null) {
                broken.add("asked more often than the test expected: " + request);
                reply = Reply.refusal(400);
            }
            boolean streamed = provider.isStreamed(exchange.getRequestURI().getPath(), request);
            if (!reply.isMessage()) {
                send(exchange, reply.status(), "application/json", provider.refusal("refused: " + found));
            } else if (streamed) {
                send(exchange, 200, provider.streamType(), provider.stream(reply));
            } else {
                send(exchange, 200, "application/json", provider.whole(reply));
            }
        } catch (IOException | RuntimeException e) {
            broken.add(e.toString());
            throw e;
        }
    }

    private static void send(HttpExchange exchange, int status, String type, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(status, bytes.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }

    @Override
    public void close() {
        http.stop(0);
    }
}
