package io.holdpoint.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdpoint.AskedQuestion;
import io.holdpoint.Caller;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.follow.Follow;
import io.holdpoint.follow.Inbox;
import io.holdpoint.store.InMemoryStore;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Clients of 2026-07-28 at the other end of two streams, as those have who start the program. */
class NewEraTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String APPROVES = NewEraClient.says("approve");
    private static final Map<String, Object> A = Map.of("text", "a");

    private final Notes notes = new Notes();
    private volatile Instant now = Instant.now();
    private final Clock clock = ((InstantSource) () -> now).withZone(ZoneOffset.UTC);
    private McpGateway gateway;
    private NewEraClient client;

    private void open(String more) throws Exception {
        String yaml = "servers: { notes: { command: notes } }\nwait: PT0S\nelicit: true\n" + more;
        gateway = new McpGateway(
                ConfigReader.read("gateway.yml", yaml, Map.of()),
                new InMemoryStore(),
                "http://127.0.0.1/",
                clock,
                server -> notes::start);
        client = new NewEraClient(gateway::serve);
    }

    @AfterEach
    void close() {
        gateway.close();
    }

    private List<AskedQuestion> questions() {
        return Follow.of(gateway.agent().as(Caller.of("grace")))
                .inbox(Inbox.Scope.ACCESSIBLE, Optional.empty(), 50)
                .items();
    }

    private JsonNode asks() throws Exception {
        JsonNode asked = client.call("write", A, Optional.empty(), "");
        assertThat(asked.path("resultType").asText()).as(asked.toString()).isEqualTo("input_required");
        return asked;
    }

    private JsonNode answers(JsonNode asked, String answer) throws Exception {
        return client.call("write", A, Optional.of(asked), answer);
    }

    @Test
    void isAskedByItsResultAndTheCallRunsOnce() throws Exception {
        open("policies: [ { tools: notes.write } ]");
        JsonNode asked = asks();
        assertThat(asked.at("/inputRequests/question/params/message").asText())
                .contains("notes.write {\"text\":\"a\"}");
        assertThat(asked.path("requestState").asText())
                .doesNotContain(questions().get(0).interrupt().id());
        assertThat(notes.written).isEmpty();

        assertThat(NewEraClient.text(answers(asked, APPROVES))).contains("wrote a");
        assertThat(NewEraClient.text(answers(asked, APPROVES))).contains("has not been made again", "wrote a");
        assertThat(notes.written).containsExactly("write a");
    }

    @Test
    void whoDeclinesTheFormHasDenied() throws Exception {
        open("policies: [ { tools: notes.write } ]");

        assertThat(NewEraClient.text(answers(asks(), "{\"action\":\"decline\"}")))
                .contains("declined");
        assertThat(questions()).isEmpty();
        assertThat(notes.written).isEmpty();
    }

    /** A hundred calls may wait, and one that has failed does not. */
    @Test
    void answersThatAreNoneKeepNobodyElseFromBeingAsked() throws Exception {
        open("policies: [ { tools: notes.write } ]");
        JsonNode asked = asks();
        for (int i = 0; i <= HeldCalls.MOST_WAITING; i++) {
            assertThat(NewEraClient.text(answers(asked, "{\"action\":\"agree\"}")))
                    .contains("Not run yet");
        }

        asks();
        assertThat(NewEraClient.text(answers(asked, APPROVES))).contains("wrote a");
    }

    /** It finds out which era the program is of, and may then still go back to sessions. */
    @Test
    void whoAsksWhatIsSpokenIsTold() throws Exception {
        open("policies: [ { tools: notes.write } ]");
        String discover =
                "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"server/discover\",\"params\":{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":"
                        + "\"2026-07-28\",\"io.modelcontextprotocol/clientInfo\":{\"name\":\"modern\",\"version\":\"1\"},"
                        + "\"io.modelcontextprotocol/clientCapabilities\":{}}}}";
        JsonNode told = JSON.readTree(((NewEraClient.Streams) client.wire()).send(discover));

        assertThat(told.at("/result/supportedVersions").findValuesAsText("").toString() + told)
                .contains("2026-07-28", "holdpoint-gateway");
    }

    @Test
    void aStateThatIsOlderThanAnHourRunsNothingAndTheCallIsAskedAboutAgain() throws Exception {
        open("policies: [ { tools: notes.write } ]");
        JsonNode asked = asks();
        now = now.plus(Duration.ofMinutes(61));

        assertThat(answers(asked, APPROVES).at("/error/message").asText()).contains("expired requestState");
        assertThat(notes.written).isEmpty();
        assertThat(questions()).hasSize(1);
        assertThat(NewEraClient.text(answers(asks(), APPROVES))).contains("wrote a");
        assertThat(notes.written).containsExactly("write a");
    }

    @Test
    void anAnswerAfterTheTimeOfTheQuestionIsToldSoAndRunsNothing() throws Exception {
        open("policies: [ { tools: notes.write, expiresAfter: PT1S } ]");
        JsonNode asked = asks();
        while (!questions().isEmpty()) {
            LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
        }

        String told = "Not known yet";
        while (told.startsWith("Not known yet")) { // the server looks at what is due from time to time
            told = NewEraClient.text(answers(asked, APPROVES));
        }
        assertThat(told).contains("was not executed", "time");
        assertThat(notes.written).isEmpty();
    }

    @Test
    void whereThePageKnowsItsPeopleItsUserIsSentToThePage() throws Exception {
        open("policies: [ { tools: notes.write } ]\npage: { people: { grace: { token: token-of-grace-0123 } } }");

        JsonNode told = client.call("write", A, Optional.empty(), "");
        assertThat(NewEraClient.text(told)).contains("Not run yet", "http://127.0.0.1/");
        NewEraClient shows = new NewEraClient(client.wire(), "modern", "{\"elicitation\":{\"form\":{},\"url\":{}}}");
        JsonNode asked = shows.call("write", A, Optional.empty(), "");
        assertThat(asked.at("/inputRequests/question/params/url").asText()).isEqualTo("http://127.0.0.1/");
        assertThat(NewEraClient.text(shows.call("write", A, Optional.of(asked), APPROVES)))
                .contains("Not run yet");
        assertThat(notes.written).isEmpty();
        assertThat(questions())
                .extracting(AskedQuestion::interrupt)
                .hasOnlyElementsOfType(PendingInterrupt.Approval.class);
    }

    @Test
    void whatIsNoMessageIsRefusedAndStopsNothing() throws Exception {
        open("policies: [ { tools: notes.write } ]");

        assertThat(((NewEraClient.Streams) client.wire()).send("hello")).contains("-32700");
        asks();
    }
}
