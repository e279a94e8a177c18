package io.holdpoint.store;

import io.holdpoint.agui.Interrupt;
import io.holdpoint.internal.gate.ToolArguments;
import io.holdpoint.store.Call.Answer;
import io.holdpoint.store.Call.Question;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Small batches for the tests of stores and of the state machine. */
final class Batches {

    static final Instant NOW = Instant.parse("2026-01-31T12:00:00Z");
    static final Call.Result RESULT = new Call.Result("{}", "done", null);

    static final Call.Attempt ATTEMPT = new Call.Attempt("r1", "{}", NOW);

    private Batches() {}

    static Question question(String interruptId) {
        return question(interruptId, Question.Kind.APPROVAL);
    }

    static Question afterAttempt(String interruptId) {
        return question(interruptId, Question.Kind.OUTCOME_UNKNOWN);
    }

    private static Question question(String interruptId, Question.Kind kind) {
        return new Question(kind, new Interrupt(interruptId, kind.name(), null, null, null, null, null), NOW);
    }

    static Call call(String id, Question... questions) {
        return call(id, false, questions);
    }

    static Call idempotent(String id) {
        return call(id, true);
    }

    private static Call call(String id, boolean idempotent, Question... questions) {
        Call call = Call.pending(
                id,
                new Call.Proposal("tool", "{}", ToolArguments.sha256("{}"), "tool-hash", idempotent, false, null),
                "result-" + id);
        for (Question question : questions) {
            call = call.heldBy(question);
        }
        return call;
    }

    /** A batch with a gated call {@code id-a}, asked by {@code id-i}, and an ungated one {@code id-b}. */
    static Batch hold(String id, String threadId) {
        return Batch.of(
                id,
                threadId,
                new TurnRecord("u1", "{}"),
                new Batch.ModelMessage("assistant-" + id, "{}"),
                List.of(call(id + "-a", question(id + "-i")), call(id + "-b")));
    }

    static Map<String, Answer> answers(String... interruptIds) {
        return java.util.Arrays.stream(interruptIds)
                .collect(java.util.stream.Collectors.toMap(
                        id -> id, id -> new Answer(Answer.How.CANCELLED, null, "ada", NOW)));
    }

    static Batch results(Batch open, String id) {
        return open.answered(answers(id + "-i"))
                .settled(id + "-a", Call.State.NOT_EXECUTED, RESULT)
                .claimed(id + "-b", ATTEMPT)
                .settled(id + "-b", Call.State.EXECUTED, RESULT);
    }
}
