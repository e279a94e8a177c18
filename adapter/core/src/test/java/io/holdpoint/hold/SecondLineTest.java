package io.holdpoint.hold;

import static io.holdpoint.internal.gate.ToolArguments.sha256;
import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.langchain4j.data.message.AiMessage;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Approvals;
import io.holdpoint.Audience;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.RunResult;
import io.holdpoint.ToolPolicy;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.store.Batch;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.test.VirtualClock;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Crash;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.OfficeTools;
import io.holdpoint.testing.Politeness;
import io.holdpoint.testing.Shape;
import io.holdpoint.testing.TamperedStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the first checks let nobody reach holds all the same: the record was changed behind them, or the lease was lost. */
@Logs({"Lease* could not be given back", "Run * on thread * failed"})
class SecondLineTest {

    private static final Caller OWNER = Caller.of("ada");
    private static final Caller BOSS = Caller.of("bob", "boss");

    private final Bench bench = new Bench();

    private ResumeEntry hold() {
        bench.model.calls(call("c1", "transferMoney", "{\"amount\":1,\"to\":\"Ada\"}"));
        bench.say("Pay");
        return bench.pending(0).asApproval().approve();
    }

    private Holdpoint tampered(UnaryOperator<String> change) {
        return bench.another(builder -> builder.store(new TamperedStore(bench.store, change)));
    }

    @Test
    void argumentsThatAreNotTheApprovedOnesDoNotRun() {
        ResumeEntry approval = hold();
        bench.model.says("Not paid.");

        tampered(json -> json.replace("Ada", "Eve")).resume(THREAD, approval);

        assertThat(bench.tools.effects()).isEmpty();
        assertThat(bench.model.lastResult("c1")).contains("not the ones that were approved");
    }

