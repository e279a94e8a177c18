package io.holdpoint.agents;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.store.memory.chat.ChatMemoryStore;
import dev.langchain4j.store.memory.chat.InMemoryChatMemoryStore;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Approvals;
import io.holdpoint.Caller;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.ToolCallContext;
import io.holdpoint.ToolInterrupt;
import io.holdpoint.ToolPolicy;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.hook.RunObserver;
import io.holdpoint.store.AuditEvent.Kind;
import io.holdpoint.store.Call;
import io.holdpoint.store.Commit;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.OpenBatch;
import io.holdpoint.store.Store.Place;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.ForwardingStore;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.Shape;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** An agent works for another one: its questions become the other's, and their answers find their way back. */
class AgentAsToolTest {

    private static final String TASK = "{\"task\":\"Pay the rent\"}";

    private final List<String> effects = new ArrayList<>();
    /** The answers that the inner agent took. */
    private final List<String> voices = new ArrayList<>();

    private final Store store = new InMemoryStore();
    private final ChatMemoryStore memories = new InMemoryChatMemoryStore();
    private final ScriptedModel clerkModel = new ScriptedModel();
    private final ScriptedModel bossModel = new ScriptedModel();
    private UnaryOperator<HoldpointBuilder<?>> custom = builder -> builder;
    private Shape shape = Shape.BLOCKING;
    private Holdpoint boss = build();

    public final class Bank {

        @Tool
        public String balance() {
            effects.add("balance");
            return "100";
        }

        @Tool
        public String audit(ToolCallContext call) {
            effects.add("audit " + call.answers());
            throw call.interrupt(ToolInterrupt.confirmation("Audit now?").respond());
        }

        @Tool
        @RequiresApproval(message = "Pay {{amount}}?")
        public String pay(int amount) {
            effects.add("pay " + amount);
            return "paid";
        }
    }

    private HoldpointBuilder<?> builder(ScriptedModel model) {
        return shape.builder(model).store(store).chatMemoryProvider(id -> MessageWindowChatMemory.builder()
                .id(id)
                .maxMessages(50)
                .chatMemoryStore(memories)
                .build());
    }

    /** Both agents, as after a restart. */
    private Holdpoint build() {
        return boss(custom.apply(builder(clerkModel)));
    }

    private Holdpoint boss(HoldpointBuilder<?> inner) {
        Holdpoint clerk = inner.tools(new Bank()).build();
        return builder(bossModel)
                .toolProviders(LocalAgent.of("clerk", "Pays bills", clerk))
                .build();
    }

    @BeforeEach
    void script() {
        bossModel.calls(call("c1", "clerk", TASK)).says("All done.");
        clerkModel.calls(call("i1", "balance", "{}")).calls(call("i2", "pay", "{\"amount\":5}"));
    }

    private PendingInterrupt.Approval held() {
        assertThat(boss.send("t", "Go")).isInstanceOf(RunResult.Interrupted.class);
        return boss.pending("t").get(0).asApproval();
    }

    @ParameterizedTest
    @EnumSource
    void itsQuestionIsAskedByTheOtherAndTheAnswerGoesBack(Shape given) {
        shape = given;
        boss = build();
        clerkModel.says("The rent is paid.");
        PendingInterrupt.Approval question = held();

        assertThat(question.interrupt().message()).isEqualTo("Pay 5?");
        assertThat(question.interrupt().toolCallId()).isEqualTo("c1");
        assertThat(question.toolName()).isEqualTo("pay");
        assertThat(question.arguments()).hasToString("{\"amount\":5}");
        assertThat(effects).containsExactly("balance");

        assertThat(boss.resume("t", question.approve()).text()).isEqualTo("All done.");

        assertThat(effects).containsExactly("balance", "pay 5");
        assertThat(clerkModel.requests()).hasSize(3);
        assertThat(bossModel.requests()).hasSize(2);
        assertThat(bossModel.lastResult("c1")).isEqualTo("The rent is paid.");
    }

