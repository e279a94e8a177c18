package io.holdpoint.follow;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Caller;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RunRejectedException;
import io.holdpoint.ThreadStatus;
import io.holdpoint.follow.QuestionChange.Kind;
import io.holdpoint.store.Store;
import io.holdpoint.store.StoreException;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.ForwardingStore;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.ManualTimer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Open pages hear of the questions that they may see, from the feed, which is read once for all of them. */
class ChangesTest {

    private static final Caller ADA = Caller.of("ada");
    private static final Caller GRACE = Caller.of("grace", "approver");
    private static final Caller EVE = Caller.of("eve");
    private static final Duration INTERVAL = Duration.ofMillis(500);

    private boolean down;
    /** How many events fewer than before the server has that took the place of another one. */
    private int lost;

    private final List<Long> reads = new ArrayList<>();
    private final ManualTimer timer = new ManualTimer();
    private final Bench bench = new Bench();
    private final Store counting = new ForwardingStore() {

        @Override
        protected Store store() {
            return bench.store;
        }

        @Override
        public List<Fed> feed(long after, int limit) {
            if (down) {
                throw new StoreException("down");
            }
            reads.add(after);
            return super.feed(after, limit).stream()
                    .map(fed -> new Fed(fed.position() - lost, fed.event()))
                    .toList();
        }

        @Override
        public long feedEnd() {
            return super.feedEnd() - lost;
        }
    };
    private final Holdpoint agent = bench.another(builder -> timer.in(builder)
            .store(counting)
            .approvalAuthorizer(
                    ApprovalAuthorizer.anyOf(ApprovalAuthorizer.OWNER, ApprovalAuthorizer.role("approver"))));

    /** What one page was told. */
    private final class Page {

        final List<QuestionChange> told = new ArrayList<>();
        final CompletableFuture<Void> over;

        Page(Caller caller, Optional<Long> after) {
            over = Follow.of(agent.as(caller)).changes(after, told::add);
        }

        List<Kind> kinds() {
            return told.stream().map(QuestionChange::kind).toList();
        }

        long last() {
            return told.get(told.size() - 1).position();
        }
    }

    private Page page(Caller caller) {
        return new Page(caller, Optional.empty());
    }

    private PendingInterrupt held() {
        bench.model.calls(call("c1", "sendEmail", Bench.MAIL));
        PendingInterrupt asked =
                agent.as(ADA).send(THREAD, "Write to Ada").interrupts().get(0);
        bench.model.says("Done.");
        return asked;
    }

    private void look() {
        timer.ring(INTERVAL);
    }

    @Test
    void everyPageReadsAgainWhenTheAgentIsHaltedOrReleased() {
        Page ada = page(ADA);
        Page eve = page(EVE);

        agent.as(GRACE).halt("incident 42");
        look();
        agent.as(GRACE).release("fixed");
        look();

        assertThat(ada.kinds()).containsExactly(Kind.OPENED, Kind.OPENED, Kind.OPENED);
        assertThat(eve.told).isEqualTo(ada.told);
        assertThat(ada.last()).isGreaterThan(ada.told.get(1).position());
    }

    @Test
    void othersWhoMaySeeAQuestionAreToldWhoLooksAtIt() {
        PendingInterrupt question = held();
        Page ada = page(ADA);
        Page eve = page(EVE);
        Page grace = page(GRACE);

        Follow.of(agent.as(GRACE)).looking(THREAD, question.id());
        Follow.of(agent.as(EVE)).looking(THREAD, question.id());
        Follow.of(agent.as(Caller.ANONYMOUS)).looking(THREAD, question.id());

        assertThat(ada.kinds()).containsExactly(Kind.OPENED, Kind.LOOKED_AT);
        assertThat(ada.told.get(1).by()).hasValue("grace");
        assertThat(ada.told.get(1).threadId()).hasValue(THREAD);
        assertThat(ada.told.get(1).interruptId()).hasValue(question.id());
        assertThat(ada.told.get(1).position()).isEqualTo(ada.told.get(0).position());
        assertThat(eve.kinds()).containsExactly(Kind.OPENED);
        assertThat(grace.kinds()).containsExactly(Kind.OPENED);
    }