    private static String withHash(String json, String before, String after) {
        return json.replace(before.replace("\"", "\\\""), after.replace("\"", "\\\""))
                .replace("\"argumentsSha256\":\"" + sha256(before), "\"argumentsSha256\":\"" + sha256(after));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\"args\":{\"amount\":1,\"to\":\"Ada\"}"})
    void argumentsThatWereChangedTogetherWithTheirHashDoNotRun(String alsoShown) {
        ResumeEntry approval = hold();
        bench.model.says("Not paid.");

        tampered(json -> withHash(json, "{\"amount\":1,\"to\":\"Ada\"}", "{\"amount\":999,\"to\":\"Ada\"}")
                        .replace(alsoShown.isEmpty() ? "\0" : alsoShown, "\"args\":{\"amount\":999,\"to\":\"Ada\"}"))
                .resume(THREAD, approval);

        assertThat(bench.tools.effects()).isEmpty();
        assertThat(bench.model.lastResult("c1")).contains("not the ones that were approved");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"approved\":true}", "{\"approved\":true,\"editedArgs\":{\"amount\":2,\"to\":\"Ada\"}}"})
    void aQuestionThatShowsOtherArgumentsThanTheCallHasLetsNothingRun(String answer) throws JsonProcessingException {
        ResumeEntry approval = hold();
        bench.model.says("Not paid.");

        tampered(json -> json.replace(
                        "\"args\":{\"amount\":1,\"to\":\"Ada\"}", "\"args\":{\"amount\":0.01,\"to\":\"Ada\"}"))
                .resume(
                        THREAD,
                        ResumeEntry.resolved(
                                approval.interruptId(), AguiCodec.mapper().readTree(answer)));

        assertThat(bench.tools.effects()).isEmpty();
        assertThat(bench.model.lastResult("c1")).contains("not the ones that were approved");
    }

    /** Leaves the approved call behind before it runs, and lets another node go on. */
    private void approvedBy(Caller caller, ApprovalAuthorizer authorizer) {
        Holdpoint first = bench.another(builder -> builder.approvalAuthorizer(authorizer));
        bench.model.calls(call("c1", "transferMoney", "{\"amount\":1,\"to\":\"Ada\"}"));
        first.as(OWNER).send(THREAD, "Pay");
        ResumeEntry approval =
                first.as(caller).pending(THREAD).get(0).asApproval().approve();
        bench.another(builder -> builder.approvalAuthorizer(authorizer).streamingChatModel(run -> {
                    throw new IllegalStateException("the answer is stored, and nothing after it");
                }))
                .as(caller)
                .resume(THREAD, approval);
        assertThat(bench.store.find(THREAD).orElseThrow().batch().orElseThrow().state())
                .isEqualTo(Batch.State.ANSWERED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"decides no more", "sees the thread no more"})
    void whoMayNotApproveAnyMoreWhenTheCallIsEnteredHasNotApprovedIt(String why) {
        approvedBy(BOSS, ApprovalAuthorizer.role("boss"));
        bench.model.says("Not paid.");
        ApprovalAuthorizer later =
                why.equals("decides no more") ? ApprovalAuthorizer.role("director") : request -> true;

        bench.another(builder -> builder.approvalAuthorizer(later)).as(OWNER).resume(THREAD);

        assertThat(bench.tools.effects()).isEmpty();
        assertThat(bench.model.lastResult("c1")).contains("was not executed", "may no longer give that answer");
    }

    @Test
    void anAuthorizerThatFailsThenLosesNoApproval() {
        approvedBy(BOSS, ApprovalAuthorizer.role("boss"));
        Holdpoint failing = bench.another(builder -> builder.approvalAuthorizer(new ApprovalAuthorizer() {
            @Override
            public boolean mayDecide(Request request) {
                throw new IllegalStateException("directory is down");
            }

            @Override
            public boolean mayAccess(Caller caller, String threadId, String ownerId) {
                return true;
            }
        }));
        assertThat(failing.as(OWNER).resume(THREAD)).isInstanceOf(RunResult.Failed.class);
        assertThat(bench.tools.effects()).isEmpty();
        bench.model.says("Paid.");

        bench.another(builder -> builder.approvalAuthorizer(ApprovalAuthorizer.role("boss")))
                .as(OWNER)
                .resume(THREAD);

        assertThat(bench.tools.effects()).containsExactly("transferMoney 1|Ada");
    }

    @Test
    void anApprovalWhoseRolesAreGoneFromTheRecordCountsAsOneWithoutRoles() {
        approvedBy(BOSS, ApprovalAuthorizer.role("boss"));
        bench.model.says("Paid.");

        bench.another(builder -> builder.approvalAuthorizer(ApprovalAuthorizer.role("boss"))
                        .store(new TamperedStore(bench.store, json -> json.replace(",\"roles\":[\"boss\"]", ""))))
                .as(OWNER)
                .resume(THREAD);

        assertThat(bench.tools.effects()).isEmpty();
    }

    @Test
    void anEditThatWasTakenBeforeFourEyesWereRequiredDoesNotRun() {
        bench.model.calls(call("c1", "transferMoney", "{\"amount\":1,\"to\":\"Ada\"}"));
        Holdpoint first = bench.another(builder -> builder.approvalAuthorizer(ApprovalAuthorizer.role("boss")));
        first.as(OWNER).send(THREAD, "Pay");
        ResumeEntry edit =
                first.as(BOSS).pending(THREAD).get(0).asApproval().approveWith(Map.of("amount", 999, "to", "Bob"));
        bench.another(builder -> builder.approvalAuthorizer(ApprovalAuthorizer.role("boss"))
                        .streamingChatModel(run -> {
                            throw new IllegalStateException("the answer is stored, and nothing after it");
                        }))
                .as(BOSS)
                .resume(THREAD, edit);
        bench.model.says("Not paid.");

        bench.another(builder ->
                        builder.approvalAuthorizer(ApprovalAuthorizer.fourEyes(ApprovalAuthorizer.role("boss"))))
                .as(OWNER)
                .resume(THREAD);

        assertThat(bench.tools.effects()).isEmpty();
        assertThat(bench.model.lastResult("c1")).contains("was not executed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"true\"", "1", "[true]", "{\"value\":true}"})
    void aStoredAnswerThatIsNotTrueDoesNotRun(String approved) {
        ResumeEntry approval = hold();
        bench.another(builder -> builder.streamingChatModel(run -> {
                    throw new IllegalStateException("the answer is stored, and nothing after it");
                }))
                .resume(THREAD, approval);
        assertThat(bench.tools.effects()).isEmpty();
        assertThat(bench.store.find(THREAD).orElseThrow().batch().orElseThrow().state())
                .isEqualTo(Batch.State.ANSWERED);
        bench.model.says("Not paid.");

        tampered(json -> json.replace("\"approved\":true", "\"approved\":" + approved))
                .resume(THREAD);

        assertThat(bench.tools.effects()).isEmpty();
    }

    /** Stores an answer, and goes no further. */
    private void answered(ResumeEntry answer) {
        bench.another(builder -> builder.streamingChatModel(run -> {
                    throw new IllegalStateException("the answer is stored, and nothing after it");
                }))
                .resume(THREAD, answer);
        assertThat(bench.store.find(THREAD).orElseThrow().batch().orElseThrow().state())
                .isEqualTo(Batch.State.ANSWERED);
        bench.model.says("Not paid.");
    }

    @Test
    @Logs({"Run * on thread * failed", "The call c1 of the tool \"transferMoney\" is not executed: the record*"})
    void anEditThatWasChangedAfterTheAnswerDoesNotRun() {
        hold();
        answered(bench.pending(0).asApproval().edit("amount", 6));

        tampered(json -> json.replace("\"amount\":6", "\"amount\":999")).resume(THREAD);

        assertThat(bench.tools.effects()).isEmpty();
        assertThat(bench.model.lastResult("c1")).contains("record of who decided about it, and how, was changed");
    }

    @Test
    @Logs({"Run * on thread * failed", "The call c1 of the tool \"transferMoney\" is not executed: the record*"})
    void aDenialThatWasChangedIntoAnApprovalDoesNotRun() {
        hold();
        answered(bench.pending(0).asApproval().deny("no"));

        tampered(json -> json.replace("\"approved\":false", "\"approved\":true"))
                .resume(THREAD);

        assertThat(bench.tools.effects()).isEmpty();
        assertThat(bench.model.lastResult("c1")).contains("was not executed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"one is enough", "the voter was somebody else"})
    @Logs({"Run * on thread * failed", "The call c1 of the tool \"transferMoney\" is not executed: the record*"})
    void votesThatWereChangedLetNothingRun(String change) {
        Caller carl = Caller.of("carl", "boss");
        ToolPolicy two =
                ToolPolicy.named("transferMoney").approvals(Approvals.of(2).by(Audience.role("boss")));
        UnaryOperator<HoldpointBuilder<Bench.Assistant>> setup =
                builder -> builder.toolPolicies(two).approvalAuthorizer(ApprovalAuthorizer.role("boss"));
        Holdpoint agent = bench.another(setup::apply);
        bench.model.calls(call("c1", "transferMoney", "{\"amount\":1,\"to\":\"Ada\"}"));
        agent.as(OWNER).send(THREAD, "Pay");
        ResumeEntry approval =
                agent.as(BOSS).pending(THREAD).get(0).asApproval().approve();
        boolean isVoter = change.equals("the voter was somebody else");
        if (isVoter) {
            agent.as(BOSS).decide(THREAD, approval);
        }
        bench.model.says("Not paid.");
        UnaryOperator<String> tampered = isVoter
                ? json -> json.replace("\"answeredBy\":\"bob\"", "\"answeredBy\":\"dora\"")
                : json -> json.replace("\"needed\":2", "\"needed\":1");

        bench.another(builder -> setup.apply(builder).store(new TamperedStore(bench.store, tampered)))
                .as(isVoter ? BOSS : carl)
                .resume(THREAD, approval);

        assertThat(bench.tools.effects()).isEmpty();
        assertThat(bench.model.lastResult("c1"))
                .contains("was not executed", "record of who decided about it, and how, was changed")
                .doesNotContain("arguments");
    }

    @Test
    void aRetryOfWhatWasNotShownDoesNotRun() {
        Crash crash = new Crash();
        crash.whilePaying();
        crash.bench.nothingNew();
        ResumeEntry retry = ResumeEntry.resolved(
                crash.bench.pending(0).id(),
                AguiCodec.mapper().createObjectNode().put("action", "retry"));
        crash.bench.model.says("Not paid again.");

        crash.bench
                .another(builder -> builder.tools(crash.new Bank())
                        .store(new TamperedStore(crash.bench.store, json -> attempted(json, "{\"amount\":999}"))))
                .resume(THREAD, retry);

        assertThat(crash.effects()).containsExactly("pay 20");
    }

    @ParameterizedTest
    @ValueSource(strings = {"book", "look"})
    void anIdempotentToolIsNotExecutedAgainWithWhatNobodyHasSeen(String tool) {
        Crash crash = new Crash();
        crash.bench.model.calls(
                call("c1", tool, "{\"" + (tool.equals("book") ? "amount\":20" : "what\":\"it\"") + "}"));
        if (tool.equals("book")) {
            crash.bench.say("Book");
            crash.in("book", crash.bench.pending(0).asApproval().approve());
        } else {
            crash.hearing("look", "Look");
        }
        List<String> before = List.copyOf(crash.effects());
        assertThat(before).hasSize(1);
        crash.bench.model.says("Not again.");

        crash.bench
                .another(builder -> builder.tools(crash.new Bank())
                        .toolPolicies(ToolPolicy.named("look").withoutApproval().idempotent())
                        .store(new TamperedStore(crash.bench.store, json -> attempted(json, "{\"amount\":999}")
                                .replace("\"idempotent\":false", "\"idempotent\":true"))))
                .resume(THREAD);

        assertThat(crash.effects()).isEqualTo(before);
        assertThat(crash.bench.model.lastResult("c1")).contains("not the ones that were approved");
    }

    private static String attempted(String call, String arguments) {
        return call.replaceAll(
                "(\"attempts\":\\[\\{[^}]*?\"arguments\":)\"(?:[^\"\\\\]|\\\\.)*\"",
                "$1" + Matcher.quoteReplacement("\"" + arguments.replace("\"", "\\\"") + "\""));
    }

    @ParameterizedTest
    @EnumSource
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aToolOfARepromptDoesNotRunWhenTheThreadIsTakenOver(Shape shape) {
        VirtualClock clock = new VirtualClock();
        InMemoryStore store = new InMemoryStore();
        OfficeTools tools = new OfficeTools();
        ScriptedModel model = new ScriptedModel();
        Holdpoint agent = shape.builder(model, service -> service.outputGuardrails(new Politeness()))
                .tools(tools)
                .store(store)
                .clock(clock)
                .build();
        model.says("Give me that.")
                .answers(request -> {
                    clock.advance(Duration.ofMinutes(1));
                    Instant now = clock.instant();
                    store.acquire(THREAD, "another run", "ada", now, now.plusSeconds(30))
                            .orElseThrow();
                    return AiMessage.from(call("c1", "searchContacts", "{\"query\":\"Ada\"}"));
                })
                .says("Found, please.");

        assertThat(agent.send(THREAD, "Hi")).isInstanceOf(RunResult.Failed.class);
        assertThat(tools.effects()).isEmpty();
    }
}