    @Test
    void aResponseInPlaceOfItsToolIsItsToolsResultAndNotTheOthers() {
        ScriptedModel auditing =
                new ScriptedModel().calls(call("i1", "audit", "{}")).says("It is audited.");
        boss = boss(builder(auditing));
        boss.send("t", "Go");

        boss.resume("t", boss.pending("t").get(0).asInput().respond("all is well"));

        assertThat(effects).containsExactly("audit []");
        assertThat(auditing.lastResult("i1")).endsWith("all is well");
        assertThat(bossModel.lastResult("c1")).isEqualTo("It is audited.");
    }

    @Test
    void aRestartInBetweenRepeatsNothing() {
        clerkModel.says("The rent is paid.");
        PendingInterrupt.Approval question = held();

        boss = build();
        assertThat(boss.resume("t", question.approve()).text()).isEqualTo("All done.");

        assertThat(effects).containsExactly("balance", "pay 5");
        assertThat(clerkModel.requests()).hasSize(3);
    }

    /** The agent has done its task, but the server dies before the other agent has stored what it said. */
    @Test
    @Logs("Run * failed*")
    void aServerThatDiesAfterTheTaskRepeatsNothing() {
        clerkModel.says("The rent is paid.");
        AtomicInteger left = new AtomicInteger(2); // a result is written once more
        Holdpoint clerk = builder(clerkModel).tools(new Bank()).build();
        boss = builder(bossModel)
                .toolProviders(LocalAgent.of("clerk", "Pays bills", clerk))
                .store(new ForwardingStore() {
                    @Override
                    protected Store store() {
                        return store;
                    }

                    @Override
                    public void commit(Lease lease, Commit commit, Instant now) {
                        boolean settles = commit.batches().stream()
                                .flatMap(batch -> batch.calls().stream())
                                .anyMatch(call -> call.state() == Call.State.EXECUTED);
                        if (settles && left.getAndDecrement() > 0) {
                            throw new IllegalStateException("the server dies");
                        }
                        super.commit(lease, commit, now);
                    }
                })
                .build();
        PendingInterrupt.Approval question = held();
        assertThat(boss.resume("t", question.approve()).failure()).isPresent();

        boss = build();
        assertThat(boss.resume("t", question.approve()).text()).isEqualTo("All done.");

        assertThat(effects).containsExactly("balance", "pay 5");
        assertThat(bossModel.lastResult("c1")).isEqualTo("The rent is paid.");
    }

    @Test
    void anAnswerThatComesWhileItIsHaltedIsAskedForAgain() {
        clerkModel.says("The rent is paid.");
        Holdpoint clerk = builder(clerkModel).name("clerk").tools(new Bank()).build();
        boss = builder(bossModel)
                .toolProviders(LocalAgent.of("clerk", "Pays bills", clerk))
                .build();
        PendingInterrupt.Approval question = held();
        clerk.halt("incident 42");

        RunResult again = boss.resume("t", question.approve());

        assertThat(again.interrupts()).hasSize(1);
        assertThat(again.interrupts().get(0).interrupt().message()).contains("Pay 5?", "is halted");
        assertThat(effects).containsExactly("balance");
        clerk.release("mended");
        assertThat(boss.resume("t", again.approvals().get(0).approve()).text()).isEqualTo("All done.");
        assertThat(effects).containsExactly("balance", "pay 5");
        assertThat(bossModel.lastResult("c1")).isEqualTo("The rent is paid.");
    }

