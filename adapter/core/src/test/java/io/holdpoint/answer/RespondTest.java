package io.holdpoint.answer;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.Limits;
import io.holdpoint.RequiresApproval;
import io.holdpoint.ToolPolicy;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunEvent;
import io.holdpoint.agui.ToolCallEvent;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.RecordingSink;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A person answers in place of the tool. */
class RespondTest {

    private final List<String> effects = new CopyOnWriteArrayList<>();
    private final Bench bench = new Bench(builder -> builder.tools(new Tools()));

    public final class Tools {
        @Tool("Asks the archive")
        @RequiresApproval(respond = true)
        public String lookUp(String what) {
            effects.add("lookUp " + what);
            return "found " + what;
        }
    }

    private void hold() {
        bench.model.calls(call("c1", "lookUp", "{\"what\":\"file 7\"}"));
        bench.say("Look it up");
    }

    private ResumeEntry answer(String payload) throws Exception {
        return bench.pending(0).answer(AguiCodec.mapper().readTree(payload));
    }

    @Test
    void theSchemaSaysSoAndNothingElseHasChanged() {
        hold();

        ObjectNode schema = Objects.requireNonNull(bench.pending(0).interrupt().responseSchema());
        assertThat(schema.at("/properties/response/description").asText()).contains("approved: false");
        assertThat(schema.get("required").toString()).isEqualTo("[\"approved\"]");
        assertThat(schema.fieldNames()).toIterable().containsExactly("type", "properties", "required");
    }

    @Test
    void aResponseIsNoDenialSoItExpires() throws Exception {
        Bench expiring = new Bench(builder -> builder.tools(new Tools())
                .toolPolicies(ToolPolicy.named("lookUp").respond().expiresAfter(Duration.ofHours(1))));
        expiring.model.calls(call("c1", "lookUp", "{\"what\":\"file 7\"}"));
        expiring.say("Look it up");
        expiring.clock.advance(Duration.ofHours(1));

        assertThat(expiring.resume(expiring.pending(0).asApproval().respond("It burnt down."))
                        .errorCode())
                .isEqualTo("INTERRUPT_EXPIRED");

        expiring.model.says("I see.");
        ObjectNode denial = AguiCodec.mapper().createObjectNode().put("approved", false);
        expiring.resume(expiring.pending(0).answer(denial.putNull("response")));
        assertThat(expiring.pending()).isEmpty();
        assertThat(effects).isEmpty();
    }

