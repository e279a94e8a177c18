package io.holdpoint.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.store.Call.Answer;
import io.holdpoint.store.Call.Question;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A change that a transition of a {@link Batch} makes to one of its calls. Immutable. */
public sealed interface Change {

    /** The call after the transition. */
    Call call();

    /** The call is in a new batch. */
    record Proposed(Call call) implements Change {}

    /** A person is asked about the call. */
    record Asked(Call call, Question question) implements Change {}

    /** Somebody has approved the call, which is not enough. */
    record Voted(Call call, Question question, Answer vote) implements Change {}

    /** Approvals of the call no longer count. */
    record Voided(Call call, Question question, List<Answer> votes) implements Change {

        /** Copies the list. */
        public Voided {
            votes = List.copyOf(votes);
        }
    }

    /** A question about the call is answered. */
    record Answered(Call call, Question question, Answer answer) implements Change {}

    /** Time has done something about an open question, and nothing is decided. */
    record Timed(Call call, Question question, TimeStep step) implements Change {}

    /** Somebody has put an open question otherwise, without an answer to it; {@code kind} and {@code detail} are those of the audit event. */
    record Amended(Call call, Question question, AuditEvent.Kind kind, ObjectNode detail) implements Change {

        /** Copies the detail. */
        public Amended {
            detail = detail.deepCopy();
        }
    }

    /** The call is taken for execution; its last attempt is the new one. */
    record Claimed(Call call) implements Change {

        /**
         * The remembered decision by which the call starts.
         *
         * @return id of the {@link Grant} that must not have been revoked; empty if a person was asked, or if the call needs no
         *     approval
         */
        public Optional<String> grant() {
            return call.asked().isEmpty() ? Optional.ofNullable(call.grantId()) : Optional.empty();
        }

        /** The key of the fact that is that decision. */
        public Optional<Fact.Key> startsBy(String threadId) {
            Optional<String> grant = grant();
            return grant.isEmpty() ? Optional.empty() : Optional.of(Grant.key(threadId, grant.get()));
        }

        /**
         * Uses the decision by which the call starts, for those who write a {@link Store}: in the transaction, with the fact locked.
         *
         * @param stored the fact, if it is there
         * @return what the fact is from now on, if it changes; an earlier attempt of this call does not count
         * @throws StoreConflictException if it is not there, or does not allow the call
         */
        public Optional<Fact> use(Optional<Fact> stored, Instant now) {
            Optional<Grant> known = stored.flatMap(fact -> fact.read(Grant.class));
            if (known.isEmpty()) {
                throw new StoreConflictException(
                        "the decision " + call.grantId() + " by which " + call.toolCallId() + " starts is revoked");
            }
            Grant grant = known.get();
            Grant.Within within = grant.within();
            if (within == null) {
                return Optional.empty();
            }
            Grant.Use use = within.use(Grant.useOf(call), arguments(), now);
            List<Grant.Use> others = grant.uses().stream()
                    .filter(earlier -> !earlier.toolCallId().equals(use.toolCallId()))
                    .toList();
            if (!within.allows(others, arguments(), now)) {
                throw new StoreConflictException(
                        "the decision " + call.grantId() + " no longer allows " + call.toolCallId());
            }
            return Optional.of(grant.used(use).fact(stored.get().key()));
        }

        private JsonNode arguments() {
            return RecordJson.read(call.lastAttempt().orElseThrow().arguments(), JsonNode.class);
        }
    }

    /** The call has its result, and had another state before the transition. */
    record Settled(Call call, Call.State before) implements Change {}

    /** The changes that a new batch consists of. */
    static List<Change> proposed(List<Call> calls) {
        List<Change> changes = new ArrayList<>();
        for (Call call : calls) {
            changes.add(new Proposed(call));
            for (Call.Asked asked : call.asked()) {
                changes.add(new Asked(call, asked.question()));
            }
            if (call.state().isSettled()) {
                changes.add(new Settled(call, Call.State.PENDING));
            }
        }
        return changes;
    }
}
