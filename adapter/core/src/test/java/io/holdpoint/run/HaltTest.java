package io.holdpoint.run;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static io.holdpoint.testing.Bench.THREAD;
import static io.holdpoint.testing.Bench.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.data.message.AiMessage;
import io.holdpoint.Caller;
import io.holdpoint.Decided;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunRejectedException;
import io.holdpoint.RunResult;
import io.holdpoint.WhenExpired;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.AuditEvent.Kind;
import io.holdpoint.store.Change;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Store;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Bench.Everything;
import io.holdpoint.testing.ForwardingStore;
import io.holdpoint.testing.ManualTimer;
import io.holdpoint.testing.Politeness;
import io.holdpoint.testing.RecordingSink;
import io.holdpoint.testing.Stop;
import io.holdpoint.testing.StreamRules;
import io.holdpoint.testing.Threads;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Law 15: while an agent is halted no body is entered and no answer opens one. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HaltTest {

    private final Threads threads = new Threads();
    private final Bench bench = new Bench();
    private final Holdpoint operator = bench.agent().as(Caller.of("olga"));

    @AfterEach
    void stop() {
        threads.close();
    }

    private PendingInterrupt.Approval held() {
        bench.model.calls(call("c1", "sendEmail", MAIL));
        bench.say("Write");
        return bench.pending(0).asApproval();
    }

    private static ErrorCode code(RunResult result) {
        return result instanceof RunResult.Failed failed ? failed.code() : null;
    }

    @Test
    void neitherARunStartsNorAnAnswerIsTaken() {
        PendingInterrupt.Approval question = held();
        Everything before = bench.everything();

        assertThat(operator.halt("incident 42")).isTrue();

        RecordingSink sink = new RecordingSink();
        assertThatThrownBy(() -> bench.agent().run(bench.answers(question.approve()), sink))
                .isInstanceOfSatisfying(RunRejectedException.class, refused -> assertThat(refused.code())
                        .isEqualTo(ErrorCode.AGENT_HALTED));
        assertThat(code(bench.agent().send("another thread", "Hi"))).isEqualTo(ErrorCode.AGENT_HALTED);
        assertThat(code(bench.agent().resume(THREAD, question.deny("No.")))).isEqualTo(ErrorCode.AGENT_HALTED);
        assertThat(bench.agent().decide(THREAD, question.approve()))
                .isInstanceOfSatisfying(Decided.Refused.class, refused -> assertThat(refused.code())
                        .isEqualTo(ErrorCode.AGENT_HALTED));
        assertThatThrownBy(bench::nothingNew).isInstanceOf(RunRejectedException.class);
        assertThat(sink.events()).isEmpty();
        assertThat(bench.everything()).isEqualTo(before);
        assertThat(bench.pending()).hasSize(1);
    }

    @Test
    void whatWasAskedIsAnsweredAfterTheRelease() {
        PendingInterrupt.Approval question = held();
        operator.halt("incident 42");

        assertThat(operator.release("mended")).isTrue();

        bench.model.says("Sent.");
        assertThat(bench.resume(question.approve()).text()).isEqualTo("Sent.");
        assertThat(bench.tools.effects()).hasSize(1);
        assertThat(operator.halted()).isEmpty();
        assertThat(operator.release("again")).isFalse();
    }

    @Test
    void theTrailSaysWhoHaltedAndReleasedTheAgentAndWhy() {
        operator.halt("incident 42");
        operator.halt("again");
        operator.release("mended");

        assertThat(bench.store.auditTrail("", 0, 10))
                .filteredOn(event -> event.kind() != Kind.BUILT)
                .extracting(AuditEvent::kind, AuditEvent::caller, event -> event.detail()
                        .path("reason")
                        .asText())
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(Kind.HALTED, "olga", "incident 42"),
                        org.assertj.core.groups.Tuple.tuple(Kind.RELEASED, "olga", "mended"));
    }

    @Test
    void cancellingWorksAndAsksNoModel() {
        held();
        operator.halt("incident 42");

        assertThat(bench.agent().cancel(THREAD)).isTrue();

        assertThat(bench.pending()).isEmpty();
        assertThat(bench.store.find(THREAD).orElseThrow().batch()).isEmpty();
        assertThat(bench.tools.effects()).isEmpty();
        assertThat(bench.model.requests()).hasSize(1);
    }

    @Test
    void answersThatOnlyCancelLetGoOfTheCallsAndAskNoModel() {
        PendingInterrupt.Approval question = held();
        operator.halt("incident 42");

        RecordingSink sink = bench.resume(question.cancel());

        StreamRules.check(sink.events());
        assertThat(bench.pending()).isEmpty();
        assertThat(bench.store.find(THREAD).orElseThrow().batch()).isEmpty();
        assertThat(bench.tools.effects()).isEmpty();
        assertThat(bench.model.requests()).hasSize(1);
    }

    @Test
    void aNewMessageBesideACancellationIsNotTaken() {
        PendingInterrupt.Approval question = held();
        operator.halt("incident 42");
        Everything before = bench.everything();

        assertThatThrownBy(() -> bench.resumeAndSay("Something else", question.cancel()))
                .isInstanceOf(RunRejectedException.class);

        assertThat(bench.everything()).isEqualTo(before);
    }

    @Test
    void aHaltOfAllAgentsHaltsThisOneAndCannotBeReleasedByIt() {
        bench.store
                .of(Store.ALL_AGENTS)
                .halt(Optional.of(new Store.Halt(Store.ALL_AGENTS, bench.clock.instant(), "dba", "all")), List.of());

        assertThat(code(bench.agent().send(THREAD, "Hi"))).isEqualTo(ErrorCode.AGENT_HALTED);
        assertThat(operator.halted().map(Store.Halt::reason)).contains("all");
        assertThat(operator.release("mine")).isFalse();
        assertThat(operator.halted()).isPresent();
    }

    /** Two calls, of which the first stops in its body. */
    private static final class Slow {

        private final Stop inBody = new Stop();
        private final List<String> effects = new CopyOnWriteArrayList<>();

        @Tool
        String first() {
            inBody.pass();
            effects.add("first");
            return "done";
        }

        @Tool
        String second() {
            effects.add("second");
            return "done";
        }

        @Tool
        @RequiresApproval(expiresAfter = "PT1H", remind = "PT10M", whenExpired = WhenExpired.GO_ON)
        String late() {
            effects.add("late");
            return "done";
        }
    }

    @Test
    void aToolThatRunsOnAnotherNodeIsLetFinishAndTheNextBeatStopsTheRun() throws Exception {
        Slow tools = new Slow();
        tools.inBody.arm();
        ManualTimer timer = new ManualTimer();
        Holdpoint node = bench.another(builder -> timer.in(builder.tools(tools)).executor(threads));
        bench.model.calls(call("c1", "first", "{}"), call("c2", "second", "{}"));
        RecordingSink sink = new RecordingSink();
        CompletableFuture<RunResult> run = node.run(bench.input(user("u1", "Go")), sink);
        tools.inBody.awaitReached();

        operator.halt("incident 42");
        timer.ring();
        tools.inBody.letGo();

        assertThat(code(run.get())).isEqualTo(ErrorCode.AGENT_HALTED);
        assertThat(tools.effects).containsExactly("first");
        assertThat(bench.store.auditTrail(THREAD, 0, 100))
                .extracting(AuditEvent::kind)
                .contains(Kind.EXECUTED);
        operator.release("mended");
        bench.model.says("Done.");
        assertThat(node.run(bench.input(), new RecordingSink()).get()).isInstanceOf(RunResult.Completed.class);
        assertThat(tools.effects).containsExactly("first", "second");
    }

    @Test
    void withoutABeatTheClaimOfTheNextCallIsRefused() throws Exception {
        Slow tools = new Slow();
        tools.inBody.arm();
        Holdpoint node = bench.another(
                builder -> new ManualTimer().in(builder.tools(tools)).executor(threads));
        bench.model.calls(call("c1", "first", "{}"), call("c2", "second", "{}"));
        CompletableFuture<RunResult> run = node.run(bench.input(user("u1", "Go")), new RecordingSink());
        tools.inBody.awaitReached();

        operator.halt("incident 42");
        tools.inBody.letGo();

        assertThat(code(run.get())).isEqualTo(ErrorCode.AGENT_HALTED);
        assertThat(tools.effects).containsExactly("first");
    }

    /** The process stands still after its claim, while another node halts the agent. */
    @Test
    void aClaimFromBeforeTheHaltDoesNotEnterItsBodyAfterAPause() {
        Slow tools = new Slow();
        AtomicBoolean pauses = new AtomicBoolean(true);
        Holdpoint node = bench.another(
                builder -> new ManualTimer().in(builder.tools(tools)).store(new ForwardingStore() {
                    @Override
                    protected Store store() {
                        return bench.store;
                    }

                    @Override
                    public void commit(Lease lease, Commit commit, Instant now) {
                        super.commit(lease, commit, now);
                        boolean claims = commit.batches().stream()
                                .flatMap(batch -> batch.changes().stream())
                                .anyMatch(change -> change instanceof Change.Claimed);
                        if (claims && pauses.getAndSet(false)) {
                            operator.halt("incident 42");
                            bench.clock.advance(Duration.ofMinutes(1));
                        }
                    }
                }));
        bench.model.calls(call("c1", "second", "{}"));

        assertThat(code(node.send(THREAD, "Go"))).isEqualTo(ErrorCode.AGENT_HALTED);

        assertThat(tools.effects).isEmpty();
        operator.release("mended");
        bench.model.says("Not done.");
        assertThat(node.resume(THREAD)).isInstanceOf(RunResult.Completed.class);
        assertThat(bench.model.lastResult("c1")).contains("was not executed", "halted");
        assertThat(tools.effects).isEmpty();
    }

    @Test
    void aCancellationFromAnotherNodeDoesNotHideAHaltFromACallOfAReprompt() {
        Slow tools = new Slow();
        Holdpoint node = bench.another(builder -> new ManualTimer()
                .in(builder.tools(tools).aiService(service -> service.outputGuardrails(new Politeness()))));
        bench.model.says("Hello.").answers(request -> {
            bench.store.requestCancel(THREAD, bench.clock.instant());
            operator.halt("incident 42");
            return AiMessage.from(call("c1", "second", "{}"));
        });

        assertThat(node.send(THREAD, "Hi")).isInstanceOf(RunResult.Cancelled.class);
        assertThat(tools.effects).isEmpty();
    }

    @Test
    void aModelThatWritesOnTheSameNodeIsToldToStopAtOnce() throws Exception {
        Stop inModel = new Stop().arm();
        bench.model.answers(request -> {
            inModel.pass();
            return AiMessage.from("Hello.");
        });
        Holdpoint node = bench.another(builder -> builder.executor(threads));
        CompletableFuture<RunResult> run = node.run(bench.input(user("u1", "Hi")), new RecordingSink());
        inModel.awaitReached();

        node.halt("incident 42");

        assertThat(code(run.get())).isEqualTo(ErrorCode.AGENT_HALTED);
        inModel.letGo();
    }

    @Test
    void nobodyIsRemindedWhileTheAgentIsHaltedButQuestionsExpireAndTheTurnWaits() {
        Slow tools = new Slow();
        Holdpoint node = bench.another(builder -> new ManualTimer().in(builder.tools(tools)));
        bench.model.calls(call("c1", "late", "{}"));
        node.send(THREAD, "Go");
        operator.halt("incident 42");

        bench.clock.advance(Duration.ofMinutes(15));
        assertThat(node.actOnTime()).isZero();
        bench.clock.advance(Duration.ofMinutes(50));
        assertThat(node.actOnTime()).isEqualTo(1);

        assertThat(bench.store.auditTrail(THREAD, 0, 100))
                .extracting(AuditEvent::kind)
                .contains(Kind.EXPIRED)
                .doesNotContain(Kind.REMINDED);
        assertThat(bench.model.requests()).hasSize(1);
        operator.release("mended");
        bench.model.says("Nobody answered.");
        node.actOnTime();
        assertThat(bench.model.requests()).hasSize(2);
        assertThat(tools.effects).isEmpty();
    }
}
