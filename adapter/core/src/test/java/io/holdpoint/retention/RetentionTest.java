package io.holdpoint.retention;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static io.holdpoint.testing.Bench.PRESENTED;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ChatMessageType;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Approvals;
import io.holdpoint.Caller;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.Retention;
import io.holdpoint.RunResult;
import io.holdpoint.ToolPolicy;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.ThreadRecord;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Crash;
import io.holdpoint.testing.ForwardingStore;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.RecordingSink;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** How long finished and abandoned batches are kept, and what can be said to them afterwards. */
@Logs({
    "Lease* could not be given back",
    "Purging failed",
    "Run * on thread * failed",
    "The abandoned thread * could not be settled or emptied"
})
class RetentionTest {

    private static final Duration SETTLED = Duration.ofHours(24);
    private static final Duration ABANDONED = Duration.ofDays(30);
    private static final Duration MOMENT = Duration.ofNanos(1);

    private final Bench bench = new Bench();

    private PendingInterrupt hold() {
        bench.model.calls(call("c1", "sendEmail", MAIL), call("c2", "searchContacts", "{\"query\":\"Ada\"}"));
        bench.say("Go");
        return bench.pending(0);
    }

    private ResumeEntry settled() {
        ResumeEntry approval = hold().asApproval().approve();
        bench.model.says("Sent.");
        bench.resume(approval);
        return approval;
    }

    @Test
    void aTimeThatIsNoneIsRefusedByItsName() {
        assertThatThrownBy(() -> new Retention(Duration.ZERO, ABANDONED))
                .hasMessage("Retention.settled must be longer than zero, but is PT0S");
        assertThatThrownBy(() -> new Retention(SETTLED, Duration.ofDays(-1)))
                .hasMessage("Retention.abandoned must be longer than zero, but is PT-24H");
        assertThatThrownBy(() -> Retention.DEFAULT.withThreads(Duration.ZERO))
                .hasMessageContaining("Retention.threads");
        assertThatThrownBy(() -> Retention.DEFAULT.withAudit(Duration.ZERO)).hasMessageContaining("Retention.audit");
    }

    @Test
    void aFinishedBatchIsKeptForReplay() {
        ResumeEntry approval = settled();
        bench.clock.advance(SETTLED);

        assertThat(bench.agent().purge()).isEqualTo(new Retention.Purged(0, 0, 0, 0));
        assertThat(bench.resume(approval).types()).isEqualTo(PRESENTED);
    }

    @Test
    void theAnswerOfAPurgedOneComesTooLateWhateverItIs() {
        ResumeEntry approval = settled();
        bench.clock.advance(SETTLED.plus(MOMENT));

        assertThat(bench.agent().purge()).isEqualTo(new Retention.Purged(0, 1, 0, 0));

        RecordingSink sink = bench.resume(approval);
        assertThat(sink.errorCode()).isEqualTo("INTERRUPT_ALREADY_RESOLVED");
        assertThat(sink.detail()).contains(approval.interruptId(), "no longer kept");
        assertThat(bench.tools.effects()).hasSize(2);
    }

    @Test
    void aPurgedOneCanBeLetGo() {
        ResumeEntry approval = settled();
        bench.clock.advance(SETTLED.plus(MOMENT));
        bench.agent().purge();

        assertThat(bench.resume(ResumeEntry.cancelled(approval.interruptId())).types())
                .isEqualTo(PRESENTED);
        assertThat(bench.resume(ResumeEntry.cancelled("int_never_issued")).types())
                .isEqualTo(PRESENTED);
    }

    @Test
    void anOpenBatchIsNotAbandonedTooEarly() {
        PendingInterrupt asked = hold();
        bench.clock.advance(ABANDONED);

        assertThat(bench.agent().purge()).isEqualTo(new Retention.Purged(0, 0, 0, 0));
        assertThat(bench.pending()).containsExactly(asked);
    }

