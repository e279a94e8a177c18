package io.holdpoint.internal.journal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.agui.Agui;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.TokenUsage;
import io.holdpoint.hook.ArgumentRedactor;
import io.holdpoint.internal.LogText;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.gate.ApprovalForm;
import io.holdpoint.internal.gate.ApprovalForm.Privacy;
import io.holdpoint.internal.gate.Gate;
import io.holdpoint.internal.gate.GatedTool;
import io.holdpoint.internal.gate.ToolArguments;
import io.holdpoint.internal.gate.Voices;
import io.holdpoint.internal.question.QuestionKind;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.AuditEvent.Kind;
import io.holdpoint.store.AuditEvent.Subject;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call;
import io.holdpoint.store.Call.Answer;
import io.holdpoint.store.Call.Question;
import io.holdpoint.store.Change;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Grant;
import io.holdpoint.store.Reversibility;
import io.holdpoint.store.Store;
import io.holdpoint.store.TimeStep;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the audit events of a run: those of a commit, and notes that change nothing of the thread, so that they need no right to
 * write. No arguments get past the redactor. Thread-safe.
 */
public final class Audit {

    /** The field of a question's metadata that names a grant which no longer counts. */
    public static final String UNUSED_GRANT = "unusedGrant";

    /** The field of a call's remarks that says why nobody is asked. */
    public static final String NOT_ASKED = "notAsked";

    /** The field of a call's remarks with the verdicts of policies that only look on. */
    public static final String SHADOW = "shadow";

    /** The field of a call that was refused before anybody was asked. */
    public static final String REFUSED = "refused";

    /** The field of an agent's tools that have an annotation. */
    public static final String ANNOTATED = "annotated";

    /** The length of the longest label: a longer text explains an argument, and does not name it. */
    private static final int LONGEST_LABEL = 100;

    private static final Logger LOG = LoggerFactory.getLogger(Audit.class);

    private static final Subject NO_CALL = new Subject(Optional.empty(), Optional.empty(), Optional.empty());

    private final AgentConfig<?> config;
    private final String threadId;
    private final String runId;
    private final String caller;
    private final boolean keepsEverything;
    private volatile Optional<TokenUsage> usage = Optional.empty();

    /** For the events of a run, or of somebody who looks, on a thread. */
    public Audit(AgentConfig<?> config, String threadId, String runId, String caller) {
        this.config = config;
        this.threadId = threadId;
        this.runId = runId;
        this.caller = caller;
        this.keepsEverything = config.redactor == ArgumentRedactor.NONE;
    }

    /** Takes note of the model that has answered last, which may have proposed calls, and of the tokens of the answer. */
    public void proposedBy(TokenUsage answered) {
        usage = Optional.of(answered);
    }

    // --- notes

    /** Notes interrupts that a client is given again. */
    public void presented(List<Question> open) {
        Instant now = config.clock.instant();
        List<AuditEvent> events = new ArrayList<>();
        for (Question question : open) {
            String toolName = PendingInterrupt.of(question.interrupt()).toolName();
            events.add(event(
                    now,
                    Kind.PRESENTED,
                    new Subject(
                            Optional.ofNullable(question.interrupt().toolCallId()),
                            toolName.isEmpty() ? Optional.empty() : Optional.of(toolName),
                            Optional.of(question.interrupt().id())),
                    object()));
        }
        note(events);
    }

    /**
     * Notes accepted answers that were given before: those that answer none of the questions that were open before the
     * input.
     */
    public void replayed(List<ResumeEntry> accepted, List<Question> open) {
        Instant now = config.clock.instant();
        Set<String> known = new HashSet<>();
        for (Question question : open) {
            known.add(question.interrupt().id());
        }
        List<AuditEvent> events = new ArrayList<>();
        for (ResumeEntry entry : accepted) {
            String id = entry.interruptId();
            if (known.add(id) && Agui.isId(id)) {
                Optional<Batch> batch = config.store.findBatch(threadId, Store.By.INTERRUPT, id);
                if (batch.isEmpty() && !config.store.has(Store.IdOf.INTERRUPT, threadId, id)) {
                    continue; // a stale card that the client has cancelled
                }
                Optional<Call> call = batch.flatMap(present -> present.asked(id));
                Subject subject = new Subject(call.map(Call::toolCallId), call.map(Call::toolName), Optional.of(id));
                events.add(event(now, Kind.REPLAYED, subject, object()));
            }
        }
        note(events);
    }

