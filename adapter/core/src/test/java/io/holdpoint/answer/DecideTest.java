package io.holdpoint.answer;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.TextNode;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Caller;
import io.holdpoint.Decided;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.PendingInterrupt.Approval;
import io.holdpoint.RunResult;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunEvent;
import io.holdpoint.hook.Interceptor;
import io.holdpoint.hook.RunObserver;
import io.holdpoint.store.AuditEvent.Kind;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.ThreadRecord;
import io.holdpoint.store.StoreException;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.ForwardingStore;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.RecordingSink;
import io.holdpoint.testing.StreamRules;
import io.holdpoint.testing.TrailRules;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers one by one, by several people: each stands by itself, and nothing runs before the last question is answered. */
class DecideTest {

    private static final Caller ADA = Caller.of("ada");
    private static final Caller GRACE = Caller.of("grace", "approver");
    private static final Caller HEIDI = Caller.of("heidi", "approver");
    private static final Caller EVE = Caller.of("eve");

    private final Bench bench = new Bench(builder -> builder.approvalAuthorizer(
            ApprovalAuthorizer.anyOf(ApprovalAuthorizer.OWNER, ApprovalAuthorizer.role("approver"))));
    private final Holdpoint agent = bench.agent();
    private Approval first;
    private Approval second;

    @BeforeEach
    void twoMailsAreHeld() {
        hold(agent);
    }

    private void hold(Holdpoint holding) {
        bench.model.calls(call("c1", "sendEmail", mail("ada")), call("c2", "sendEmail", mail("bob")));
        RunResult held = holding.as(ADA).send(THREAD, "Write to Ada and Bob");
        first = held.approvals().get(0);
        second = held.approvals().get(1);
        bench.model.says("Done.");
    }

    private static String mail(String to) {
        return Bench.MAIL.replace("ada@example.com", to + "@example.com");
    }

    private Decided decide(Caller caller, ResumeEntry answer) {
        return agent.as(caller).decide(THREAD, answer);
    }

    private RunResult end(Decided decided) {
        assertThat(decided).isInstanceOf(Decided.Runs.class);
        return ((Decided.Runs) decided).result().join();
    }

    private void refused(Decided decided, ErrorCode code) {
        assertThat(decided).isInstanceOf(Decided.Refused.class);
        assertThat(((Decided.Refused) decided).code()).isEqualTo(code);
    }

    private void waitsFor(Decided decided, String interruptId) {
        assertThat(decided).isInstanceOf(Decided.Waits.class);
        assertThat(((Decided.Waits) decided).open())
                .extracting(PendingInterrupt::id)
                .containsExactly(interruptId);
    }

    private Batch batch() {
        return bench.store.find(THREAD).flatMap(ThreadRecord::batch).orElseThrow();
    }

    private List<String> decidedBy() {
        TrailRules.check(bench.store, THREAD);
        return bench.store.auditTrail(THREAD, 0, 1_000).stream()
                .filter(event -> event.kind() == Kind.DECIDED)
                .map(event -> event.toolCallId().orElseThrow() + " " + event.caller())
                .toList();
    }

    @Test
    void twoPeopleAnswerTwoQuestionsAndNothingRunsBeforeTheLast() {
        waitsFor(decide(GRACE, second.approve()), first.id());
        assertThat(bench.tools.effects()).isEmpty();
        assertThat(agent.as(ADA).pending(THREAD)).hasSize(1);

        RunResult end = end(decide(HEIDI, first.deny("not her")));

        assertThat(end.text()).isEqualTo("Done.");
        assertThat(bench.tools.effects()).hasSize(1).first().asString().contains("bob@example.com");
        assertThat(decidedBy()).containsExactly("c2 grace", "c1 heidi");
    }

    @Test
    void anAnswerThatStandsSurvivesWhateverTheOthersDo() {
        decide(GRACE, first.approve());
        refused(decide(HEIDI, first.deny()), ErrorCode.INTERRUPT_ALREADY_RESOLVED);
        refused(decide(HEIDI, second.answer(TextNode.valueOf("yes"))), ErrorCode.INTERRUPT_PAYLOAD_INVALID);
        refused(decide(EVE, second.approve()), ErrorCode.THREAD_NOT_FOUND);
        refused(decide(GRACE, ResumeEntry.resolved("no-such", TextNode.valueOf(""))), ErrorCode.INTERRUPT_UNKNOWN);
        assertThat(bench.tools.effects()).isEmpty();

        end(decide(HEIDI, second.cancel()));

        assertThat(bench.tools.effects()).hasSize(1).first().asString().contains("ada@example.com");
    }

