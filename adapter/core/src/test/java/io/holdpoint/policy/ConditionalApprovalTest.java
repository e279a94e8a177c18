package io.holdpoint.policy;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.service.IllegalConfigurationException;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.ApprovalCondition;
import io.holdpoint.ApprovalVerdict;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.ProposedCall;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.ToolPolicy;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Store;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.Shape;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Conditions say per call whether a person is asked. */
class ConditionalApprovalTest {

    static final class LargeTransfer implements ApprovalCondition {

        @Override
        public ApprovalVerdict evaluate(ProposedCall call) {
            BigDecimal amount = call.argument("amount", BigDecimal.class).orElseThrow();
            if (amount.signum() < 0) {
                return ApprovalVerdict.deny("a negative amount takes money instead of giving it");
            }
            return ApprovalVerdict.requireApprovalIf(amount.compareTo(new BigDecimal(100)) > 0);
        }
    }

    static final class Bank {

        private final List<String> effects = new ArrayList<>();

        @Tool
        @RequiresApproval(when = LargeTransfer.class, message = "Transfer {{amount}}?")
        public String transfer(BigDecimal amount) {
            effects.add("transferred " + amount);
            return "done";
        }

        @Tool
        public String balance() {
            effects.add("balance");
            return "42";
        }
    }

    record Transfer(BigDecimal amount) {}

    private final ScriptedModel model = new ScriptedModel();
    private final Bank bank = new Bank();
    private final Store store = new InMemoryStore();

    private HoldpointBuilder<?> builder(Shape shape) {
        return shape.builder(model).tools(bank).store(store);
    }

    private void proposes(String arguments) {
        model.calls(call("c1", "transfer", arguments)).says("Well.");
    }

    @ParameterizedTest
    @EnumSource
    void aCallThatTheConditionAllowsRunsWithoutAskingAnybody(Shape shape) {
        proposes("{\"amount\":100}");

        RunResult result = builder(shape).build().send("t", "go");

        assertThat(result).isInstanceOf(RunResult.Completed.class);
        assertThat(bank.effects).containsExactly("transferred 100");
    }

    @ParameterizedTest
    @EnumSource
    void aCallThatTheConditionWantsApprovedIsHeld(Shape shape) {
        proposes("{\"amount\":100.01}");
        Holdpoint agent = builder(shape).build();

        RunResult.Interrupted held = (RunResult.Interrupted) agent.send("t", "go");

        assertThat(held.interrupts()).singleElement().satisfies(asked -> assertThat(asked.message())
                .isEqualTo("Transfer 100.01?"));
        assertThat(bank.effects).isEmpty();
        agent.resume("t", held.interrupts().get(0).asApproval().approve());
        assertThat(bank.effects).containsExactly("transferred 100.01");
    }

    @ParameterizedTest
    @EnumSource
    void thePersonReadsWhatHeldTheCallBeforeTheQuestionAndTheTrailHasIt(Shape shape) {
        proposes("{\"amount\":101}");
        Holdpoint agent = builder(shape)
                .toolPolicies(
                        ToolPolicy.named("transfer")
                                .when(call -> ApprovalVerdict.requireApproval("More than 100 euros\u202e.")),
                        ToolPolicy.named("transfer")
                                .when(call -> ApprovalVerdict.requireApprovalIf(true, "It is Sunday.")),
                        ToolPolicy.named("transfer")
                                .when(call -> ApprovalVerdict.requireApprovalIf(false, "It is night.")))
                .build();

        PendingInterrupt.Approval asked =
                agent.send("t", "go").interrupts().get(0).asApproval();

        assertThat(asked.message()).isEqualTo("More than 100 euros\\u202e. It is Sunday. Transfer 101?");
        assertThat(asked.interrupt().metadata().at("/langchain4j/why"))
                .hasToString("[\"More than 100 euros\\\\u202e.\",\"It is Sunday.\"]");
        assertThat(held().detail().path("why").get(1).asText()).isEqualTo("It is Sunday.");
    }

    @Test
    void aReasonMayQuoteArgumentsSoThatARedactorKeepsItOutOfTheTrail() {
        proposes("{\"amount\":101}");
        builder(Shape.STREAMING)
                .argumentRedactor((tool, arguments) -> arguments.removeAll())
                .toolPolicies(ToolPolicy.named("transfer")
                        .when(call -> ApprovalVerdict.requireApproval("101 is more than 100.")))
                .build()
                .send("t", "go");

        assertThat(held().detail().has("why")).isFalse();
    }