    /** Notes a commit that came too late: another run has the thread. */
    void lost(List<AuditEvent> dropped) {
        ObjectNode detail = object();
        var lost = detail.putArray("lost");
        for (AuditEvent event : dropped) {
            ObjectNode entry = lost.addObject().put("kind", event.kind().name());
            event.toolCallId().ifPresent(id -> entry.put("toolCallId", id));
        }
        note(List.of(event(config.clock.instant(), Kind.LEASE_LOST, NO_CALL, detail)));
    }

    private void note(List<AuditEvent> events) {
        if (!events.isEmpty()) {
            tell(config.store.audit(Optional.empty(), events));
        }
    }

    void tell(List<AuditEvent> stored) {
        for (AuditEvent event : stored) {
            config.observers.stored(event);
        }
    }

    // --- the events of a commit

    /** The changes of all calls, in model order, and what else the commit does. */
    List<AuditEvent> of(Commit commit, Instant now) {
        List<AuditEvent> events = new ArrayList<>();
        for (Batch batch : commit.batches()) {
            for (Change change : batch.changes()) {
                add(events, batch, change, now);
            }
            for (Grant grant : Grant.givenBy(commit)) {
                if (batch.changes().stream().anyMatch(change -> isMadeBy(grant.approved(), change))) {
                    events.add(granted(grant, now));
                }
            }
        }
        for (Grant grant : Grant.revokedBy(commit)) {
            events.add(event(now, Kind.REVOKED, grant.subject(), grant(grant.id())));
        }
        if (commit.cut().isPresent()) {
            Commit.Cut cut = commit.cut().get();
            ObjectNode detail = object().put("from", cut.fromMessageId()).put("messages", cut.messages());
            events.add(event(now, Kind.CUT, NO_CALL, detail));
        }
        return events;
    }

    private void add(List<AuditEvent> events, Batch batch, Change change, Instant now) {
        Call call = change.call();
        if (change instanceof Change.Proposed) {
            events.add(event(now, Kind.PROPOSED, call, proposal(call)));
            shadows(events, call, now);
            ObjectNode allowed = letThrough(call);
            if (!allowed.isEmpty()) {
                events.add(event(now, Kind.ALLOWED, call, allowed));
            }
        } else if (change instanceof Change.Asked asked) {
            Question question = asked.question();
            events.add(event(now, Kind.HELD, subject(call, Optional.of(question)), question(call, question)));
        } else if (change instanceof Change.Voted voted) {
            Subject about = subject(call, Optional.of(voted.question()));
            events.add(event(now, Kind.VOTED, about, vote(voted)));
        } else if (change instanceof Change.Voided voided) {
            Subject about = subject(call, Optional.of(voided.question()));
            events.add(event(now, Kind.VOIDED, about, voices(object(), voided.votes())));
        } else if (change instanceof Change.Answered answered) {
            events.add(answered(answered, now));
        } else if (change instanceof Change.Timed timed) {
            events.add(timed(timed, now));
        } else if (change instanceof Change.Amended amended) {
            events.add(event(now, amended.kind(), subject(call, Optional.of(amended.question())), amended(amended)));
        } else if (change instanceof Change.Claimed claimed) {
            events.add(event(now, Kind.CLAIMED, call, claim(claimed)));
        } else {
            Change.Settled settled = (Change.Settled) change;
            List<Question> asked = call.questions();
            Optional<Question> last = asked.isEmpty() ? Optional.empty() : Optional.of(asked.get(asked.size() - 1));
            ObjectNode detail = settlement(call, settled.before());
            if (batch.version() == 0) { // by the gate
                detail.put(REFUSED, true);
            }
            events.add(event(now, kind(call), subject(call, last), detail));
        }
    }

    /** The reason of a denial could quote arguments. */
    private void shadows(List<AuditEvent> events, Call call, Instant now) {
        ObjectNode remarks = call.proposal().remarks();
        if (remarks == null) {
            return;
        }
        for (JsonNode each : remarks.path(SHADOW)) {
            ObjectNode detail = object().put("policy", each.path("policy").asText());
            if (keepsEverything && each.has("reason")) {
                detail.set("reason", each.get("reason"));
            }
            boolean denies = each.path("would").asText().equals("DENY");
            events.add(event(now, denies ? Kind.WOULD_DENY : Kind.WOULD_ASK, call, detail));
        }
    }

