package io.holdpoint.wire;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Dialect;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Bench.Everything;
import io.holdpoint.testing.TestServer;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An endpoint for clients that speak the proposal before AG-UI 1.0 and nothing else, over real HTTP. */
class DraftDialectTest {

    private static final String ADA = "{\"amount\":1,\"to\":\"Ada\"}";
    private static final String APPROVED = "{\"approved\":true}";
    private static final String EVE = "{\"amount\":2,\"to\":\"Eve\"}";

    private final Bench bench = new Bench();
    private final TestServer server = new TestServer(bench.agent(), agui -> agui.dialect(Dialect.INTERRUPTS_DRAFT));
    private int runs;

    @AfterEach
    void stop() {
        server.close();
    }

    private List<JsonNode> post(String more) {
        String body = server.post("{\"threadId\":\"" + THREAD + "\",\"runId\":\"r" + ++runs + "\"," + more + "}")
                .body();
        return body.lines()
                .filter(line -> !line.isEmpty())
                .map(line -> json(line.substring("data: ".length())))
                .toList();
    }

    private List<JsonNode> say(String text) {
        return post("\"messages\":[{\"id\":\"" + text + "\",\"role\":\"user\",\"content\":\"" + text + "\"}]");
    }

    private JsonNode answer(String resume) {
        return last(post("\"messages\":[],\"resume\":" + resume));
    }

    /** Answers several: an id, its answer, and so on. */
    private JsonNode answerEach(String... idsAndAnswers) {
        ObjectNode payload = AguiCodec.mapper().createObjectNode();
        for (int i = 0; i < idsAndAnswers.length; i += 2) {
            payload.set(idsAndAnswers[i], json(idsAndAnswers[i + 1]));
        }
        return answer("{\"payload\":" + payload + "}");
    }

    private static JsonNode json(String text) {
        try {
            return AguiCodec.mapper().readTree(text);
        } catch (JsonProcessingException e) {
            throw new AssertionError(text, e);
        }
    }

    private static JsonNode last(List<JsonNode> events) {
        return events.get(events.size() - 1);
    }

    private static List<String> types(List<JsonNode> events) {
        return events.stream().map(event -> event.path("type").asText()).toList();
    }

    private JsonNode holdOne() {
        bench.model.calls(call("c1", "transferMoney", ADA)).says("Well.");
        return last(say("Pay Ada")).path("interrupt");
    }

    private List<String> holdTwo() {
        bench.model
                .calls(call("c1", "transferMoney", ADA), call("c2", "transferMoney", EVE))
                .says("Well.");
        return last(say("Pay both")).at("/interrupt/payload/interrupts").findValuesAsText("id");
    }

    private void refused(String code, Supplier<JsonNode> answer) {
        Everything before = bench.everything();
        JsonNode askedAgain = answer.get().path("interrupt").path("payload");
        JsonNode first = askedAgain.at("/interrupts/0/payload");
        assertThat((first.isMissingNode() ? askedAgain : first)
                        .at("/metadata/langchain4j/refused/code")
                        .asText())
                .isEqualTo(code);
        assertThat(bench.everything()).isEqualTo(before);
    }

    @Test
    void aHeldCallIsOneInterrupt() {
        bench.model.calls(call("c1", "transferMoney", ADA));

        List<JsonNode> events = say("Pay Ada");

        assertThat(events.get(0).has("protocolVersion")).isFalse();
        assertThat(types(events)).endsWith("TOOL_CALL_END", "STATE_SNAPSHOT", "MESSAGES_SNAPSHOT", "RUN_FINISHED");
        assertThat(last(events).path("outcome").asText()).isEqualTo("interrupt");
        JsonNode asked = last(events).path("interrupt");
        assertThat(asked.path("id").asText()).isEqualTo(bench.pending(0).id());
        assertThat(asked.at("/payload/proposal")).isEqualTo(json("{\"tool\":\"transferMoney\",\"args\":" + ADA + "}"));
        assertThat(asked.at("/payload/functionName").asText()).isEqualTo("transferMoney");
        assertThat(asked.at("/payload/functionArguments")).isEqualTo(json(ADA));
        assertThat(asked.at("/payload/responseSchema/required")).isEqualTo(json("[\"approved\"]"));
        assertThat(bench.tools.effects()).isEmpty();
    }

