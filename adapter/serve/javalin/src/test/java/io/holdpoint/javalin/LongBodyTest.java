package io.holdpoint.javalin;

import static io.holdpoint.testing.Bench.THREAD;
import static io.holdpoint.testing.Bench.user;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.Caller;
import io.holdpoint.Limits;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Message;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Store.Lease;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.TestServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients send the whole conversation with every input. */
class LongBodyTest {

    private static final String SAID = "x".repeat(600);

    private static final String HEADERS =
            "POST /agent HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n";

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
    void aConversationThatIsTooLongIsRefusedAndNothingOfItIsTaken() throws Exception {
        List<Message> said = known(10);
        int known = said.size();
        for (int i = 0; i < 100; i++) {
            said.add(user("u" + i, SAID));
        }
        try (TestServer small = new TestServer(bench.agent(), agui -> agui.maxBodyBytes(40_000))) {
            refused(small.post(with(said, user("new", "Hi"))), 413, "BODY_TOO_LARGE");
        }
        assertThat(bench.transcript()).hasSize(known);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 15000000\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\ne4e1c0\r\n"})
    void aClientThatReadsOnlyWhenItHasSentEverythingIsTold(String length) {
        String end = length.contains("chunked") ? "\r\n0\r\n\r\n" : "";
        try (TestServer small = new TestServer(bench.agent(), agui -> agui.maxBodyBytes(8_000_000))) {
            assertThat(small.raw(HEADERS + length + "x".repeat(15_000_000) + end))
                    .startsWith("HTTP/1.1 413")
                    .contains("BODY_TOO_LARGE");
        }
    }

    @Test
    void moreMessagesThanAreTakenAreRefused() throws Exception {
        List<Message> said = new ArrayList<>();
        for (int i = 0; i <= Limits.DEFAULT.messages(); i++) {
            said.add(user("u" + i, "Hi"));
        }

        refused(server.post(with(said)), 400, "INPUT_INVALID");
    }

    @Test
    void theLimitHoldsForABodyThatAnAuthenticatorHasRead() throws Exception {
        Authenticator reading = request -> request.body().isEmpty() ? Optional.empty() : Optional.of(Caller.ANONYMOUS);
        try (TestServer small =
                new TestServer(bench.agent(), agui -> agui.maxBodyBytes(10_000).authenticator(reading))) {
            refused(small.post(with(List.of(), user("new", "x".repeat(20_000)))), 413, "BODY_TOO_LARGE");
            bench.model.says("Fine.");

            assertThat(small.post(with(List.of(), user("new", "x".repeat(8_000))))
                            .statusCode())
                    .isEqualTo(200);
        }
    }
}