    @Test
    void anAbandonedBatchIsSettledAsExpired() {
        hold();
        bench.clock.advance(ABANDONED.plus(MOMENT));

        assertThat(bench.agent().purge()).isEqualTo(new Retention.Purged(1, 0, 0, 0));

        assertThat(bench.pending()).isEmpty();
        assertThat(bench.store.find(THREAD).orElseThrow().turn()).isEmpty();
        assertThat(bench.tools.effects()).isEmpty();
        assertThat(bench.memory())
                .extracting(ChatMessage::type)
                .containsExactly(
                        ChatMessageType.USER,
                        ChatMessageType.AI,
                        ChatMessageType.TOOL_EXECUTION_RESULT,
                        ChatMessageType.TOOL_EXECUTION_RESULT);
        assertThat(bench.transcript()).extracting(Message::role).containsExactly("user", "assistant", "tool", "tool");
    }

    @Test
    void aBatchThatOneOfSeveralApprovesAfterItWasFoundIsNotAbandoned() {
        UnaryOperator<HoldpointBuilder<Bench.Assistant>> byTwo =
                builder -> builder.approvalAuthorizer(ApprovalAuthorizer.role("boss"))
                        .toolPolicies(ToolPolicy.named("sendEmail").approvals(Approvals.of(2)));
        Holdpoint asking = bench.another(byTwo);
        Caller boss = Caller.of("bob", "boss");
        bench.model.calls(call("c1", "sendEmail", MAIL));
        asking.as(Caller.of("ada")).send(THREAD, "Go");
        bench.clock.advance(ABANDONED.plus(MOMENT));
        Holdpoint purging = bench.another(builder -> byTwo.apply(builder).store(new ForwardingStore() {
            @Override
            protected Store store() {
                return bench.store;
            }

            @Override
            public List<Store.Place> threads(Wanted what, Store.Place after, Instant before, int limit) {
                List<Store.Place> found = super.threads(what, after, before, limit);
                if (what == Wanted.UNFINISHED) {
                    asking.as(boss).pending(THREAD).forEach(asked -> asking.as(boss)
                            .decide(THREAD, asked.asApproval().approve()));
                }
                return found;
            }
        }));

        assertThat(purging.purge().expired()).isZero();
        assertThat(asking.as(boss).pending(THREAD)).hasSize(1);
        assertThat(bench.store
                        .find(THREAD)
                        .orElseThrow()
                        .batch()
                        .orElseThrow()
                        .calls()
                        .get(0)
                        .votes())
                .hasSize(1);
    }

    @Test
    void aLateApprovalOfAnAbandonedOneIsRefusedAndANewMessageIsHeard() {
        PendingInterrupt asked = hold();
        bench.clock.advance(ABANDONED.plus(MOMENT));
        bench.agent().purge();

        RecordingSink late = bench.resume(asked.asApproval().approve());
        assertThat(late.errorCode()).isEqualTo("INTERRUPT_ALREADY_RESOLVED");
        assertThat(late.detail()).contains("no answer came in time");
        assertThat(bench.resume(asked.cancel()).types()).isEqualTo(PRESENTED);
        bench.model.says("Hello.");
        assertThat(bench.say("Hi").text()).isEqualTo("Hello.");
        assertThat(bench.model.lastResult("c1")).contains("expired");
        assertThat(bench.tools.effects()).isEmpty();
    }

    @Test
    void anAbandonedCallOfUnknownOutcomeStaysUnknown() {
        Crash crash = new Crash();
        ResumeEntry approval = crash.whilePaying();
        crash.bench.clock.advance(ABANDONED.plus(MOMENT));

        assertThat(crash.bench.agent().purge().expired()).isEqualTo(1);

        crash.bench.model.says("Hello.");
        crash.bench.say("Hi");
        assertThat(crash.bench.model.lastResult("c1")).contains("outcome", "unknown");
        assertThat(crash.bench.resume(approval).types()).isEqualTo(PRESENTED);
        assertThat(crash.effects()).hasSize(1);
    }

