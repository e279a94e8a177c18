package io.holdpoint.people;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.service.UserMessage;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.ApprovalVerdict;
import io.holdpoint.Approvals;
import io.holdpoint.Caller;
import io.holdpoint.Decided;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.PendingInterrupt.Approval;
import io.holdpoint.ProposedCall;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.ToolPolicy;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.rule.Intended;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.AuditEvent.Kind;
import io.holdpoint.store.Grant;
import io.holdpoint.store.Reversibility;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.TrailRules;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls that a person has approved as a list run unasked, as often as the list says; everything else is asked about as always. */
class IntendedCallsTest {

    private static final String TO_BOB = "{\"to\":\"bob\",\"amount\":5}";
    private static final String TO_EVE = "{\"to\":\"eve\",\"amount\":5}";

    private final List<String> effects = new ArrayList<>();
    private final Bench bench = new Bench();
    private int calls;

    /** Pays. */
    final class Bank {

        @Tool("Says beforehand which calls are going to be made.")
        @RequiresApproval(rules = IntendedCalls.class)
        String intend(List<IntendedCall> calls) {
            return "Make them.";
        }

        @Tool
        @RequiresApproval(remember = Grant.Scope.SAME_CALL, rememberFor = "PT30M")
        String pay(String to, BigDecimal amount) {
            effects.add("pay " + to + " " + amount);
            return "paid";
        }

        @Tool
        @RequiresApproval
        String mail(String to) {
            effects.add("mail " + to);
            return "sent";
        }

        @Tool
        @RequiresApproval(reversibility = Reversibility.IRREVERSIBLE)
        String delete(String customer) {
            effects.add("delete " + customer);
            return "deleted";
        }

        @Tool
        @RequiresApproval(remember = Grant.Scope.SAME_CALL)
        String tip(String to, @P(value = "how much", defaultValue = "500") int amount) {
            effects.add("tip " + to + " " + amount);
            return "given";
        }

        @Tool
        String look(String at) {
            effects.add("look " + at);
            return "seen";
        }
    }

    /** An AI Service that does not stream. */
    interface Blocking {
        String chat(@UserMessage String message);
    }

    private final Holdpoint agent = agent(builder -> builder);

    private Holdpoint agent(UnaryOperator<HoldpointBuilder<Bench.Assistant>> custom) {
        return bench.another(builder -> custom.apply(builder.tools(new Bank())));
    }

    private static String entry(String tool, String arguments, int times) {
        return AguiCodec.mapper()
                .createObjectNode()
                .put("tool", tool)
                .put("arguments", arguments)
                .put("times", times)
                .toString();
    }

    private ToolExecutionRequest intend(String... entries) {
        return call("c" + ++calls, "intend", "{\"calls\":[" + String.join(",", entries) + "]}");
    }

    private ToolExecutionRequest pay(String arguments) {
        return call("c" + ++calls, "pay", arguments);
    }

    private Approval asked(String... entries) {
        bench.model.calls(intend(entries));
        return agent.send(THREAD, "Go").approvals().get(0);
    }

    private void approved(String... entries) {
        Approval asked = asked(entries);
        bench.model.says("Done.");
        assertThat(agent.resume(THREAD, asked.approve())).isInstanceOf(RunResult.Completed.class);
    }

    /** The model proposes a call; the questions about it, none if it has run. */
    private List<PendingInterrupt> proposed(Holdpoint by, ToolExecutionRequest request) {
        int left = bench.model.left();
        bench.model.calls(request).says("Done.");
        List<PendingInterrupt> asked = by.send(THREAD, "On").interrupts();
        assertThat(bench.model.left()).isEqualTo(asked.isEmpty() ? left : left + 1);
        return asked;
    }

    private List<PendingInterrupt> proposed(ToolExecutionRequest request) {
        return proposed(agent, request);
    }

    /** The model proposes a list that nobody is asked about; what it is told. */
    private String refused(ToolExecutionRequest request) {
        bench.model.calls(request).says("Sorry.");
        assertThat(agent.send(THREAD, "Go")).isInstanceOf(RunResult.Completed.class);
        assertThat(agent.grants(THREAD)).isEmpty();
        return bench.model.lastResult(request.id());
    }