    @Test
    void aReasonThatIsNoneStillAsks() {
        proposes("{\"amount\":101}");

        RunResult result = builder(Shape.STREAMING)
                .toolPolicies(ToolPolicy.named("transfer").when(call -> ApprovalVerdict.requireApproval(" ")))
                .build()
                .send("t", "go");

        assertThat(result.interrupts().get(0).message()).isEqualTo("Transfer 101?");
        assertThat(held().detail().has("why")).isFalse();
    }

    private AuditEvent held() {
        return store.auditTrail("t", 0, 100).stream()
                .filter(event -> event.kind() == AuditEvent.Kind.HELD)
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @EnumSource
    void aDenialRunsNothingAsksNobodyAndTellsTheModelWhy(Shape shape) {
        proposes("{\"amount\":-1}");

        RunResult result = builder(shape).build().send("t", "go");

        assertThat(result).isInstanceOf(RunResult.Completed.class);
        assertThat(bank.effects).isEmpty();
        assertThat(model.lastResult("c1"))
                .contains("was not executed", "a negative amount takes money instead of giving it", "Nobody was asked");
    }

    @Test
    @Logs("The condition for * failed")
    void aConditionThatThrowsOrAnswersNothingMeansThatAPersonIsAsked() {
        model.calls(call("c1", "transfer", "{\"amount\":1}"));
        Holdpoint throwing = builder(Shape.BLOCKING)
                .toolPolicies(ToolPolicy.named("transfer").when(call -> {
                    throw new IllegalStateException("no rates");
                }))
                .build();
        assertThat(throwing.send("t1", "go")).isInstanceOf(RunResult.Interrupted.class);

        proposes("{\"amount\":1}");
        Holdpoint silent = builder(Shape.BLOCKING)
                .toolPolicies(ToolPolicy.named("transfer").when(call -> nothing()))
                .build();
        assertThat(silent.send("t2", "go")).isInstanceOf(RunResult.Interrupted.class);
        assertThat(bank.effects).isEmpty();
    }

    @Test
    @Logs("The condition for * failed")
    void aConditionThatThrowsAnErrorMeansThatAPersonIsAsked() {
        proposes("{\"amount\":1}");
        Holdpoint broken = builder(Shape.BLOCKING)
                .toolPolicies(ToolPolicy.named("transfer").when(call -> {
                    throw new NoClassDefFoundError("com/example/Rules");
                }))
                .build();

        assertThat(broken.send("t", "go")).isInstanceOf(RunResult.Interrupted.class);
        assertThat(bank.effects).isEmpty();
    }

    private static ApprovalVerdict nothing() {
        return new AtomicReference<ApprovalVerdict>().get();
    }

    @Test
    void editedArgumentsAreDecidedAboutAgainAndADenialCounts() {
        proposes("{\"amount\":200}");
        Holdpoint agent = builder(Shape.BLOCKING).build();
        agent.send("t", "go");

        RunResult result =
                agent.resume("t", agent.pending("t").get(0).asApproval().approveWith(Map.of("amount", -5)));

        assertThat(result).isInstanceOf(RunResult.Completed.class);
        assertThat(bank.effects).isEmpty();
        assertThat(model.lastResult("c1")).contains("was not executed", "a negative amount");
    }

    @Test
    void editedArgumentsThatWouldNeedApprovalHaveIt() {
        proposes("{\"amount\":200}");
        Holdpoint agent = builder(Shape.BLOCKING).build();
        agent.send("t", "go");

        agent.resume("t", agent.pending("t").get(0).asApproval().approveWith(Map.of("amount", 300)));

        assertThat(bank.effects).containsExactly("transferred 300");
    }

    @Test
    void aConditionSeesWhoAsksAndWhere() {
        AtomicReference<ProposedCall> seen = new AtomicReference<>();
        proposes("{\"amount\":7}");

        builder(Shape.BLOCKING)
                .toolPolicies(ToolPolicy.named("transfer").when(call -> {
                    seen.set(call);
                    return ApprovalVerdict.allow();
                }))
                .build()
                .as(Caller.of("ada"))
                .send("t", "go");
        assertThat(seen.get().caller()).isEqualTo(Caller.of("ada"));
        assertThat(seen.get().threadId()).isEqualTo("t");
        assertThat(seen.get().toolCallId()).isEqualTo("c1");
        assertThat(seen.get().tool().name()).isEqualTo("transfer");
        assertThat(seen.get().argumentsAs(Transfer.class)).isEqualTo(new Transfer(BigDecimal.valueOf(7)));
    }

    @Test
    void whoOnlyAnswersLendsTheConversationNoRoles() {
        model.calls(call("c1", "transfer", "{\"amount\":101}")).calls(call("c2", "transfer", "{\"amount\":7}"));
        Holdpoint agent = builder(Shape.BLOCKING)
                .approvalAuthorizer(ApprovalAuthorizer.role("boss"))
                .toolPolicies(ToolPolicy.named("transfer")
                        .when(call -> ApprovalVerdict.requireApprovalIf(
                                call.caller().roles().contains("intern"))))
                .build();
        agent.as(Caller.of("ada", "intern")).send("t", "go");
        Holdpoint boss = agent.as(Caller.of("bob", "boss"));

        RunResult next = boss.resume("t", boss.pending("t").get(0).asApproval().approve());

        assertThat(next).isInstanceOf(RunResult.Interrupted.class);
        assertThat(bank.effects).containsExactly("transferred 101");
    }

    @Test
    void anOwnerWhoAnswersHasTheRolesOfTheAnswer() {
        model.calls(call("c1", "transfer", "{\"amount\":101}"))
                .calls(call("c2", "transfer", "{\"amount\":7}"))
                .says("Done.");
        Holdpoint agent = builder(Shape.BLOCKING)
                .toolPolicies(ToolPolicy.named("transfer")
                        .when(call -> ApprovalVerdict.requireApprovalIf(
                                call.caller().roles().contains("intern"))))
                .build();
        RunResult held = agent.as(Caller.of("ada", "intern")).send("t", "go");

        agent.as(Caller.of("ada")).resume("t", held.approval().approve());

        assertThat(bank.effects).containsExactly("transferred 101", "transferred 7");
    }

    @Test
    void aConditionCannotChangeWhatRuns() {
        proposes("{\"amount\":7}");

        builder(Shape.BLOCKING)
                .toolPolicies(ToolPolicy.named("transfer").when(call -> {
                    call.arguments().put("amount", 1_000_000);
                    return ApprovalVerdict.allow();
                }))
                .build()
                .send("t", "go");

        assertThat(bank.effects).containsExactly("transferred 7");
    }

    @Test
    void aPolicyCanOnlyTightenWhatTheAnnotationSays() {
        model.calls(call("c1", "transfer", "{\"amount\":200}"));
        Holdpoint agent = builder(Shape.BLOCKING)
                .toolPolicies(ToolPolicy.named("transfer").when(call -> ApprovalVerdict.allow()))
                .build();
        assertThat(agent.send("t", "go")).isInstanceOf(RunResult.Interrupted.class);

        proposes("{\"amount\":1}");
        Holdpoint stricter = builder(Shape.BLOCKING)
                .toolPolicies(ToolPolicy.named("transfer").when(call -> ApprovalVerdict.deny("not today")))
                .build();
        stricter.send("t2", "go");
        assertThat(model.lastResult("c1")).contains("not today");
        assertThat(bank.effects).isEmpty();
    }

    @Test
    void aCallThatWasAllowedIsDecidedAboutAgainIfAnotherRunExecutesIt() {
        model.calls(call("c1", "balance", "{}"), call("c2", "transfer", "{\"amount\":200}"))
                .says("Well.");
        Holdpoint before = builder(Shape.BLOCKING)
                .toolPolicies(ToolPolicy.named("balance").when(call -> ApprovalVerdict.allow()))
                .build();
        before.send("t", "go");

        Holdpoint after = builder(Shape.BLOCKING)
                .toolPolicies(ToolPolicy.named("balance").when(call -> ApprovalVerdict.deny("closed")))
                .build();
        after.resume("t", after.pending("t").get(0).asApproval().approve());

        assertThat(bank.effects).containsExactly("transferred 200");
        assertThat(model.lastResult("c1")).contains("closed");
    }

    static final class NeedsLimit implements ApprovalCondition {

        private final BigDecimal limit;

        NeedsLimit(BigDecimal limit) {
            this.limit = limit;
        }

        @Override
        public ApprovalVerdict evaluate(ProposedCall call) {
            return ApprovalVerdict.requireApprovalIf(
                    call.argument("amount", BigDecimal.class).orElseThrow().compareTo(limit) > 0);
        }
    }

    static final class LimitedBank {

        @Tool
        @RequiresApproval(when = NeedsLimit.class)
        public String pay(BigDecimal amount) {
            return "paid " + amount;
        }
    }

    @Test
    void aConditionThatNeedsSomethingIsGivenAsAnInstanceBeforeOrAfterTheTools() {
        model.calls(call("c1", "pay", "{\"amount\":11}"));

        RunResult result = Shape.BLOCKING
                .builder(model)
                .tools(new LimitedBank())
                .beans(new NeedsLimit(BigDecimal.TEN))
                .build()
                .send("t", "go");

        assertThat(result).isInstanceOf(RunResult.Interrupted.class);
    }

    static class Never implements ApprovalCondition {

        @Override
        public ApprovalVerdict evaluate(ProposedCall call) {
            return ApprovalVerdict.allow();
        }
    }

    static final class Always extends Never {

        @Override
        public ApprovalVerdict evaluate(ProposedCall call) {
            return ApprovalVerdict.requireApproval();
        }
    }

    public static class SettledBank {

        @Tool
        @RequiresApproval(when = Never.class)
        public String pay(BigDecimal amount) {
            return "paid " + amount;
        }
    }

    @Test
    void aConditionIsAlsoTheOnlyInstanceOfASubclassWhichIsTakenBeforeAnotherIsMade() {
        model.calls(call("c1", "pay", "{\"amount\":11}"));
        HoldpointBuilder<?> builder =
                Shape.BLOCKING.builder(model).tools(new SettledBank()).beans(new Always());

        assertThat(builder.build().send("t", "go")).isInstanceOf(RunResult.Interrupted.class);
        assertThatThrownBy(() -> builder.beans(new Never() {}).build())
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining(SettledBank.class.getName() + ".pay()")
                .hasMessageContaining("several objects of subclasses");
    }

    @Test
    void aConditionThatCannotBeCreatedIsFoundWhenTheAgentIsBuilt() {
        HoldpointBuilder<?> builder = Shape.BLOCKING.builder(model).tools(new LimitedBank());

        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining(LimitedBank.class.getName() + ".pay()")
                .hasMessageContaining("beans");
    }

    enum Role {
        USER,
        ADMIN
    }

    static final class Desk {

        private final List<String> effects = new ArrayList<>();

        @Tool
        public String refund(BigDecimal amount, List<Integer> parts, Role role) {
            effects.add(amount + " " + parts + " " + role);
            return "done";
        }
    }

    /** A condition may read the JSON, in which a text is no number and "admin" not the constant that the tool gets. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"amount\":\"500\",\"parts\":[1],\"role\":\"USER\"}",
                "{\"amount\":1,\"parts\":[1,\"500\"],\"role\":\"USER\"}",
                "{\"amount\":1,\"parts\":[1],\"role\":\"admin\"}"
            })
    void aConditionSeesNumbersAndConstantsAsTheToolGetsThemHoweverTheModelSpellsThem(String arguments) {
        Desk desk = new Desk();
        ApprovalCondition isMuch = call -> ApprovalVerdict.requireApprovalIf(
                call.arguments().get("amount").decimalValue().intValue() > 100
                        || call.arguments().at("/parts/1").intValue() > 100
                        || call.arguments().get("role").asText().equals("ADMIN"));
        Holdpoint agent = Shape.BLOCKING
                .builder(model)
                .tools(desk)
                .toolPolicies(ToolPolicy.named("refund").when(isMuch))
                .build();
        model.calls(call("c1", "refund", arguments)).says("Well.");

        RunResult asked = agent.send("t", "go");

        assertThat(desk.effects).isEmpty();
        agent.resume("t", asked.interrupts().get(0).asApproval().approve());
        assertThat(desk.effects).hasSize(1);
    }

    static final class Mint {

        private final List<String> effects = new ArrayList<>();

        @Tool
        public String coin(BigInteger big, long small, List<Long> several) {
            effects.add(big.bitLength() + " " + small + " " + several);
            return "done";
        }
    }

    /** LangChain4j takes the text to the last digit, but not the number, which it reads as a {@code double}. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"big\":\"1e400\",\"small\":1,\"several\":[1]}",
                "{\"big\":\"9007199254740993.0\",\"small\":1,\"several\":[1]}",
                "{\"big\":1,\"small\":\"9007199254740993.0\",\"several\":[1]}",
                "{\"big\":1,\"small\":1,\"several\":[\"500\"]}"
            })
    void aConditionSeesAWholeNumberAlsoIfItsTextHasMoreDigitsThanADoubleKeeps(String arguments) {
        Mint mint = new Mint();
        ApprovalCondition isMuch = call -> ApprovalVerdict.requireApprovalIf(Stream.of("/big", "/small", "/several/0")
                .anyMatch(path -> call.arguments().at(path).decimalValue().compareTo(BigDecimal.TEN) > 0));
        Holdpoint agent = Shape.BLOCKING
                .builder(model)
                .tools(mint)
                .toolPolicies(ToolPolicy.named("coin").when(isMuch))
                .build();
        model.calls(call("c1", "coin", arguments)).says("Well.");

        RunResult asked = agent.send("t", "go");

        assertThat(mint.effects).isEmpty();
        agent.resume("t", asked.interrupts().get(0).asApproval().approve());
        assertThat(mint.effects).hasSize(1);
    }
}