    @Test
    void aPageIsToldOfOneThingAtATime() throws Exception {
        List<String> told = new CopyOnWriteArrayList<>();
        Thread looking = new Thread(() -> Follow.of(agent.as(GRACE)).looking(THREAD, "int_1"));
        Follow.of(agent.as(ADA)).changes(Optional.empty(), change -> {
            told.add("begins " + change.kind());
            if (change.kind() == Kind.ASKED) {
                looking.start();
                while (looking.isAlive() && looking.getState() != Thread.State.BLOCKED) {
                    Thread.onSpinWait();
                }
            }
            told.add("ends " + change.kind());
        });
        held();

        look();
        looking.join();

        assertThat(told)
                .containsSubsequence("begins ASKED", "ends ASKED", "begins LOOKED_AT", "ends LOOKED_AT")
                .hasSize(6);
    }

    @Test
    void aPageHearsOfAQuestionFromItsBeginningToItsEndAndOfNothingInIt() {
        Page page = page(ADA);
        PendingInterrupt question = held();
        look();
        agent.as(GRACE).decide(THREAD, question.asApproval().approve());
        look();

        assertThat(page.kinds()).startsWith(Kind.OPENED, Kind.ASKED, Kind.ANSWERED);
        assertThat(page.told.subList(1, 3)).allSatisfy(change -> {
            assertThat(change.threadId()).contains(THREAD);
            assertThat(change.interruptId()).contains(question.id());
        });
        assertThat(page.told).extracting(QuestionChange::position).isSorted();
        assertThat(page.told.toString()).doesNotContain("example.com");
    }

    @Test
    void accessIsCheckedForEveryChange() {
        Page graces = page(GRACE);
        Page eves = page(EVE);
        held();
        look();

        assertThat(graces.kinds()).containsExactly(Kind.OPENED, Kind.ASKED);
        assertThat(eves.kinds()).containsExactly(Kind.OPENED);
    }

    @Test
    void allPagesOfANodeCostOneReadAndNoPageCostsNone() {
        held();
        look();
        assertThat(reads).isEmpty();

        List<Page> pages = List.of(page(ADA), page(ADA), page(GRACE));
        look();
        assertThat(reads).hasSize(1);

        pages.forEach(page -> page.over.complete(null));
        look();
        int waiting = timer.waiting();
        look();
        assertThat(reads).hasSize(1);
        assertThat(timer.waiting()).isEqualTo(waiting);
        page(ADA);
        look();
        assertThat(reads).hasSize(2);
    }

    @Test
    void aPageThatComesAgainHearsWhatItHasMissedOnce() {
        Page before = page(ADA);
        PendingInterrupt question = held();
        look();
        before.over.complete(null);
        agent.as(ADA).decide(THREAD, question.asApproval().deny());

        Page again = new Page(ADA, Optional.of(before.last()));
        look();

        assertThat(again.kinds()).startsWith(Kind.OPENED, Kind.ANSWERED).doesNotContain(Kind.ASKED);
        assertThat(new Page(ADA, Optional.of(again.last() + 1_000)).kinds()).containsExactly(Kind.OPENED);
    }

    @Test
    void theOtherPagesDoNotHearAgainWhatOneHasMissed() {
        Page before = page(ADA);
        held();
        look();

        assertThat(new Page(ADA, Optional.of(before.told.get(0).position())).kinds())
                .containsExactly(Kind.OPENED, Kind.ASKED);
        assertThat(before.kinds()).containsExactly(Kind.OPENED, Kind.ASKED);
    }

    @Test
    void aPositionThatNoPageWasEverToldOfMakesNobodyReadTheWholeFeed() {
        held();

        for (long forged : new long[] {-1, Long.MIN_VALUE, Long.MIN_VALUE + 1_000}) {
            Page page = new Page(ADA, Optional.of(forged));
            look();

            assertThat(page.kinds()).as("after " + forged).containsExactly(Kind.OPENED);
            assertThat(page.last()).isPositive();
        }
        assertThat(reads).allMatch(after -> after > 0);
    }

    @Test
    void aPageThatComesFromFarAwayReadsWhatIsOpenByItselfAndNothingIsReadForIt() {
        held();
        Page page = new Page(ADA, Optional.of(-1_001L));

        assertThat(reads).isEmpty();
        assertThat(page.kinds()).containsExactly(Kind.OPENED);
        assertThat(new Page(ADA, Optional.of(0L)).kinds()).containsExactly(Kind.OPENED, Kind.ASKED);
    }

