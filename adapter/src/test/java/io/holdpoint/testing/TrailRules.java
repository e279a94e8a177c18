package io.holdpoint.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.AuditEvent.Kind;
import io.holdpoint.store.Call;
import io.holdpoint.store.CallState;
import io.holdpoint.store.Hold;
import io.holdpoint.store.Store;
import io.holdpoint.store.ThreadRecord;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the audit trail of a thread must be like: every call's story is one that the state machine can tell. */
public final class TrailRules {

    private static final int ALL = 1_000;

    /** What the trail alone says of a call. */
    private static final class Told {

        private CallState state = CallState.PENDING;
        private int questions;
        private int answers;
        private int attempts;

        void take(AuditEvent event) {
            switch (event.kind()) {
                case HELD -> {
                    requireState(event, CallState.PENDING, CallState.CLAIMED);
                    state = CallState.PENDING;
                    questions++;
                }
                case DECIDED, EXPIRED -> {
                    requireState(event, CallState.PENDING);
                    assertThat(++answers)
                            .as("an answer to a question: %s", event)
                            .isEqualTo(questions);
                    state = CallState.DECIDED;
                }
                case CLAIMED -> {
                    requireState(event, CallState.PENDING, CallState.DECIDED, CallState.CLAIMED);
                    assertThat(event.detail().path("attempt").asInt()).isEqualTo(++attempts);
                    state = CallState.CLAIMED;
                }
                case EXECUTED, FAILED -> {
                    boolean byClient = event.detail().path("byClient").booleanValue();
                    requireState(event, byClient ? CallState.PENDING : CallState.CLAIMED, CallState.DECIDED);
                    boolean supplied = byClient
                            || event.kind() == Kind.EXECUTED
                                    && event.detail().path("reported").booleanValue();
                    assertThat(attempts).as("attempts: %s", event).isGreaterThanOrEqualTo(supplied ? 0 : 1);
                    state = event.kind() == Kind.EXECUTED ? CallState.EXECUTED : CallState.FAILED;
                }
                case NOT_EXECUTED -> {
                    requireState(event, CallState.PENDING, CallState.DECIDED);
                    state = CallState.NOT_EXECUTED;
                }
                case PROPOSED -> throw new AssertionError("proposed twice: " + event);
                case ALLOWED -> {
                    requireState(event, CallState.PENDING);
                    assertThat(questions).as("asked before %s", event).isZero();
                }
                case GRANTED -> requireState(event, CallState.DECIDED);
                case PRESENTED, REPLAYED, REVOKED, LEASE_LOST -> {
                    // no transition
                }
            }
        }

        private void requireState(AuditEvent event, CallState... allowed) {
            assertThat(state).as("before %s", event).isIn((Object[]) allowed);
        }
    }

    private TrailRules() {}

    /** Reads the trail, and compares with what the store knows of the calls that it can still find. */
    public static void check(Store store, String threadId) {
        List<AuditEvent> trail;
        Set<Hold> holds;
        do { // tools may be running meanwhile: what is compared must belong together
            trail = store.auditTrail(threadId, 0, ALL);
            holds = holds(store, threadId, trail);
        } while (!store.auditTrail(threadId, 0, ALL).equals(trail));
        Map<String, Told> told = new HashMap<>();
        for (AuditEvent event : trail) {
            assertThat(event.threadId()).isEqualTo(threadId);
            if (event.kind() == Kind.PROPOSED) {
                assertThat(told.put(event.toolCallId().orElseThrow(), new Told()))
                        .as("proposed once: %s", event)
                        .isNull();
            } else if (event.kind() != Kind.LEASE_LOST) {
                Told call = event.toolCallId().map(told::get).orElseThrow(() -> new AssertionError(event));
                call.take(event);
            }
        }
        if (trail.size() < ALL) {
            holds.forEach(hold -> hold.calls().forEach(call -> agrees(told, call)));
        }
    }

    private static Set<Hold> holds(Store store, String threadId, List<AuditEvent> trail) {
        Set<Hold> holds = new HashSet<>();
        store.find(threadId).flatMap(ThreadRecord::hold).ifPresent(holds::add);
        trail.stream()
                .flatMap(event -> event.interruptId().stream())
                .distinct()
                .flatMap(id -> store.findByInterrupt(threadId, id).stream())
                .forEach(holds::add);
        return holds;
    }

    private static void agrees(Map<String, Told> told, Call call) {
        Told trail = told.get(call.toolCallId());
        assertThat(trail).as("in the trail: %s", call).isNotNull();
        assertThat(List.of(trail.state, trail.questions, trail.answers, trail.attempts))
                .as("what the trail tells of %s", call)
                .isEqualTo(List.of(
                        call.state(),
                        call.questions().size(),
                        call.answers().size(),
                        call.attempts().size()));
    }
}