    private List<AuditEvent> trail(Kind kind) {
        TrailRules.check(bench.store, THREAD);
        return bench.store.auditTrail(THREAD, 0, 1_000).stream()
                .filter(event -> event.kind() == kind)
                .toList();
    }

    @Test
    void anApprovedListLetsItsCallsRunAsOftenAsItSaysAndTheTrailSaysWhichApprovalThatWas() {
        Approval asked = asked(entry("pay", TO_BOB, 2), entry("pay", TO_EVE, 1));
        assertThat(agent.grants(THREAD)).isEmpty();
        bench.model
                .calls(pay("{\"amount\":5,\"to\":\"bob\"}"), pay(TO_EVE))
                .calls(pay(TO_BOB))
                .says("Done.");

        assertThat(agent.resume(THREAD, asked.approve())).isInstanceOf(RunResult.Completed.class);

        assertThat(effects).containsExactly("pay bob 5", "pay eve 5", "pay bob 5");
        List<AuditEvent> granted = trail(Kind.GRANTED);
        assertThat(granted)
                .extracting(
                        event -> event.toolCallId().orElseThrow(),
                        event -> event.toolName().orElseThrow(),
                        event -> event.interruptId().orElseThrow(),
                        event -> event.detail().path("within").asText())
                .containsExactly(
                        org.assertj.core.api.Assertions.tuple("c1", "pay", asked.id(), "within 2 calls"),
                        org.assertj.core.api.Assertions.tuple("c1", "pay", asked.id(), "within 1 call"));
        String bobs = granted.get(0).detail().path("grant").asText();
        String eves = granted.get(1).detail().path("grant").asText();
        assertThat(trail(Kind.ALLOWED))
                .extracting(event -> event.detail().path("grant").asText())
                .containsExactly(bobs, eves, bobs);
        assertThat(proposed(pay(TO_BOB))).as("used up").hasSize(1);
        assertThat(effects).hasSize(3);
    }

    @Test
    void anAgentThatDoesNotStreamKeepsToItAsWell() {
        Holdpoint blocking = Holdpoint.builder(Blocking.class)
                .chatModel(bench.model)
                .tools(new Bank())
                .store(bench.store)
                .clock(bench.clock)
                .executor(Runnable::run)
                .build();
        bench.model.calls(intend(entry("pay", TO_BOB, 1)));
        Approval asked = blocking.send(THREAD, "Go").approvals().get(0);
        bench.model.calls(pay(TO_BOB)).calls(pay(TO_BOB));

        List<PendingInterrupt> next = blocking.resume(THREAD, asked.approve()).interrupts();

        assertThat(next).hasSize(1);
        assertThat(effects).containsExactly("pay bob 5");
    }

    @Test
    void whatDeviatesIsAskedAbout() {
        approved(entry("pay", TO_BOB, 9));

        assertThat(proposed(pay("{\"to\":\"bob\",\"amount\":6}"))).hasSize(1);
        assertThat(effects).isEmpty();
    }

    @Test
    void otherConversationsAreNotMeant() {
        approved(entry("pay", TO_BOB, 9));
        bench.model.calls(call("x", "pay", TO_BOB));

        assertThat(agent.send("another", "Pay").interrupts()).hasSize(1);
    }

    @Test
    void aDeniedListAllowsNothing() {
        Approval asked = asked(entry("pay", TO_BOB, 1));
        bench.model.says("Done.");
        agent.resume(THREAD, asked.deny("No."));

        assertThat(agent.grants(THREAD)).isEmpty();
        assertThat(proposed(pay(TO_BOB))).hasSize(1);
    }

