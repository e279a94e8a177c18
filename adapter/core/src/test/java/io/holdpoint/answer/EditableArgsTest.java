package io.holdpoint.answer;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.service.IllegalConfigurationException;
import io.holdpoint.Holdpoint;
import io.holdpoint.RequiresApproval;
import io.holdpoint.ToolPolicy;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.RecordingSink;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Some arguments may be edited, the others are as the model proposed them. */
class EditableArgsTest {

    private static final String PROPOSED =
            "{\"amount\":20.50,\"to\":{\"iban\":\"DE1\",\"limits\":[1,2]},\"note\":\"rent\"}";

    private final List<String> effects = new CopyOnWriteArrayList<>();
    private final Bench bench = new Bench(builder -> builder.tools(new Tools()));

    public record Account(String iban, List<Integer> limits) {}

    public final class Tools {

        @Tool("Transfers")
        @RequiresApproval(editable = "note")
        public String transfer(
                @P(value = "amount", required = false) BigDecimal amount,
                Account to,
                @P(value = "note", required = false) String note) {
            effects.add("transfer " + amount + "|" + to.iban() + to.limits() + "|" + note);
            return "transferred";
        }
    }

    private void hold(String arguments) {
        bench.model.calls(call("c1", "transfer", arguments));
        bench.say("Transfer");
    }

    private JsonNode editedArgs() {
        return Objects.requireNonNull(bench.pending(0).interrupt().responseSchema())
                .at("/properties/editedArgs");
    }

    private ResumeEntry edit(String editedArgs) throws Exception {
        return bench.pending(0).asApproval().approveWith((ObjectNode)
                AguiCodec.mapper().readTree(editedArgs));
    }