    @Test
    void anAbandonedQuestionAboutAnUnknownOutcomeExpiresToo() {
        Crash crash = new Crash();
        crash.whilePaying();
        crash.bench.nothingNew();
        crash.bench.clock.advance(ABANDONED.plus(MOMENT));

        assertThat(crash.bench.agent().purge().expired()).isEqualTo(1);

        crash.bench.model.says("Hello.");
        crash.bench.say("Hi");
        assertThat(crash.bench.model.lastResult("c1")).contains("outcome", "unknown");
    }

    @Test
    void aThreadWithAnActiveRunIsLeftAlone() {
        PendingInterrupt asked = hold();
        bench.clock.advance(ABANDONED.plus(MOMENT));
        Instant now = bench.clock.instant();
        bench.store.acquire(THREAD, "r", "ada", now, now.plusSeconds(30));

        assertThat(bench.agent().purge()).isEqualTo(new Retention.Purged(0, 0, 0, 0));
        assertThat(bench.pending()).containsExactly(asked);
    }

    @Test
    void oneCallGoesOnUntilNothingIsDueInTransactionsOfAHundred() {
        List<Integer> removed = new ArrayList<>();
        Holdpoint agent = bench.another(builder -> builder.store(new ForwardingStore() {
            @Override
            protected Store store() {
                return bench.store;
            }

            @Override
            public int purge(Old what, Instant before, int limit) {
                int count = super.purge(what, before, limit);
                if (what == Old.BATCH) {
                    removed.add(count);
                }
                return count;
            }
        }));
        for (int i = 0; i < 250; i++) {
            bench.model.calls(call("c1", "sendEmail", MAIL));
            agent.send("t" + i, "Go");
        }
        bench.clock.advance(ABANDONED.plus(MOMENT));

        assertThat(agent.purge()).isEqualTo(new Retention.Purged(250, 0, 0, 0));
        bench.clock.advance(SETTLED.plus(MOMENT));
        removed.clear();
        assertThat(agent.purge()).isEqualTo(new Retention.Purged(0, 250, 0, 0));
        assertThat(removed).containsExactly(100, 100, 50);
        assertThat(agent.purge()).isEqualTo(new Retention.Purged(0, 0, 0, 0));
    }

    private static final Duration YEAR = Duration.ofDays(365);

    private Holdpoint forgetfulAfter(Retention retention) {
        return bench.another(builder -> builder.retention(retention));
    }

    @Test
    void conversationsAndTrailsAreKeptForEverByDefault() {
        settled();
        bench.clock.advance(Duration.ofDays(36_500));

        assertThat(bench.agent().purge()).isEqualTo(new Retention.Purged(0, 1, 0, 0));
        assertThat(bench.transcript()).isNotEmpty();
        assertThat(bench.store.auditTrail(THREAD, 0, 10)).isNotEmpty();
    }

    @Test
    void anIdleThreadIsEmptiedAfterItsTimeAndItsMemoryToo() {
        Holdpoint agent = forgetfulAfter(Retention.DEFAULT.withThreads(YEAR));
        settled();
        bench.clock.advance(YEAR);
        assertThat(agent.purge().threads()).isZero();
        bench.clock.advance(Duration.ofMillis(1));

        assertThat(agent.purge().threads()).isEqualTo(1);

        assertThat(bench.transcript()).isEmpty();
        assertThat(bench.memory()).isEmpty();
        assertThat(bench.store.count(Store.Counted.INTERRUPT, THREAD, 10)).isZero();
        assertThat(bench.store.auditTrail(THREAD, 0, 10)).isNotEmpty();
        assertThat(agent.purge().threads()).isZero();
    }

