package io.holdpoint.internal.input;

import io.holdpoint.store.Batch;
import io.holdpoint.store.Store;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The interrupts that an input names and that are not open. Each batch is read once, however often the input names it. */
final class SettledInterrupts {

    private final Store store;
    private final String threadId;
    private final Map<String, Optional<Batch>> batches = new HashMap<>();
    private final Map<String, Boolean> issued = new HashMap<>();

    SettledInterrupts(Store store, String threadId) {
        this.store = store;
        this.threadId = threadId;
    }

    /** The batch that the interrupt was issued for; empty if it was purged, or if there was none. */
    Optional<Batch> batch(String interruptId) {
        Optional<Batch> known = batches.get(interruptId);
        if (known != null) {
            return known;
        }
        Optional<Batch> found = store.findByInterrupt(threadId, interruptId);
        batches.put(interruptId, found);
        found.ifPresent(batch -> batch.calls().stream()
                .flatMap(call -> call.questions().stream())
                .forEach(question -> batches.put(question.interrupt().id(), found)));
        return found;
    }

    /** Whether the thread ever issued the interrupt. */
    boolean wasIssued(String interruptId) {
        return issued.computeIfAbsent(interruptId, id -> store.hasInterrupt(threadId, id));
    }
}
