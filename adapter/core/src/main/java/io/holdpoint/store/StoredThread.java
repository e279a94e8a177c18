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
    /** The decisions that count on all threads of an owner, by the place of each owner. */
    private final Map<String, StoredThread> owners;

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
    final Map<String, Grant> grants = new LinkedHashMap<>();
    /** The uses of decisions with bounds, by their calls. */
    private final Map<String, Map<String, Grant.Use>> uses = new HashMap<>();

    Optional<JsonNode> state = Optional.empty();
    Optional<TurnRecord> turn = Optional.empty();
    Optional<Batch> unfinished = Optional.empty();
    Instant unfinishedSince = Instant.MIN;
    Optional<Instant> touched = Optional.empty();
    boolean purged;

    StoredThread(String id, String owner, Map<String, StoredThread> owners) {
        this.id = id;
        this.owner = owner;
        this.owners = owners;
    }

    Optional<Instant> firstFinished() {
        return finished.isEmpty()
                ? Optional.empty()
                : Optional.of(finished.values().iterator().next());
    }

    Optional<Grant> firstToExpire() {
        Grant first = null;
        for (Grant grant : grants.values()) {
            first = first == null || grant.expiresAt().isBefore(first.expiresAt()) ? grant : first;
        }
        return Optional.ofNullable(first);
    }

    void removeFirstFinished() {
        String first = finished.keySet().iterator().next();
        finished.remove(first);
        batches.remove(first);
    }

    StoredThread without(Store.Part part) {
        if (part == Store.Part.ALL) {
            StoredThread empty = new StoredThread(id, owner, owners);
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
        for (Batch batch : commit.batches()) {
            for (Change change : batch.changes()) {
                if (change instanceof Change.Claimed claimed && claimed.grant().isPresent()) {
                    String grantId = claimed.grant().get();
                    place(grantId).count(claimed, grantId, now);
                }
            }
        }
        for (Grant grant : commit.grants()) {
            place(grant.id()).grants.put(grant.id(), grant);
        }
        for (Grant grant : commit.revoked()) {
            place(grant.id()).revoke(grant.id());
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
    void requireConsistent(List<Batch> commit, Instant now) {
        Map<String, Batch> before = commit.size() <= 1 ? batches : new HashMap<>(batches);
        List<Claim> claims = new ArrayList<>();
        for (Batch batch : commit) {
            Batch stored = before.get(batch.id());
            if ((stored == null ? -1 : stored.version()) != batch.version() - 1) {
                throw new StoreConflictException(
                        "batch " + batch.id() + " is no longer at version " + (batch.version() - 1));
            }
            requireGrants(batch, claims, now);
            if (commit.size() > 1) {
                before.put(batch.id(), batch);
            }
        }
    }

    /** A use of a decision by the commit that is checked. */
    private record Claim(String grantId, Grant.Use use) {}

    private void requireGrants(Batch batch, List<Claim> claims, Instant now) {
        for (Change change : batch.changes()) {
            if (change instanceof Change.Claimed claimed && claimed.grant().isPresent()) {
                String id = claimed.grant().get();
                Optional<Grant> grant = Optional.ofNullable(place(id).grants.get(id));
                List<Grant.Use> uses = new ArrayList<>(place(id).uses(id).values());
                claims.stream().filter(claim -> claim.grantId().equals(id)).forEach(claim -> uses.add(claim.use()));
                claimed.requireAllowed(grant, uses, now);
                grant.flatMap(found -> claimed.use(found, now)).ifPresent(use -> claims.add(new Claim(id, use)));
            }
        }
    }

    Map<String, Grant.Use> uses(String grantId) {
        return uses.getOrDefault(grantId, Map.of());
    }

    private void count(Change.Claimed claimed, String grantId, Instant now) {
        Optional.ofNullable(grants.get(grantId))
                .flatMap(grant -> claimed.use(grant, now))
                .ifPresent(use ->
                        uses.computeIfAbsent(grantId, known -> new HashMap<>()).putIfAbsent(use.toolCallId(), use));
    }

    /** Finds what keeps a decision: this, or what stands in its place for those of an owner. */
    private StoredThread place(String grantId) {
        String place = Grant.placeOf(id, grantId);
        return place.equals(id) ? this : owners.computeIfAbsent(place, absent -> new StoredThread(absent, "", owners));
    }

    boolean revoke(String grantId) {
        uses.remove(grantId);
        return grants.remove(grantId) != null;
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
