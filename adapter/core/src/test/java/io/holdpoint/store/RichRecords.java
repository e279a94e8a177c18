package io.holdpoint.store;

import static io.holdpoint.store.Batches.NOW;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.MessageExtras;
import io.holdpoint.agui.TokenUsage;
import io.holdpoint.agui.ToolCall;
import io.holdpoint.store.Call.Answer;
import io.holdpoint.store.Call.Question;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/** Records with everything in them that may be in one, and texts that something on the way may break. */
final class RichRecords {

    /** Empty, markup, quotes, line ends, NUL and other controls, wide, combining, bidirectional, lone surrogates, long. */
    static final List<String> TEXTS = List.of(
            "",
            " ",
            "O'Brien \"x\" \\ \\u0041 \\# % _ ; -- ? ${a} {{b}}",
            "line\nline\r\n\ttab\u2028\u2029",
            "a\0b\u0001\u001f\u007f\u0085",
            "\u00e9e\u0301 \u65e5\u672c \ud83d\ude00 \u202eabc\u202c \u200b\ufeff\ufffe\uffff",
            "\ud83d lone \ude00",
            "\ude00\ud83d",
            "x".repeat(70_000),
            "\u65e5\0".repeat(1_000));

    private RichRecords() {}

    static String text(Random random) {
        return TEXTS.get(random.nextInt(TEXTS.size()));
    }

    static ObjectNode tree(Random random) {
        ObjectNode tree = AguiCodec.mapper().createObjectNode();
        try {
            JsonNode values = AguiCodec.mapper().readTree("""
                [null, true, {}, [], 0, -0.10, 9007199254740993, 123456789012345678901234567890.0123456789, 1e400]\
                """);
            tree.put("text", text(random)).set(text(random), values);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
        return tree;
    }

    static Instant instant(Random random) {
        return NOW.plusSeconds(random.nextInt()).plusNanos(random.nextInt(1_000_000_000));
    }

    static Question question(Random random, String interruptId) {
        return new Question(
                Question.Kind.values()[random.nextInt(Question.Kind.values().length)],
                new Interrupt(
                        interruptId,
                        text(random),
                        random.nextBoolean() ? null : text(random),
                        random.nextBoolean() ? null : text(random),
                        random.nextBoolean() ? null : tree(random),
                        random.nextBoolean() ? null : instant(random),
                        random.nextBoolean() ? null : tree(random)),
                instant(random),
                random.nextBoolean() ? null : tree(random));
    }

    static Answer answer(JsonNode payload) {
        return new Answer(Answer.How.RESOLVED, payload, "ada", NOW);
    }

    private static Answer answer(Random random) {
        Answer.How[] how = Answer.How.values();
        JsonNode payload = random.nextBoolean() ? null : tree(random);
        return new Answer(how[random.nextInt(how.length)], payload, text(random), instant(random));
    }

    private static Call.Result result(Random random) {
        return new Call.Result(text(random), text(random), random.nextBoolean() ? null : tree(random));
    }

    private static Call call(Random random, String id) {
        List<Question> questions = random.nextBoolean() ? List.of() : List.of(question(random, id + "-i"));
        Call call = Call.pending(
                id,
                new Call.Proposal(
                        text(random),
                        text(random),
                        text(random),
                        text(random),
                        random.nextBoolean(),
                        random.nextBoolean(),
                        random.nextBoolean() ? null : text(random)),
                id + "-result");
        for (Question question : questions) {
            call = call.heldBy(question);
        }
        return questions.isEmpty() && random.nextBoolean() ? call.letThroughBy(text(random)) : call;
    }

    /** A batch in any state that a run can bring it to. */
    static Batch hold(Random random, String id, String threadId) {
        List<Call> calls = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(4); i++) {
            calls.add(call(random, id + "-" + i));
        }
        TurnRecord turn = new TurnRecord(
                text(random),
                text(random),
                Set.of(text(random)),
                random.nextBoolean() ? null : TextNode.valueOf(text(random)),
                new TurnRecord.Prepared(
                        random.nextBoolean() ? null : text(random),
                        random.nextBoolean() ? null : text(random),
                        random.nextBoolean() ? null : text(random),
                        random.nextBoolean() ? null : text(random),
                        List.of(text(random), text(random)),
                        random.nextBoolean()
                                ? null
                                : new TokenUsage(
                                        null, null, random.nextInt(99), null, random.nextInt(99), null, null, null)),
                random.nextInt(100),
                List.of(text(random)),
                random.nextInt(100));
        Batch batch = Batch.of(id, threadId, turn, new Batch.ModelMessage(text(random), text(random)), calls);
        for (int steps = random.nextInt(12); steps > 0 && batch.state() != Batch.State.FINISHED; steps--) {
            batch = next(random, batch);
        }
        return batch;
    }

    private static Batch next(Random random, Batch batch) {
        return switch (batch.state()) {
            case OPEN -> {
                Map<String, Answer> answers = new HashMap<>();
                batch.openQuestions()
                        .forEach(asked -> answers.put(asked.interrupt().id(), answer(random)));
                yield batch.answered(answers);
            }
            case ANSWERED -> nextCall(random, batch);
            case RESULTS -> batch.remembered();
            default -> batch.finished();
        };
    }

    private static Batch nextCall(Random random, Batch batch) {
        Call call = batch.calls().stream()
                .filter(each -> !each.state().isSettled())
                .findFirst()
                .orElseThrow();
        String id = call.toolCallId();
        if (call.state() != Call.State.CLAIMED) {
            return random.nextBoolean()
                    ? batch.claimed(id, new Call.Attempt(text(random), text(random), instant(random)))
                    : batch.settled(id, Call.State.NOT_EXECUTED, result(random));
        }
        return switch (random.nextInt(3)) {
            case 0 ->
                batch.askedAgain(Map.of(
                        id, question(random, id + "-again" + call.questions().size())));
            case 1 -> batch.settled(id, Call.State.FAILED, result(random));
            default -> batch.settled(id, Call.State.EXECUTED, result(random));
        };
    }

    static Message message(String id, String text) {
        ObjectNode metadata =
                AguiCodec.mapper().createObjectNode().put("k" + text, text).put("n", 1);
        return new Message.Assistant(
                id,
                text,
                List.of(new ToolCall("c" + text, "tool", text, null, metadata)),
                new MessageExtras(text, text, metadata, null));
    }

    static Message user(String id, String text) {
        return new Message.User(id, MessageContent.text(text));
    }

    static AuditEvent event(Instant at, String threadId, String text) {
        return new AuditEvent(
                at,
                threadId,
                "run" + text,
                text,
                AuditEvent.Kind.DECIDED,
                new AuditEvent.Subject(
                        text.length() > 5 ? Optional.of(text) : Optional.empty(),
                        Optional.of(text),
                        text.length() > 5 ? Optional.empty() : Optional.of(text)),
                AguiCodec.mapper().createObjectNode().put(text, text));
    }
}