    @Test
    void anAgentThatIsHaltedInItsMiddleGoesOnWhereItWasWhenAPersonSaysSo() {
        AtomicReference<Holdpoint> clerk = new AtomicReference<>();
        ScriptedModel model = new ScriptedModel()
                .calls(call("i1", "balance", "{}"))
                .answers(request -> {
                    clerk.get().halt("incident 42");
                    return AiMessage.from(call("i2", "balance", "{}"));
                });
        clerk.set(builder(model).name("clerk").tools(new Bank()).build());
        boss = builder(bossModel)
                .toolProviders(LocalAgent.of("clerk", "Pays bills", clerk.get()))
                .build();

        RunResult halted = boss.send("t", "Go");

        assertThat(halted.interrupts()).hasSize(1);
        PendingInterrupt.Input question = halted.interrupts().get(0).asInput();
        assertThat(question.interrupt().message()).contains("clerk", "halted");
        assertThat(boss.resume("t", question.answer(true)).interrupts()).hasSize(1);
        clerk.get().release("mended");
        model.says("You have 100.");
        assertThat(boss.resume("t", boss.pending("t").get(0).asInput().answer(true))
                        .text())
                .isEqualTo("All done.");
        assertThat(bossModel.lastResult("c1")).isEqualTo("You have 100.");
    }

    @Test
    void aDenialReachesTheAgentThatAsked() {
        clerkModel.says("Then I leave it.");
        PendingInterrupt.Approval question = held();

        boss.resume("t", question.deny("too early"));

        assertThat(effects).containsExactly("balance");
        assertThat(clerkModel.lastResult("i2")).contains("declined", "too early");
        assertThat(bossModel.lastResult("c1")).isEqualTo("Then I leave it.");
    }

    @Test
    void anEditRunsAsItWasEdited() {
        clerkModel.says("Paid.");
        ObjectNode edited = AguiCodec.mapper().createObjectNode().put("amount", 7);

        boss.resume("t", held().approveWith(edited));

        assertThat(effects).containsExactly("balance", "pay 7");
    }

    @Test
    void anEditThatTheInnerToolCannotTakeIsAskedAgain() {
        clerkModel.says("Paid.");
        ObjectNode edited = AguiCodec.mapper().createObjectNode().put("amount", 2147483648L);

        RunResult again = boss.resume("t", held().approveWith(edited));

        assertThat(again.interrupts()).hasSize(1);
        assertThat(again.interrupts().get(0).interrupt().message()).contains("Pay 5?", "/editedArgs/amount");
        assertThat(effects).containsExactly("balance");
        boss.resume("t", again.approvals().get(0).approve());
        assertThat(effects).containsExactly("balance", "pay 5");
    }

    @Test
    void severalQuestionsAreAskedOneAfterTheOther() {
        ScriptedModel model = new ScriptedModel();
        model.calls(call("i1", "pay", "{\"amount\":1}"), call("i2", "pay", "{\"amount\":2}"))
                .says("Paid.");
        Holdpoint clerk = builder(model).tools(new Bank()).build();
        boss = builder(bossModel)
                .toolProviders(LocalAgent.of("clerk", "Pays bills", clerk))
                .build();

        PendingInterrupt.Approval first = held();
        RunResult.Interrupted next = (RunResult.Interrupted) boss.resume("t", first.approve());
        assertThat(effects).isEmpty();
        boss.resume("t", next.approvals().get(0).deny());

        assertThat(first.arguments()).hasToString("{\"amount\":1}");
        assertThat(next.approvals().get(0).arguments()).hasToString("{\"amount\":2}");
        assertThat(effects).containsExactly("pay 1");
    }

    @Test
    void anAnswerNeedsTheRightsThatTheInnerAgentWants() {
        custom = builder -> builder.approvalAuthorizer(ApprovalAuthorizer.role("treasurer"));
        boss = build();
        Holdpoint owner = boss.as(Caller.of("ada"));
        owner.send("t", "Go");

        RunResult refused =
                owner.resume("t", owner.pending("t").get(0).asApproval().approve());

        assertThat(refused.failure().map(RunResult.Failed::code)).contains(ErrorCode.INTERRUPT_FORBIDDEN);
        assertThat(owner.pending("t")).hasSize(1);
        assertThat(effects).containsExactly("balance");
    }

