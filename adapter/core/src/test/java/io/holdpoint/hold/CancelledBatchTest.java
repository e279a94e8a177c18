package io.holdpoint.hold;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static io.holdpoint.testing.Bench.THREAD;
import static io.holdpoint.testing.Bench.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.data.message.AiMessage;
import io.holdpoint.ApprovalVerdict;
import io.holdpoint.Caller;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RunResult;
import io.holdpoint.ToolPolicy;
import io.holdpoint.agui.RunEvent;
import io.holdpoint.agui.RunFinishedOutcome;
import io.holdpoint.agui.ToolCallEvent;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.ManualTimer;
import io.holdpoint.testing.RecordingSink;
import io.holdpoint.testing.SlowTool;
import io.holdpoint.testing.Stop;
import io.holdpoint.testing.StreamRules;
import io.holdpoint.testing.Threads;
import io.holdpoint.testing.TrailRules;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Cancelling while there are tool calls: held, being gated, running, waiting for their turn. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CancelledBatchTest {

    private static final String SLOW = "{\"what\":\"a\"}";

    private final Threads threads = new Threads();
    private final Stop inTool = new Stop();
    private final SlowTool tool = new SlowTool(inTool);
    private final ManualTimer timer = new ManualTimer();
    private final Bench bench = new Bench(builder -> timer.in(builder.tools(tool)));
    private final RecordingSink sink = new RecordingSink();

    @AfterEach
    void stop() {
        threads.close();
    }

    private boolean cancel() {
        return bench.agent().cancel(THREAD);
    }

    private void threadIsFree() {
        assertThat(bench.pending()).isEmpty();
        assertThat(bench.store.find(THREAD).orElseThrow().batch()).isEmpty();
        assertThat(bench.store.find(THREAD).orElseThrow().turn()).isEmpty();
        ScriptedModel.requireWellFormed(bench.memory());
        TrailRules.check(bench.store, THREAD);
        bench.model.says("Here I am.");
        assertThat(bench.say("next").text()).isEqualTo("Here I am.");
    }

    private static void isCancelled(RecordingSink stream) {
        assertThat(stream.last()).isInstanceOfSatisfying(RunEvent.Finished.class, end -> assertThat(end.outcome())
                .isEqualTo(RunFinishedOutcome.cancelled()));
        StreamRules.check(stream.events());
    }

    @Test
    void onAHeldThreadTheInterruptsAreCancelledAndTheModelIsNotAsked() {
        bench.model.calls(call("c1", "sendEmail", MAIL), call("c2", "searchContacts", "{\"query\":\"Ada\"}"));
        bench.say("Mail Ada");
        PendingInterrupt asked = bench.pending(0);

        assertThat(cancel()).isTrue();

        assertThat(bench.tools.effects()).isEmpty();
        assertThat(bench.model.requests()).hasSize(1);
        assertThat(bench.memory()).hasSize(4);
        assertThat(bench.agent().auditTrail(THREAD, 0, 100))
                .extracting(AuditEvent::kind)
                .contains(AuditEvent.Kind.DECIDED, AuditEvent.Kind.NOT_EXECUTED);
        assertThat(cancel()).as("again").isFalse();
        assertThat(bench.resume(asked.asApproval().approve()).errorCode())
                .isEqualTo(ErrorCode.INTERRUPT_ALREADY_RESOLVED.name());
        threadIsFree();
        assertThat(bench.model.lastResult("c1")).contains("it was cancelled");
        assertThat(bench.model.lastResult("c2")).contains("run was cancelled");
    }

    @Test
    void whoMayNotAccessAHeldThreadCannotCancelIt() {
        bench.model.calls(call("c1", "sendEmail", MAIL));
        bench.say("Mail Ada");

        assertThat(bench.agent().as(Caller.of("eve")).cancel(THREAD)).isFalse();

        assertThat(bench.pending()).hasSize(1);
    }

    @Test
    void anotherNodeCancelsWhatIsHeld() {
        bench.model.calls(call("c1", "sendEmail", MAIL));
        bench.say("Mail Ada");

        assertThat(bench.another(builder -> builder).cancel(THREAD)).isTrue();

        threadIsFree();
    }

    @Test
    void aRunningToolIsLetFinishAndTheNextOneDoesNotStart() throws Exception {
        inTool.arm();
        bench.model.calls(call("c1", "slow", SLOW), call("c2", "searchContacts", "{\"query\":\"Ada\"}"));
        CompletableFuture<RunResult> run = CompletableFuture.supplyAsync(
                        () -> bench.agent().run(bench.input(user("u1", "Go")), sink), threads)
                .thenCompose(running -> running);
        inTool.awaitReached();

        assertThat(cancel()).isTrue();
        assertThat(cancel()).as("while the tool runs").isTrue();
        assertThat(run).isNotDone();
        inTool.letGo();

        assertThat(run.get()).isEqualTo(new RunResult.Cancelled());
        isCancelled(sink);
        assertThat(tool.effects()).containsExactly("slow a");
        assertThat(bench.tools.effects()).isEmpty();
        assertThat(bench.model.requests()).hasSize(1);
        assertThat(sink.all(ToolCallEvent.Result.class))
                .extracting(ToolCallEvent.Result::toolCallId)
                .containsExactly("c1", "c2");
        threadIsFree();
        assertThat(bench.model.lastResult("c1")).isEqualTo("did a");
        assertThat(bench.model.lastResult("c2")).contains("not executed", "run was cancelled");
    }

    @Test
    void ofApprovedCallsWhatHasNotStartedDoesNotStart() throws Exception {
        Holdpoint agent = bench.another(builder -> builder.tools(tool).toolPolicies(ToolPolicy.named("slow")));
        bench.model.calls(call("c1", "slow", SLOW), call("c2", "slow", "{\"what\":\"b\"}"));
        agent.send(THREAD, "Go");
        inTool.arm();
        CompletableFuture<RunResult> run = CompletableFuture.supplyAsync(
                () -> agent.resume(
                        THREAD,
                        agent.pending(THREAD).stream()
                                .map(asked -> asked.asApproval().approve())
                                .toList()),
                threads);
        inTool.awaitReached();

        assertThat(agent.cancel(THREAD)).isTrue();
        inTool.letGo();

        assertThat(run.get()).isEqualTo(new RunResult.Cancelled());
        assertThat(tool.effects()).containsExactly("slow a");
        threadIsFree();
        assertThat(bench.model.lastResult("c2")).contains("run was cancelled");
    }

    @Test
    void aBatchThatIsBeingGatedIsNotHeldAfterwards() {
        Holdpoint[] agent = new Holdpoint[1];
        agent[0] = bench.another(builder -> timer.in(builder)
                .toolPolicies(ToolPolicy.named("searchContacts").when(call -> {
                    assertThat(agent[0].cancel(THREAD)).isTrue();
                    return ApprovalVerdict.requireApproval();
                })));
        bench.model.calls(call("c1", "searchContacts", "{\"query\":\"Ada\"}"));

        assertThat(agent[0].run(bench.input(user("u1", "Go")), sink)).isCompletedWithValue(new RunResult.Cancelled());

        isCancelled(sink);
        assertThat(bench.tools.effects()).isEmpty();
        threadIsFree();
    }

    @Test
    @Logs("Run * on thread * failed")
    void aBatchThatWasDecidedAndCouldNotGoOnIsGivenUp() {
        bench.model.calls(call("c1", "sendEmail", MAIL));
        bench.say("Mail Ada");
        bench.model.fails(new IllegalStateException("down"));
        assertThat(bench.resume(bench.pending(0).asApproval().approve()).errorCode())
                .isEqualTo(ErrorCode.RUN_FAILED.name());

        assertThat(cancel()).isTrue();

        threadIsFree();
        assertThat(bench.tools.effects()).hasSize(1);
        assertThat(bench.model.lastResult("c1")).isEqualTo("sent to ada@example.com");
    }

    @Test
    void aBlockingModelIsNotWaitedForAndItsLateAnswerChangesNothing() throws Exception {
        interface Blocking {
            String chat(@dev.langchain4j.service.UserMessage List<dev.langchain4j.data.message.Content> message);
        }
        Stop inModel = new Stop().arm();
        bench.model.answers(request -> {
            inModel.pass();
            return AiMessage.from(call("late", "searchContacts", "{\"query\":\"Ada\"}"));
        });
        Holdpoint agent = timer.in(Holdpoint.builder(Blocking.class))
                .chatModel(bench.model)
                .tools(bench.tools)
                .store(bench.store)
                .executor(threads)
                .build();
        CompletableFuture<RunResult> run = agent.run(bench.input(user("u1", "Go")), sink);
        inModel.awaitReached();

        assertThat(agent.cancel(THREAD)).isTrue();

        assertThat(run.get()).isEqualTo(new RunResult.Cancelled());
        isCancelled(sink);
        Bench.Everything before = bench.everything();
        inModel.letGo();
        threads.close();
        assertThat(bench.everything()).isEqualTo(before);
        assertThat(bench.tools.effects()).isEmpty();
    }
}