    @Test
    void theEventsOfOtherAgentsAreNotRead() {
        Holdpoint other = bench.another(builder -> builder.name("other"));
        page(ADA);
        bench.model.calls(call("c1", "sendEmail", Bench.MAIL));
        other.as(ADA).send("elsewhere", "Write");
        look();
        look();

        assertThat(reads).hasSize(2);
        assertThat(reads.get(1)).isEqualTo(reads.get(0));
    }

    /** Without an authenticator everybody is the same caller. */
    @Test
    void callersWhomTheTransportDoesNotTellApartHaveMorePagesTogether() {
        for (int i = 0; i < 1_000; i++) {
            page(Caller.ANONYMOUS);
        }
        assertThatThrownBy(() -> page(Caller.ANONYMOUS)).hasMessageContaining("1000 streams of changes");
    }

    @Test
    void anotherNodesChangesComeFromTheStore() {
        Page page = page(ADA);
        bench.model.calls(call("c1", "sendEmail", Bench.MAIL));
        bench.agent().as(ADA).send("elsewhere", "Write");
        look();

        assertThat(page.kinds()).containsExactly(Kind.OPENED, Kind.ASKED);
    }

    @Test
    void aPageThatCannotBeToldHasGone() {
        CompletableFuture<Void> over = Follow.of(agent.as(ADA)).changes(Optional.empty(), change -> {
            if (change.kind() == Kind.ASKED) {
                throw new IllegalStateException("the client does not read");
            }
        });
        Page other = page(ADA);
        held();
        look();

        assertThat(over).isDone();
        assertThat(other.kinds()).containsExactly(Kind.OPENED, Kind.ASKED);
    }

    @Test
    void aPersonHasABoundedNumberOfPagesAndEachEndsAfterAWhile() {
        List<Page> pages = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            pages.add(page(ADA));
        }
        assertThatThrownBy(() -> page(ADA))
                .isInstanceOf(RunRejectedException.class)
                .hasMessageContaining("20 streams of changes");
        page(GRACE);

        bench.clock.advance(Duration.ofDays(1));
        look();

        assertThat(pages).allSatisfy(page -> assertThat(page.over).isDone());
        page(ADA);
    }

    @Test
    void allPagesEndWhenTheAgentIsShutDown() {
        Page page = page(ADA);
        agent.shutdown(Duration.ZERO);

        assertThat(page.over).isDone();
        assertThatThrownBy(() -> page(ADA)).isInstanceOf(RunRejectedException.class);
    }

    @Test
    @Logs("The changes of questions could not be read for open pages*")
    void aStoreThatIsDownForAWhileLosesNothing() {
        Page page = page(ADA);
        held();
        down = true;
        look();
        look();
        assertThat(page.kinds()).containsExactly(Kind.OPENED);
        down = false;
        look();

        assertThat(page.kinds()).containsExactly(Kind.OPENED, Kind.OPENED, Kind.ASKED);
    }

    /** A standby that commits do not wait for has not got the last of them, and gives their numbers to others. */
    @Test
    void aPageReadsAgainWhatIsOpenWhenTheStoreHasLostWhatItWasTold() {
        Page page = page(ADA);
        PendingInterrupt question = held();
        look();
        long before = page.last();
        lost = 2;
        look();

        assertThat(page.kinds()).containsExactly(Kind.OPENED, Kind.ASKED, Kind.OPENED);
        assertThat(page.last()).isLessThan(before);

        agent.as(GRACE).decide(THREAD, question.asApproval().deny());
        look();
        assertThat(page.kinds()).startsWith(Kind.OPENED, Kind.ASKED, Kind.OPENED, Kind.ANSWERED);
        look();
        assertThat(page.kinds()).containsOnlyOnce(Kind.ANSWERED);
    }

    @Test
    void whoComesWhenTheAgentIsShutDownIsToldOfNoChangesAndIsShownThreads() {
        Holdpoint gone = bench.another(builder -> builder);
        gone.close();
        Follow follow = Follow.of(gone);

        assertThatThrownBy(() -> follow.changes(Optional.empty(), change -> {}))
                .isInstanceOfSatisfying(
                        RunRejectedException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SHUTTING_DOWN));
        assertThat(follow.history(THREAD, "look", event -> {})).isCompletedWithValue(ThreadStatus.IDLE);
        assertThat(follow.inbox().items()).isEmpty();
    }
}
