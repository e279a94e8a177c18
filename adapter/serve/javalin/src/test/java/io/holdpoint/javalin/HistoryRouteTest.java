package io.holdpoint.javalin;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static io.holdpoint.testing.Bench.PRESENTED;
import static io.holdpoint.testing.Bench.THREAD;
import static io.holdpoint.testing.Bench.user;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Event;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Store.Lease;
import io.holdpoint.store.TurnRecord;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.LiveModel;
import io.holdpoint.testing.StreamRules;
import io.holdpoint.testing.TestServer;
import io.holdpoint.testing.Threads;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The history and the inbox over real HTTP. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HistoryRouteTest {

    private static final String ASKED = "{\"threadId\":\"t\",\"runId\":\"look\"}";

    private final Threads threads = new Threads();
    private final LiveModel live = new LiveModel();
    private final Bench bench = new Bench();
    private final Holdpoint agent =
            bench.another(builder -> builder.streamingChatModel(live).executor(threads));
    private final TestServer server = new TestServer(agent, agui -> agui.maxBodyBytes(10_000)
            .authenticator(
                    request -> Optional.ofNullable(request.header("User")).map(Caller::of)));

    @AfterEach
    void stop() {
        threads.close();
        server.close();
    }

    private HttpResponse<String> history(String query, String body, String user) {
        return server.send(server.request("/agent/history" + query)
                .header("Content-Type", "application/json")
                .header("User", user)
                .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    private HttpResponse<String> interrupts(String query, String user) {
        return server.send(server.request("/agent/interrupts" + query).header("User", user));
    }

    private void hold(String user) {
        bench.model.calls(call("c1", "sendEmail", MAIL));
        bench.agent().as(Caller.of(user)).send(THREAD, "Go");
    }

    private static String code(HttpResponse<String> response) {
        return json(response).path("code").asText();
    }

    private static JsonNode json(HttpResponse<String> response) {
        try {
            return AguiCodec.mapper().readTree(response.body());
        } catch (IOException e) {
            throw new AssertionError(response.body(), e);
        }
    }

    private static List<String> types(List<Event> events) {
        return events.stream().map(Event::type).toList();
    }

    @Test
    void aThreadIsShownAsAStreamWhateverElseIsInTheBody() {
        hold("ada");

        for (String body : List.of(ASKED, AguiCodec.write(bench.input(user("u9", "New"))))) {
            HttpResponse<String> response = history("", body, "ada");
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.headers().firstValue("Content-Type").orElse("")).startsWith("text/event-stream");
            assertThat(types(TestServer.events(response))).isEqualTo(PRESENTED);
        }
        assertThat(bench.transcript()).hasSize(2);
    }

    @Test
    void aRunIsFollowedToItsEnd() throws Exception {
        var run = agent.as(Caller.of("ada")).run(bench.input(user("u1", "Hi")), event -> {});
        live.awaitAsked();
        live.says("Hel");
        var response = threads.submit(() -> history("?follow=true", ASKED, "ada"));
        live.says("lo.").ends();
        run.join();

        List<Event> events = TestServer.events(response.get());

        StreamRules.checkFollowed(events);
        assertThat(AguiCodec.toTree(events.get(events.size() - 1))
                        .at("/metadata/langchain4j/thread")
                        .asText())
                .isEqualTo("idle");
        assertThat(response.get().body()).contains("Hel").contains("lo.");
    }

    @Test
    void whatIsNoQuestionIsRefused() {
        hold("ada");

        assertThat(history("", "{", "ada").statusCode()).isEqualTo(400);
        assertThat(history("", "[]", "ada").statusCode()).isEqualTo(400);
        assertThat(history("", "", "ada").statusCode()).isEqualTo(400);
        assertThat(history("", "{\"threadId\":7,\"runId\":\"r\"}", "ada").statusCode())
                .isEqualTo(400);
        assertThat(history("", "{\"threadId\":\"t\"}", "ada").body()).contains("runId");
        assertThat(history("", "{\"threadId\":\"\",\"runId\":\"r\"}", "ada").statusCode())
                .isEqualTo(400);
        assertThat(history("", " ".repeat(10_001), "ada").statusCode()).isEqualTo(413);
        assertThat(server.send(server.request("/agent/history")
                                .header("User", "ada")
                                .POST(HttpRequest.BodyPublishers.ofString(ASKED)))
                        .statusCode())
                .isEqualTo(415);
        assertThat(server.send(server.request("/agent/history")
                                .header("Content-Type", "application/json")
                                .POST(HttpRequest.BodyPublishers.ofString(ASKED)))
                        .statusCode())
                .isEqualTo(401);
    }

    @Test
    void aThreadOfSomebodyElseIsTheSameAsNone() {
        HttpResponse<String> unknown = history("", ASKED, "grace");
        hold("ada");

        assertThat(unknown.statusCode()).isEqualTo(200);
        assertThat(unknown.body()).contains("\"messages\":[]").doesNotContain("interrupt");
        for (String query : List.of("", "?follow=true")) {
            HttpResponse<String> foreign = history(query, ASKED, "grace");
            assertThat(foreign.statusCode()).isEqualTo(200);
            assertThat(foreign.body()).isEqualTo(unknown.body());
        }
    }

    @Test
    void theInboxListsOpenInterruptsInPages() {
        hold("ada");

        JsonNode page = json(interrupts("?limit=1", "ada"));

        assertThat(page.path("interrupts")).hasSize(1);
        JsonNode item = page.path("interrupts").path(0);
        assertThat(item.path("threadId").asText()).isEqualTo("t");
        assertThat(item.path("owner").asText()).isEqualTo("ada");
        assertThat(item.path("askedAt").asText())
                .isEqualTo(bench.clock.instant().toString());
        assertThat(item.path("expired").asBoolean(true)).isFalse();
        assertThat(item.path("interrupt").path("id").asText())
                .isEqualTo(bench.agent()
                        .as(Caller.of("ada"))
                        .pending(THREAD)
                        .get(0)
                        .id());
        JsonNode next = json(interrupts("?limit=1&cursor=" + page.path("next").asText(), "ada"));
        assertThat(next.toString()).isEqualTo("{\"interrupts\":[]}");
        assertThat(json(interrupts("?threads=accessible", "grace")).path("interrupts"))
                .isEmpty();
    }

    @Test
    void theInboxHasTheThreadsOfRunsThatDied() {
        Instant died = bench.clock.instant().plusSeconds(1);
        Lease lease = bench.store
                .acquire("died", "r1", "ada", bench.clock.instant(), died)
                .orElseThrow();
        bench.store.commit(
                lease, Commit.empty().turn(new TurnRecord("u1", "{}", Set.of(), null)), bench.clock.instant());
        bench.clock.advance(Duration.ofHours(1));

        assertThat(json(interrupts("", "ada")).path("unfinished").toString())
                .isEqualTo("[{\"threadId\":\"died\",\"owner\":\"ada\",\"since\":\"" + died + "\"}]");
        assertThat(interrupts("", "grace").body()).isEqualTo("{\"interrupts\":[]}");
    }

    @Test
    void whatTheInboxCannotReadIsRefused() {
        for (Map.Entry<String, String> bad : Map.of(
                        "?limit=x", "limit", "?limit=0", "limit", "?cursor=x", "cursor", "?threads=all", "threads")
                .entrySet()) {
            HttpResponse<String> refused = interrupts(bad.getKey(), "ada");
            assertThat(refused.statusCode()).isEqualTo(400);
            assertThat(code(refused)).isEqualTo("INPUT_INVALID");
            assertThat(refused.body()).contains(bad.getValue());
        }
        assertThat(server.send(server.request("/agent/interrupts")).statusCode())
                .isEqualTo(401);
    }

    @Test
    void aQueryParameterThatThePathDoesNotKnowIsRefusedByItsName() {
        for (HttpResponse<String> refused :
                List.of(interrupts("?thread=accessible", "ada"), history("?folow=true", ASKED, "ada"))) {
            assertThat(refused.statusCode()).isEqualTo(400);
            assertThat(code(refused)).isEqualTo("INPUT_INVALID");
        }
        assertThat(interrupts("?limit=1&thread=accessible", "ada").body())
                .contains("thread: there is no such query parameter. This path knows: threads, cursor, limit.");
        assertThat(history("?folow=true", ASKED, "ada").body()).contains("folow", "This path knows: follow.");
    }

    @Test
    void aQueryParameterThatIsThereTwiceOrHasNoMeaningIsRefusedByItsName() {
        for (HttpResponse<String> refused : List.of(
                interrupts("?limit=1&limit=2", "ada"),
                interrupts("?limit=1&&limit=1", "ada"),
                history("?follow=true&follow=false", ASKED, "ada"),
                history("?follow=yes", ASKED, "ada"))) {
            assertThat(refused.statusCode()).as(refused.body()).isEqualTo(400);
            assertThat(code(refused)).isEqualTo("INPUT_INVALID");
            assertThat(refused.body()).containsPattern("(limit|follow): ");
        }
        assertThat(history("?follow=false", ASKED, "ada").statusCode()).isEqualTo(200);
    }
}
