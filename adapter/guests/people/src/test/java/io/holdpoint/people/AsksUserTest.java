package io.holdpoint.people;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.Caller;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.Proposal;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.agui.ToolCallEvent;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.OfficeQuestions;
import io.holdpoint.testing.OfficeQuestions.Filing;
import io.holdpoint.testing.OfficeQuestions.Quarter;
import io.holdpoint.testing.RecordingSink;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A tool without a body: what the person answers is its result. */
class AsksUserTest {

    private static final String FILING = "{\"what\":\"the VAT return\",\"note\":\"2026\"}";

    private final Bench bench = new Bench(builder -> builder.questions(OfficeQuestions.class));

    private static JsonNode json(String text) {
        try {
            return AguiCodec.mapper().readTree(text);
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    private PendingInterrupt asked(String tool, String arguments) {
        bench.model.calls(call("c1", tool, arguments));
        assertThat(bench.say("Go").interrupts()).hasSize(1);
        return bench.pending(0);
    }

    private String refused(PendingInterrupt question, String payload) {
        Bench.Everything before = bench.everything();
        RecordingSink sink = bench.resume(question.asInput().answer(json(payload)));
        assertThat(sink.errorCode()).isEqualTo("INTERRUPT_PAYLOAD_INVALID");
        assertThat(bench.everything()).isEqualTo(before);
        return sink.detail();
    }

    @Test
    void theInterruptAsksAndSaysWhatAnAnswerLooksLike() {
        Interrupt asked = asked("requestFilingDetails", FILING).interrupt();

        assertThat(asked.reason()).isEqualTo("input_required");
        assertThat(asked.toolCallId()).isEqualTo("c1");
        assertThat(asked.message()).isEqualTo("The details of \"the VAT return\" are needed, for '2026'.");
        assertThat(asked.responseSchema())
                .isEqualTo(json("{\"type\":\"object\",\"properties\":{"
                        + "\"quarter\":{\"type\":\"string\",\"enum\":[\"Q1\",\"Q2\",\"Q3\",\"Q4\"]},"
                        + "\"year\":{\"type\":\"integer\",\"minimum\":2000},\"revenue\":{\"type\":\"number\"}},"
                        + "\"required\":[\"quarter\",\"year\",\"revenue\"],\"additionalProperties\":false}"));
        assertThat(asked.metadata().at("/langchain4j/toolName").asText()).isEqualTo("requestFilingDetails");
        assertThat(asked.metadata().at("/langchain4j/args")).isEqualTo(json(FILING));
        assertThat(asked.expiresAt()).isNull();
    }

    @Test
    void theAnswerIsTheResultAndTheModelGoesOn() {
        PendingInterrupt question = asked("requestFilingDetails", FILING);
        bench.model.says("Filed.");

        RecordingSink sink = bench.resume(question.asInput().answer(new Filing(Quarter.Q3, 2026, 12.5)));

        assertThat(sink.text()).isEqualTo("Filed.");
        assertThat(json(bench.model.lastResult("c1")))
                .isEqualTo(json("{\"quarter\":\"Q3\",\"year\":2026,\"revenue\":12.5}"));
        assertThat(sink.all(ToolCallEvent.Result.class)).singleElement().satisfies(result -> {
            assertThat(result.toolCallId()).isEqualTo("c1");
            assertThat(json(result.content().asText())).isEqualTo(json(bench.model.lastResult("c1")));
        });
        assertThat(sink.types()).doesNotContain("TOOL_CALL_START");
        assertThat(bench.model.requests()).hasSize(2);
    }

    @Test
    void aBooleanAsksForAConfirmation() {
        Interrupt asked = asked("confirm", "{\"question\":\"Shall I go on?\"}").interrupt();

        assertThat(asked.reason()).isEqualTo("confirmation");
        assertThat(asked.responseSchema()).isEqualTo(json("{\"type\":\"boolean\"}"));
        assertThat(asked.message()).isEqualTo("Please confirm: Shall I go on?");
        assertThat(asked.expiresAt()).isEqualTo(bench.clock.instant().plus(Duration.ofHours(1)));
    }

    @Test
    void withoutAMessageTheOnlyTextIsWhatTheAssistantAsks() {
        assertThat(asked("askUser", "{\"question\":\"Which\\nreport?\",\"options\":[]}")
                        .message())
                .isEqualTo("The assistant asks: Which report?");
    }

    @Test
    void aQuestionThatACallerHasProposedSaysWhoAsks() {
        ObjectNode which = JsonNodeFactory.instance.objectNode().put("question", "Which report?");
        which.putArray("options");

        Proposal proposed = bench.agent().as(Caller.of("nightly job")).propose("t", "askUser", which);

        assertThat(proposed.open().get(0).message()).isEqualTo("\"nightly job\" asks: Which report?");
    }

    /** As an answer to an approval does. */
    @Test
    void aMemberThatIsNotDeclaredIsNamedWithTheOneThatWasMeant() {
        PendingInterrupt question = asked("requestFilingDetails", FILING);

        assertThat(refused(question, "{\"quarter\":\"Q1\",\"year\":2026,\"revenue\":1,\"Year\":1999}"))
                .contains("'Year'")
                .endsWith("call it year");
        assertThat(refused(question, "{\"quarter\":\"Q1\",\"year\":2026,\"revenue\":1,\"zzz\":1}"))
                .contains("'zzz'")
                .doesNotContain("call it");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "confirm false false",
                "confirm true true",
                "howMany 0 0",
                "askUser \"\" ''",
                "askUser \"A\\nB\" 'A\nB'"
            })
    void falsyValuesAreAnswersLikeOthersAndATextIsGivenAsItIs(String tool, String payload, String result) {
        PendingInterrupt question = asked(tool, "{}");
        bench.model.says("I see.");

        assertThat(bench.resume(question.asInput().answer(json(payload))).text())
                .isEqualTo("I see.");
        assertThat(bench.model.lastResult("c1")).isEqualTo(result);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"quarter\":\"Q5\",\"year\":2026,\"revenue\":1}|/quarter",
                "{\"quarter\":\"Q1\",\"year\":1999,\"revenue\":1}|/year",
                "{\"quarter\":\"Q1\",\"year\":2026.5,\"revenue\":1}|/year",
                "{\"quarter\":\"Q1\",\"year\":\"2026\",\"revenue\":1}|/year",
                "{\"quarter\":\"Q1\",\"year\":2026}|revenue",
                "{\"quarter\":\"Q1\",\"year\":2026,\"revenue\":null}|/revenue",
                "{\"quarter\":\"Q1\",\"year\":2026,\"revenue\":1,\"__proto__\":{}}|__proto__",
                "\"Q1\"|object expected",
                "null|object expected"
            })
    void anAnswerThatDoesNotFitIsRefusedNamingThePathAndTheQuestionStaysOpen(String payload, String named) {
        PendingInterrupt question = asked("requestFilingDetails", FILING);

        assertThat(refused(question, payload)).contains(named);

        bench.model.says("Filed.");
        assertThat(bench.resume(question.asInput().answer(new Filing(Quarter.Q1, 2000, 0)))
                        .text())
                .isEqualTo("Filed.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"true\"", "1", "{}", "{\"approved\":true}", "null"})
    void aConfirmationTakesYesOrNoAndNothingElse(String payload) {
        refused(asked("confirm", "{}"), payload);
    }