    private AuditEvent answered(Change.Answered change, Instant now) {
        Question question = change.question();
        Subject about = subject(change.call(), Optional.of(question));
        return change.answer().how() == Answer.How.EXPIRED || change.answer().how() == Answer.How.UNANSWERED
                ? event(now, Kind.EXPIRED, about, by(change.answer().answeredBy()))
                : event(now, Kind.DECIDED, about, decision(change.call(), question, change.answer()));
    }

    private AuditEvent timed(Change.Timed change, Instant now) {
        TimeStep step = change.step();
        Kind kind =
                switch (step.kind()) {
                    case REMIND -> Kind.REMINDED;
                    case WARN -> Kind.WARNED;
                    case ESCALATE, GIVE_UP, GO_ON -> Kind.ESCALATED;
                };
        ObjectNode detail = by(TimeStep.TIME).put("due", step.at().toString());
        if (step.audience() != null) {
            detail.put("audience", step.audience());
        }
        return event(now, kind, subject(change.call(), Optional.of(change.question())), detail);
    }

    /** People are named by the event's caller. */
    private static ObjectNode by(String id) {
        return id.equals(TimeStep.TIME) ? object().put("by", TimeStep.nameOf(id)) : object();
    }

    private static Kind kind(Call settled) {
        return switch (settled.state()) {
            case EXECUTED -> Kind.EXECUTED;
            case FAILED -> Kind.FAILED;
            case NOT_EXECUTED -> Kind.NOT_EXECUTED;
            case PENDING, DECIDED, CLAIMED, UNKNOWN -> throw new IllegalStateException("not settled: " + settled);
        };
    }

    /** A decision is remembered with the answer, or with the result of the call that it was approved with. */
    private static boolean isMadeBy(Grant.Approved by, Change change) {
        return change instanceof Change.Answered answered
                ? by.interruptId().equals(answered.question().interrupt().id())
                : change instanceof Change.Settled
                        && by.toolCallId().equals(change.call().toolCallId());
    }

    /** The answer to one call allows later ones: whoever gave it has done so, in whichever run they are stored. */
    private AuditEvent granted(Grant grant, Instant now) {
        ObjectNode detail = grant(grant.id())
                .put("scope", grant.scope().wireName())
                .put("expiresAt", grant.expiresAt().toString());
        if (grant.within() != null) {
            detail.put("within", grant.within().describe());
        }
        String granter = grant.grantedBy();
        return new AuditEvent(now, threadId, runId, granter, Kind.GRANTED, grant.subject(), detail);
    }

    private AuditEvent event(Instant now, Kind kind, Call call, ObjectNode detail) {
        return event(now, kind, subject(call, Optional.empty()), detail);
    }

    private static Subject subject(Call call, Optional<Question> question) {
        Optional<String> interruptId =
                question.isPresent() ? Optional.of(question.get().interrupt().id()) : Optional.empty();
        return new Subject(Optional.of(call.toolCallId()), Optional.of(call.toolName()), interruptId);
    }

    private AuditEvent event(Instant now, Kind kind, Subject about, ObjectNode detail) {
        return new AuditEvent(now, threadId, runId, caller, kind, about, detail);
    }

    // --- what an event keeps

    private ObjectNode proposal(Call call) {
        ObjectNode detail = arguments(call, call.arguments(), call.proposal().argumentsSha256());
        call.proposedBy().ifPresent(proposer -> detail.put(Batch.PROPOSED_BY, proposer));
        if (usage.isPresent()) {
            JsonNode known = AguiCodec.mapper().valueToTree(usage.get());
            if (!known.isEmpty()) {
                detail.set("usage", known);
            }
        }
        return detail;
    }

    /** The trail of a call has its arguments already, unless a person has edited them. */
    private ObjectNode claim(Change.Claimed claimed) {
        Call call = claimed.call();
        String executed = call.lastAttempt().orElseThrow().arguments();
        ObjectNode detail = executed.equals(call.arguments())
                ? object().put("argumentsSha256", call.proposal().argumentsSha256())
                : arguments(call, executed, ToolArguments.sha256(executed));
        detail.put("attempt", call.attempts().size());
        if (claimed.grant().isPresent()) {
            detail.put("grant", claimed.grant().get());
        }
        return detail;
    }

