package io.holdpoint.store;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdpoint.agui.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The changes that a run writes in one transaction. Immutable; the methods give a new commit with more in it.
 *
 * @param batches new batches (version 0) and batches after one transition; a batch may come several times, each time after
 *     the next transition
 * @param messages to append to the transcript, unless it has, or had, a message of that id
 * @param cut what the transcript loses before it gets the messages
 * @param turn what becomes of the thread's unfinished turn
 * @param audit what the thread's audit trail says about it
 * @param facts what is known from now on, or no longer: what is put, then what is added, then what is removed, before calls start by it
 * @param releases whether the run gives its lease back with this, its last commit
 */
public record Commit(
        List<Batch> batches,
        List<Message> messages,
        Optional<Cut> cut,
        Optional<JsonNode> state,
        TurnChange turn,
        List<AuditEvent> audit,
        List<Fact.Change> facts,
        boolean releases) {

    /**
     * The end of a transcript that is cut off. Its messages stay known, and are kept beside the transcript.
     *
     * @param fromMessageId the first message that is cut off; nothing is cut if the transcript does not have it
     * @param messages how many messages that are, for the audit trail
     */
    public record Cut(String fromMessageId, int messages) {}

    /** The change of the thread's unfinished turn. */
    public sealed interface TurnChange {

        /** It stays as it is. */
        record Keep() implements TurnChange {}

        /** It is replaced. */
        record Put(TurnRecord turn) implements TurnChange {}

        /** It has come to its end. */
        record Finish() implements TurnChange {}

        /** It is removed without being read, with the part of the thread in which it is. Only audit events are written beside it. */
        record Discard(Store.Part part) implements TurnChange {}
    }

    private static final Commit EMPTY = new Commit(
            List.of(),
            List.of(),
            Optional.empty(),
            Optional.empty(),
            new TurnChange.Keep(),
            List.of(),
            List.of(),
            false);

    /** Copies the lists. */
    public Commit {
        batches = List.copyOf(batches);
        messages = List.copyOf(messages);
        audit = List.copyOf(audit);
        facts = List.copyOf(facts);
    }

    /** No change. */
    public static Commit empty() {
        return EMPTY;
    }

    /** Checks whether there is anything to write. */
    public boolean isEmpty() {
        return batches.isEmpty()
                && messages.isEmpty()
                && cut.isEmpty()
                && state.isEmpty()
                && turn instanceof TurnChange.Keep
                && audit.isEmpty()
                && facts.isEmpty()
                && !releases;
    }

    /** A batch, new or after one transition. */
    public static Commit of(Batch batch) {
        return EMPTY.with(batch);
    }

    /** Adds a batch, new or after one transition. */
    public Commit with(Batch batch) {
        return new Commit(joined(batches, List.of(batch)), messages, cut, state, turn, audit, facts, releases);
    }

    /** Adds messages to append, in order. */
    public Commit append(List<Message> more) {
        if (more.isEmpty()) {
            return this;
        }
        return new Commit(batches, joined(messages, more), cut, state, turn, audit, facts, releases);
    }

    /** Cuts the transcript, before anything is appended to it. */
    public Commit cut(Cut end) {
        return new Commit(batches, messages, Optional.of(end), state, turn, audit, facts, releases);
    }

    /** Sets the state. */
    public Commit state(JsonNode next) {
        return new Commit(batches, messages, cut, Optional.of(next), turn, audit, facts, releases);
    }

    /** Sets the turn. */
    public Commit turn(TurnRecord next) {
        return new Commit(batches, messages, cut, state, new TurnChange.Put(next), audit, facts, releases);
    }

    /** Ends the turn. */
    public Commit turnFinished() {
        return new Commit(batches, messages, cut, state, new TurnChange.Finish(), audit, facts, releases);
    }

    /** Removes a part of the thread without reading it. The rest, and the audit trail, stay. */
    public Commit discard(Store.Part part) {
        return new Commit(batches, messages, cut, state, new TurnChange.Discard(part), audit, facts, releases);
    }

    /** Adds to the audit trail. */
    public Commit audit(List<AuditEvent> events) {
        if (events.isEmpty()) {
            return this;
        }
        return new Commit(batches, messages, cut, state, turn, joined(audit, events), facts, releases);
    }

    /** Adds remembered decisions, given by the answers that this commit accepts. */
    public Commit grant(List<Grant> more) {
        return change(Fact.How.PUT, more);
    }

    /** Removes remembered decisions; one that no longer exists has no effect. */
    public Commit revoke(List<Grant> more) {
        return change(Fact.How.REMOVE, more);
    }

    private Commit change(Fact.How how, List<Grant> grants) {
        List<Fact.Change> changes = new ArrayList<>();
        for (Grant grant : grants) {
            changes.add(new Fact.Change(how, grant.fact(Grant.key(Fact.HERE, grant.id()))));
        }
        return change(changes);
    }

    /** Adds changes of what is known. */
    public Commit change(List<Fact.Change> more) {
        if (more.isEmpty()) {
            return this;
        }
        return new Commit(batches, messages, cut, state, turn, audit, joined(facts, more), releases);
    }

    /** Adds what is to be written after this; its state and turn count where it has them. */
    public Commit and(Commit later) {
        if (isEmpty()) {
            return later;
        }
        if (later.isEmpty()) {
            return this;
        }
        if (later.cut.isPresent() && !(cut.isEmpty() && messages.isEmpty())) {
            throw new IllegalArgumentException("what was appended cannot be cut in the same commit");
        }
        return new Commit(
                joined(batches, later.batches),
                joined(messages, later.messages),
                later.cut.isPresent() ? later.cut : cut,
                later.state.isPresent() ? later.state : state,
                later.turn instanceof TurnChange.Keep ? turn : later.turn,
                joined(audit, later.audit),
                joined(facts, later.facts),
                later.releases);
    }

    private static <T> List<T> joined(List<T> first, List<T> then) {
        if (first.isEmpty() || then.isEmpty()) {
            return first.isEmpty() ? then : first;
        }
        List<T> all = new ArrayList<>(first);
        all.addAll(then);
        return all;
    }

    /** Gives the lease back. */
    public Commit andRelease() {
        return new Commit(batches, messages, cut, state, turn, audit, facts, true);
    }
}
