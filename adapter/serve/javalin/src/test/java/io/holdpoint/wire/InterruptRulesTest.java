package io.holdpoint.wire;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static io.holdpoint.testing.Bench.THREAD;
import static io.holdpoint.testing.Bench.user;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Dialect;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Bench.Everything;
import io.holdpoint.testing.TestServer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The numbered contract rules of AG-UI's page on interrupts (https://docs.ag-ui.com/concepts/interrupts), over real HTTP, for a
 * client that names its version, for one that does not, and for the latter at an endpoint that speaks 1.0 to everybody.
 */
class InterruptRulesTest {

    private static final JsonNode APPROVED = json("{\"approved\":true}");

    enum Spoken {
        WITH_VERSION(Optional.empty(), true, true),
        WITHOUT_VERSION(Optional.empty(), false, false),
        WITHOUT_VERSION_BUT_1_0_FORCED(Optional.of(Dialect.V1_0), false, true);

        private final Optional<Dialect> forced;
        private final boolean named;
        /** The form of the page itself. */
        private final boolean exact;

        Spoken(Optional<Dialect> forced, boolean named, boolean exact) {
            this.forced = forced;
            this.named = named;
            this.exact = exact;
        }
    }

    private final Bench bench = new Bench();
    private final TestServer server = new TestServer(bench.agent(), agui -> {});
    private final TestServer forced = new TestServer(bench.agent(), agui -> agui.dialect(Dialect.V1_0));

    @AfterEach
    void stop() {
        server.close();
        forced.close();
    }

    private static JsonNode json(String text) {
        try {
            return AguiCodec.mapper().readTree(text);
        } catch (JsonProcessingException e) {
            throw new AssertionError(text, e);
        }
    }

    private List<JsonNode> post(Spoken spoken, RunAgentInput input) {
        TestServer asked = spoken.forced.isPresent() ? forced : server;
        return asked.post(spoken.named ? input : input.withProtocolVersion(null))
                .body()
                .lines()
                .filter(line -> line.startsWith("data: "))
                .map(line -> json(line.substring("data: ".length())))
                .toList();
    }

    private JsonNode last(Spoken spoken, RunAgentInput input) {
        List<JsonNode> events = post(spoken, input);
        return events.get(events.size() - 1);
    }

    private JsonNode answer(Spoken spoken, ResumeEntry... answers) {
        return last(spoken, bench.answers(answers));
    }

    private List<JsonNode> hold(Spoken spoken, String... arguments) {
        bench.model
                .calls(Arrays.stream(arguments)
                        .map(each -> call("c" + each.hashCode(), tool(each), each))
                        .toArray(ToolExecutionRequest[]::new))
                .says("Done.");
        return post(spoken, bench.input(user("go", "Go")));
    }

    private static String tool(String arguments) {
        return arguments.contains("table") ? "deleteRecords" : "sendEmail";
    }

    private ResumeEntry approved(PendingInterrupt open) {
        return ResumeEntry.resolved(open.id(), APPROVED);
    }

    private void succeeds(JsonNode last) {
        assertThat(last.path("outcome")).isEqualTo(json("{\"type\":\"success\"}"));
    }