    @Test
    void aMessageBehindTheLastCancellationDoesNotTakeBackWhatSomebodyElseHasApproved() {
        decide(GRACE, first.approve());
        bench.model.says("And hello.");

        agent.as(ADA)
                .run(bench.input(Bench.user("m2", "Something else")).withResume(List.of(second.cancel())), event -> {})
                .join();

        assertThat(bench.tools.effects())
                .as("the owner steers away: that ends all of the round")
                .isEmpty();
        assertThat(decidedBy()).containsExactly("c1 grace", "c2 ada");
    }

    @Test
    void whoeverTakesTheirApprovalBackWithAMessageIsNotSaidToHaveHadARunThatFailed() {
        decide(ADA, first.approve());

        agent.as(ADA)
                .run(
                        bench.input(Bench.user("m", "Never mind")).withResume(List.of(second.cancel())),
                        new RecordingSink())
                .join();

        assertThat(bench.tools.effects()).isEmpty();
        assertThat(bench.model.lastResult("c1"))
                .contains("It was approved, but the calls of its message were given up before it was started.");
    }

    @Test
    void theSameAnswerAgainChangesNothingAndGivesWhatItLedTo() {
        decide(GRACE, first.approve());
        waitsFor(decide(GRACE, first.approve()), second.id());
        end(decide(HEIDI, second.approve()));

        assertThat(end(decide(HEIDI, second.approve())).text()).isEqualTo("Done.");
        assertThat(bench.tools.effects()).hasSize(2);
        assertThat(decidedBy()).hasSize(2);
    }

    @Test
    @Logs("Run * on thread t failed")
    void lettingGoOfSomethingStaleDoesNotRunAFailedTurnAgain() {
        end(decide(HEIDI, first.cancel()) instanceof Decided.Waits ? decide(HEIDI, second.cancel()) : null);
        bench.model.fails(new IllegalStateException("down"));
        agent.as(ADA).send(THREAD, "Hello?");
        int before = bench.model.requests().size();

        decide(ADA, first.cancel());

        assertThat(bench.model.requests()).hasSize(before);
    }

    @Test
    void anAnswerIsStoredBeforeItsRunGoesOn() {
        List<Call.State> whenDecided = new ArrayList<>();
        Holdpoint other = bench.another(builder -> builder.approvalAuthorizer(ApprovalAuthorizer.role("approver"))
                .observers(RunObserver.ofTrail(event -> {
                    if (event.kind() == Kind.DECIDED) {
                        whenDecided.add(batch().call("c1").orElseThrow().state());
                    }
                })));

        other.as(GRACE).decide(THREAD, first.approve());
        other.as(GRACE).decide(THREAD, second.approve());

        assertThat(whenDecided).containsExactly(Call.State.DECIDED, Call.State.DECIDED);
        assertThat(bench.tools.effects()).hasSize(2);
    }

    private Holdpoint other(UnaryOperator<HoldpointBuilder<Bench.Assistant>> custom) {
        return bench.another(builder -> custom.apply(builder.approvalAuthorizer(ApprovalAuthorizer.role("approver"))));
    }

    @Test
    @Logs("Run * on thread t *")
    void anAnswerWhoseEventFailsIsStoredAndSaysSo() {
        Holdpoint failing = other(builder -> builder.interceptors(Interceptor.ofEvents((event, run) -> {
            throw new IllegalStateException("down");
        })));

        waitsFor(failing.as(GRACE).decide(THREAD, first.approve()), second.id());
        RunResult end = end(failing.as(HEIDI).decide(THREAD, second.approve()));

        assertThat(end.failure()).isPresent();
        assertThat(decidedBy()).containsExactly("c1 grace", "c2 heidi");
        assertThat(agent.as(ADA).resume(THREAD).text()).isEqualTo("Done.");
        assertThat(bench.tools.effects()).hasSize(2);
    }

    /** Fails once after or before a commit of an answer. */
    private final class Shaky extends ForwardingStore {
        private final AtomicBoolean fails = new AtomicBoolean(true);
        private final boolean afterwards;

