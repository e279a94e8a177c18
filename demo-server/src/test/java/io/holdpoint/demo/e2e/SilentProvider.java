package io.holdpoint.demo.e2e;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** A model behind OpenAI's API that thinks for as long as the test wants, and keeps no thread meanwhile. */
final class SilentProvider implements AutoCloseable {

    private static final int BACKLOG = 1_000;
    private static final byte[] ANSWER = """
            data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"silent","choices":[{"index":0,"delta":{"role":"assistant","content":"At last."},"finish_reason":null}]}

            data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"silent","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}

            data: [DONE]

            """.getBytes(StandardCharsets.UTF_8);

    private final HttpServer http;
    private final BlockingQueue<HttpExchange> asked = new LinkedBlockingQueue<>();

    SilentProvider() throws IOException {
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
        http.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            asked.add(exchange);
        });
        http.start();
    }

    /** What makes the demo ask it. */
    Map<String, String> environment() {
        return Map.of(
                "OPENAI_API_KEY",
                "none",
                "OPENAI_BASE_URL",
                "http://127.0.0.1:" + http.getAddress().getPort() + "/v1");
    }

    /** The next request; waits for it. */
    HttpExchange next() throws InterruptedException {
        return asked.take();
    }

    static void answer(HttpExchange request) throws IOException {
        request.getResponseHeaders().set("Content-Type", "text/event-stream");
        request.sendResponseHeaders(200, ANSWER.length);
        request.getResponseBody().write(ANSWER);
        request.close();
    }

    @Override
    public void close() {
        http.stop(0);
    }
}