    @Test
    void aThreadThatAsksIsNotIdle() {
        Holdpoint agent = forgetfulAfter(Retention.DEFAULT.withThreads(Duration.ofDays(1)));
        PendingInterrupt asked = hold();
        bench.clock.advance(ABANDONED);

        assertThat(agent.purge()).isEqualTo(new Retention.Purged(0, 0, 0, 0));
        assertThat(bench.pending()).containsExactly(asked);
    }

    @Test
    void aPurgedThreadIsNotFilledAgainWithWhatItsClientStillHas() {
        Holdpoint agent = forgetfulAfter(Retention.DEFAULT.withThreads(YEAR));
        settled();
        List<Message> before = bench.transcript();
        bench.clock.advance(YEAR.multipliedBy(2));
        agent.purge();
        List<Message> history = new ArrayList<>(before);

        bench.run(bench.input(history.toArray(Message[]::new)));
        assertThat(bench.transcript()).isEmpty();
        history.add(Bench.user("new", "And now?"));
        bench.model.says("Now this.");
        bench.run(bench.input(history.toArray(Message[]::new)));

        assertThat(bench.transcript()).extracting(Message::role).containsExactly("user", "assistant");
        assertThat(bench.memory())
                .extracting(ChatMessage::type)
                .containsExactly(ChatMessageType.USER, ChatMessageType.AI);
        assertThat(bench.tools.effects()).hasSize(2);
    }

    /** A memory without a store lives in one process, and another one may have purged the thread. */
    @Test
    void whereAnotherServerHasPurgedAThreadItsModelRemembersNothingOfItEither() {
        Holdpoint sticky =
                bench.another(builder -> builder.chatMemoryProvider(id -> MessageWindowChatMemory.withMaxMessages(20)));
        bench.model.says("I keep it to myself.");
        sticky.send(THREAD, "My PIN is 4711");
        bench.clock.advance(YEAR.multipliedBy(2));
        assertThat(forgetfulAfter(Retention.DEFAULT.withThreads(YEAR)).purge().threads())
                .isEqualTo(1);
        bench.model.says("Hello.").says("Yes.");

        sticky.send(THREAD, "Hi");

        assertThat(bench.model.requests().get(1).messages()).hasSize(1);
        sticky.send(THREAD, "Still there?");
        assertThat(bench.model.requests().get(2).messages()).hasSize(3);
    }

    @Test
    void anAnswerToAPurgedThreadComesTooLateAndCanBeLetGo() {
        Holdpoint agent = forgetfulAfter(Retention.DEFAULT.withThreads(YEAR));
        ResumeEntry approval = settled();
        bench.clock.advance(YEAR.multipliedBy(2));
        agent.purge();

        assertThat(bench.resume(approval).errorCode()).isEqualTo("INTERRUPT_ALREADY_RESOLVED");
        assertThat(bench.resume(ResumeEntry.cancelled(approval.interruptId())).types())
                .isEqualTo(PRESENTED);
        assertThat(bench.tools.effects()).hasSize(2);
    }

    @Test
    void aPurgedThreadStaysItsOwners() {
        Holdpoint agent = forgetfulAfter(Retention.DEFAULT.withThreads(YEAR));
        settled();
        String owner = bench.store.find(THREAD).orElseThrow().owner();
        bench.clock.advance(YEAR.multipliedBy(2));
        agent.purge();

        assertThat(bench.store.find(THREAD).orElseThrow().owner()).isEqualTo(owner);
        assertThat(((RunResult.Failed) agent.as(Caller.of("mallory")).send(THREAD, "Hi")).code())
                .isEqualTo(ErrorCode.THREAD_NOT_FOUND);
    }

    @Test
    void auditTrailsArePurgedWhenTheirTimeIsSet() {
        Holdpoint agent = forgetfulAfter(Retention.DEFAULT.withAudit(YEAR));
        settled();
        int events = bench.store.auditTrail(THREAD, 0, 100).size()
                + bench.store.auditTrail("", 0, 100).size(); // the agents were built
        bench.clock.advance(YEAR.plus(MOMENT));

        assertThat(agent.purge().auditEvents()).isEqualTo(events);
        assertThat(bench.store.auditTrail(THREAD, 0, 100)).isEmpty();
    }