        private Shaky(boolean afterwards) {
            this.afterwards = afterwards;
        }

        @Override
        protected Store store() {
            return bench.store;
        }

        @Override
        public void commit(Lease lease, Commit commit, Instant now) {
            boolean breaks = !commit.batches().isEmpty() && fails.getAndSet(false);
            if (afterwards || !breaks) {
                super.commit(lease, commit, now);
            }
            if (breaks) {
                throw new StoreException("down", new IllegalStateException());
            }
        }
    }

    @Test
    @Logs("Run * on thread t failed")
    void anAnswerIsRefusedOnlyIfTheStoreDoesNotHaveIt() {
        refused(
                other(builder -> builder.store(new Shaky(false))).as(GRACE).decide(THREAD, first.approve()),
                ErrorCode.RUN_FAILED);
        assertThat(decidedBy()).isEmpty();

        waitsFor(
                other(builder -> builder.store(new Shaky(true))).as(GRACE).decide(THREAD, first.approve()),
                second.id());
        assertThat(decidedBy()).containsExactly("c1 grace");
        Decided denial =
                other(builder -> builder.store(new Shaky(true))).as(HEIDI).decide(THREAD, first.deny());
        refused(denial, ErrorCode.INTERRUPT_ALREADY_RESOLVED);
    }

    @Test
    void anAnswerDoesNotWaitForTheExecutor() {
        Deque<Runnable> queue = new ArrayDeque<>();
        Holdpoint busy = other(builder -> builder.clock(bench.clock).executor(queue::add));

        waitsFor(busy.as(GRACE).decide(THREAD, first.approve()), second.id());
        assertThat(queue).isEmpty();
        Decided last = busy.as(HEIDI).decide(THREAD, second.approve());

        assertThat(last).isInstanceOf(Decided.Runs.class);
        assertThat(decidedBy()).containsExactly("c1 grace", "c2 heidi");
        assertThat(bench.tools.effects()).isEmpty();
        queue.remove().run();
        assertThat(end(last).text()).isEqualTo("Done.");
        assertThat(bench.tools.effects()).hasSize(2);
    }

    @Test
    @Logs("Run * on thread t failed")
    void anExecutorThatTakesNothingFailsTheRunAndKeepsTheAnswer() {
        Holdpoint full = other(builder -> builder.executor(work -> {
            throw new RejectedExecutionException("full");
        }));
        full.as(GRACE).decide(THREAD, first.approve());

        RunResult end = end(full.as(HEIDI).decide(THREAD, second.approve()));

        assertThat(end.failure()).isPresent();
        assertThat(decidedBy()).containsExactly("c1 grace", "c2 heidi");
    }

    @Test
    void aCancellationThatComesWithAnAnswerLeavesNothingOpen() {
        AtomicReference<Holdpoint> self = new AtomicReference<>();
        self.set(other(builder -> builder.observers(RunObserver.ofTrail(event -> {
            if (event.kind() == Kind.DECIDED) {
                self.get().as(ADA).cancel(THREAD);
            }
        }))));

        RunResult end = end(self.get().as(GRACE).decide(THREAD, first.approve()));

        assertThat(end).isInstanceOf(RunResult.Cancelled.class);
        assertThat(agent.as(ADA).pending(THREAD)).isEmpty();
        assertThat(bench.tools.effects()).isEmpty();
    }

    @Test
    void ofTwoLastAnswersAtOnceOneWinsAndTheOtherIsAReplayOrIsRefused() throws Exception {
        ExecutorService people = Executors.newFixedThreadPool(2);
        try {
            for (int round = 0; round < 50; round++) {
                CountDownLatch start = new CountDownLatch(1);
                List<Future<Decided>> both = new ArrayList<>();
                decide(GRACE, first.approve());
                for (Caller caller : List.of(GRACE, HEIDI)) {
                    ResumeEntry answer = round % 2 == 0 || caller == GRACE ? second.approve() : second.deny();
                    both.add(people.submit(() -> {
                        start.await();
                        return decide(caller, answer);
                    }));
                }
                start.countDown();
                List<Decided> came = List.of(both.get(0).get(), both.get(1).get());

                assertThat(came).anyMatch(Decided.Runs.class::isInstance);
                came.stream()
                        .filter(Decided.Refused.class::isInstance)
                        .forEach(each -> refused(each, ErrorCode.INTERRUPT_ALREADY_RESOLVED));
                if (round % 2 == 0) {
                    assertThat(came).allMatch(Decided.Runs.class::isInstance);
                }
                assertThat(decidedBy()).hasSize(2 * round + 2);
                hold(agent);
            }
        } finally {
            people.shutdown();
        }
    }