    @Test
    void thePersonWhoAnswersIsTheOneWhoDecidesInside() {
        clerkModel.says("Paid.");
        ApprovalAuthorizer treasurer = ApprovalAuthorizer.role("treasurer");
        Holdpoint clerk = builder(clerkModel)
                .approvalAuthorizer(ApprovalAuthorizer.fourEyes(treasurer))
                .tools(new Bank())
                .build();
        boss = builder(bossModel)
                .approvalAuthorizer(ApprovalAuthorizer.anyOf(ApprovalAuthorizer.OWNER, treasurer))
                .toolProviders(LocalAgent.of("clerk", "Pays bills", clerk))
                .build();
        Holdpoint ada = boss.as(Caller.of("ada", "treasurer"));
        Holdpoint grace = boss.as(Caller.of("grace", "treasurer"));
        ada.send("t", "Go");

        ada.resume("t", ada.pending("t").get(0).asApproval().approve());
        assertThat(effects).as("her own request").containsExactly("balance");

        grace.resume("t", grace.pending("t").get(0).asApproval().approve());
        assertThat(effects).containsExactly("balance", "pay 5");
    }

    @ParameterizedTest
    @CsvSource({"true, false", "false, true", "true, true"})
    void anEditNeedsAnotherPersonWhicheverOfTheTwoAgentsRequiresFourEyes(boolean outside, boolean inside) {
        clerkModel.says("Paid.");
        ApprovalAuthorizer treasurer = ApprovalAuthorizer.role("treasurer");
        Holdpoint clerk = builder(clerkModel)
                .approvalAuthorizer(inside ? ApprovalAuthorizer.fourEyes(treasurer) : treasurer)
                .observers(RunObserver.ofTrail(event -> voices.add(
                        event.kind() + event.detail().path("editedBy").asText("") + " " + event.caller())))
                .tools(new Bank())
                .build();
        boss = builder(bossModel)
                .approvalAuthorizer(outside ? ApprovalAuthorizer.fourEyes(treasurer) : treasurer)
                .toolProviders(LocalAgent.of("clerk", "Pays bills", clerk))
                .build();
        boss.as(Caller.of("ada")).send("t", "Go");
        Holdpoint grace = boss.as(Caller.of("grace", "treasurer"));
        Holdpoint heidi = boss.as(Caller.of("heidi", "treasurer"));

        PendingInterrupt.Approval edited = grace.resume(
                        "t", grace.pending("t").get(0).asApproval().approveWith(Map.of("amount", 9)))
                .interrupts()
                .get(0)
                .asApproval();

        assertThat(edited.message()).startsWith("grace has edited this call (").contains("9");
        assertThat(edited.arguments()).hasToString("{\"amount\":9}");
        grace.resume("t", edited.approve());
        assertThat(effects).containsExactly("balance");
        RunResult result =
                heidi.resume("t", heidi.pending("t").get(0).asApproval().approve());
        assertThat(result.text()).isEqualTo("All done.");
        assertThat(effects).containsExactly("balance", "pay 9");
        assertThat(voices).containsSubsequence("HELDgrace grace", "DECIDED heidi");
    }

    @Test
    void anEditOfItsArgumentsDoesNotGetPastARedactorThatKnowsItsTool() {
        custom =
                builder -> builder.approvalAuthorizer(ApprovalAuthorizer.fourEyes(ApprovalAuthorizer.role("treasurer")))
                        .argumentRedactor((tool, arguments) -> tool.equals("pay") ? arguments.removeAll() : arguments);
        boss = custom.apply(builder(bossModel))
                .toolProviders(LocalAgent.of(
                        "clerk",
                        "Pays bills",
                        custom.apply(builder(clerkModel)).tools(new Bank()).build()))
                .build();
        boss.send("t", "Go");
        Holdpoint grace = boss.as(Caller.of("grace", "treasurer"));

        grace.resume("t", grace.pending("t").get(0).asApproval().approveWith(Map.of("amount", 987)));

        assertThat(grace.pending("t").get(0).asApproval().arguments()).hasToString("{\"amount\":987}");
        assertThat(grace.auditTrail("t", 0, 100).toString())
                .contains("\"editedBy\":\"grace\"")
                .doesNotContain("\"amount\":");
    }

