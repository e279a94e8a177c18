package io.holdpoint.demo.e2e;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.holdpoint.demo.e2e.OpenAiReply.Assistant;
import io.holdpoint.demo.e2e.OpenAiReply.Script;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * OpenAI's {@code POST /v1/chat/completions} on loopback: answers from a script in order, streamed or whole as the request
 * asks, records every request, and refuses what OpenAI would refuse. During an outage every request gets the same error
 * status and the script stays where it is. Safe for concurrent use.
 */
final class FakeOpenAiServer implements AutoCloseable {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final HttpServer http;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final long seed;
    private final Queue<Script> script = new ConcurrentLinkedQueue<>();
    private final List<JsonNode> requests = new CopyOnWriteArrayList<>();
    private final List<String> violations = new CopyOnWriteArrayList<>();
    private final AtomicInteger replies = new AtomicInteger();
    private volatile Optional<OpenAiReply.Failure> outage = Optional.empty();

    private FakeOpenAiServer(HttpServer http, long seed) {
        this.http = http;
        this.seed = seed;
    }

    /** Starts on a free port. {@code seed} decides where streamed texts are cut. */
    static FakeOpenAiServer start(long seed) throws IOException {
        HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        FakeOpenAiServer server = new FakeOpenAiServer(http, seed);
        http.setExecutor(server.threads);
        http.createContext("/", server::handle);
        http.start();
        return server;
    }

    /** The base URL to configure, ending in {@code /v1}. */
    String baseUrl() {
        return "http://127.0.0.1:" + http.getAddress().getPort() + "/v1";
    }

    /** Appends replies to the script. */
    FakeOpenAiServer then(OpenAiReply... next) {
        for (OpenAiReply reply : next) {
            script.add(request -> reply);
        }
        return this;
    }

    /** Appends a reply that depends on the request it answers. */
    FakeOpenAiServer then(Script next) {
        script.add(next);
        return this;
    }

    /** Forgets the script, and what was asked. */
    void startOver() {
        recover();
        script.clear();
        requests.clear();
        violations.clear();
    }

    void breakDown(int status) {
        outage = Optional.of(new OpenAiReply.Failure(status));
    }

    void recover() {
        outage = Optional.empty();
    }

    /** Every well-formed request body, refused ones included, in order of arrival. */
    List<JsonNode> requests() {
        return List.copyOf(requests);
    }

    /** Why requests were refused with status 400. */
    List<String> violations() {
        return List.copyOf(violations);
    }

    @Override
    public void close() {
        http.stop(0);
        threads.shutdownNow();
    }

    private void handle(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        String authorization = exchange.getRequestHeaders().getFirst("Authorization");
        if (!exchange.getRequestMethod().equals("POST")
                || !exchange.getRequestURI().getPath().equals("/v1/chat/completions")) {
            sendError(exchange, 404, "Invalid URL");
        } else if (authorization == null || !authorization.startsWith("Bearer ")) {
            sendError(exchange, 401, "You didn't provide an API key.");
        } else {
            answer(exchange, body);
        }
    }

    private void answer(HttpExchange exchange, byte[] body) throws IOException {
        JsonNode request;
        try {
            request = MAPPER.readTree(body);
        } catch (JsonProcessingException e) {
            violations.add("not JSON");
            sendError(exchange, 400, "We could not parse the JSON body of your request.");
            return;
        }
        requests.add(request);
        Optional<String> violation = OpenAiRequestRules.firstViolation(request);
        if (violation.isPresent()) {
            violations.add(violation.get());
            sendError(exchange, 400, violation.get());
        } else {
            send(exchange, request, nextReply(request));
        }
    }

    private OpenAiReply nextReply(JsonNode request) {
        if (outage.isPresent()) {
            return outage.get();
        }
        Script next = script.poll();
        if (next == null) {
            violations.add("nothing scripted for request " + requests.size());
            return new OpenAiReply.Failure(500);
        }
        return next.answer(request);
    }

