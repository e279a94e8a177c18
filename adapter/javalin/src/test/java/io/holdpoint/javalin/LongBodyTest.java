package io.holdpoint.javalin;

import static io.holdpoint.testing.Bench.THREAD;
import static io.holdpoint.testing.Bench.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdpoint.Caller;
import io.holdpoint.Limits;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.AguiFormatException;
import io.holdpoint.agui.LongInput;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Store.Lease;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.TestServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Clients send the whole conversation with every input: what the server knows already does not count. */
class LongBodyTest {

    private static final String SAID = "x".repeat(600);

    private final Bench bench = new Bench();
    private final TestServer server = new TestServer(bench.agent(), agui -> {});

    @AfterEach
    void stop() {
        server.close();
    }

    /** A thread on which much was said; returns its transcript. */
    private List<Message> known(int messages) {
        bench.model.says("Hello.");
        bench.say("Hi");
        Instant now = bench.clock.instant();
        Lease lease = bench.store
                .acquire(THREAD, "r", "ada", now, now.plusSeconds(30))
                .orElseThrow();
        List<Message> said = new ArrayList<>();
        for (int i = 0; i < messages / 2; i++) {
            said.add(user("user-" + i, SAID));
            said.add(new Message.Assistant("assistant-" + i, SAID, List.of()));
        }
        bench.store.commit(lease, Commit.empty().append(said), now);
        bench.store.release(lease);
        return new ArrayList<>(bench.transcript());
    }

    private String with(List<Message> known, Message... more) {
        List<Message> all = new ArrayList<>(known);
        all.addAll(List.of(more));
        return AguiCodec.write(bench.input(user("unused", "")).withMessages(all));
    }

    private static void refused(HttpResponse<String> response, int status, String code) throws IOException {
        assertThat(response.statusCode()).isEqualTo(status);
        assertThat(AguiCodec.mapper().readTree(response.body()).path("code").asText())
                .isEqualTo(code);
    }

    @Test
    void fiveThousandKnownMessagesAndANewOne() {
        List<Message> known = known(5_000);
        bench.model.says("Fine.");
        String body = with(known, user("new", "How are you?"));
        assertThat(body.length()).isGreaterThan(3_000_000);

        assertThat(server.post(body).statusCode()).isEqualTo(200);

        List<Message> now = bench.transcript();
        assertThat(now).hasSize(known.size() + 2);
        assertThat(now.get(known.size())).isEqualTo(user("new", "How are you?"));
    }