    /** The trail of a call has its arguments already, unless a person has edited them. */
    private ObjectNode question(Call call, Question question) {
        PendingInterrupt asked = PendingInterrupt.of(question.interrupt());
        boolean isOurs = asked instanceof PendingInterrupt.Approval || asked instanceof PendingInterrupt.Failure;
        Optional<String> editor = isOurs ? asked.editedBy() : Optional.empty();
        boolean isKept = keepsEverythingOf(call, question) || !Voices.isDelegated(question);
        ObjectNode detail = object();
        if (editor.isPresent() && isKept) {
            String arguments = ToolArguments.write(ToolArguments.canonical(asked.arguments()));
            detail = arguments(call, arguments, ToolArguments.sha256(arguments));
        }
        if (editor.isPresent()) {
            detail.put("editedBy", editor.get());
        }
        detail.put("reason", question.interrupt().reason());
        detail.put("characters", QuestionKind.characters(question));
        Instant expiresAt = question.interrupt().expiresAt();
        if (expiresAt != null) {
            detail.put("expiresAt", expiresAt.toString());
        }
        Optional<Reversibility> reversibility = Reversibility.of(question.interrupt());
        if (reversibility.isPresent()) {
            detail.put("reversibility", reversibility.get().wireName());
        }
        ObjectNode labels = labels(question.interrupt().responseSchema());
        if (!labels.isEmpty()) {
            detail.set("labels", labels);
        }
        JsonNode metadata = Gate.metadata(question);
        if (metadata.get(UNUSED_GRANT) instanceof ObjectNode unused) {
            detail.set(UNUSED_GRANT, unused.deepCopy());
        }
        boolean isWhole = keepsEverythingOf(call, question);
        if (isWhole && metadata.has(Gate.WHY)) { // it may quote arguments
            detail.set(Gate.WHY, metadata.get(Gate.WHY).deepCopy());
        }
        config.policyReader.rules.keep(detail, metadata, isWhole);
        return detail;
    }

    /** A redactor knows the tools of its own agent only: where either agent has one, nothing is kept of what an agent in a tool asks. */
    private boolean keepsEverythingOf(Call call, Question question) {
        return keepsEverything && !(Voices.isDelegated(question) && config.redactsInside(call.toolName()));
    }

    /** The words that stand beside the arguments in the question. They are the tool's, and quote nothing. */
    private static ObjectNode labels(@Nullable ObjectNode schema) {
        ObjectNode labels = object();
        if (schema != null) {
            JsonNode edits = schema.path("properties").path(ApprovalForm.EDITS);
            for (Map.Entry<String, JsonNode> each : edits.path("properties").properties()) {
                ObjectNode label = object();
                for (String keyword : List.of("title", "description")) {
                    JsonNode text = each.getValue().path(keyword);
                    if (text.isTextual() && text.textValue().length() <= LONGEST_LABEL) {
                        label.set(keyword, text);
                    }
                }
                if (!label.isEmpty()) {
                    labels.set(each.getKey(), label);
                }
            }
        }
        return labels;
    }

    /** Empty unless there is more to say about a call that runs unasked than that it does. */
    private ObjectNode letThrough(Call call) {
        ObjectNode detail = call.grantId() == null ? object() : grant(call.grantId());
        ObjectNode remarks = call.proposal().remarks();
        if (remarks != null) {
            Optional.ofNullable(remarks.get(NOT_ASKED)).ifPresent(why -> detail.set(NOT_ASKED, why));
            config.policyReader.rules.keep(detail, remarks, keepsEverything);
        }
        return detail;
    }

    /** The name of a list of tools in the event of a start. */
    public static String name(GatedTool.Asks asks) {
        return switch (asks) {
            case ALWAYS -> "always";
            case BY_CONDITION -> "byCondition";
            case NEVER -> "never";
        };
    }

    /** An event of an agent, in the trail of no thread. */
    public static AuditEvent ofAgent(Instant now, String caller, Kind kind, ObjectNode detail) {
        return new AuditEvent(now, "", "", caller, kind, NO_CALL, detail);
    }

    public static ObjectNode grant(String id) {
        return object().put("grant", id);
    }

