package io.holdpoint.store;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdpoint.agui.Message;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * Keeps everything in this process: for tests, trials and applications that may forget. Nothing survives a restart and
 * nothing is ever removed. Thread-safe.
 */
public final class InMemoryStore implements Store {

    private final Map<String, Entry> threads = new ConcurrentHashMap<>();
    private final Map<String, Lease> leases = new ConcurrentHashMap<>();
    private final AtomicLong epochs = new AtomicLong();

    @Override
    public Optional<Lease> acquire(String threadId, String runId) {
        Lease lease = new Lease(threadId, runId, epochs.incrementAndGet());
        return leases.putIfAbsent(threadId, lease) == null ? Optional.of(lease) : Optional.empty();
    }

    @Override
    public void release(Lease lease) {
        leases.remove(lease.threadId(), lease);
    }

    @Override
    public Optional<ThreadRecord> find(String threadId) {
        return Optional.ofNullable(threads.get(threadId)).map(entry -> entry.read(threadId));
    }

    @Override
    public List<Message> transcript(String threadId) {
        Entry entry = threads.get(threadId);
        return entry == null ? List.of() : entry.transcript();
    }

    @Override
    public Set<String> known(String threadId, Collection<String> messageIds) {
        Entry entry = threads.get(threadId);
        return entry == null ? Set.of() : entry.known(messageIds);
    }

    @Override
    public boolean hasToolCall(String threadId, String toolCallId) {
        Entry entry = threads.get(threadId);
        return entry != null && entry.hasToolCall(toolCallId);
    }

    @Override
    public Optional<Hold> findByInterrupt(String threadId, String interruptId) {
        return Optional.ofNullable(threads.get(threadId)).flatMap(entry -> entry.byInterrupt(interruptId));
    }

    @Override
    public void commit(Lease lease, Commit commit) {
        threads.compute(lease.threadId(), (threadId, known) -> {
            if (!lease.equals(leases.get(threadId))) {
                throw new LeaseLostException(lease + " was lost; the thread's lease is " + leases.get(threadId));
            }
            Entry entry = known == null ? new Entry() : known;
            entry.write(commit);
            return entry;
        });
    }

    private static final class Entry {

        private final Map<String, Message> transcript = new LinkedHashMap<>();
        private final Map<String, Hold> holds = new HashMap<>();
        private final Map<String, String> holdOfInterrupt = new HashMap<>();
        private final Set<String> toolCalls = new HashSet<>();
        private Optional<JsonNode> state = Optional.empty();
        private Optional<TurnRecord> turn = Optional.empty();
        private Optional<Hold> unfinished = Optional.empty();

        synchronized ThreadRecord read(String threadId) {
            return new ThreadRecord(threadId, state, turn, unfinished);
        }

        synchronized List<Message> transcript() {
            return new ArrayList<>(transcript.values());
        }

        synchronized Set<String> known(Collection<String> messageIds) {
            return messageIds.stream().filter(transcript::containsKey).collect(Collectors.toSet());
        }

        synchronized boolean hasToolCall(String toolCallId) {
            return toolCalls.contains(toolCallId);
        }

        synchronized Optional<Hold> byInterrupt(String interruptId) {
            return Optional.ofNullable(holdOfInterrupt.get(interruptId)).map(holds::get);
        }

        synchronized void write(Commit commit) {
            commit.holds().forEach(this::requirePrevious);
            commit.holds().forEach(this::put);
            commit.messages().forEach(message -> transcript.putIfAbsent(message.id(), message));
            commit.state().ifPresent(next -> state = Optional.of(next));
            if (commit.turn() instanceof Commit.TurnChange.Put put) {
                turn = Optional.of(put.turn());
            } else if (commit.turn() instanceof Commit.TurnChange.Finish) {
                turn = Optional.empty();
            }
        }

        private void requirePrevious(Hold hold) {
            Hold stored = holds.get(hold.id());
            long expected = hold.version() - 1;
            if (stored == null ? hold.version() != 0 : stored.version() != expected) {
                throw new LeaseLostException("batch " + hold.id() + " is not at version " + expected + " any more");
            }
        }

        private void put(Hold hold) {
            holds.put(hold.id(), hold);
            for (Call call : hold.calls()) {
                toolCalls.add(call.toolCallId());
                call.questions()
                        .forEach(asked -> holdOfInterrupt.put(asked.interrupt().id(), hold.id()));
            }
            if (hold.state() != HoldState.FINISHED) {
                unfinished = Optional.of(hold);
                return;
            }
            if (unfinished.filter(open -> open.id().equals(hold.id())).isPresent()) {
                unfinished = Optional.empty();
            }
            if (hold.calls().stream().allMatch(call -> call.questions().isEmpty())) {
                holds.remove(hold.id());
            }
        }
    }
}
