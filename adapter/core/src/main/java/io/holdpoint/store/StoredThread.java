package io.holdpoint.store;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdpoint.agui.Message;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** One thread of an {@link InMemoryStore}, under the lock of the store. */
final class StoredThread {

    final String id;
    final String owner;
    final List<Message> messages = new ArrayList<>();
    /** The places of the messages by their ids. */
    final Map<String, Integer> places = new HashMap<>();

    final Map<String, Message> cut = new LinkedHashMap<>();
    final Set<String> runs = new HashSet<>();
    final Map<String, Batch> batches = new HashMap<>();
    /** When each batch that people were asked about was finished, the first one first. */
    private final Map<String, Instant> finished = new LinkedHashMap<>();

    final Map<String, String> batchOfInterrupt = new HashMap<>();
    final Set<String> toolCalls = new HashSet<>();
    Optional<JsonNode> state = Optional.empty();
    Optional<TurnRecord> turn = Optional.empty();
    Optional<Batch> unfinished = Optional.empty();
    Instant unfinishedSince = Instant.MIN;
    Optional<Instant> touched = Optional.empty();
    boolean purged;

    StoredThread(String id, String owner) {
        this.id = id;
        this.owner = owner;
    }

    Optional<Instant> firstFinished() {
        return finished.isEmpty()
                ? Optional.empty()
                : Optional.of(finished.values().iterator().next());
    }

    void removeFirstFinished() {
        String first = finished.keySet().iterator().next();
        finished.remove(first);
        batches.remove(first);
    }

    StoredThread without(Store.Part part) {
        if (part == Store.Part.ALL) {
            StoredThread empty = new StoredThread(id, owner);
            empty.purged = true;
            return empty;
        }
        unfinished.ifPresent(batch -> batches.remove(batch.id()));
        unfinished = Optional.empty();
        turn = Optional.empty();
        return this;
    }

    /** The batch with open questions, if there is one. */
    Stream<Store.OpenBatch> open() {
        return unfinished
                .flatMap(Batch::askedAt)
                .map(askedAt -> new Store.OpenBatch(id, owner, askedAt, unfinished))
                .stream();
    }

    void write(Commit commit, String runId, Instant now) {
        touched = Optional.of(now);
        for (Batch batch : commit.batches()) {
            put(batch, now);
        }
        boolean changes = commit.cut().isPresent() && cut(commit.cut().get().fromMessageId());
        for (Message message : commit.messages()) {
            if (!cut.containsKey(message.id()) && places.putIfAbsent(message.id(), messages.size()) == null) {
                messages.add(message);
                changes = true;
            }
        }
        if (changes) {
            runs.add(runId);
        }
        state = commit.state().isPresent() ? commit.state() : state;
        if (commit.turn() instanceof Commit.TurnChange.Put put) {
            turn = Optional.of(put.turn());
        } else if (commit.turn() instanceof Commit.TurnChange.Finish) {
            turn = Optional.empty();
        }
    }

    /** Says whether the transcript has the message, from which on it is cut off. */
    private boolean cut(String fromMessageId) {
        Integer place = places.get(fromMessageId);
        if (place == null) {
            return false;
        }
        List<Message> end = messages.subList(place, messages.size());
        end.forEach(message -> {
            cut.put(message.id(), message);
            places.remove(message.id());
        });
        end.clear();
        return true;
    }

    /** A commit may have several transitions of a batch, one after the other. */
    void requireConsistent(List<Batch> commit) {
        Map<String, Batch> before = commit.size() <= 1 ? batches : new HashMap<>(batches);
        for (Batch batch : commit) {
            Batch stored = before.get(batch.id());
            if ((stored == null ? -1 : stored.version()) != batch.version() - 1) {
                throw new StoreConflictException(
                        "batch " + batch.id() + " is no longer at version " + (batch.version() - 1));
            }
            if (commit.size() > 1) {
                before.put(batch.id(), batch);
            }
        }
    }

    /** Of a batch that is finished, only what somebody was asked, or has proposed, stays. */
    private void put(Batch batch, Instant now) {
        boolean isAsked = batch.isProposal();
        for (Call call : batch.calls()) {
            toolCalls.add(call.toolCallId());
            for (Call.Asked asked : call.asked()) {
                batchOfInterrupt.put(asked.question().interrupt().id(), batch.id());
                isAsked = true;
            }
        }
        batches.put(batch.id(), batch);
        if (batch.state() != Batch.State.FINISHED) {
            unfinished = Optional.of(batch);
            unfinishedSince = now;
            return;
        }
        if (unfinished.isPresent() && unfinished.get().id().equals(batch.id())) {
            unfinished = Optional.empty();
        }
        if (isAsked) {
            finished.put(batch.id(), now);
        } else {
            batches.remove(batch.id());
        }
    }
}