    @Test
    void twoPeopleThatTheInnerAgentNeedsAnswerThroughTheOuterOne() {
        clerkModel.says("Paid.");
        ApprovalAuthorizer treasurer = ApprovalAuthorizer.role("treasurer");
        Holdpoint clerk = builder(clerkModel)
                .approvalAuthorizer(treasurer)
                .tools(new Bank())
                .toolPolicies(ToolPolicy.named("pay").approvals(Approvals.of(2)))
                .build();
        boss = builder(bossModel)
                .approvalAuthorizer(treasurer)
                .toolProviders(LocalAgent.of("clerk", "Pays bills", clerk))
                .build();
        boss.as(Caller.of("ada")).send("t", "Go");
        Holdpoint grace = boss.as(Caller.of("grace", "treasurer"));
        Holdpoint heidi = boss.as(Caller.of("heidi", "treasurer"));

        RunResult one = grace.resume("t", grace.pending("t").get(0).asApproval().approve());
        RunResult again = grace.resume("t", one.interrupts().get(0).asApproval().approve());

        assertThat(effects).containsExactly("balance");
        assertThat(again.interrupts().get(0).interrupt().metadata().at("/langchain4j/approvals/have"))
                .hasSize(1);
        heidi.resume("t", again.interrupts().get(0).asApproval().approve());
        assertThat(effects).containsExactly("balance", "pay 5");
    }

    private Holdpoint bossOfTwo(Store outer, ScriptedModel model) {
        ApprovalAuthorizer treasurer = ApprovalAuthorizer.role("treasurer");
        Holdpoint clerk = builder(model)
                .approvalAuthorizer(treasurer)
                .observers(RunObserver.ofTrail(event -> {
                    if (event.kind() == Kind.VOTED || event.kind() == Kind.DECIDED) {
                        voices.add(event.kind() + " " + event.toolCallId().orElseThrow() + " " + event.caller());
                    }
                }))
                .tools(new Bank())
                .toolPolicies(ToolPolicy.named("pay").approvals(Approvals.of(2)), ToolPolicy.named("balance"))
                .build();
        return builder(bossModel)
                .store(outer)
                .approvalAuthorizer(treasurer)
                .toolProviders(LocalAgent.of("clerk", "Pays bills", clerk))
                .build();
    }

    private RunResult approves(String person) {
        Holdpoint treasurer = boss.as(Caller.of(person, "treasurer"));
        return treasurer.resume("t", treasurer.pending("t").get(0).asApproval().approve());
    }

    @Test
    void eachAnswerGoesToTheInnerAgentInTheNameOfWhoGaveIt() {
        ScriptedModel model = new ScriptedModel()
                .calls(call("i1", "pay", "{\"amount\":5}"), call("i2", "balance", "{}"))
                .says("Paid.");
        boss = bossOfTwo(store, model);
        boss.as(Caller.of("ada")).send("t", "Go");

        approves("grace");
        approves("grace");
        assertThat(voices).containsExactly("VOTED i1 grace");
        approves("heidi");
        assertThat(effects).isEmpty();
        approves("luke");

        assertThat(voices).containsExactly("VOTED i1 grace", "DECIDED i1 heidi", "DECIDED i2 luke");
        assertThat(effects).containsExactly("pay 5", "balance");
    }

    @Test
    @Logs("Run * failed*")
    void aVoteIsNotSentAgainInTheNameOfWhoGoesOnAfterACrash() {
        ScriptedModel model =
                new ScriptedModel().calls(call("i1", "pay", "{\"amount\":5}")).says("Paid.");
        boss = bossOfTwo(
                new ForwardingStore() {
                    @Override
                    protected Store store() {
                        return store;
                    }

                    @Override
                    public void commit(Lease lease, Commit commit, Instant now) {
                        if (commit.batches().stream()
                                .flatMap(batch -> batch.calls().stream())
                                .anyMatch(call -> call.state() == Call.State.PENDING
                                        && call.attempts().size() > 1)) {
                            throw new IllegalStateException("the server dies");
                        }
                        super.commit(lease, commit, now);
                    }
                },
                model);
        boss.as(Caller.of("ada")).send("t", "Go");
        assertThat(approves("grace").failure()).isPresent();
        boss = bossOfTwo(store, model);

        boss.as(Caller.of("ada")).resume("t");
        Holdpoint heidi = boss.as(Caller.of("heidi", "treasurer"));
        PendingInterrupt open = heidi.pending("t").get(0);
        if (open instanceof PendingInterrupt.UnknownOutcome unknown) {
            heidi.resume("t", unknown.retry());
        }

        assertThat(voices).containsExactly("VOTED i1 grace");
        assertThat(effects).isEmpty();
        approves("heidi");
        assertThat(effects).containsExactly("pay 5");
    }