    /** The page says RunError. A client without a version is asked again instead, with the reason. */
    private void isRefused(Spoken spoken, String code, RunAgentInput input) {
        Everything before = bench.everything();

        List<JsonNode> events = post(spoken, input);

        JsonNode last = events.get(events.size() - 1);
        if (spoken.exact) {
            assertThat(events).hasSize(1);
            assertThat(last.path("type").asText()).isEqualTo("RUN_ERROR");
            assertThat(last.path("code").asText()).isEqualTo(code);
        } else {
            assertThat(last.at("/outcome/type").asText()).isEqualTo("interrupt");
            JsonNode asked = last.at("/outcome/interrupts/0");
            assertThat(asked.path("id").asText()).isEqualTo(bench.pending(0).id());
            assertThat(asked.at("/metadata/langchain4j/refused/code").asText()).isEqualTo(code);
        }
        assertThat(bench.everything()).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource
    void rule1AnAnswerOfAnotherThreadIsRefused(Spoken spoken) {
        hold(spoken, MAIL);
        ResumeEntry answer = approved(bench.pending(0));
        RunAgentInput there = new RunAgentInput(
                "other", "there", "1.0", null, null, List.of(), List.of(), List.of(), null, List.of(answer));

        TestServer asked = spoken.forced.isPresent() ? forced : server;
        assertThat(asked.post(spoken.named ? there : there.withProtocolVersion(null))
                        .statusCode())
                .isEqualTo(404);
        assertThat(bench.pending()).hasSize(1);
        assertThat(bench.tools.effects()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void rule2AnAnswerToAnotherInterruptIsRefusedAndTheParentRunIsNoMatter(Spoken spoken) {
        hold(spoken, MAIL);

        isRefused(spoken, "INTERRUPT_UNKNOWN", bench.answers(ResumeEntry.resolved("int_other", APPROVED)));

        RunAgentInput branch = new RunAgentInput(
                THREAD,
                "r",
                "1.0",
                "no-such-run",
                null,
                List.of(),
                List.of(),
                List.of(),
                null,
                List.of(approved(bench.pending(0))));
        succeeds(last(spoken, branch));
    }

    @ParameterizedTest
    @EnumSource
    void rule3EveryOpenInterruptIsAnsweredOrNone(Spoken spoken) {
        hold(spoken, MAIL, MAIL.replace("ada", "bob"));

        isRefused(spoken, "INTERRUPT_PARTIAL_RESUME", bench.answers(approved(bench.pending(0))));

        succeeds(answer(spoken, approved(bench.pending(0)), approved(bench.pending(1))));
        assertThat(bench.tools.effects()).hasSize(2);
    }

    @ParameterizedTest
    @EnumSource
    void rule4AMessageWithoutAnswersIsRefusedWhileAnInterruptIsOpen(Spoken spoken) {
        hold(spoken, MAIL);

        isRefused(spoken, "INTERRUPT_PENDING", bench.input(user("2", "And now?")));
    }

    @ParameterizedTest
    @EnumSource
    void rule5TheSameAnswerAgainExecutesNothing(Spoken spoken) {
        hold(spoken, MAIL);
        ResumeEntry answer = approved(bench.pending(0));

        succeeds(answer(spoken, answer));
        succeeds(answer(spoken, answer));

        assertThat(bench.tools.effects()).hasSize(1);
    }

    /** A client without a version would be locked by a lone RunError: its run ends, and says what was decided. */
    @ParameterizedTest
    @EnumSource
    void rule5AnotherAnswerIsRefused(Spoken spoken) {
        hold(spoken, MAIL);
        String id = bench.pending(0).id();
        succeeds(answer(spoken, ResumeEntry.resolved(id, APPROVED)));

        JsonNode last = answer(spoken, ResumeEntry.resolved(id, json("{\"approved\":false}")));

        JsonNode ours = last.at("/metadata/langchain4j");
        assertThat(spoken.exact ? last.path("code") : ours.at("/refused/code"))
                .isEqualTo(json("\"INTERRUPT_ALREADY_RESOLVED\""));
        assertThat(spoken.exact || ours.at("/settled/0/decision").asText().equals("approved"))
                .isTrue();
        assertThat(last.path("type").asText()).isEqualTo(spoken.exact ? "RUN_ERROR" : "RUN_FINISHED");
        assertThat(bench.tools.effects()).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void rule6APayloadThatDoesNotFitTheSchemaIsRefused(Spoken spoken) {
        hold(spoken, MAIL);

        isRefused(
                spoken,
                "INTERRUPT_PAYLOAD_INVALID",
                bench.answers(ResumeEntry.resolved(bench.pending(0).id(), json("{\"approved\":\"yes\"}"))));
    }

    @ParameterizedTest
    @EnumSource
    void rule7AnAnswerAfterTheExpiryIsRefusedAndCancellingIsNot(Spoken spoken) {
        List<JsonNode> events = hold(spoken, "{\"table\":\"Old\"}");
        assertThat(events.get(events.size() - 1).at("/outcome/interrupts/0").has("expiresAt"))
                .isEqualTo(spoken.exact);
        bench.clock.advance(Duration.ofHours(2));

        isRefused(spoken, "INTERRUPT_EXPIRED", bench.answers(approved(bench.pending(0))));

        succeeds(answer(spoken, bench.pending(0).cancel()));
        assertThat(bench.tools.effects()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void rule7ADenialAfterTheExpiryLetsGo(Spoken spoken) {
        hold(spoken, "{\"table\":\"Old\"}");
        bench.clock.advance(Duration.ofHours(2));

        succeeds(answer(spoken, ResumeEntry.resolved(bench.pending(0).id(), json("{\"approved\":false}"))));

        assertThat(bench.tools.effects()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void rule8AMissingPayloadIsRefusedInWords(Spoken spoken) {
        hold(spoken, MAIL);

        isRefused(
                spoken,
                "INTERRUPT_PAYLOAD_INVALID",
                bench.answers(new ResumeEntry(bench.pending(0).id(), ResumeEntry.Status.RESOLVED, null, null)));
    }

    @ParameterizedTest
    @EnumSource
    void stateAndMessagesAreSaidBeforeTheInterrupt(Spoken spoken) {
        assertThat(hold(spoken, MAIL).stream().map(event -> event.path("type").asText()))
                .endsWith("STATE_SNAPSHOT", "MESSAGES_SNAPSHOT", "RUN_FINISHED");
    }
}