    private void send(HttpExchange exchange, JsonNode request, OpenAiReply reply) throws IOException {
        if (reply instanceof OpenAiReply.Failure failure) {
            sendError(exchange, failure.status(), "Scripted failure");
            return;
        }
        int number = replies.incrementAndGet();
        String model = request.path("model").asText();
        OpenAiWire wire = new OpenAiWire(seed + number, "chatcmpl-" + number, model);
        if (reply instanceof OpenAiReply.Stalled stalled) {
            stall(exchange, wire.chunks(stalled.message(), false), stalled);
            return;
        }
        if (reply instanceof OpenAiReply.Frames raw) {
            sendFrames(exchange, raw.frames());
            return;
        }
        boolean cut = reply instanceof OpenAiReply.Cut;
        Assistant message = reply instanceof OpenAiReply.Cut half ? half.message() : (Assistant) reply;
        if (request.path("stream").asBoolean()) {
            boolean usage = request.at("/stream_options/include_usage").asBoolean();
            stream(exchange, wire.chunks(message, usage), cut);
        } else {
            sendBody(exchange, 200, MAPPER.writeValueAsBytes(wire.completion(message)), cut);
        }
    }

    private static void stream(HttpExchange exchange, List<ObjectNode> chunks, boolean cut) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream; charset=utf-8");
        exchange.sendResponseHeaders(200, 0);
        OutputStream out = exchange.getResponseBody();
        for (ObjectNode chunk : cut ? chunks.subList(0, chunks.size() / 2) : chunks) {
            write(out, "data: " + MAPPER.writeValueAsString(chunk) + "\n\n");
        }
        breakConnectionIf(cut);
        write(out, "data: [DONE]\n\n");
        exchange.close();
    }

    private static void sendFrames(HttpExchange exchange, List<String> frames) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream; charset=utf-8");
        exchange.sendResponseHeaders(200, 0);
        for (String frame : frames) {
            write(exchange.getResponseBody(), frame + "\n\n");
        }
        exchange.close();
    }

    /** Whoever has broken the connection off is noticed by what is written meanwhile. */
    private static void stall(HttpExchange exchange, List<ObjectNode> chunks, OpenAiReply.Stalled stalled)
            throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream; charset=utf-8");
        exchange.sendResponseHeaders(200, 0);
        OutputStream out = exchange.getResponseBody();
        int half = chunks.size() / 2;
        for (ObjectNode chunk : chunks.subList(0, half)) {
            write(out, "data: " + MAPPER.writeValueAsString(chunk) + "\n\n");
        }
        try {
            while (!stalled.goOn().await(20, TimeUnit.MILLISECONDS)) {
                write(out, ": still here\n\n");
            }
        } catch (IOException e) {
            stalled.brokenOff().countDown();
            throw e;
        } catch (InterruptedException e) {
            throw new InterruptedIOException("the server is closed");
        }
        for (ObjectNode chunk : chunks.subList(half, chunks.size())) {
            write(out, "data: " + MAPPER.writeValueAsString(chunk) + "\n\n");
        }
        write(out, "data: [DONE]\n\n");
        exchange.close();
    }

    private static void sendBody(HttpExchange exchange, int status, byte[] body, boolean cut) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body, 0, cut ? body.length / 2 : body.length);
        exchange.getResponseBody().flush();
        breakConnectionIf(cut);
        exchange.close();
    }

    /** The JDK's server closes the connection, leaving the body unfinished, when a handler fails. */
    private static void breakConnectionIf(boolean cut) throws IOException {
        if (cut) {
            throw new IOException("scripted cut of the connection");
        }
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    private static void sendError(HttpExchange exchange, int status, String message) throws IOException {
        String type = status == 429 ? "requests" : status >= 500 ? "server_error" : "invalid_request_error";
        String code = status == 401 ? "invalid_api_key" : status == 429 ? "rate_limit_exceeded" : null;
        sendBody(exchange, status, MAPPER.writeValueAsBytes(OpenAiWire.error(message, type, code)), false);
    }
}