    @Test
    void threadsWhoseMemoryCannotBeClearedDoNotKeepThePurgeFromTheOthers() {
        for (int i = 0; i < 120; i++) {
            bench.model.says("Hello.");
            bench.agent().send("t" + i, "Hi");
        }
        AtomicBoolean down = new AtomicBoolean(true);
        Holdpoint agent = bench.another(builder -> builder.retention(Retention.DEFAULT.withThreads(YEAR))
                .chatMemoryProvider(id -> {
                    if (down.get()) {
                        throw new IllegalStateException("no memory");
                    }
                    return MessageWindowChatMemory.withMaxMessages(10);
                }));
        bench.clock.advance(YEAR.multipliedBy(2));

        assertThat(agent.purge().threads()).isZero();
        down.set(false);
        assertThat(agent.purge().threads()).isEqualTo(120);
    }

    @Test
    void oneThatCannotBeSettledIsTriedAgainLaterAndDoesNotKeepTheOthersFromIt() {
        hold();
        bench.model.calls(call("c1", "sendEmail", MAIL));
        bench.agent().send("other", "Go");
        bench.clock.advance(ABANDONED.plus(MOMENT));
        Holdpoint forgetful = bench.another(builder -> builder.chatMemoryProvider(id -> {
            if (id.equals(THREAD)) {
                throw new IllegalStateException("no memory of it");
            }
            return MessageWindowChatMemory.withMaxMessages(10);
        }));

        assertThat(forgetful.purge()).isEqualTo(new Retention.Purged(1, 0, 0, 0));
        bench.clock.advance(ABANDONED.plus(MOMENT));
        assertThat(bench.agent().purge()).isEqualTo(new Retention.Purged(1, 1, 0, 0));
        ScriptedModel.requireWellFormed(bench.memory());
    }

    /** Counts purges, and may fail at them. */
    private final class CountingStore extends ForwardingStore {

        private final AtomicInteger purges = new AtomicInteger();
        private volatile boolean down;

        @Override
        protected Store store() {
            return bench.store;
        }

        @Override
        public int purge(Old what, Instant before, int limit) {
            if (what == Old.BATCH) {
                purges.incrementAndGet();
                if (down) {
                    throw new IllegalStateException("down");
                }
            }
            return super.purge(what, before, limit);
        }
    }

    @Test
    void theAgentPurgesByItselfAtMostOnceAMinute() {
        CountingStore store = new CountingStore();
        Holdpoint agent = bench.another(builder -> builder.store(store));
        for (int i = 0; i < 5; i++) {
            bench.model.says("Hello.");
            agent.send("t", "Hi");
        }
        assertThat(store.purges).hasValue(0);
        for (int minute = 1; minute <= 3; minute++) {
            bench.clock.advance(Duration.ofMinutes(1));
            bench.model.says("Hello.").says("Hello.");
            agent.send("t", "Hi");
            agent.send("t", "Hi");
            assertThat(store.purges).hasValue(minute);
        }
    }

    @Test
    void aPurgeThatFailsDoesNotTouchTheRunBeforeIt() {
        CountingStore store = new CountingStore();
        store.down = true;
        Holdpoint agent = bench.another(builder -> builder.store(store));
        bench.clock.advance(Duration.ofMinutes(1));
        bench.model.says("Hello.").says("Hello again.");

        assertThat(agent.send("t", "Hi")).isInstanceOf(RunResult.Completed.class);
        assertThat(agent.send("t", "Hi")).isInstanceOf(RunResult.Completed.class);
        assertThat(store.purges).hasValue(1);
        assertThat(bench.store.find("t").flatMap(ThreadRecord::turn)).isEmpty();
    }
}