    @Test
    void whatAPersonHasRemovedFromTheListIsAskedAboutAndWhatTheyHaveChangedRunsAsChanged() {
        Approval asked = asked(entry("pay", TO_BOB, 3), entry("pay", TO_EVE, 1));
        ObjectNode edited = asked.arguments().deepCopy();
        ArrayNode list = (ArrayNode) edited.path("calls");
        list.remove(1);
        ((ObjectNode) list.get(0)).put("times", 1).put("arguments", "{\"amount\":4, \"to\":\"bob\"}");
        bench.model.says("Done.");
        agent.resume(THREAD, asked.approveWith(edited));

        assertThat(proposed(pay("{\"to\":\"bob\",\"amount\":4}"))).isEmpty();
        assertThat(effects).containsExactly("pay bob 4");
        assertThat(proposed(pay(TO_EVE))).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '\'',
            value = {
                "delete, '{\"customer\":\"bob\"}'",
                "mail, '{\"to\":\"bob\"}'",
                "look, '{\"at\":\"bob\"}'",
                "pay, '{\"to\":\"bob\",\"amount\":\"much\"}'",
                "other, {}"
            })
    void whatAPersonPutsIntoTheListIsApprovedOnlyIfItMayBe(String tool, String arguments) throws Exception {
        Approval asked = asked(entry("pay", TO_BOB, 1));
        ObjectNode edited = asked.arguments().deepCopy();
        edited.withArray("/calls").add(AguiCodec.mapper().readTree(entry(tool, arguments, 1)));
        bench.model.says("Done.");
        agent.resume(THREAD, asked.approveWith(edited));

        assertThat(agent.grants(THREAD)).hasSize(1);
    }

    @Test
    void anEditThatNamesTheListItselfOrNothingIsNotTaken() {
        Approval asked = asked(entry("pay", TO_BOB, 1));
        ObjectNode itself = asked.arguments().deepCopy();
        itself.withArray("/calls")
                .addObject()
                .put("tool", "intend")
                .put("times", 1)
                .putObject("arguments");
        ObjectNode empty = asked.arguments().deepCopy();
        empty.withArray("/calls").removeAll();

        for (ObjectNode edited : List.of(itself, empty)) {
            RunResult result = agent.resume(THREAD, asked.approveWith(edited));
            assertThat(result.failure().orElseThrow().code()).isEqualTo(ErrorCode.INTERRUPT_PAYLOAD_INVALID);
        }
        assertThat(agent.pending(THREAD)).hasSize(1);
    }

    @Test
    void itEndsWhenTheToolsPolicySaysSo() {
        approved(entry("pay", TO_BOB, 9));
        bench.clock.advance(Duration.ofMinutes(29));
        assertThat(proposed(pay(TO_BOB))).isEmpty();
        bench.clock.advance(Duration.ofMinutes(1));

        assertThat(proposed(pay(TO_BOB))).hasSize(1);
        assertThat(effects).hasSize(1);
    }

    @Test
    void itIsRevokedLikeAnyDecision() {
        approved(entry("pay", TO_BOB, 9));
        Grant grant = agent.grants(THREAD).get(0);
        assertThat(agent.revoke(THREAD, grant.id())).isTrue();

        assertThat(proposed(pay(TO_BOB))).hasSize(1);
    }

    @Test
    void aLaterDenialEndsIt() {
        approved(entry("pay", TO_BOB, 1), entry("pay", TO_EVE, 1));
        assertThat(proposed(pay(TO_BOB))).isEmpty();
        PendingInterrupt asked = proposed(pay(TO_BOB)).get(0);
        agent.resume(THREAD, asked.asApproval().deny("No."));

        assertThat(agent.grants(THREAD)).as("that of the other call").hasSize(1);
        assertThat(proposed(pay(TO_EVE))).isEmpty();
    }

