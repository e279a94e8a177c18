package io.holdpoint.internal.journal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.hook.ArgumentRedactor;
import io.holdpoint.internal.gate.ApprovalForm;
import io.holdpoint.internal.gate.ApprovalForm.Privacy;
import io.holdpoint.internal.gate.ToolArguments;
import io.holdpoint.internal.question.QuestionKind;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.AuditEvent.Kind;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call;
import io.holdpoint.store.Call.Answer;
import io.holdpoint.store.Call.Question;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Grant;
import io.holdpoint.store.Store.Lease;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The audit events of a batch, found by comparing it with what it was before, and what each of them keeps. No arguments get
 * past the redactor. Thread-safe.
 */
public final class AuditEvents {

    /** The field of a question's metadata that names a grant which does not count any more. */
    public static final String UNUSED_GRANT = "unusedGrant";

    private static final Logger LOG = LoggerFactory.getLogger(AuditEvents.class);

    private final String threadId;
    private final String runId;
    private final String caller;
    private final ArgumentRedactor redactor;
    private final boolean keepsEverything;

    AuditEvents(Lease lease, ArgumentRedactor redactor) {
        this.threadId = lease.threadId();
        this.runId = lease.runId();
        this.caller = lease.caller();
        this.redactor = redactor;
        this.keepsEverything = redactor == ArgumentRedactor.NONE;
    }

    /** The changes of one commit: audit events, and the questions in them that were asked or answered, for observers. */
    static final class Changes {

        final List<AuditEvent> events = new ArrayList<>();
        final List<QuestionChange> questions = new ArrayList<>();
    }

    /** A question of a call was asked, or answered if it has an answer. */
    record QuestionChange(Call call, Question question, Optional<Answer> answer) {}

    /** Adds the transitions of all calls, in model order. */
    void between(Optional<Batch> before, Batch after, Instant now, Changes changes) {
        List<Call> calls = after.calls();
        List<Call> earlier = before.map(Batch::calls).orElse(List.of());
        for (int i = 0; i < calls.size(); i++) {
            if (before.isPresent()) {
                changed(earlier.get(i), calls.get(i), now, changes);
            } else {
                proposed(calls.get(i), now, changes);
            }
        }
    }

    private void proposed(Call call, Instant now, Changes changes) {
        List<AuditEvent> events = changes.events;
        events.add(event(now, Kind.PROPOSED, call, Optional.empty(), proposal(call)));
        asked(call, 0, now, changes);
        if (call.grantId() != null) {
            events.add(event(now, Kind.ALLOWED, call, Optional.empty(), grant(call.grantId())));
        }
        if (call.state().isSettled()) {
            events.add(settled(call, Call.State.PENDING, now));
        }
    }

    private void changed(Call before, Call call, Instant now, Changes changes) {
        if (before == call) {
            return;
        }
        List<AuditEvent> events = changes.events;
        List<Call.Asked> asked = call.asked();
        List<Call.Asked> askedBefore = before.asked();
        for (int i = 0; i < askedBefore.size(); i++) {
            Optional<Answer> answer = asked.get(i).answer();
            if (answer.isPresent() && askedBefore.get(i).answer().isEmpty()) {
                Question question = asked.get(i).question();
                events.add(answered(call, question, answer.get(), now));
                changes.questions.add(new QuestionChange(call, question, answer));
            }
        }
        List<Call.Attempt> attempts = call.attempts();
        for (int i = before.attempts().size(); i < attempts.size(); i++) {
            ObjectNode detail = claim(call, attempts.get(i), i + 1);
            events.add(event(now, Kind.CLAIMED, call, Optional.empty(), detail));
        }
        asked(call, askedBefore.size(), now, changes);
        if (call.state().isSettled() && !before.state().isSettled()) {
            events.add(settled(call, before.state(), now));
        }
    }

    private void asked(Call call, int from, Instant now, Changes changes) {
        List<Call.Asked> asked = call.asked();
        for (int i = from; i < asked.size(); i++) {
            Question question = asked.get(i).question();
            changes.events.add(event(now, Kind.HELD, call, Optional.of(question), question(call, question)));
            changes.questions.add(new QuestionChange(call, question, Optional.empty()));
        }
    }

    private AuditEvent answered(Call call, Question question, Answer answer, Instant now) {
        return answer.how() == Answer.How.EXPIRED
                ? event(now, Kind.EXPIRED, call, Optional.of(question), object())
                : event(now, Kind.DECIDED, call, Optional.of(question), decision(call, question, answer));
    }