    @Test
    void aListGoesOnAlthoughSomebodyElseHasSettledAnEntryInTheSameWay() {
        decide(GRACE, first.approve());

        RecordingSink sink = resume(ADA, first.approve(), second.approve());

        assertThat(sink.last()).isInstanceOf(RunEvent.Finished.class);
        assertThat(bench.tools.effects()).hasSize(2);
        assertThat(decidedBy()).containsExactly("c1 grace", "c2 ada");
    }

    @Test
    void aListNeedsAnEntryForEveryQuestionThatIsStillOpenOnly() {
        assertThat(resume(ADA, second.approve()).errorCode()).isEqualTo("INTERRUPT_PARTIAL_RESUME");
        decide(GRACE, first.approve());

        resume(ADA, second.approve());

        assertThat(bench.tools.effects()).hasSize(2);
    }

    @Test
    void aDecidedCallWaitsWhateverElseIsSentOnTheThread() {
        Holdpoint other = bench.another(builder -> builder.approvalAuthorizer(
                ApprovalAuthorizer.anyOf(ApprovalAuthorizer.OWNER, ApprovalAuthorizer.role("approver"))));
        other.as(GRACE).decide(THREAD, first.approve());

        other.as(ADA).send(THREAD, "Go on!");
        other.as(ADA).resume(THREAD);
        other.as(GRACE).resume(THREAD, first.approve());

        assertThat(bench.tools.effects()).isEmpty();
        assertThatThrownBy(() -> batch().claimed("c1", new Call.Attempt("r", "{}", bench.clock.instant())))
                .isInstanceOf(IllegalStateException.class);
        other.as(ADA).cancel(THREAD);
        assertThat(bench.tools.effects()).isEmpty();
        assertThat(decidedBy()).containsExactly("c1 grace", "c2 ada");
    }

    @Test
    void aListThatContradictsWhatIsSettledIsRefusedAsAWholeAndTheOpenQuestionsAreShownAgain() {
        decide(GRACE, first.approve());

        RecordingSink sink = resume(ADA, first.deny(), second.approve());

        assertThat(sink.interrupts()).extracting("id").containsExactly(second.id());
        assertThat(sink.interrupts()
                        .get(0)
                        .metadata()
                        .at("/langchain4j/refused/code")
                        .asText())
                .isEqualTo("INTERRUPT_ALREADY_RESOLVED");
        assertThat(sink.interrupts()
                        .get(0)
                        .metadata()
                        .at("/langchain4j/settled/0/by")
                        .asText())
                .isEqualTo("grace");
        assertThat(bench.tools.effects()).isEmpty();
        assertThat(decidedBy()).containsExactly("c1 grace");
    }

    private RecordingSink resume(Caller caller, ResumeEntry... answers) {
        RecordingSink sink = new RecordingSink();
        agent.as(caller).run(bench.answers(answers), sink).join();
        StreamRules.check(sink.events());
        return sink;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theWholeRoundSaysWhetherAnythingWasDecided(boolean approvedBefore) {
        Batch open = batch();
        Call.Answer.How before = approvedBefore ? Call.Answer.How.RESOLVED : Call.Answer.How.CANCELLED;
        Batch half = open.answered(Map.of(first.id(), answer(before)), Map.of());
        Batch whole = half.answered(Map.of(second.id(), answer(Call.Answer.How.CANCELLED)), Map.of());

        assertThat(half.state()).isEqualTo(Batch.State.OPEN);
        assertThat(half.givenUp()).isFalse();
        assertThat(whole.state()).isEqualTo(Batch.State.ANSWERED);
        assertThat(whole.givenUp()).isEqualTo(!approvedBefore);
    }

    private Call.Answer answer(Call.Answer.How how) {
        return new Call.Answer(
                how, AguiCodec.mapper().createObjectNode().put("approved", true), "x", bench.clock.instant());
    }
}
