package io.holdpoint.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import io.holdpoint.Holdpoint;
import io.holdpoint.javalin.AgUiPlugin;
import io.javalin.Javalin;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The same over HTTP on loopback, beside the least that a program of one's own would do: read the input by Jackson, hold the
 * call on a thread of a pool, write the same events by Jackson. Clients and server share machine and process.
 */
final class Http {

    private static final int DELTAS = 2_000;
    private static final int COUNTED = 4_000;
    private static final int REMEMBERED = 5_000;

    private static final String MINIMAL = "Javalin, Jackson and a minimal gate";

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final byte[] DATA = "data: ".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] END = "\n\n".getBytes(StandardCharsets.US_ASCII);

    private static final String ID = "\"interrupts\":[{\"id\":\"";

    /** Says a lot, one word after another. */
    private static final class Talkative implements StreamingChatModel {

        @Override
        public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
            for (int i = 0; i < DELTAS; i++) {
                handler.onPartialResponse("some ");
            }
            handler.onCompleteResponse(ChatResponse.builder()
                    .aiMessage(AiMessage.from("some ".repeat(DELTAS)))
                    .build());
        }
    }

    private final ForgetfulStore store = new ForgetfulStore();
    private final AtomicInteger threads = new AtomicInteger();
    /** The number of threads that the store does not know any more; agents remember their names. */
    private int forgotten;

    /** The events that the agent answers a message, an approval and a request to talk with: the baselines write the same. */
    private volatile List<JsonNode> held = List.of();

    private volatile List<JsonNode> approved = List.of();
    private volatile List<JsonNode> talked = List.of();
    private final Latencies resumes = new Latencies();
    private final Latencies minimalResumes = new Latencies();
    private final MinimalGate gate = new MinimalGate();
    private final ExecutorService pool = Executors.newCachedThreadPool();
    private final Javalin server;

    private Http(StreamingChatModel model) {
        Holdpoint agent = Holdpoint.builder(BenchServices.Streaming.class)
                .streamingChatModel(model)
                .chatMemoryProvider(BenchServices.MEMORIES)
                .tools(new BenchTools.Gated())
                .store(store.asStore())
                .build();
        server = Javalin.create(config -> {
                    config.startup.showJavalinBanner = false;
                    config.registerPlugin(new AgUiPlugin(agui -> agui.agent(agent)));
                    config.routes.post("/minimal", ctx -> {
                        JsonNode input = MAPPER.readTree(ctx.bodyInputStream());
                        ctx.future(() -> CompletableFuture.runAsync(
                                () -> write(ctx, gate.run(input) ? held : approved, false), pool));
                    });
                    config.routes.post("/flushed", ctx -> write(ctx, talked, true));
                    config.routes.post("/unflushed", ctx -> write(ctx, talked, false));
                })
                .start("127.0.0.1", 0);
    }

    /** Cycles of eight clients, of the agent or of the minimal gate. */
    static Pair.Cycles ofEight(boolean agent) throws IOException {
        Http http = ofCycles();
        return http.with(BenchClient.Bare::new, 8, agent ? http::cycle : http::minimal);
    }

    private static Http ofCycles() throws IOException {
        Http http = new Http(BenchModel.calling("sendEmail", BenchTools.Gated.ARGUMENTS, 0));
        try (BenchClient client = new BenchClient.Bare(http.server.port())) {
            http.cycle(client);
        }
        return http;
    }

    static void cycles() throws Exception {
        Http http = ofCycles();
        boolean hot = false;
        for (boolean bare : new boolean[] {false, true}) {
            BenchClient.Kind kind = bare ? BenchClient.Bare::new : BenchClient.Jdk::new;
            for (int clients : new int[] {1, 8, 64}) {
                System.out.println(
                        new Pair(http.with(kind, clients, http::cycle), http.with(kind, clients, http::minimal))
                                .row(
                                        "hold + resume over HTTP, " + clients + (bare ? " bare" : "") + " client"
                                                + (clients == 1 ? "" : "s"),
                                        MINIMAL,
                                        hot ? 5_000 : 50_000,
                                        COUNTED,
                                        () -> http.resumes(bare ? "" : "the JDK's HttpClient; ")));
                hot = true;
            }
        }
    }

    private String resumes(String note) {
        int counted = Pair.PASSES * Scale.of(COUNTED);
        return note + "p99 of a resume " + resumes.p99(counted) + ", of the baseline " + minimalResumes.p99(counted)
                + " ms";
    }

    static void cold() throws Exception {
        Http http = ofCycles();
        System.out.println(new Pair(
                        http.with(BenchClient.Jdk::new, 1, http::cycle),
                        http.with(BenchClient.Jdk::new, 1, http::minimal))
                .cold(
                        "first 1,000 cycles over HTTP, 1 client",
                        MINIMAL + ", first 1,000",
                        1_000,
                        "without the start of JVM and server"));
    }

    static void streams() throws Exception {
        Http http = new Http(new Talkative());
        try (BenchClient client = new BenchClient.Bare(http.server.port())) {
            http.talked = events(http.talk(client));
        }
        for (String other : new String[] {"flushed", "unflushed"}) {
            System.out.println(new Pair(
                            http.with(BenchClient.Bare::new, 1, http::talk),
                            http.with(BenchClient.Bare::new, 1, client -> client.post("/" + other, "{}")))
                    .row(
                            "streams of 2,000 deltas over HTTP",
                            "Javalin, each event by Jackson, " + other,
                            3_000,
                            300,
                            "x 2,000 = events a second"));
        }
    }

    /** A request, or a few that belong together. */
    private interface Exchange {
        byte[] with(BenchClient client) throws IOException;
    }

    private Pair.Cycles with(BenchClient.Kind kind, int clients, Exchange exchange) {
        return count -> {
            if (threads.get() - forgotten > REMEMBERED) {
                forgotten = threads.get();
                store.forget();
            }
            ExecutorService pool = Executors.newFixedThreadPool(clients);
            try {
                List<Callable<Void>> work = new ArrayList<>();
                for (int i = 0; i < clients; i++) {
                    work.add(() -> repeat(kind, exchange, Math.max(1, count / clients)));
                }
                for (Future<Void> done : pool.invokeAll(work)) {
                    done.get();
                }
            } finally {
                pool.shutdown();
            }
        };
    }

    private Void repeat(BenchClient.Kind kind, Exchange exchange, int count) throws IOException {
        try (BenchClient client = kind.connect(server.port())) {
            for (int i = 0; i < count; i++) {
                exchange.with(client);
            }
        }
        return null;
    }

    private String begin() {
        return "{\"threadId\":\"thread-" + threads.incrementAndGet() + "\",\"runId\":\"r\",\"messages\":[";
    }

    private byte[] cycle(BenchClient client) throws IOException {
        String thread = begin();
        byte[] first =
                client.post("/agent", thread + "{\"id\":\"m\",\"role\":\"user\",\"content\":\"Write to Ada\"}]}");
        String events = new String(first, StandardCharsets.ISO_8859_1);
        int start = events.indexOf(ID) + ID.length();
        String answer = thread + answer(events.substring(start, events.indexOf('"', start)));
        byte[] done = resumes.of(() -> client.post("/agent", answer));
        if (!new String(done, StandardCharsets.ISO_8859_1).contains("\"content\":\"sent\"")) {
            throw new IllegalStateException(new String(done, StandardCharsets.ISO_8859_1));
        }
        if (held.isEmpty()) {
            held = events(first);
            approved = events(done);
        }
        return done;
    }

    private static String answer(String interruptId) {
        return "],\"resume\":[{\"interruptId\":\"" + interruptId
                + "\",\"status\":\"resolved\",\"payload\":{\"approved\":true}}]}";
    }

    /** Two requests of the same size. */
    private byte[] minimal(BenchClient client) throws IOException {
        String thread = begin();
        client.post("/minimal", thread + "{\"id\":\"m\",\"role\":\"user\",\"content\":\"Write to Ada\"}]}");
        String answer = thread + answer("itr_0123456789abcdef0123456789abcdef");
        return minimalResumes.of(() -> client.post("/minimal", answer));
    }

    private byte[] talk(BenchClient client) throws IOException {
        return client.post("/agent", begin() + "{\"id\":\"m\",\"role\":\"user\",\"content\":\"Talk\"}]}");
    }

    private static List<JsonNode> events(byte[] stream) throws IOException {
        List<JsonNode> events = new ArrayList<>();
        for (String frame : new String(stream, StandardCharsets.UTF_8).split("\n\n")) {
            events.add(MAPPER.readTree(frame.substring(frame.indexOf('{'))));
        }
        return events;
    }

    private static void write(Context ctx, List<JsonNode> events, boolean flushed) {
        try {
            ctx.res().setContentType("text/event-stream");
            OutputStream out = ctx.res().getOutputStream();
            for (JsonNode event : events) {
                out.write(DATA);
                out.write(MAPPER.writeValueAsBytes(event));
                out.write(END);
                if (flushed) {
                    out.flush();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