    private AuditEvent settled(Call call, Call.State before, Instant now) {
        Kind kind =
                switch (call.state()) {
                    case EXECUTED -> Kind.EXECUTED;
                    case FAILED -> Kind.FAILED;
                    case NOT_EXECUTED -> Kind.NOT_EXECUTED;
                    case PENDING, DECIDED, CLAIMED, UNKNOWN -> throw new IllegalStateException("not settled: " + call);
                };
        return event(now, kind, call, Optional.empty(), settlement(call, before));
    }

    private AuditEvent event(Instant now, Kind kind, Call call, Optional<Question> question, ObjectNode detail) {
        Optional<String> toolCallId = Optional.of(call.toolCallId());
        Optional<String> toolName = Optional.of(call.toolName());
        Optional<String> interruptId = question.map(asked -> asked.interrupt().id());
        AuditEvent.Subject about = new AuditEvent.Subject(toolCallId, toolName, interruptId);
        return new AuditEvent(now, threadId, runId, caller, kind, about, detail);
    }

    /** The answer to one call allows later ones. */
    AuditEvent granted(Grant grant, Instant now) {
        return new AuditEvent(
                now,
                threadId,
                runId,
                caller,
                Kind.GRANTED,
                grant.subject(),
                grant(grant.id())
                        .put("scope", grant.scope().wireName())
                        .put("expiresAt", grant.expiresAt().toString()));
    }

    AuditEvent cutOff(Commit.Cut cut, Instant now) {
        ObjectNode detail = object().put("from", cut.fromMessageId()).put("messages", cut.messages());
        AuditEvent.Subject none = new AuditEvent.Subject(Optional.empty(), Optional.empty(), Optional.empty());
        return new AuditEvent(now, threadId, runId, caller, Kind.CUT, none, detail);
    }

    static AuditEvent event(Lease lease, Instant now, Kind kind, AuditEvent.Subject about, ObjectNode detail) {
        return new AuditEvent(now, lease.threadId(), lease.runId(), lease.caller(), kind, about, detail);
    }

    // --- what an event keeps

    private ObjectNode proposal(Call call) {
        return arguments(call, call.arguments(), call.proposal().argumentsSha256());
    }

    private ObjectNode claim(Call call, Call.Attempt attempt, int number) {
        String executed = attempt.arguments();
        String sha256 =
                executed.equals(call.arguments()) ? call.proposal().argumentsSha256() : ToolArguments.sha256(executed);
        ObjectNode detail = arguments(call, executed, sha256).put("attempt", number);
        return call.grantId() == null || !call.asked().isEmpty() ? detail : detail.put("grant", call.grantId());
    }

    /** The trail of a call has its arguments already, unless a person has edited them. */
    private ObjectNode question(Call call, Question question) {
        PendingInterrupt asked = PendingInterrupt.of(question.interrupt());
        boolean isOurs = asked instanceof PendingInterrupt.Approval || asked instanceof PendingInterrupt.Failure;
        Optional<String> editor = isOurs ? asked.editedBy() : Optional.empty();
        ObjectNode detail = editor.map(by -> {
                    String arguments = ToolArguments.write(ToolArguments.canonical(asked.arguments()));
                    return arguments(call, arguments, ToolArguments.sha256(arguments))
                            .put("editedBy", by);
                })
                .orElseGet(AuditEvents::object);
        detail.put("reason", question.interrupt().reason());
        Instant expiresAt = question.interrupt().expiresAt();
        if (expiresAt != null) {
            detail.put("expiresAt", expiresAt.toString());
        }
        ObjectNode metadata = question.interrupt().metadata();
        if (metadata != null && metadata.path("langchain4j").get(UNUSED_GRANT) instanceof ObjectNode unused) {
            detail.set(UNUSED_GRANT, unused.deepCopy());
        }
        return detail;
    }

    public static ObjectNode grant(String id) {
        return object().put("grant", id);
    }

    private ObjectNode decision(Call call, Question question, Answer answer) {
        ObjectNode detail = object().put("how", answer.how().name());
        JsonNode payload = answer.payload();
        if (answer.how() == Answer.How.RESOLVED && payload != null) {
            Optional<String> withheld = keepsEverything ? Optional.empty() : whyWithheld(question);
            if (withheld.isPresent()) {
                withhold(detail, "payload", withheld.get());
            } else {
                detail.set("payload", payload(call, payload));
            }
        }
        return detail;
    }