    @Test
    void theOthersAreReadOnlyInTheSchemaAndNeedNotBeSent() {
        hold(PROPOSED);

        assertThat(editedArgs().at("/properties/amount/readOnly").asBoolean()).isTrue();
        assertThat(editedArgs().at("/properties/to/readOnly").asBoolean()).isTrue();
        assertThat(editedArgs().at("/properties/note").has("readOnly")).isFalse();
        assertThat(editedArgs().get("required")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"amount\":20.50,\"to\":{\"iban\":\"DE1\",\"limits\":[1,2]},\"note\":\"May\"}",
                "{\"amount\":20.5,\"to\":{\"limits\":[1,2.0],\"iban\":\"DE1\"},\"note\":\"May\"}",
                "{\"amount\":2.05e1,\"note\":\"May\"}",
                "{\"note\":\"May\"}",
            })
    void whatIsSentAsShownOrNotAtAllStaysAsProposed(String edited) throws Exception {
        hold(PROPOSED);
        bench.model.says("Done.");

        bench.resume(edit(edited));

        assertThat(effects).containsExactly("transfer 20.50|DE1[1, 2]|May");
        assertThat(bench.model.lastResult("c1")).contains("edited", "\"amount\":20.50");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"amount\":20.51}                                     | amount",
                "{\"amount\":20.5000000000000000000000001}              | amount",
                "{\"to\":{\"iban\":\"DE2\",\"limits\":[1,2]}}           | to",
                "{\"to\":{\"iban\":\"DE1\",\"limits\":[2,1]}}           | to",
                "{\"to\":{\"iban\":\"DE1\",\"limits\":[1]}}             | to",
                "{\"to\":{\"iban\":\"DE1\"}}                            | to",
            })
    void whatIsSentOtherwiseIsRefusedAndNothingIsConsumed(String edited, String named) throws Exception {
        hold(PROPOSED);
        Bench.Everything before = bench.everything();

        RecordingSink sink = bench.resume(edit(edited));

        assertThat(sink.errorCode()).isEqualTo("INTERRUPT_PAYLOAD_INVALID");
        assertThat(sink.detail()).contains("/editedArgs/" + named + ": may not be changed");
        assertThat(bench.everything()).isEqualTo(before);
    }

    @Test
    void whatWasNotProposedCannotBeAdded() throws Exception {
        hold("{\"to\":{\"iban\":\"DE1\",\"limits\":[1]}}");

        RecordingSink sink = bench.resume(edit("{\"amount\":1,\"note\":\"x\"}"));

        assertThat(sink.detail()).contains("/editedArgs/amount: may not be changed");
    }

    @Test
    void whatTheAnswerBringsAlongDoesNotMakeItEditable() throws Exception {
        hold(PROPOSED);
        ResumeEntry forged = edit("{\"amount\":1,\"note\":\"x\"}");
        ObjectNode payload = (ObjectNode) Objects.requireNonNull(forged.payload());
        payload.putObject("responseSchema").put("type", "object");
        payload.put("toolName", "other").putObject("args").put("amount", 1);
        ObjectNode metadata = AguiCodec.mapper().createObjectNode();
        metadata.putObject("langchain4j").putObject("args").put("amount", 1);

        RecordingSink sink = bench.resume(new ResumeEntry(forged.interruptId(), forged.status(), payload, metadata));

        assertThat(sink.detail()).contains("/editedArgs/amount: may not be changed");
        assertThat(effects).isEmpty();
    }

    @Test
    void theAuthorizerSeesWhatWouldRun() throws Exception {
        List<String> seen = new ArrayList<>();
        Holdpoint agent = bench.another(builder -> builder.tools(new Tools()).approvalAuthorizer(request -> {
            seen.add(request.arguments().toString());
            return true;
        }));
        hold(PROPOSED);
        bench.model.says("Done.");

        agent.resume(Bench.THREAD, edit("{\"note\":\"May\"}"));

        assertThat(seen) // when the answer is taken, when its edit is looked at, and when the call runs
                .hasSize(3)
                .containsOnly("{\"amount\":20.50,\"note\":\"May\",\"to\":{\"iban\":\"DE1\",\"limits\":[1,2]}}");
    }

    @Test
    void ofSeveralPoliciesOnlyWhatAllLetBeEditedMayBe() {
        Bench both = new Bench(builder -> builder.toolPolicies(
                ToolPolicy.named("sendEmail").editable("subject", "body"),
                ToolPolicy.named("sendEmail").editable("to", "subject")));
        both.model.calls(call("c1", "sendEmail", Bench.MAIL));
        both.say("Write");

        JsonNode parameters = Objects.requireNonNull(both.pending(0).interrupt().responseSchema())
                .at("/properties/editedArgs/properties");
        assertThat(parameters.at("/to/readOnly").asBoolean()).isTrue();
        assertThat(parameters.at("/body/readOnly").asBoolean()).isTrue();
        assertThat(parameters.get("subject").has("readOnly")).isFalse();
        both.model.says("Done.");
        both.resume(both.pending(0).asApproval().approveWith(Map.of("subject", "Hey")));
        assertThat(both.tools.effects()).containsExactly("sendEmail ada@example.com|Hey|Hello");
    }

    @Test
    void wherePoliciesHaveNothingInCommonNothingMayBeEdited() {
        Bench both = new Bench(builder -> builder.toolPolicies(
                ToolPolicy.named("sendEmail").editable("subject"),
                ToolPolicy.named("sendEmail").editable("body")));
        both.model.calls(call("c1", "sendEmail", Bench.MAIL));
        both.say("Write");

        assertThat(Objects.requireNonNull(both.pending(0).interrupt().responseSchema())
                        .path("properties")
                        .has("editedArgs"))
                .isFalse();
        assertThat(argsOrder(both)).as("no schema says it").hasToString("[\"to\",\"subject\",\"body\"]");
        assertThat(both.pending(0).arguments().fieldNames()).toIterable().containsExactly("to", "subject", "body");
    }

    @Test
    void theSchemaOfEditsSaysTheOrderOfTheArguments() {
        hold(PROPOSED);

        assertThat(editedArgs().get("properties").fieldNames()).toIterable().containsExactly("amount", "to", "note");
        assertThat(argsOrder(bench).isMissingNode()).isTrue();
        assertThat(bench.pending(0).arguments().fieldNames()).toIterable().containsExactly("amount", "to", "note");
    }

    private static JsonNode argsOrder(Bench bench) {
        return Objects.requireNonNull(bench.pending(0).interrupt().metadata()).at("/langchain4j/argsOrder");
    }

    public static final class Misspelt {
        @Tool
        @RequiresApproval(editable = {"note", "ammount"})
        public String transfer(BigDecimal amount, String note) {
            return "transferred";
        }
    }

    public static final class Contradictory {
        @Tool
        @RequiresApproval(editable = {"*", "note"})
        public String transfer(BigDecimal amount, String note) {
            return "transferred";
        }
    }

    @Test
    void aNameThatIsNoParameterIsFoundWhenTheAgentIsBuilt() {
        assertThatThrownBy(() -> new Bench(builder -> builder.tools(new Misspelt())))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("Misspelt.transfer()")
                .hasMessageContaining("ammount");
        assertThatThrownBy(() -> new Bench(builder ->
                        builder.toolPolicies(ToolPolicy.named("sendEmail").editable("topic"))))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("sendEmail")
                .hasMessageContaining("topic");
    }

    @Test
    void editableFalseAndEditableArgsContradictEachOther() {
        assertThatThrownBy(() -> new Bench(builder -> builder.tools(new Contradictory())))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("Contradictory.transfer()")
                .hasMessageContaining("contradict");
    }
}
