package io.holdpoint.store;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdpoint.agui.Message;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** One thread of the in-memory store. Thread-safe. */
final class InMemoryThread {

    private final String id;
    private final String owner;
    private final Map<String, Message> transcript = new LinkedHashMap<>();
    private final Map<String, Batch> batches = new HashMap<>();
    private final Map<String, Instant> finished = new HashMap<>();
    private final Map<String, String> batchOfInterrupt = new HashMap<>();
    private final Set<String> toolCalls = new HashSet<>();
    private final Map<String, Grant> grants = new LinkedHashMap<>();
    private Optional<JsonNode> state = Optional.empty();
    private Optional<TurnRecord> turn = Optional.empty();
    private Optional<Batch> unfinished = Optional.empty();
    private Instant changed = Instant.MIN;
    private Optional<Instant> touched = Optional.empty();
    private boolean purged;

    InMemoryThread(String id, String owner) {
        this.id = id;
        this.owner = owner;
    }

    String id() {
        return id;
    }

    synchronized ThreadRecord read() {
        return new ThreadRecord(id, owner, state, turn, unfinished, touched, purged);
    }

    synchronized List<Message> transcript() {
        return new ArrayList<>(transcript.values());
    }

    synchronized int countMessages() {
        return transcript.size();
    }

    synchronized Set<String> known(Collection<String> messageIds) {
        return messageIds.stream().filter(transcript::containsKey).collect(Collectors.toSet());
    }

    synchronized boolean hasToolCall(String toolCallId) {
        return toolCalls.contains(toolCallId);
    }

    synchronized boolean hasInterrupt(String interruptId) {
        return purged || batchOfInterrupt.containsKey(interruptId);
    }

    synchronized int countInterrupts() {
        return batchOfInterrupt.size();
    }

    synchronized Optional<Batch> byInterrupt(String interruptId) {
        return Optional.ofNullable(batchOfInterrupt.get(interruptId)).map(batches::get);
    }

    /** When the unfinished batch changed last. */
    synchronized Optional<Instant> unfinishedSince() {
        return unfinished.map(batch -> changed);
    }

    /** The batch with open questions, if there is one. */
    synchronized Optional<OpenBatch> open() {
        return unfinished.flatMap(
                batch -> batch.askedAt().map(askedAt -> new OpenBatch(id, owner, askedAt, Optional.of(batch))));
    }

    /** Which finished batches changed last before a time, and when. */
    synchronized Map<String, Instant> finishedBefore(Instant before) {
        return finished.entrySet().stream()
                .filter(entry -> entry.getValue().isBefore(before))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    synchronized void purge(String batchId) {
        batches.remove(batchId);
        finished.remove(batchId);
    }

    /** When something was committed last, of a thread without an unfinished batch. */
    synchronized Optional<Instant> idleSince() {
        return unfinished.isPresent() ? Optional.empty() : touched;
    }

    /** Removes everything but the thread itself. */
    synchronized void purge() {
        transcript.clear();
        batches.clear();
        finished.clear();
        batchOfInterrupt.clear();
        toolCalls.clear();
        grants.clear();
        state = Optional.empty();
        turn = Optional.empty();
        unfinished = Optional.empty();
        touched = Optional.empty();
        purged = true;
    }

    synchronized List<Grant> grants() {
        return Grant.oldestFirst(grants.values());
    }

    synchronized boolean revoke(String grantId) {
        return grants.remove(grantId) != null;
    }

    synchronized void write(Commit commit, Instant now) {
        commit.batches().forEach(this::requirePrevious);
        touched = Optional.of(now);
        commit.batches().forEach(batch -> put(batch, now));
        commit.messages().forEach(message -> transcript.putIfAbsent(message.id(), message));
        commit.grants().forEach(grant -> grants.put(grant.id(), grant));
        commit.state().ifPresent(next -> state = Optional.of(next));
        if (commit.turn() instanceof Commit.TurnChange.Put put) {
            turn = Optional.of(put.turn());
        } else if (commit.turn() instanceof Commit.TurnChange.Finish) {
            turn = Optional.empty();
        }
    }

    private void requirePrevious(Batch batch) {
        Batch stored = batches.get(batch.id());
        long expected = batch.version() - 1;
        if (stored == null ? batch.version() != 0 : stored.version() != expected) {
            throw new StoreConflictException("batch " + batch.id() + " is not at version " + expected + " any more");
        }
    }

    private void put(Batch batch, Instant now) {
        batches.put(batch.id(), batch);
        for (Call call : batch.calls()) {
            toolCalls.add(call.toolCallId());
            call.questions()
                    .forEach(asked -> batchOfInterrupt.put(asked.interrupt().id(), batch.id()));
        }
        if (batch.state() != Batch.State.FINISHED) {
            unfinished = Optional.of(batch);
            changed = now;
            return;
        }
        if (unfinished.filter(open -> open.id().equals(batch.id())).isPresent()) {
            unfinished = Optional.empty();
        }
        if (batch.calls().stream().allMatch(call -> call.asked().isEmpty())) {
            batches.remove(batch.id());
        } else {
            finished.put(batch.id(), now);
        }
    }
}
