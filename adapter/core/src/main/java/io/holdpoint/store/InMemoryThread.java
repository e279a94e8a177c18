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
    private final Map<String, Batch> holds = new HashMap<>();
    private final Map<String, Instant> finished = new HashMap<>();
    private final Map<String, String> holdOfInterrupt = new HashMap<>();
    private final Set<String> toolCalls = new HashSet<>();
    private final Map<String, Grant> grants = new LinkedHashMap<>();
    private Optional<JsonNode> state = Optional.empty();
    private Optional<TurnRecord> turn = Optional.empty();
    private Optional<Batch> unfinished = Optional.empty();
    private Instant changed = Instant.MIN;

    InMemoryThread(String id, String owner) {
        this.id = id;
        this.owner = owner;
    }

    String id() {
        return id;
    }

    synchronized ThreadRecord read() {
        return new ThreadRecord(id, owner, state, turn, unfinished);
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
        return holdOfInterrupt.containsKey(interruptId);
    }

    synchronized int countInterrupts() {
        return holdOfInterrupt.size();
    }

    synchronized Optional<Batch> byInterrupt(String interruptId) {
        return Optional.ofNullable(holdOfInterrupt.get(interruptId)).map(holds::get);
    }

    /** When the unfinished batch changed last. */
    synchronized Optional<Instant> unfinishedSince() {
        return unfinished.map(hold -> changed);
    }

    /** The batch with open questions, if there is one. */
    synchronized Optional<OpenBatch> open() {
        return unfinished.flatMap(
                hold -> hold.askedAt().map(askedAt -> new OpenBatch(id, owner, askedAt, Optional.of(hold))));
    }

    /** Which finished batches changed last before a time, and when. */
    synchronized Map<String, Instant> finishedBefore(Instant before) {
        return finished.entrySet().stream()
                .filter(entry -> entry.getValue().isBefore(before))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    synchronized void purge(String holdId) {
        holds.remove(holdId);
        finished.remove(holdId);
    }

    synchronized List<Grant> grants() {
        return Grant.oldestFirst(grants.values());
    }

    synchronized boolean revoke(String grantId) {
        return grants.remove(grantId) != null;
    }

    synchronized void write(Commit commit, Instant now) {
        commit.holds().forEach(this::requirePrevious);
        commit.holds().forEach(hold -> put(hold, now));
        commit.messages().forEach(message -> transcript.putIfAbsent(message.id(), message));
        commit.grants().forEach(grant -> grants.put(grant.id(), grant));
        commit.state().ifPresent(next -> state = Optional.of(next));
        if (commit.turn() instanceof Commit.TurnChange.Put put) {
            turn = Optional.of(put.turn());
        } else if (commit.turn() instanceof Commit.TurnChange.Finish) {
            turn = Optional.empty();
        }
    }

    private void requirePrevious(Batch hold) {
        Batch stored = holds.get(hold.id());
        long expected = hold.version() - 1;
        if (stored == null ? hold.version() != 0 : stored.version() != expected) {
            throw new StoreConflictException("batch " + hold.id() + " is not at version " + expected + " any more");
        }
    }

    private void put(Batch hold, Instant now) {
        holds.put(hold.id(), hold);
        for (Call call : hold.calls()) {
            toolCalls.add(call.toolCallId());
            call.questions()
                    .forEach(asked -> holdOfInterrupt.put(asked.interrupt().id(), hold.id()));
        }
        if (hold.state() != BatchState.FINISHED) {
            unfinished = Optional.of(hold);
            changed = now;
            return;
        }
        if (unfinished.filter(open -> open.id().equals(hold.id())).isPresent()) {
            unfinished = Optional.empty();
        }
        if (hold.calls().stream().allMatch(call -> call.questions().isEmpty())) {
            holds.remove(hold.id());
        } else {
            finished.put(hold.id(), now);
        }
    }
}