    @Test
    void theSameWithoutAnAnnouncedLength() {
        byte[] body = with(known(5_000), user("new", "How are you?")).getBytes(StandardCharsets.UTF_8);
        bench.model.says("Fine.");

        HttpResponse<String> response =
                server.send(server.request().POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body))));

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(bench.transcript()).hasSize(5_004);
    }

    @Test
    void aLongHistoryOfAnUnknownThreadIsNotCutSilently() throws Exception {
        List<Message> said = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            said.add(user("u" + i, SAID));
        }

        refused(server.post(with(said, user("new", "Hi"))), 413, "BODY_TOO_LARGE");
        assertThat(bench.store.find(THREAD)).isEmpty();
    }

    @Test
    void theLimitHoldsForABodyThatAnAuthenticatorHasRead() throws Exception {
        List<Message> known = known(40);
        Authenticator reading = request -> request.body().isEmpty() ? Optional.empty() : Optional.of(Caller.ANONYMOUS);
        try (TestServer small =
                new TestServer(bench.agent(), agui -> agui.maxBodyBytes(10_000).authenticator(reading))) {
            refused(small.post(with(List.of(), user("new", "x".repeat(20_000)))), 413, "BODY_TOO_LARGE");
            bench.model.says("Fine.");

            assertThat(small.post(with(known, user("new", "Hi"))).statusCode()).isEqualTo(200);
        }
        assertThat(bench.transcript()).hasSize(known.size() + 2);
    }

    @Test
    void newMessagesThatAreTooLongTogetherAreRefused() throws Exception {
        List<Message> said = known(10);
        for (int i = 0; i < 2_000; i++) {
            said.add(user("u" + i, SAID));
        }

        refused(server.post(with(said, user("new", "Hi"))), 413, "BODY_TOO_LARGE");
        assertThat(bench.transcript()).hasSize(12);
    }

    @Test
    void resultsOfTheClientThatAreTooLongTogetherAreRefused() throws Exception {
        List<Message> said = known(10);
        for (int i = 0; i < 3; i++) {
            said.add(new Message.Tool("r" + i, "c" + i, new MessageContent.Text("y".repeat(600_000)), null));
        }

        refused(server.post(with(said)), 413, "BODY_TOO_LARGE");
    }

    /** Repeats a piece; nothing of it is kept here. */
    private static InputStream endless(String start, String piece, long times, String end) {
        byte[] bytes = piece.getBytes(StandardCharsets.UTF_8);
        AtomicLong left = new AtomicLong(times);
        InputStream middle = new InputStream() {
            private int at;

            @Override
            public int read() {
                if (at == bytes.length) {
                    at = 0;
                    left.decrementAndGet();
                }
                return left.get() <= 0 ? -1 : bytes[at++];
            }
        };
        return new SequenceInputStream(
                new SequenceInputStream(new ByteArrayInputStream(start.getBytes(StandardCharsets.UTF_8)), middle),
                new ByteArrayInputStream(end.getBytes(StandardCharsets.UTF_8)));
    }

    private static final String START = "{\"threadId\":\"t\",\"runId\":\"r\",\"messages\":[";

    private static final int MAX = 1_000_000;

    private static LongInput read(InputStream body) {
        return LongInput.read(body, MAX, Limits.DEFAULT.messages());
    }

    @Test
    void oneMessageOfFiftyMegabytes() {
        assertThatThrownBy(() -> read(endless(
                        START + "{\"id\":\"u\",\"role\":\"user\",\"content\":\"", "x".repeat(50), MAX, "\"}]}")))
                .isInstanceOf(LongInput.TooLongException.class);
    }

    @Test
    void aMillionMessages() {
        assertThatThrownBy(() ->
                        read(endless(START, "{\"id\":\"a\",\"role\":\"assistant\",\"content\":\"Hi\"},", MAX, "{}]}")))
                .hasMessageContaining("10000");
    }

    @Test
    void endlessWhitespace() {
        assertThatThrownBy(() -> read(endless(START, " ", Long.MAX_VALUE, "")))
                .isInstanceOf(LongInput.TooLongException.class);
        assertThatThrownBy(() -> read(endless(START + "]}", "\n", Long.MAX_VALUE, "")))
                .isInstanceOf(LongInput.TooLongException.class);
    }

    @Test
    void endlessFieldsBesidesTheMessages() {
        assertThatThrownBy(() -> read(endless("{\"state\":[", "[[1]],", Long.MAX_VALUE, "")))
                .isInstanceOf(LongInput.TooLongException.class);
        assertThatThrownBy(() -> read(endless("{\"state\":", "[", Long.MAX_VALUE, "")))
                .isInstanceOf(AguiFormatException.class);
    }

    @Test
    void whatFollowsTheInputIsRefusedAndSoIsAFieldThatComesTwice() {
        assertThatThrownBy(() -> read(endless(START + "]} {}", "", 0, ""))).isInstanceOf(AguiFormatException.class);
        assertThatThrownBy(() -> read(endless(START + "],\"messages\":[]}", "", 0, "")))
                .isInstanceOf(AguiFormatException.class);
    }

    @Test
    void aShortInputIsReadAsAlways() {
        RunAgentInput input = bench.input(user("u1", "Hi"));
        byte[] json = AguiCodec.write(input).getBytes(StandardCharsets.UTF_8);

        assertThat(read(new ByteArrayInputStream(json)).input()).isEqualTo(AguiCodec.readRunAgentInput(json));
        assertThat(read(new ByteArrayInputStream(json)).partial()).isFalse();
        byte[] wide = AguiCodec.write(input).getBytes(StandardCharsets.UTF_16BE);
        assertThat(read(new ByteArrayInputStream(wide)).input()).isEqualTo(input);
    }
}
