package io.holdpoint.wire;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RunResult;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.AguiFormatException;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.store.RecordJson;
import io.holdpoint.store.jdbc.JdbcStore;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.TestDatabase;
import io.holdpoint.testing.TestServer;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers that a parser takes, and that cannot be read again once a database has them. */
class ExcessiveNumbersTest {

    /** Written as {@code 1.0E+2147483648}, which no parser takes. */
    private static final String ENDLESS = "10e2147483647";

    private final TestDatabase database = TestDatabase.sqlite();
    private final Bench bench = new Bench();
    private final Holdpoint agent = bench.another(builder -> builder.store(JdbcStore.create(database.dataSource())));
    private final TestServer server = new TestServer(agent, agui -> {});
    private PendingInterrupt asked;

    @BeforeEach
    void hold() {
        bench.model
                .calls(call("c1", "transferMoney", "{\"amount\":1,\"to\":\"Ada\"}"))
                .says("Done.");
        agent.send("t", "Pay");
        asked = agent.pending("t").get(0);
    }

    @AfterEach
    void close() {
        server.close();
        database.close();
    }

    private static String input(String fields) {
        return "{\"threadId\":\"t\",\"runId\":\"r\"," + fields + "}";
    }

    private void refused(String fields, String field) {
        HttpResponse<String> response = server.post(input(fields));

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.body()).contains(field + ": ", "1000 digits");
        assertThat(agent.pending("t")).containsExactly(asked);
        assertThat(agent.resume("t", asked.cancel())).isInstanceOf(RunResult.Completed.class);
    }

    @Test
    void inTheState() {
        refused("\"messages\":[],\"state\":{\"a\":[1," + ENDLESS + "]}", "state.a[1]");
    }

    @Test
    void inAMessage() {
        refused(
                "\"messages\":[{\"id\":\"m1\",\"role\":\"user\",\"content\":\"Pay\",\"metadata\":{\"a\":" + ENDLESS
                        + "}}]",
                "messages[0].metadata.a");
    }

    @Test
    void inWhatComesWithACancellation() {
        refused(
                "\"messages\":[],\"resume\":[{\"interruptId\":\"" + asked.id()
                        + "\",\"status\":\"cancelled\",\"metadata\":{\"a\":" + ENDLESS + "}}]",
                "resume[0].metadata.a");
    }

    @Test
    void inTheAnswerOfACancellation() {
        refused(
                "\"messages\":[],\"resume\":[{\"interruptId\":\"" + asked.id()
                        + "\",\"status\":\"cancelled\",\"payload\":" + ENDLESS + "}]",
                "resume[0].payload");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e99999999999", "1e2147483648", "0.1e-2147483648", "1e-2147483649", "1e1001", "1e-1001"})
    void areTheClientsMistake(String number) {
        HttpResponse<String> response = server.post(input("\"messages\":[],\"state\":" + number));

        assertThat(response.statusCode()).as(response.body()).isEqualTo(400);
    }

    @Test
    void areNotReadFromAnyEncoding() {
        String input = input("\"messages\":[],\"forwardedProps\":" + ENDLESS);

        assertThatThrownBy(() -> AguiCodec.readRunAgentInput(input))
                .isInstanceOf(AguiFormatException.class)
                .hasMessageStartingWith("forwardedProps: ");
        assertThatThrownBy(() -> AguiCodec.readRunAgentInput(input.getBytes(StandardCharsets.UTF_16)))
                .isInstanceOf(AguiFormatException.class)
                .hasMessageStartingWith("forwardedProps: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e1000", "1e-1000", "-1.7976931348623157e308", "4.9e-324", "18446744073709551616"})
    void thatAreNotExcessiveAreKeptAsTheyAre(String number) throws Exception {
        String state = "{\"n\":" + number + "}";

        assertThat(server.post(input("\"messages\":[],\"state\":" + state)).statusCode())
                .isEqualTo(200);
        assertThat(JdbcStore.open(database.dataSource()).find("t").orElseThrow().state())
                .contains(RecordJson.read(state, JsonNode.class));
    }

    @Test
    void thatComeFromJavaWithACancellationAreNotKept() throws Exception {
        ResumeEntry cancellation = new ResumeEntry(
                asked.id(),
                ResumeEntry.Status.CANCELLED,
                null,
                AguiCodec.mapper()
                        .createObjectNode()
                        .set("a", AguiCodec.mapper().readTree(ENDLESS)));

        assertThat(agent.resume("t", cancellation)).isInstanceOf(RunResult.Completed.class);
        assertThat(agent.resume("t", asked.cancel())).isInstanceOf(RunResult.Completed.class);
    }
}