    /** The list has named it, and it was asked about besides, in the same message. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aDenialBesideItEndsIt(boolean together) {
        bench.model.calls(intend(entry("pay", TO_BOB, 1), entry("pay", TO_EVE, 1)), pay(TO_BOB));
        List<Approval> asked = agent.send(THREAD, "Go").approvals();
        bench.model.says("Done.");
        if (together) {
            agent.resume(THREAD, asked.get(0).approve(), asked.get(1).deny("No."));
        } else {
            agent.decide(THREAD, asked.get(0).approve());
            Decided last = agent.decide(THREAD, asked.get(1).deny("No."));
            assertThat(last).isInstanceOfSatisfying(Decided.Runs.class, runs -> runs.result()
                    .join());
        }

        assertThat(proposed(pay(TO_BOB))).as("somebody has said no to it").hasSize(1);
        assertThat(effects).isEmpty();
    }

    @Test
    void whatIsAskedAboutInAnyCaseIsSaidOnTheCardAndAskedAbout() {
        Approval asked = asked(
                entry("pay", TO_BOB, 1),
                entry("delete", "{\"customer\":\"bob\"}", 1),
                entry("mail", "{\"to\":\"bob\"}", 1),
                entry("look", "{\"at\":\"bob\"}", 1));

        assertThat(asked.message())
                .contains("2 (delete) will still be asked about: it cannot be taken back.")
                .contains("3 (mail) will still be asked about.")
                .doesNotContain("(pay)")
                .doesNotContain("(look)");
        JsonNode section = asked.interrupt().metadata().at("/langchain4j/intended/stillAsked");
        assertThat(section).hasToString("[1,2]");
        bench.model.says("Done.");
        agent.resume(THREAD, asked.approve());
        assertThat(agent.grants(THREAD)).hasSize(1);
        assertThat(proposed(call("d", "delete", "{\"customer\":\"bob\"}"))).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {51, 10_000})
    void aListOfThousandsReachesNobody(int entries) {
        String[] all = new String[entries];
        java.util.Arrays.setAll(all, at -> entry("pay", TO_BOB, 1));

        assertThat(refused(intend(all))).contains("calls");
    }

    @Test
    @Logs("A call of the tool \"pay\" was refused to the model because of its arguments*")
    void aListWithWhatCannotBeCalledIsRefusedToTheModelWithTheEntry() {
        assertThat(refused(intend(entry("pay", TO_BOB, 1), entry("other", "{}", 1))))
                .contains("call 2")
                .contains("other");
        assertThat(refused(intend(entry("pay", "{\"to\":\"bob\",\"amount\":\"much\"}", 1))))
                .contains("call 1")
                .contains("amount");
        assertThat(refused(intend(entry("intend", "{\"calls\":[]}", 1)))).contains("call 1");
        assertThat(refused(intend(entry("pay", TO_BOB, 0)))).contains("times");
        assertThat(refused(intend(entry("pay", "bob", 1)))).contains("arguments must be a JSON object");
        assertThat(refused(intend())).contains("0 calls");
        assertThat(refused(intend(entry("pay", "", 1)))).contains("arguments must be a JSON object");
    }

    /** What runs is what the person has read. */
    @Test
    void aTextThatShowsSomethingElseThanItSaysIsRefused() {
        assertThat(refused(intend(entry("pay", "{\"to\":\"\\u0065ve\",\"amount\":4}", 1))))
                .contains("each character as itself");
        String hidden = "{\"to\":\"bob\"," + " ".repeat(200) + "\"amount\":4}";
        assertThat(refused(intend(entry("pay", hidden, 1)))).contains("few blanks");
    }

    /** A default that nobody has read is not approved either. */
    @Test
    void aListThatLeavesOutWhatTheToolWouldAddIsRefusedWithAllThatWouldRun() {
        assertThat(refused(intend(entry("tip", "{\"to\":\"bob\"}", 1))))
                .contains("call 1")
                .contains("it would run with {\\\"amount\\\":500,\\\"to\\\":\\\"bob\\\"}");

        approved(entry("tip", "{\"to\":\"bob\",\"amount\":500}", 1));
        assertThat(proposed(call("t", "tip", "{\"to\":\"bob\"}"))).isEmpty();
        assertThat(effects).containsExactly("tip bob 500");
    }

    @ParameterizedTest
    @ValueSource(strings = {"64.20", "1e2", "0.0", "12345678901234567890.10", "-0"})
    void aNumberIsListedAsItIsWritten(String amount) {
        String arguments = "{\"amount\":" + amount + ",\"to\":\"bob\"}";
        approved(entry("pay", arguments, 1));
        assertThat(proposed(pay(arguments))).isEmpty();
    }

    @Test
    void whatAPersonLeavesOutOfACallInTheListIsAskedAbout() {
        Approval asked = asked(entry("tip", "{\"to\":\"bob\",\"amount\":5}", 1));
        ObjectNode edited = asked.arguments().deepCopy();
        ((ObjectNode) edited.at("/calls/0")).put("arguments", "{\"to\":\"bob\"}");
        bench.model.says("Done.");
        agent.resume(THREAD, asked.approveWith(edited));

        assertThat(proposed(call("t", "tip", "{\"to\":\"bob\"}"))).hasSize(1);
        assertThat(effects).isEmpty();
    }

