package io.holdpoint.internal.input;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.agui.Agui;
import io.holdpoint.agui.Dialect;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.hook.RunObserver.Decision;
import io.holdpoint.internal.gate.Edits;
import io.holdpoint.internal.input.Plan.Rejected.Settled;
import io.holdpoint.internal.question.QuestionKind;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call;
import io.holdpoint.store.Call.Answer;
import io.holdpoint.store.Call.Question;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.ThreadRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The resume entries of an input, sorted by what they refer to. An entry identical to a settled answer, and any
 * cancellation of an interrupt that is not open, counts as absent: a client can always send an answer again, and always cancel.
 * Replayed turns are the ids of the user messages to which repeated answers belong.
 */
record ResumeEntries(
        List<ResumeEntry> live,
        List<String> unknown,
        List<Settled> conflicting,
        Set<String> twice,
        Set<String> replayedTurns) {

    static ResumeEntries sort(Store store, String threadId, List<Question> open, List<ResumeEntry> entries) {
        ResumeEntries sorted = new ResumeEntries(
                new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new LinkedHashSet<>(), new HashSet<>());
        SettledInterrupts settled = new SettledInterrupts(store, threadId);
        Set<String> seen = new HashSet<>();
        for (ResumeEntry entry : entries) {
            if (!seen.add(entry.interruptId())) {
                sorted.twice.add(entry.interruptId());
            }
            sorted.add(settled, open, entry);
        }
        return sorted;
    }

    boolean isEmpty() {
        return live.isEmpty() && unknown.isEmpty() && conflicting.isEmpty() && twice.isEmpty();
    }

    private void add(SettledInterrupts settled, List<Question> open, ResumeEntry entry) {
        String id = entry.interruptId();
        for (Question waiting : open) {
            if (waiting.interrupt().id().equals(id)) {
                live.add(ofDraft(entry, waiting));
                return;
            }
        }
        if (entry.status() == ResumeEntry.Status.CANCELLED) {
            return;
        }
        if (!Agui.isId(id)) { // no store is asked for what it cannot have
            unknown.add(id);
            return;
        }
        Optional<Batch> batch = settled.batch(id);
        if (batch.isEmpty() && !settled.wasIssued(id)) {
            unknown.add(id);
        } else {
            Optional<Call> call = batch.flatMap(present -> present.asked(id));
            Optional<Call.Asked> asked = call.flatMap(about -> about.asked(id));
            Optional<Answer> answer = asked.flatMap(Call.Asked::answer);
            ResumeEntry again =
                    asked.map(known -> ofDraft(entry, known.question())).orElse(entry);
            if (answer.filter(given -> same(given, again)).isPresent()) {
                replayedTurns.add(batch.orElseThrow().turn().userMessageId());
            } else {
                Optional<Decision> decision = answer.map(given -> QuestionKind.decision(
                        call.orElseThrow(), asked.orElseThrow().question(), given));
                conflicting.add(new Settled(id, answer, decision));
            }
        }
    }

    /** The forms of approvals and of failed calls are ours, so an answer in the words of the draft is one in theirs. */
    private static ResumeEntry ofDraft(ResumeEntry entry, Question question) {
        if (!Dialect.isDraft(entry)) {
            return entry;
        }
        PendingInterrupt interrupt = PendingInterrupt.of(question.interrupt());
        boolean isOurs =
                interrupt instanceof PendingInterrupt.Approval || interrupt instanceof PendingInterrupt.Failure;
        return isOurs ? Dialect.answered(entry, interrupt.toolName(), interrupt.arguments(), Edits::isSame) : entry;
    }

    private static boolean same(Answer answer, ResumeEntry entry) {
        return answer.how() == Answer.How.RESOLVED && Objects.equals(answer.payload(), entry.payload());
    }

    // --- entries without an interruptId

    /**
     * Gives an entry without id the only id that it can mean, if there is one. The draft dialect may leave the id out. Such an
     * answer may come twice, late, or from another tab, and must not decide about what its client has never seen: it counts as
     * long as it can only mean one interrupt, the only one that the thread has ever issued.
     *
     * <p>Where the draft knows a single interrupt and there are several, the payload has an answer for each, by its id. It is
     * taken apart; what follows checks that none is missing, and each as if it had come by itself.
     */
    static RunAgentInput named(Store store, Optional<ThreadRecord> thread, RunAgentInput input) {
        boolean isUnnamed = false;
        for (ResumeEntry entry : input.resume()) {
            isUnnamed |= isUnnamed(entry);
        }
        if (!isUnnamed) {
            return input;
        }
        Optional<List<ResumeEntry>> each = input.resume().size() == 1 && thread.isPresent()
                ? answers(store, input.threadId(), input.resume().get(0))
                : Optional.empty();
        if (each.isPresent()) {
            return input.withResume(each.get());
        }
        return thread.flatMap(ThreadRecord::batch)
                .flatMap(ResumeEntries::onlyQuestion)
                .filter(only -> store.count(Store.Counted.INTERRUPT, input.threadId(), 2) == 1)
                .map(only -> named(input, only.interrupt().id()))
                .orElse(input);
    }

    private static boolean isUnnamed(ResumeEntry entry) {
        return entry.interruptId().isEmpty();
    }

    /** The answers in a payload of which every property is the id of an interrupt of one batch. */
    private static Optional<List<ResumeEntry>> answers(Store store, String threadId, ResumeEntry entry) {
        if (!(entry.payload() instanceof ObjectNode payload)
                || payload.isEmpty()
                || !Agui.isId(payload.fieldNames().next())) {
            return Optional.empty();
        }
        return store.findBatch(
                        threadId, Store.By.INTERRUPT, payload.fieldNames().next())
                .filter(batch -> ids(batch).containsAll(names(payload)))
                .map(batch -> payload.properties().stream()
                        .map(answer -> entry(answer.getKey(), answer.getValue(), entry))
                        .toList());
    }

    private static ResumeEntry entry(String interruptId, JsonNode payload, ResumeEntry all) {
        return payload.isNull()
                ? ResumeEntry.cancelled(interruptId)
                : new ResumeEntry(interruptId, all.status(), payload, all.metadata());
    }

    private static List<String> names(ObjectNode payload) {
        return payload.properties().stream().map(Map.Entry::getKey).toList();
    }

    private static Set<String> ids(Batch batch) {
        return questions(batch).map(question -> question.interrupt().id()).collect(Collectors.toSet());
    }

    private static Stream<Question> questions(Batch batch) {
        return batch.calls().stream().flatMap(call -> call.questions().stream());
    }

    private static Optional<Question> onlyQuestion(Batch batch) {
        List<Question> questions = questions(batch).toList();
        return questions.size() == 1 ? Optional.of(questions.get(0)) : Optional.empty();
    }

    private static RunAgentInput named(RunAgentInput input, String interruptId) {
        return input.withResume(input.resume().stream()
                .map(entry -> isUnnamed(entry)
                        ? new ResumeEntry(interruptId, entry.status(), entry.payload(), entry.metadata())
                        : entry)
                .toList());
    }

    /** The interrupts that an input names and that are not open. Each batch is read once, however often the input names it. */
    static final class SettledInterrupts {

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
            Optional<Batch> found = store.findBatch(threadId, Store.By.INTERRUPT, interruptId);
            batches.put(interruptId, found);
            found.ifPresent(batch -> batch.calls().stream()
                    .flatMap(call -> call.questions().stream())
                    .forEach(question -> batches.put(question.interrupt().id(), found)));
            return found;
        }

        boolean wasIssued(String interruptId) {
            return issued.computeIfAbsent(interruptId, id -> store.has(Store.IdOf.INTERRUPT, threadId, id));
        }
    }
}
