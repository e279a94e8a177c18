package io.holdpoint.wire;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static io.holdpoint.testing.Bench.user;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.agent.tool.ToolSpecification;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Caller;
import io.holdpoint.ToolPolicy;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.ClientToolSpec;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.agui.RunEvent;
import io.holdpoint.agui.RunFinishedOutcome;
import io.holdpoint.agui.ToolCallEvent;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.RecordingSink;
import io.holdpoint.testing.TrailRules;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tools that the client offers, and executes itself. */
class FrontendToolsTest {

    private static final ClientToolSpec COLOUR = tool(
            "setColour",
            "{\"type\":\"object\",\"properties\":{\"colour\":{\"type\":"
                    + "\"string\",\"pattern\":\"^[a-z]+$\"}},\"required\":[\"colour\"],\"additionalProperties\":false}");

    private final Bench bench = new Bench();

    private static ClientToolSpec tool(String name, String parameters) {
        try {
            JsonNode schema = AguiCodec.mapper().readTree(parameters);
            return new ClientToolSpec(name, "Of the client", schema, null);
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private RunAgentInput offering(Message... messages) {
        return bench.input(messages).withTools(List.of(COLOUR));
    }

    private RecordingSink asks(String text) {
        return bench.run(offering(user(text, text)));
    }

    private static Message.Tool result(String id, String toolCallId, String text) {
        return new Message.Tool(id, toolCallId, MessageContent.text(text), null);
    }

    private static List<String> left(RecordingSink sink) {
        RunEvent.Finished finished =
                (RunEvent.Finished) sink.events().get(sink.events().size() - 1);
        return ((RunFinishedOutcome.Success) finished.outcome()).pendingToolCallIds();
    }

    private static List<String> results(RecordingSink sink) {
        return sink.all(ToolCallEvent.Result.class).stream()
                .map(ToolCallEvent.Result::toolCallId)
                .toList();
    }

    private void proposesColour() {
        bench.model.calls(call("c1", "setColour", "{\"colour\":\"blue\"}"));
    }

    @Test
    void theModelIsOfferedThemInThisRunOnly() {
        bench.model.says("Hello.").says("Hello again.");
        asks("Hi");
        bench.say("Hi again");

        assertThat(bench.model.requests().get(0).toolSpecifications())
                .extracting(ToolSpecification::name)
                .contains("setColour", "sendEmail");
        assertThat(bench.model.requests().get(1).toolSpecifications())
                .extracting(ToolSpecification::name)
                .doesNotContain("setColour");
    }

    @Test
    void aCallIsLeftToTheClientAndTheRunSaysSo() {
        proposesColour();

        RecordingSink sink = asks("Blue please");

        assertThat(left(sink)).containsExactly("c1");
        assertThat(results(sink)).isEmpty();
        assertThat(bench.model.requests()).hasSize(1);
        assertThat(bench.pending()).isEmpty();
        ScriptedModel.requireWellFormed(bench.memory());
    }

    @Test
    void theClientsResultGoesToTheModelAndKeepsItsId() {
        proposesColour();
        bench.model.says("It is blue.");
        asks("Blue please");

        RecordingSink sink = bench.run(offering(user("Blue please", "Blue please"), result("r1", "c1", "done")));

        assertThat(sink.text()).isEqualTo("It is blue.");
        assertThat(left(sink)).isEmpty();
        assertThat(results(sink)).as("the client has it").isEmpty();
        assertThat(bench.model.lastResult("c1")).isEqualTo("done");
        assertThat(bench.transcript()).extracting(Message::id).contains("r1").doesNotHaveDuplicates();
        ScriptedModel.requireWellFormed(bench.memory());
        TrailRules.check(bench.store, Bench.THREAD);
    }

    @Test
    void anErrorOfTheClientIsTheCallsFailure() {
        proposesColour();
        bench.model.says("Oh.");
        asks("Blue please");

        bench.run(offering(new Message.Tool("r1", "c1", MessageContent.text(""), "no such colour")));

        assertThat(bench.model.lastResult("c1")).isEqualTo("no such colour");
        TrailRules.check(bench.store, Bench.THREAD);
    }

    @Test
    void theSameResultAgainChangesNothing() {
        proposesColour();
        bench.model.says("It is blue.");
        asks("Blue please");
        bench.run(offering(result("r1", "c1", "done")));
        Bench.Everything before = bench.everything();

        RecordingSink again = bench.run(offering(result("r2", "c1", "something else")));

        assertThat(again.types()).isEqualTo(Bench.PRESENTED);
        assertThat(bench.everything()).isEqualTo(before);
    }

    @Test
    void withoutResultsTheCallsAreNamedAgain() {
        proposesColour();
        asks("Blue please");

        assertThat(left(bench.nothingNew())).containsExactly("c1");
        assertThat(bench.model.requests()).hasSize(1);
    }

    @Test
    void someResultsAreKeptAndTheOthersWaitedFor() {
        bench.model
                .calls(
                        call("c1", "setColour", "{\"colour\":\"blue\"}"),
                        call("c2", "setColour", "{\"colour\":\"red\"}"))
                .says("Both.");
        assertThat(left(asks("Colours"))).containsExactly("c1", "c2");

        assertThat(left(bench.run(offering(result("r2", "c2", "red"))))).containsExactly("c1");
        RecordingSink sink = bench.run(offering(result("r1", "c1", "blue")));

        assertThat(sink.text()).isEqualTo("Both.");
        assertThat(bench.model.lastResult("c1")).isEqualTo("blue");
        assertThat(bench.model.lastResult("c2")).isEqualTo("red");
    }

    @Test
    void aNewMessageInsteadGivesThemUp() {
        proposesColour();
        bench.model.says("As you like.");
        asks("Blue please");

        RecordingSink sink = asks("Forget it");

        assertThat(sink.text()).isEqualTo("As you like.");
        assertThat(bench.model.lastResult("c1")).contains("was not executed");
        ScriptedModel.requireWellFormed(bench.memory());
    }

    @Test
    void aResultAndANewMessageAreBothHeard() {
        proposesColour();
        bench.model.says("And now?");
        asks("Blue please");

        RecordingSink sink = bench.run(offering(result("r1", "c1", "done"), user("More", "More")));

        assertThat(sink.text()).isEqualTo("And now?");
        assertThat(bench.model.requests()).hasSize(2);
        assertThat(bench.model.lastResult("c1")).isEqualTo("done");
    }

    @Test
    void aResultWithTheIdOfTheNewMessageDoesNotReplaceIt() {
        proposesColour();
        bench.model.says("It is blue.").says("Bye.");
        asks("Blue please");

        bench.run(offering(result("x", "c1", "done"), user("x", "And bye")));

        assertThat(bench.transcript()).contains(user("x", "And bye"));
        assertThat(bench.transcript()).extracting(Message::role).contains("tool");
    }

    @Test
    void serverToolsOfTheSameMessageRunAtOnceAndAreAnnounced() {
        bench.model
                .calls(
                        call("c1", "setColour", "{\"colour\":\"blue\"}"),
                        call("c2", "searchContacts", "{\"query\":\"Ada\"}"))
                .says("Done.");

        RecordingSink sink = asks("Both");
        assertThat(bench.tools.effects()).containsExactly("searchContacts Ada");
        assertThat(results(sink)).containsExactly("c2");
        assertThat(left(sink)).containsExactly("c1");

        bench.run(offering(result("r1", "c1", "done")));
        assertThat(bench.tools.effects()).hasSize(1);
        assertThat(bench.model.lastMessages().toString().indexOf("c1"))
                .isLessThan(bench.model.lastMessages().toString().lastIndexOf("c2"));
    }

    @Test
    void approvalsComeFirstAndTheClientsCallsAreLeftAfterwards() {
        bench.model
                .calls(call("c1", "setColour", "{\"colour\":\"blue\"}"), call("c2", "sendEmail", MAIL))
                .says("Done.");
        RecordingSink held = asks("Both");
        assertThat(held.interrupts()).hasSize(1);
        assertThat(bench.tools.effects()).isEmpty();

        RecordingSink approved = bench.run(
                offering().withResume(List.of(bench.pending(0).asApproval().approve())));
        assertThat(bench.tools.effects()).hasSize(1);
        assertThat(left(approved)).containsExactly("c1");

        assertThat(bench.run(offering(result("r1", "c1", "done"))).text()).isEqualTo("Done.");
        assertThat(bench.tools.effects()).hasSize(1);
    }

    @Test
    void theClientMayBeQuickerThanThePerson() {
        bench.model
                .calls(call("c1", "setColour", "{\"colour\":\"blue\"}"), call("c2", "sendEmail", MAIL))
                .says("Done.");
        asks("Both");

        RecordingSink still = bench.run(offering(result("r1", "c1", "done")));
        assertThat(still.interrupts()).hasSize(1);
        assertThat(bench.tools.effects()).isEmpty();

        assertThat(bench.run(offering()
                                .withResume(
                                        List.of(bench.pending(0).asApproval().approve())))
                        .text())
                .isEqualTo("Done.");
        assertThat(bench.model.lastResult("c1")).isEqualTo("done");
    }

    @Test
    void anApprovalAndTheResultMayComeTogether() {
        bench.model
                .calls(call("c1", "setColour", "{\"colour\":\"blue\"}"), call("c2", "sendEmail", MAIL))
                .says("Done.");
        asks("Both");

        RecordingSink sink = bench.run(offering(result("r1", "c1", "done"))
                .withResume(List.of(bench.pending(0).asApproval().approve())));

        assertThat(sink.text()).isEqualTo("Done.");
        assertThat(bench.tools.effects()).hasSize(1);
    }

    @Test
    void aResultForACallOfTheServerIsNone() {
        bench.model.calls(call("c1", "sendEmail", MAIL)).says("Done.");
        asks("Write");

        RecordingSink sink = bench.run(offering(result("r1", "c1", "{\"approved\":true}")));

        assertThat(sink.interrupts()).hasSize(1);
        assertThat(bench.tools.effects()).isEmpty();
        assertThat(bench.transcript()).extracting(Message::id).doesNotContain("r1");
    }

    @Test
    void aToolOfTheSameNameIsTheServers() {
        bench.model.calls(call("c1", "sendEmail", MAIL));

        RecordingSink sink = bench.run(
                bench.input(user("u", "Write")).withTools(List.of(tool("sendEmail", "{\"type\":\"object\"}"))));

        assertThat(sink.interrupts()).hasSize(1);
    }

    @Test
    void aPolicyAppliesToThemToo() {
        Bench strict = new Bench(builder -> builder.toolPolicies(
                ToolPolicy.where(specification -> specification.name().startsWith("set"))));
        strict.model.calls(call("c1", "setColour", "{\"colour\":\"blue\"}")).says("Done.");
        RunAgentInput asked = strict.input(user("u", "Blue")).withTools(List.of(COLOUR));
        assertThat(strict.run(asked).interrupts()).hasSize(1);

        RecordingSink approved = strict.run(strict.input()
                .withTools(List.of(COLOUR))
                .withResume(List.of(strict.pending(0).asApproval().approve())));
        assertThat(left(approved)).containsExactly("c1");

        strict.run(strict.input(result("r1", "c1", "done")).withTools(List.of(COLOUR)));
        assertThat(strict.model.lastResult("c1")).isEqualTo("done");
    }

    @Test
    void whatTheClientExecutesCannotBeEdited() {
        Bench strict = new Bench(builder -> builder.toolPolicies(
                ToolPolicy.where(specification -> specification.name().startsWith("set"))));
        strict.model.calls(call("c1", "setColour", "{\"colour\":\"blue\"}"));
        RunAgentInput asked = strict.input(user("u", "Blue")).withTools(List.of(COLOUR));
        assertThat(strict.run(asked).interrupts().get(0).responseSchema().at("/properties/editedArgs"))
                .isEmpty();

        RecordingSink edited = strict.resume(strict.pending(0).asApproval().approveWith(Map.of("colour", "red")));

        assertThat(edited.errorCode()).isEqualTo("INTERRUPT_PAYLOAD_INVALID");
    }

    @Test
    void theTrailDoesNotSayThatTheClientDidWhatAPersonHasAnswered() {
        Bench strict = new Bench(builder -> builder.toolPolicies(
                ToolPolicy.where(specification -> specification.name().startsWith("set"))
                        .respond()));
        strict.model.calls(call("c1", "setColour", "{\"colour\":\"blue\"}")).says("It is blue.");
        strict.run(strict.input(user("u", "Blue")).withTools(List.of(COLOUR)));

        RecordingSink answered = strict.resume(strict.pending(0).asApproval().respond("It is blue already."));

        assertThat(left(answered)).isEmpty();
        assertThat(strict.model.lastResult("c1")).contains("It is blue already.");
        AuditEvent settled = strict.store.auditTrail(Bench.THREAD, 0, 100).stream()
                .filter(event -> event.kind() == AuditEvent.Kind.EXECUTED)
                .findFirst()
                .orElseThrow();
        assertThat(settled.detail().toString()).isEqualTo("{\"reported\":true}");
    }

    @Test
    void aDeniedCallIsNotLeftToTheClient() {
        Bench strict = new Bench(builder -> builder.toolPolicies(
                ToolPolicy.where(specification -> specification.name().startsWith("set"))));
        strict.model.calls(call("c1", "setColour", "{\"colour\":\"blue\"}")).says("Then not.");
        strict.run(strict.input(user("u", "Blue")).withTools(List.of(COLOUR)));

        RecordingSink denied = strict.run(strict.input(result("r1", "c1", "done anyway"))
                .withTools(List.of(COLOUR))
                .withResume(List.of(strict.pending(0).asApproval().deny())));

        assertThat(denied.text()).isEqualTo("Then not.");
        assertThat(strict.model.lastResult("c1")).contains("declined");
    }

    @Test
    @Logs({"A tool of the client is left out", "The tool * of the client is left out"})
    void toolsThatNoModelCanBeToldOfAreLeftOut() {
        bench.model.says("Hello.");

        bench.run(bench.input(user("u", "Hi"))
                .withTools(List.of(
                        tool("with space", "{\"type\":\"object\"}"),
                        tool("broken", "{\"type\":\"object\",\"properties\":{\"a\":1}}"),
                        COLOUR,
                        tool("setColour", "{\"type\":\"object\"}"))));

        assertThat(bench.model.requests().get(0).toolSpecifications())
                .extracting(ToolSpecification::name)
                .doesNotContain("with space", "broken")
                .containsOnlyOnce("setColour");
    }

    @Test
    @Logs("The tool * of the client is left out")
    void aToolThatAPolicyDoesNotFitIsLeftOut() {
        Bench strict = new Bench(builder -> builder.toolPolicies(
                ToolPolicy.matching(Pattern.compile("set.*")).message("Set {{size}}?")));
        strict.model.says("Hello.");

        strict.run(strict.input(user("u", "Hi")).withTools(List.of(COLOUR)));

        assertThat(strict.model.requests().get(0).toolSpecifications())
                .extracting(ToolSpecification::name)
                .doesNotContain("setColour");
    }

    @Test
    void anAnswerOfAnEarlierTurnDoesNotHideWhatIsLeftNorItsResult() {
        bench.model.calls(call("c0", "sendEmail", MAIL)).says("Sent.");
        bench.say("Mail");
        ResumeEntry earlier = bench.pending(0).asApproval().approve();
        bench.resume(earlier);
        proposesColour();
        asks("Blue please");

        RecordingSink repeated = bench.resume(earlier);
        assertThat(repeated.types()).isEqualTo(Bench.PRESENTED);
        assertThat(left(repeated)).containsExactly("c1");

        bench.model.says("It is blue.");
        RecordingSink sink = bench.run(offering(result("r1", "c1", "done")).withResume(List.of(earlier)));
        assertThat(sink.text()).isEqualTo("It is blue.");
        assertThat(bench.tools.effects()).hasSize(1);
    }

    @Test
    void whoMayOnlyDecideOffersTheModelNothing() {
        Bench shared = new Bench(builder -> builder.approvalAuthorizer(ApprovalAuthorizer.role("boss")));
        Caller boss = Caller.of("eve", "boss");
        shared.model.calls(call("c1", "sendEmail", MAIL)).says("Sent.");
        shared.say("Go");

        RunAgentInput approved = shared.answers(shared.agent()
                .as(boss)
                .pending(Bench.THREAD)
                .get(0)
                .asApproval()
                .approve());
        shared.agent()
                .as(boss)
                .run(approved.withTools(List.of(COLOUR)), new RecordingSink())
                .join();

        assertThat(shared.tools.effects()).hasSize(1);
        assertThat(shared.model.requests().get(1).toolSpecifications())
                .extracting(ToolSpecification::name)
                .contains("sendEmail")
                .doesNotContain("setColour");
    }

    @Test
    void somebodyElsesResultDoesNotCount() {
        Bench shared = new Bench(builder -> builder.approvalAuthorizer(ApprovalAuthorizer.role("boss")));
        shared.model.calls(call("c1", "setColour", "{\"colour\":\"blue\"}"));
        shared.run(shared.input(user("u", "Blue")).withTools(List.of(COLOUR)));
        RecordingSink sink = new RecordingSink();

        shared.agent()
                .as(Caller.of("eve", "boss"))
                .run(shared.input(result("r1", "c1", "forged")), sink)
                .join();

        assertThat(shared.transcript()).extracting(Message::id).doesNotContain("r1");
        assertThat(left(sink)).containsExactly("c1");
    }
}