    @Test
    void whoApprovesAnEditedListIsToldAndHeldToTheSame() {
        Caller grace = Caller.of("grace", "approver");
        Caller henry = Caller.of("henry", "approver");
        Holdpoint several = agent(builder -> builder.approvalAuthorizer(ApprovalAuthorizer.role("approver"))
                .toolPolicies(ToolPolicy.named("intend").approvals(Approvals.of(2))));
        bench.model.calls(intend(entry("pay", TO_BOB, 3), entry("mail", "{\"to\":\"bob\"}", 1)));
        Approval asked = several.send(THREAD, "Go").approvals().get(0);
        ObjectNode edited = asked.arguments().deepCopy();
        ((ObjectNode) edited.at("/calls/0")).put("times", 1);
        several.as(grace).resume(THREAD, asked.approveWith(edited));
        Approval again = several.as(henry).pending(THREAD).get(0).asApproval();
        bench.model.says("Done.");
        several.as(henry).resume(THREAD, again.approve());

        assertThat(again.message()).contains("Call 2 (mail) will still be asked about.");
        assertThat(several.as(henry).grants(THREAD))
                .extracting(grant -> grant.approved().toolName())
                .containsExactly("pay");
        assertThat(effects).isEmpty();
    }

    /** Where a person was told that a call will be asked about, it is, though the policy is another one by then. */
    @Test
    void whatTheCardSaysWillBeAskedAboutIsAskedAbout() {
        Approval asked = asked(entry("pay", TO_BOB, 1), entry("mail", "{\"to\":\"bob\"}", 1));
        ObjectNode section = (ObjectNode) asked.interrupt().metadata().at("/langchain4j/intended");
        IntendedCalls rule = new IntendedCalls();
        ToolSpecification tool = ToolSpecification.builder().name("intend").build();
        ProposedCall call = new ProposedCall(tool, asked.arguments(), Caller.ANONYMOUS, THREAD, "r", "c");

        assertThat(rule.intended(call, section)).extracting(Intended::toolName).containsExactly("pay");
        assertThat(section.path("tools").path("pay").asText()).hasSize(64);
    }

    @Test
    void whoMayNotApproveACallDoesNotApproveItInAList() {
        Holdpoint strict = agent(builder ->
                builder.approvalAuthorizer(request -> request.toolName().equals("intend")));
        bench.model.calls(intend(entry("pay", TO_BOB, 1)));
        Approval asked = strict.send(THREAD, "Go").approvals().get(0);
        bench.model.says("Done.");
        strict.resume(THREAD, asked.approve());

        List<PendingInterrupt> still = proposed(strict, pay(TO_BOB));

        assertThat(still).hasSize(1);
        assertThat(still.get(0)
                        .interrupt()
                        .metadata()
                        .at("/langchain4j/unusedGrant/why")
                        .asText())
                .isEqualTo("not_allowed");
    }

    @Test
    void aListThatNobodyWasAskedAboutAllowsNothing() {
        Holdpoint unasked = agent(builder -> builder.tools(new Object() {
                    @Tool
                    String announce(List<IntendedCall> calls) {
                        return "Make them.";
                    }
                })
                .toolPolicies(ToolPolicy.named("announce")
                        .when(call -> ApprovalVerdict.allow())
                        .rules(new IntendedCalls())));
        bench.model
                .calls(call("a", "announce", "{\"calls\":[" + entry("pay", TO_BOB, 1) + "]}"))
                .calls(pay(TO_BOB));

        assertThat(unasked.send(THREAD, "Go").interrupts()).hasSize(1);
        assertThat(unasked.grants(THREAD)).isEmpty();
    }

    @Test
    void twoServersOnOneStoreCannotExceedTheCount() {
        approved(entry("pay", TO_BOB, 2));
        Holdpoint other = agent(builder -> builder);

        for (int i = 0; i < 4; i++) {
            List<PendingInterrupt> asked = proposed(i % 2 == 0 ? agent : other, pay(TO_BOB));
            assertThat(asked).hasSize(i < 2 ? 0 : 1);
            if (!asked.isEmpty()) {
                agent.resume(THREAD, asked.get(0).cancel());
            }
        }
        assertThat(effects).hasSize(2);
    }
}