    /** The reason not to keep an answer: the redactor only knows arguments, not what a person says to or for a tool. */
    private static Optional<String> whyWithheld(Question question) {
        return switch (question.kind()) {
            case RESULT, RESPONSE -> Optional.of("it is the result");
            case RESTART -> Optional.of("it is for the tool");
            case APPROVAL, OUTCOME_UNKNOWN, TOOL_ERROR, UNKNOWN -> Optional.empty();
        };
    }

    private ObjectNode settlement(Call call, Call.State before) {
        ObjectNode detail = object();
        boolean ofTheClient = call.proposal().ofClient() && call.state() != Call.State.NOT_EXECUTED;
        if (ofTheClient) {
            detail.put("byClient", true);
        } else if (call.state() == Call.State.EXECUTED && before == Call.State.DECIDED) {
            detail.put("reported", true);
        }
        if (call.state() != Call.State.EXECUTED && (keepsEverything || !mayQuoteArguments(call, before))) {
            String text = Objects.requireNonNull(call.result()).clientText();
            detail.put("error", cut(text));
        }
        return detail;
    }

    /** Tells whether the text of a result may quote arguments: the gate's, a condition's and the tool's may. */
    private static boolean mayQuoteArguments(Call call, Call.State before) {
        if (before != Call.State.DECIDED) {
            return true;
        }
        Call.Asked decisive = call.answered().orElseThrow();
        Question question = decisive.question();
        return question.kind() == Question.Kind.TOOL_ERROR
                || decisive.answer()
                        .filter(answer -> executes(question, answer.payload()))
                        .isPresent();
    }

    private static boolean executes(Question question, @Nullable JsonNode payload) {
        return payload != null
                && QuestionKind.of(question).wouldRun(question, payload).isPresent();
    }

    static ObjectNode lost(List<AuditEvent> dropped) {
        ObjectNode detail = object();
        var lost = detail.putArray("lost");
        for (AuditEvent event : dropped) {
            ObjectNode entry = lost.addObject().put("kind", event.kind().name());
            event.toolCallId().ifPresent(id -> entry.put("toolCallId", id));
        }
        return detail;
    }

    static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    private ObjectNode arguments(Call call, String text, String sha256) {
        ObjectNode detail = object();
        try {
            put(detail, "arguments", call, ToolArguments.parse(text));
        } catch (ToolArguments.MalformedException e) {
            if (keepsEverything) {
                detail.put("arguments", cut(text));
            } else {
                withhold(detail, "arguments", "they are not one JSON object");
            }
        }
        return detail.put("argumentsSha256", sha256);
    }

    private void put(ObjectNode detail, String field, Call call, ObjectNode arguments) {
        if (keepsEverything) {
            detail.set(field, arguments);
            return;
        }
        try {
            JsonNode kept = redactor.redact(call.toolName(), arguments.deepCopy());
            detail.set(
                    field,
                    Objects.requireNonNull(kept, "the redactor gave null").deepCopy());
        } catch (Throwable e) { // not every language checks exceptions
            LOG.warn("The redactor failed; no arguments of {} are kept", call.toolCallId(), e);
            withhold(detail, field, "the redactor failed");
        }
    }

    private static void withhold(ObjectNode detail, String field, String why) {
        detail.put(field + "Withheld", why);
    }

    /** An answer as it came, edits that do not count included; no arguments get past the redactor, and no result. */
    private JsonNode payload(Call call, JsonNode payload) {
        if (keepsEverything || !(payload instanceof ObjectNode answer)) {
            return payload;
        }
        ObjectNode kept = object();
        for (Map.Entry<String, JsonNode> member : answer.properties()) {
            String field = member.getKey();
            JsonNode value = member.getValue();
            switch (value.isNull() ? Privacy.OPEN : ApprovalForm.privacy(field)) {
                case OPEN -> kept.set(field, value);
                case RESULT -> withhold(kept, field, "it is the result");
                case ARGUMENTS -> {
                    if (value instanceof ObjectNode arguments) {
                        put(kept, field, call, arguments);
                    } else {
                        withhold(kept, field, "they are not one JSON object");
                    }
                }
            }
        }
        return kept;
    }

    private static String cut(String text) {
        if (text.length() <= AuditEvent.MAX_TEXT_LENGTH) {
            return text;
        }
        int end = AuditEvent.MAX_TEXT_LENGTH - 1;
        return text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end) + "…";
    }
}