    @Test
    void theApprovalExecutesIt() {
        String id = holdOne().path("id").asText();

        JsonNode end = answer("{\"interruptId\":\"" + id + "\",\"payload\":{\"approved\":true}}");

        assertThat(end.path("outcome").asText()).isEqualTo("success");
        assertThat(end.has("interrupt")).isFalse();
        assertThat(bench.tools.effects()).containsExactly("transferMoney 1|Ada");
    }

    @Test
    void anEditAndADenialAreTheSamePayloadsAsIn10() {
        String id = holdOne().path("id").asText();
        answer("{\"interruptId\":\"" + id + "\",\"payload\":{\"approved\":true,\"editedArgs\":" + EVE + "}}");
        bench.model.calls(call("c2", "transferMoney", ADA)).says("Not paid.");
        String next = last(say("Pay Ada too")).at("/interrupt/id").asText();

        answer("{\"interruptId\":\"" + next + "\",\"payload\":{\"approved\":false,\"reason\":\"no\"}}");

        assertThat(bench.tools.effects()).containsExactly("transferMoney 2|Eve");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'modifications':{'amount':2}",
                "'modifications':{'amount':2,'to':'Ada'}",
                "'functionName':'transferMoney','functionArguments':{'amount':2,'to':'Ada'}"
            })
    void anEditInTheWordsOfTheProposalRunsAndIsKeptInThoseOf10(String words) {
        String id = holdOne().path("id").asText();
        String resume = "{'interruptId':'" + id + "','payload':{'approved':true," + words + "}}";

        answer(resume.replace('\'', '"'));

        assertThat(bench.tools.effects()).containsExactly("transferMoney 2|Ada");
        assertThat(bench.store.auditTrail(THREAD, 0, 100).toString())
                .contains("\"editedArgs\":{\"amount\":2,\"to\":\"Ada\"}");
        assertThat(answer(resume.replace('\'', '"')).path("outcome").asText()).isEqualTo("success");
        assertThat(bench.tools.effects()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'functionName':'transferMoney','functionArguments':{'to':'Ada','amount':1.0}",
                "'modifications':{}",
                "'modifications':null,'functionArguments':null"
            })
    void wordsThatChangeNothingRunTheCallAsItWasShown(String words) {
        String id = holdOne().path("id").asText();

        answer("{\"interruptId\":\"" + id + "\",\"payload\":{\"approved\":true," + words.replace('\'', '"') + "}}");

        assertThat(bench.tools.effects()).containsExactly("transferMoney 1|Ada");
        assertThat(bench.store.auditTrail(THREAD, 0, 100).toString()).doesNotContain("editedArgs");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'functionName':'deleteRecords'",
                "'modifications':{'amount':2},'editedArgs':{'amount':3,'to':'Ada'}",
                "'modifications':{'amount':2},'functionArguments':{'amount':2,'to':'Ada'}",
                "'modifications':[{'amount':2}]",
                "'modifications':{'iban':'x'}",
                "'modifications':{'amount':'many'}",
                "'edits':{'amount':2}"
            })
    void wordsThatCannotBeUnderstoodAreRefused(String words) {
        String id = holdOne().path("id").asText();

        refused(
                "INTERRUPT_PAYLOAD_INVALID",
                () -> answer("{\"interruptId\":\"" + id + "\",\"payload\":{\"approved\":true,"
                        + words.replace('\'', '"') + "}}"));
    }

    @Test
    void ofSeveralEachMayBeEditedInTheWordsOfTheProposal() {
        List<String> ids = holdTwo();

        answerEach(ids.get(0), APPROVED, ids.get(1), "{\"approved\":true,\"modifications\":{\"amount\":3}}");

        assertThat(bench.tools.effects()).containsExactly("transferMoney 1|Ada", "transferMoney 3|Eve");
    }

    @Test
    void withoutAPayloadTheCallIsLetGo() {
        String id = holdOne().path("id").asText();

        assertThat(answer("{\"interruptId\":\"" + id + "\"}").path("outcome").asText())
                .isEqualTo("success");

        assertThat(bench.tools.effects()).isEmpty();
        assertThat(bench.pending()).isEmpty();
    }

    @Test
    void anExpiredInterruptCanBeLetGo() {
        bench.model.calls(call("c1", "deleteRecords", "{\"table\":\"a\"}")).says("Kept.");
        String id = last(say("Delete")).at("/interrupt/id").asText();
        bench.clock.advance(Duration.ofHours(2));
        refused("INTERRUPT_EXPIRED", () -> answer("{\"interruptId\":\"" + id + "\",\"payload\":{\"approved\":true}}"));

        assertThat(answer("{\"interruptId\":\"" + id + "\"}").path("outcome").asText())
                .isEqualTo("success");
        assertThat(bench.tools.effects()).isEmpty();
    }

    @Test
    void aPlainApprovalOfSeveralApprovesNone() {
        holdTwo();

        refused("INTERRUPT_UNKNOWN", () -> answer("{\"payload\":{\"approved\":true}}"));
    }

    @Test
    void severalAreAnsweredTogetherEachByItsId() {
        List<String> ids = holdTwo();

        JsonNode end = answerEach(ids.get(1), APPROVED, ids.get(0), "{\"approved\":false}");

        assertThat(end.path("outcome").asText()).isEqualTo("success");
        assertThat(bench.tools.effects()).containsExactly("transferMoney 2|Eve");
    }

    @Test
    void theSameAnswersAgainExecuteNothing() {
        List<String> ids = holdTwo();
        String[] answers = {ids.get(0), APPROVED, ids.get(1), APPROVED};
        answerEach(answers);

        assertThat(answerEach(answers).path("outcome").asText()).isEqualTo("success");

        assertThat(bench.tools.effects()).hasSize(2);
    }

    @Test
    void oneAnswerMissingIsAsIfNoneHadCome() {
        List<String> ids = holdTwo();

        refused("INTERRUPT_PARTIAL_RESUME", () -> answerEach(ids.get(0), APPROVED));
    }

    @Test
    void oneBadAnswerIsAsIfNoneHadCome() {
        List<String> ids = holdTwo();

        refused(
                "INTERRUPT_PAYLOAD_INVALID",
                () -> answerEach(ids.get(0), APPROVED, ids.get(1), "{\"approved\":\"true\"}"));
    }

    @Test
    void anAnswerToWhatWasNeverAskedIsAsIfNoneHadCome() {
        List<String> ids = holdTwo();

        refused(
                "INTERRUPT_UNKNOWN",
                () -> answerEach(ids.get(0), APPROVED, ids.get(1), APPROVED, "int_other", APPROVED));
        refused("INTERRUPT_UNKNOWN", () -> answerEach("int_other", APPROVED));
    }

    @Test
    void ofSeveralOneIsLetGoWithNull() {
        List<String> ids = holdTwo();

        answerEach(ids.get(0), "null", ids.get(1), APPROVED);

        assertThat(bench.tools.effects()).containsExactly("transferMoney 2|Eve");
        assertThat(bench.model.lastResult("c1")).contains("was not executed");
    }

    @Test
    void aHeldThreadIsPresentedInTheSameForm() {
        JsonNode asked = holdOne();

        List<JsonNode> presented = post("\"messages\":[]");

        assertThat(types(presented))
                .startsWith("RUN_STARTED", "STATE_SNAPSHOT", "MESSAGES_SNAPSHOT", "TOOL_CALL_START")
                .endsWith("TOOL_CALL_END", "RUN_FINISHED");
        assertThat(last(presented).path("interrupt")).isEqualTo(asked);
    }

    @Test
    void another10EndpointServesTheSameThread() {
        String id = holdOne().path("id").asText();
        try (TestServer current = new TestServer(bench.agent(), agui -> {})) {
            String body = current.post(bench.answers(ResumeEntry.resolved(id, json(APPROVED))))
                    .body();

            assertThat(body).contains("\"protocolVersion\":\"1.0\"", "\"outcome\":{\"type\":\"success\"}");
        }
        assertThat(bench.tools.effects()).hasSize(1);
    }
}
