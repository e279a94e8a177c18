package io.holdpoint.internal.input;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.agui.Agui;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call.Question;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.ThreadRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The draft dialect may leave out which interrupt an answer is for. Such an answer may come twice, late, or from another tab,
 * and must not decide about what its client has never seen: it counts as long as it can only mean one interrupt, the only
 * one that the thread has ever issued.
 *
 * <p>Where the draft knows a single interrupt and there are several, the payload has an answer for each, by its id. It is
 * taken apart; what follows checks that none is missing, and each as if it had come by itself.
 */
public final class UnnamedAnswer {

    private UnnamedAnswer() {}

    /** Gives an entry without id the only id that it can mean, if there is one. */
    public static RunAgentInput named(Store store, Optional<ThreadRecord> thread, RunAgentInput input) {
        if (input.resume().stream().noneMatch(UnnamedAnswer::isUnnamed)) {
            return input;
        }
        Optional<List<ResumeEntry>> each = input.resume().size() == 1 && thread.isPresent()
                ? answers(store, input.threadId(), input.resume().get(0))
                : Optional.empty();
        if (each.isPresent()) {
            return input.withResume(each.get());
        }
        return thread.flatMap(ThreadRecord::batch)
                .flatMap(UnnamedAnswer::onlyQuestion)
                .filter(only -> store.countInterrupts(input.threadId(), 2) == 1)
                .map(only -> named(input, only.interrupt().id()))
                .orElse(input);
    }

    static boolean isUnnamed(ResumeEntry entry) {
        return entry.interruptId().isEmpty();
    }

    /** The answers in a payload of which every property is the id of an interrupt of one batch. */
    private static Optional<List<ResumeEntry>> answers(Store store, String threadId, ResumeEntry entry) {
        if (!(entry.payload() instanceof ObjectNode payload)
                || payload.isEmpty()
                || !Agui.isId(payload.fieldNames().next())) {
            return Optional.empty();
        }
        return store.findByInterrupt(threadId, payload.fieldNames().next())
                .filter(batch -> ids(batch).containsAll(names(payload)))
                .map(batch -> payload.properties().stream()
                        .map(answer -> answer(answer.getKey(), answer.getValue()))
                        .toList());
    }

    private static ResumeEntry answer(String interruptId, JsonNode payload) {
        return payload.isNull() ? ResumeEntry.cancelled(interruptId) : ResumeEntry.resolved(interruptId, payload);
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
}