    @Test
    void aCancelledQuestionRunsNothing() {
        boss.resume("t", held().cancel());

        assertThat(effects).containsExactly("balance");
        assertThat(bossModel.lastResult("c1")).contains("not finished");
    }

    @Test
    void noClientReachesTheThreadOfATask() {
        PendingInterrupt.Approval question = held();
        Holdpoint clerk = builder(clerkModel).tools(new Bank()).build();

        assertThat(store.open(Optional.empty(), Place.FIRST, 10))
                .extracting(OpenBatch::threadId)
                .containsExactly("t");
        ObjectNode metadata = (ObjectNode) question.interrupt().metadata().path("langchain4j");
        String inner = metadata.path("delegatedBy").path("interruptId").asText();
        RunResult result =
                clerk.resume("t", ResumeEntry.resolved(inner, AguiCodec.mapper().createObjectNode()));

        assertThat(result.failure().orElseThrow().code()).isEqualTo(ErrorCode.INTERRUPT_UNKNOWN);
        assertThat(effects).containsExactly("balance");
    }

    @Test
    void theWholeTaskCanNeedAnApprovalAsWell() {
        clerkModel.says("Paid.");
        Holdpoint clerk = builder(clerkModel).tools(new Bank()).build();
        boss = builder(bossModel)
                .toolProviders(LocalAgent.of("clerk", "Pays bills", clerk))
                .toolPolicies(ToolPolicy.named("clerk"))
                .build();

        PendingInterrupt.Approval task = held();
        assertThat(task.toolName()).isEqualTo("clerk");
        assertThat(effects).isEmpty();
        RunResult next = boss.resume("t", task.approve());
        assertThat(next.approvals().get(0).toolName()).isEqualTo("pay");
        boss.resume("t", next.approvals().get(0).approve());

        assertThat(effects).containsExactly("balance", "pay 5");
    }

    interface Plain {
        String chat(String message);
    }

    @Test
    @Logs("Tool 'clerk' execution failed*")
    void aPlainAiServiceCannotAskSoItDoesNotDelegate() {
        Holdpoint clerk = builder(clerkModel).tools(new Bank()).build();
        Plain plain = AiServices.builder(Plain.class)
                .chatModel(bossModel)
                .toolProvider(LocalAgent.of("clerk", "Pays bills", clerk))
                .build();

        plain.chat("Go");

        assertThat(bossModel.lastResult("c1")).contains("only an agent of Holdpoint");
        assertThat(effects).isEmpty();
    }

    @Test
    void anAgentInsideAnAgentInsideAnAgent() {
        clerkModel.says("Paid.");
        ScriptedModel chief = new ScriptedModel();
        chief.calls(call("o1", "boss", "{\"task\":\"Go\"}")).says("Fine.");
        Holdpoint top = builder(chief)
                .toolProviders(LocalAgent.of("boss", "Knows people", boss))
                .build();

        RunResult held = top.send("t", "Go");

        assertThat(held.approvals().get(0).toolName()).isEqualTo("pay");
        assertThat(held.approvals().get(0).interrupt().toolCallId()).isEqualTo("o1");
        assertThat(top.resume("t", held.approvals().get(0).approve()).text()).isEqualTo("Fine.");
        assertThat(effects).containsExactly("balance", "pay 5");
    }
}