    private ObjectNode decision(Call call, Question question, Answer answer) {
        ObjectNode detail = via(object().put("how", answer.how().name()), answer);
        JsonNode payload = answer.payload();
        if (payload != null) {
            if (QuestionKind.isEdited(question, payload)) {
                detail.put("edited", true);
            }
            List<Answer> votes = call.asked(question).votes();
            if (!votes.isEmpty() && executes(question, payload)) {
                voices(detail, Voices.with(votes, answer));
            }
            Optional<String> withheld = keepsEverythingOf(call, question) ? Optional.empty() : whyWithheld(question);
            if (withheld.isPresent()) {
                withhold(detail, "payload", withheld.get());
                Voices.verdict(question, payload).ifPresent(kept -> detail.set("payload", kept));
            } else {
                detail.set("payload", payload(call, payload, question.isForApproval()));
            }
            detail.put("sha256", call.asked(question).sha256());
        }
        return detail;
    }

    private ObjectNode vote(Change.Voted voted) {
        List<Answer> votes = voted.call().votes();
        JsonNode payload = Objects.requireNonNull(voted.vote().payload());
        ObjectNode detail = via(object(), voted.vote())
                .put("needed", Voices.of(voted.question()).approvals().needed())
                .put("have", votes.indexOf(voted.vote()) + 1)
                .set("payload", payload(voted.call(), payload, true));
        return detail.put("sha256", voted.call().asked(voted.question()).sha256());
    }

    /** With the hash of the record, which has changed with the question. */
    private static ObjectNode amended(Change.Amended change) {
        String sha256 = change.call().asked(change.question()).sha256();
        return change.detail().deepCopy().put("sha256", sha256);
    }

    private static ObjectNode via(ObjectNode detail, Answer answer) {
        return answer.via() == null ? detail : detail.put("via", answer.via());
    }

    private static ObjectNode voices(ObjectNode detail, List<Answer> votes) {
        votes.forEach(vote -> detail.withArray("/voices").add(vote.answeredBy()));
        return detail;
    }

    /** The reason not to keep an answer: the redactor only knows arguments, not what a person says to or for a tool. */
    private static Optional<String> whyWithheld(Question question) {
        return switch (question.kind()) {
            case RESULT, RESPONSE -> Optional.of("it is the result");
            case RESTART -> Optional.of("it is for the tool");
            case APPROVAL, APPROVALS, OUTCOME_UNKNOWN, TOOL_ERROR, UNKNOWN -> Optional.empty();
        };
    }

    private ObjectNode settlement(Call call, Call.State before) {
        ObjectNode detail = object();
        if (call.proposal().ofClient()
                && call.state() != Call.State.NOT_EXECUTED
                && mayQuoteArguments(call, before)) { // else a person has answered in its place
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

    /** Tells whether the text of a result may quote arguments: the gate's, a condition's and the tool's may, and what a tool is told. */
    private static boolean mayQuoteArguments(Call call, Call.State before) {
        if (before != Call.State.DECIDED) {
            return true;
        }
        Call.Asked decisive = call.answered().orElseThrow();
        Question question = decisive.question();
        return question.kind() == Question.Kind.TOOL_ERROR
                || decisive.answer()
                        .map(Answer::payload)
                        .filter(told -> executes(question, told)
                                || whyWithheld(question).isPresent())
                        .isPresent();
    }

    private static boolean executes(Question question, @Nullable JsonNode payload) {
        return payload != null
                && QuestionKind.of(question).wouldRun(question, payload).isPresent();
    }

    private static ObjectNode object() {
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
            JsonNode kept = config.redactor.redact(call.toolName(), arguments.deepCopy());
            detail.set(
                    field,
                    Objects.requireNonNull(kept, "the redactor gave null").deepCopy());
        } catch (Throwable e) { // not every language checks exceptions
            LOG.warn("The redactor failed; nothing of {} is kept", call.toolCallId(), LogText.silent(e));
            withhold(detail, field, "the redactor failed");
        }
    }

    private static void withhold(ObjectNode detail, String field, String why) {
        detail.put(field + "Withheld", why);
    }

    /** An answer as it came, edits that do not count included; no arguments get past the redactor, and no result. */
    private JsonNode payload(Call call, JsonNode payload, boolean isApproval) {
        if (keepsEverything || !(payload instanceof ObjectNode answer)) {
            return payload;
        }
        ObjectNode kept = object();
        for (Map.Entry<String, JsonNode> member : answer.properties()) {
            String field = member.getKey();
            JsonNode value = member.getValue();
            switch (value.isNull() ? Privacy.OPEN : ApprovalForm.privacy(field, isApproval)) {
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
