package io.holdpoint.bench;

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
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The same over HTTP on loopback, beside bare Javalin that has the answers already; clients and server share machine and
 * process.
 */
final class Http {

    private static final int DELTAS = 2_000;
    private static final int REMEMBERED = 5_000;

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

    /** What the agent answers a message and an approval: the baseline answers the same. */
    private volatile byte[] held = {};

    private volatile byte[] approved = {};
    private final List<byte[]> recorded = new ArrayList<>();
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
                    config.routes.post("/canned", ctx -> ctx.contentType("text/event-stream")
                            .result(ctx.body().contains("resume") ? approved : held));
                    config.routes.post("/flushed", ctx -> replay(ctx, true));
                    config.routes.post("/whole", ctx -> replay(ctx, false));
                })
                .start("127.0.0.1", 0);
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
                        new Pair(http.with(kind, clients, http::cycle), http.with(kind, clients, http::canned))
                                .row(
                                        "hold + resume over HTTP, " + clients + (bare ? " bare" : "") + " client"
                                                + (clients == 1 ? "" : "s"),
                                        "bare Javalin, the same frames",
                                        hot ? 5_000 : 20_000,
                                        4_000,
                                        bare ? "" : "the JDK's HttpClient"));
                hot = true;
            }
        }
    }

    static void cold() throws Exception {
        Http http = ofCycles();
        System.out.println(new Pair(
                        http.with(BenchClient.Jdk::new, 1, http::cycle),
                        http.with(BenchClient.Jdk::new, 1, http::canned))
                .cold(
                        "first 1,000 cycles over HTTP, 1 client",
                        "bare Javalin, first 1,000",
                        1_000,
                        "without the start of JVM and server"));
    }

    static void streams() throws Exception {
        Http http = new Http(new Talkative());
        try (BenchClient client = new BenchClient.Bare(http.server.port())) {
            String body = new String(http.talk(client), StandardCharsets.ISO_8859_1);
            for (String frame : body.split("(?<=\n\n)")) {
                http.recorded.add(frame.getBytes(StandardCharsets.ISO_8859_1));
            }
        }
        for (String other : new String[] {"flushed", "whole"}) {
            System.out.println(new Pair(
                            http.with(BenchClient.Bare::new, 1, http::talk),
                            http.with(BenchClient.Bare::new, 1, client -> client.post("/" + other, "{}")))
                    .row(
                            "streams of 2,000 deltas over HTTP",
                            "bare Javalin, same frames, "
                                    + (other.equals("whole") ? "written as it likes" : "each flushed"),
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
        byte[] done = client.post("/agent", thread + answer(events.substring(start, events.indexOf('"', start))));
        if (!new String(done, StandardCharsets.ISO_8859_1).contains("\"content\":\"sent\"")) {
            throw new IllegalStateException(new String(done, StandardCharsets.ISO_8859_1));
        }
        if (held.length == 0) {
            held = first;
            approved = done;
        }
        return done;
    }

    private static String answer(String interruptId) {
        return "],\"resume\":[{\"interruptId\":\"" + interruptId
                + "\",\"status\":\"resolved\",\"payload\":{\"approved\":true}}]}";
    }

    /** Two requests of the same size. */
    private byte[] canned(BenchClient client) throws IOException {
        String thread = begin();
        client.post("/canned", thread + "{\"id\":\"m\",\"role\":\"user\",\"content\":\"Write to Ada\"}]}");
        return client.post("/canned", thread + answer("itr_0123456789abcdef0123456789abcdef"));
    }

    private byte[] talk(BenchClient client) throws IOException {
        return client.post("/agent", begin() + "{\"id\":\"m\",\"role\":\"user\",\"content\":\"Talk\"}]}");
    }

    private void replay(Context ctx, boolean flushed) throws IOException {
        ctx.res().setContentType("text/event-stream");
        OutputStream out = ctx.res().getOutputStream();
        for (byte[] frame : recorded) {
            out.write(frame);
            if (flushed) {
                out.flush();
            }
        }
    }
}