    @Test
    void whenItIsCancelledTheModelIsToldThatNobodyAnswered() {
        PendingInterrupt question = asked("askUser", "{}");
        bench.model.says("Never mind.");

        RecordingSink sink = bench.resume(question.cancel());

        assertThat(bench.model.lastResult("c1")).contains("was asked and gave no answer");
        assertThat(sink.all(ToolCallEvent.Result.class)).hasSize(1);
    }

    @Test
    void whenTheUserSaysSomethingElseTheModelIsToldBoth() {
        PendingInterrupt question = asked("askUser", "{}");
        bench.model.says("Something else, then.");

        RecordingSink sink = bench.resumeAndSay("Tell me a joke", question.cancel());

        assertThat(sink.text()).isEqualTo("Something else, then.");
        assertThat(bench.model.lastResult("c1")).contains("gave no answer");
    }

    @Test
    void whenItExpiresAnAnswerIsRefusedAndCancellingWorks() {
        PendingInterrupt question = asked("confirm", "{}");
        bench.clock.advance(Duration.ofHours(1));

        assertThat(bench.resume(question.asInput().answer(true)).errorCode()).isEqualTo("INTERRUPT_EXPIRED");
        bench.model.says("Never mind.");
        bench.resume(question.cancel());
        assertThat(bench.model.lastResult("c1")).contains("gave no answer");
    }

    @Test
    void aNewMessageAfterItExpiredIsTaken() {
        asked("confirm", "{}");
        bench.clock.advance(Duration.ofHours(1));
        bench.model.says("Hello again.");

        assertThat(bench.say("Hello?").text()).isEqualTo("Hello again.");
        assertThat(bench.model.lastResult("c1")).contains("gave no answer");
    }

    @Test
    void theSameAnswerAgainAsksNobodyAnything() {
        PendingInterrupt question = asked("confirm", "{}");
        bench.model.says("I see.");
        bench.resume(question.asInput().answer(false));

        assertThat(bench.resume(question.asInput().answer(false)).types()).isEqualTo(Bench.PRESENTED);
        assertThat(bench.resume(question.asInput().answer(true)).errorCode()).isEqualTo("INTERRUPT_ALREADY_RESOLVED");
    }

    @Test
    void severalQuestionsGatedAndUngatedCallsAreOneBatch() {
        bench.model.calls(
                call("c1", "askUser", "{\"question\":\"Who?\"}"),
                call("c2", "searchContacts", "{\"query\":\"Ada\"}"),
                call("c3", "confirm", "{\"question\":\"Sure?\"}"),
                call("c4", "sendEmail", Bench.MAIL));
        assertThat(bench.say("Go").interrupts())
                .extracting(Interrupt::reason)
                .containsExactly("input_required", "confirmation", "tool_call");
        assertThat(bench.tools.effects()).isEmpty();
        List<PendingInterrupt> open = bench.pending();
        assertThat(bench.resume(open.get(0).asInput().answer("Ada")).errorCode())
                .isEqualTo("INTERRUPT_PARTIAL_RESUME");
        bench.model.says("Done.");

        RecordingSink sink = bench.resume(
                open.get(2).asApproval().approve(),
                open.get(1).asInput().answer(false),
                open.get(0).asInput().answer("Ada"));

        assertThat(sink.all(ToolCallEvent.Result.class))
                .extracting(ToolCallEvent.Result::toolCallId)
                .containsExactly("c1", "c2", "c3", "c4");
        assertThat(bench.model.lastResult("c1")).isEqualTo("Ada");
        assertThat(bench.model.lastResult("c3")).isEqualTo("false");
        assertThat(bench.tools.effects()).hasSize(2);
    }
}
