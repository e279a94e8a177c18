package io.holdpoint.audit;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static io.holdpoint.testing.Bench.THREAD;
import static io.holdpoint.testing.Bench.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.data.message.AiMessage;
import io.holdpoint.RunResult;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.hook.RunObserver;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.AuditEvent.Kind;
import io.holdpoint.store.Commit;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.LeaseLostException;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.Lease;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.FailingStore;
import io.holdpoint.testing.FailingStore.When;
import io.holdpoint.testing.ForwardingStore;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.RecordingSink;
import io.holdpoint.testing.TrailRules;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** No transition without its event, no event without its transition, whatever fails. */
@Logs({"Run * on thread * failed", "An observer failed"})
class AuditFaultsTest {

    private static final int COMMITS = 12;

    private final List<AuditEvent> heard = new CopyOnWriteArrayList<>();

    private static List<Kind> kinds(List<AuditEvent> events) {
        return events.stream().map(AuditEvent::kind).toList();
    }

    private static void heldMail(Bench bench) {
        bench.model.calls(call("m", "sendEmail", MAIL));
        bench.say("Write to Ada");
    }

    static Stream<Arguments> everyCommit() {
        return Stream.of(When.values()).flatMap(when -> Stream.iterate(1, n -> n <= COMMITS, n -> n + 1)
                .map(n -> Arguments.of(when, n)));
    }

    @ParameterizedTest
    @MethodSource("everyCommit")
    void aFailingCommitNeitherLosesNorInventsAnEvent(When when, int failing) {
        Store store = new FailingStore(failing, when);
        Bench bench = new Bench(builder -> builder.store(store).observers(RunObserver.ofTrail(heard::add)));
        for (int i = 0; i < 20; i++) {
            bench.model.answers(request -> request.messages().stream().anyMatch(AiMessage.class::isInstance)
                    ? AiMessage.from("Done.")
                    : AiMessage.from(call("s", "searchContacts", "{\"query\":\"Ada\"}"), call("m", "sendEmail", MAIL)));
        }
        repeat(bench, store, () -> bench.agent().run(bench.input(user("u", "Go")), new RecordingSink()));
        ResumeEntry approval = bench.pending(0).asApproval().approve();
        repeat(bench, store, () -> bench.agent().run(bench.answers(approval), new RecordingSink()));

        TrailRules.check(store, THREAD);
        assertThat(kinds(store.auditTrail(THREAD, 0, 100))).contains(Kind.PROPOSED, Kind.HELD, Kind.DECIDED);
        assertThat(store.auditTrail(THREAD, 0, 100)).containsSubsequence(heard);
    }

    private static void repeat(Bench bench, Store store, Runnable run) {
        for (int i = 0; i < 3; i++) {
            run.run();
            TrailRules.check(store, THREAD);
        }
    }

    @Test
    void theListenerHearsOfWhatIsStoredInItsOrder() {
        Bench bench = new Bench(builder -> builder.observers(RunObserver.ofTrail(heard::add)));
        heldMail(bench);
        bench.model.says("Done.");

        bench.nothingNew();
        ResumeEntry approval = bench.pending(0).asApproval().approve();
        bench.resume(approval);
        bench.resume(approval);

        assertThat(heard).hasSize(7).isEqualTo(bench.store.auditTrail(THREAD, 0, 100));
    }

    @Test
    void theListenerIsToldAfterTheStoreHasIt() {
        List<Boolean> stored = new ArrayList<>();
        List<Bench> benches = new ArrayList<>();
        Bench bench = new Bench(builder -> builder.observers(RunObserver.ofTrail(event ->
                stored.add(benches.get(0).store.auditTrail(THREAD, 0, 100).contains(event)))));
        benches.add(bench);

        heldMail(bench);

        assertThat(stored).containsExactly(true, true);
    }

    @Test
    void aListenerThatThrowsChangesNothing() {
        Bench bench = new Bench(builder -> builder.observers(RunObserver.ofTrail(event -> {
            heard.add(event);
            throw new AssertionError("listener");
        })));
        heldMail(bench);
        bench.model.says("Done.");

        assertThat(bench.resume(bench.pending(0).asApproval().approve()).types())
                .endsWith("RUN_FINISHED");
        assertThat(kinds(heard)).containsExactly(Kind.PROPOSED, Kind.HELD, Kind.DECIDED, Kind.CLAIMED, Kind.EXECUTED);
    }

    @Test
    void nobodyHearsOfACommitThatFailed() {
        Store store = new ForwardingStore() {
            private final Store kept = new InMemoryStore();

            @Override
            protected Store store() {
                return kept;
            }

            @Override
            public void commit(Lease lease, Commit commit, Instant now) {
                if (!commit.batches().isEmpty()) {
                    throw new IllegalStateException("store down");
                }
                kept.commit(lease, commit, now);
            }
        };
        Bench bench = new Bench(
                builder -> builder.observers(RunObserver.ofTrail(heard::add)).store(store));

        heldMail(bench);

        assertThat(bench.model.requests()).hasSize(1);
        assertThat(heard).isEmpty();
    }

    @Test
    void whatARunWithoutALeaseWantedToWriteIsNoted() {
        Bench bench = new Bench(builder -> builder.observers(RunObserver.ofTrail(heard::add)));
        bench.model.answers(request -> {
            Instant later = bench.clock.instant().plus(Duration.ofMinutes(1));
            bench.store.acquire(THREAD, "other", "bob", later, later).orElseThrow();
            return AiMessage.from(call("m", "sendEmail", MAIL));
        });

        RunResult result = bench.agent().send(THREAD, "Write to Ada");

        assertThat(result).isInstanceOfSatisfying(RunResult.Failed.class, failed -> assertThat(failed.cause())
                .get()
                .isInstanceOf(LeaseLostException.class));
        List<AuditEvent> trail = bench.store.auditTrail(THREAD, 0, 100);
        assertThat(kinds(trail)).containsExactly(Kind.LEASE_LOST);
        assertThat(trail.get(0).detail().toString())
                .isEqualTo("{\"lost\":[{\"kind\":\"PROPOSED\",\"toolCallId\":\"m\"},"
                        + "{\"kind\":\"HELD\",\"toolCallId\":\"m\"}]}");
        assertThat(heard).isEqualTo(trail);
    }

    @Test
    void listenersAddUp() {
        Bench bench = new Bench(builder ->
                builder.observers(RunObserver.ofTrail(heard::add)).observers(RunObserver.ofTrail(heard::add)));
        heldMail(bench);

        assertThat(kinds(heard)).containsExactly(Kind.PROPOSED, Kind.PROPOSED, Kind.HELD, Kind.HELD);
    }
}