    @Test
    void theResponseIsTheResultAndNothingRuns() {
        hold();
        bench.model.says("I see.");

        RecordingSink sink = bench.resume(bench.pending(0).asApproval().respond("It burnt down in 1971."));

        assertThat(effects).isEmpty();
        assertThat(bench.model.lastResult("c1"))
                .startsWith("Note: \"lookUp\" was not executed. A person answered in its place")
                .endsWith("\n\nIt burnt down in 1971.");
        ToolCallEvent.Result result = sink.all(ToolCallEvent.Result.class).get(0);
        assertThat(result.content().asText()).isEqualTo("It burnt down in 1971.");
        Message.Tool message = (Message.Tool) bench.transcript().stream()
                .filter(Message.Tool.class::isInstance)
                .findFirst()
                .orElseThrow();
        assertThat(AguiCodec.toTree(message).at("/metadata/langchain4j").toString())
                .isEqualTo("{\"suppliedBy\":\"person\"}");
        assertThat(AguiCodec.toTree(message).has("error")).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"\"\" |", "false | false", "0 | 0", "{} | {}", "[1.50] | [1.50]", "{\"a\":null} | {\"a\":null}"})
    void everyJsonButNullIsAResponse(String response, String told) throws Exception {
        hold();
        bench.model.says("I see.");

        bench.resume(answer("{\"approved\":false,\"response\":" + response + "}"));

        assertThat(effects).isEmpty();
        assertThat(bench.model.lastResult("c1")).endsWith("that person.\n\n" + (told == null ? "" : told));
    }

    @Test
    void nullIsNoResponse() throws Exception {
        hold();
        bench.model.says("I see.");

        bench.resume(answer("{\"approved\":false,\"reason\":\"no\",\"response\":null}"));

        assertThat(bench.model.lastResult("c1")).contains("declined", "\"no\"");
    }

    @Test
    void nullCannotBeGivenForAResponseByMistake() {
        hold();

        assertThatThrownBy(() -> bench.pending(0).asApproval().respond(NullNode.getInstance()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aResponseBesideAnApprovalIsRefused() throws Exception {
        hold();
        Bench.Everything before = bench.everything();

        RecordingSink sink = bench.resume(answer("{\"approved\":true,\"response\":\"x\"}"));

        assertThat(sink.detail()).contains("payload/response: ");
        assertThat(bench.everything()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"approved\":true,\"response\":\"x\"}", "{\"approved\":false,\"response\":\"x\"}"})
    void whereTheToolDoesNotTakeOneItIsRefused(String payload) throws Exception {
        bench.model.calls(call("c1", "sendEmail", Bench.MAIL));
        bench.say("Write");
        Bench.Everything before = bench.everything();

        RecordingSink sink = bench.resume(answer(payload));

        assertThat(sink.detail()).contains("payload/response: nobody can answer");
        assertThat(bench.everything()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"response\":\"x\"}", "{\"approved\":null,\"response\":\"x\"}"})
    void aResponseAloneIsNoAnswer(String payload) throws Exception {
        hold();

        RecordingSink sink = bench.resume(answer(payload));

        assertThat(sink.all(RunEvent.Error.class).get(0).code()).isEqualTo("INTERRUPT_PAYLOAD_INVALID");
        assertThat(bench.pending()).hasSize(1);
    }

    @Test
    void editsBesideAResponseAreNotRead() throws Exception {
        hold();
        bench.model.says("I see.");

        bench.resume(answer("{\"approved\":false,\"response\":\"x\",\"editedArgs\":{\"what\":\"y\"}}"));

        assertThat(effects).isEmpty();
        assertThat(bench.model.lastResult("c1")).endsWith("\n\nx");
    }

    @Test
    void theSameResponseAgainChangesNothing() {
        hold();
        bench.model.says("I see.");
        ResumeEntry response = bench.pending(0).asApproval().respond("x");
        bench.resume(response);
        Bench.Everything before = bench.everything();

        assertThat(bench.resume(response).types()).isEqualTo(Bench.PRESENTED);

        assertThat(bench.everything()).isEqualTo(before);
    }

    @Test
    void aLongResponseIsCutAsAResultIs() {
        Bench small = new Bench(builder -> builder.tools(new Tools()).limits(Limits.DEFAULT.withResultLength(10)));
        small.model.calls(call("c1", "lookUp", "{\"what\":\"x\"}"));
        small.say("Look it up");
        small.model.says("I see.");

        small.resume(small.pending(0).asApproval().respond("0123456789abcdef"));

        assertThat(small.model.lastResult("c1")).contains("\n\n0123456789\n[The result has 16 characters");
    }

    @Test
    void everyPolicyThatAsksMustTakeOne() {
        Bench both = new Bench(builder -> builder.tools(new Tools()).toolPolicies(ToolPolicy.named("lookUp")));
        both.model.calls(call("c1", "lookUp", "{\"what\":\"x\"}"));
        both.say("Look it up");

        JsonNode schema = Objects.requireNonNull(both.pending(0).interrupt().responseSchema());
        assertThat(schema.path("properties").has("response")).isFalse();
    }

    @Test
    void aPolicyCanAllowItForToolsThatNobodyAnnotated() {
        Bench bench = new Bench(builder ->
                builder.toolPolicies(ToolPolicy.named("searchContacts").respond()));
        bench.model.calls(call("c1", "searchContacts", "{\"query\":\"Ada\"}"));
        bench.say("Find Ada");
        bench.model.says("I see.");

        bench.resume(bench.pending(0).asApproval().respond("ada@example.com"));

        assertThat(bench.tools.effects()).isEmpty();
        assertThat(bench.model.lastResult("c1")).endsWith("\n\nada@example.com");
    }
}
