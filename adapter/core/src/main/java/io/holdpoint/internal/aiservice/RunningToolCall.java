package io.holdpoint.internal.aiservice;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdpoint.Caller;
import io.holdpoint.ToolInterrupt;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.internal.Ids;
import io.holdpoint.internal.events.EventEmitter;
import io.holdpoint.internal.events.Progress;
import io.holdpoint.internal.events.SharedState;
import io.holdpoint.internal.lease.RunStop;
import io.holdpoint.internal.question.NextStep;
import io.holdpoint.internal.question.Restart;
import io.holdpoint.internal.question.ToolApproval;
import io.holdpoint.internal.turn.DelegatingCall;
import io.holdpoint.internal.turn.Run;
import io.holdpoint.store.Call;
import io.holdpoint.store.Call.Answer;
import io.holdpoint.store.Call.Question;
import io.holdpoint.store.RecordJson;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/**
 * The context of one execution of a tool, which tells the tool about its call and takes its question. The first question counts,
 * also if the tool swallows the exception that comes with it. Thread-safe.
 */
final class RunningToolCall implements DelegatingCall {

    private final String threadId;
    private final String runId;
    private final String toolCallId;
    private final String idempotencyKey;
    private final Caller owner;
    private final Optional<Answer> approval;
    private final List<JsonNode> answers;
    private final Optional<JsonNode> kept;
    private final int longest;
    private final boolean mayAsk;
    private final SharedState state;
    private final EventEmitter events;
    private final Progress progress;
    private final RunStop stop;
    private int emitted;
    private boolean ended;
    private final Map<String, JsonNode> delegatedAnswers;
    private final Caller answerer;
    private final AtomicReference<BiFunction<Call, Instant, Question>> raised = new AtomicReference<>();

    /** An execution of a call as it was before; the number is the limit of a question and of all events, in characters. */
    RunningToolCall(Run run, Caller owner, Call call, NextStep.Execute execute, int longest) {
        this.threadId = run.threadId;
        this.runId = run.runId;
        this.toolCallId = call.toolCallId();
        this.idempotencyKey = call.idempotencyKey();
        this.owner = owner;
        this.approval = ToolApproval.approval(call);
        this.answers = Restart.answers(call, execute);
        this.delegatedAnswers = Restart.delegatedAnswers(call, execute);
        this.answerer =
                call.answer().map(answer -> answerer(answer, run.caller, owner)).orElse(owner);
        this.kept = Restart.kept(call, execute);
        this.longest = longest;
        this.mayAsk = true;
        this.state = run.state;
        this.events = run.events;
        this.progress = run.progress;
        this.stop = run.stop;
    }

    private static Caller answerer(Answer answer, Caller caller, Caller owner) {
        String id = answer.answeredBy();
        Set<String> roles = answer.roles();
        if (id.equals(caller.id()) || roles == null && id.equals(owner.id())) {
            return id.equals(caller.id()) ? caller : owner;
        }
        return roles == null ? Caller.of(id) : new Caller(id, roles);
    }

    /** An execution of a call that no person can be asked about. */
    RunningToolCall(Run run, Caller owner, String toolCallId, int longest) {
        this.threadId = run.threadId;
        this.runId = run.runId;
        this.toolCallId = toolCallId;
        this.idempotencyKey = Ids.message();
        this.owner = owner;
        this.approval = Optional.empty();
        this.answers = List.of();
        this.delegatedAnswers = Map.of();
        this.answerer = owner;
        this.kept = Optional.empty();
        this.longest = longest;
        this.mayAsk = false;
        this.state = run.state;
        this.events = run.events;
        this.progress = run.progress;
        this.stop = run.stop;
    }

    /** The body has been left. */
    synchronized void end() {
        ended = true;
    }

    /** The question of the tool, if it has asked one. */
    Optional<BiFunction<Call, Instant, Question>> raised() {
        return Optional.ofNullable(raised.get());
    }

    @Override
    public String threadId() {
        return threadId;
    }

    @Override
    public String runId() {
        return runId;
    }

    @Override
    public String toolCallId() {
        return toolCallId;
    }

    @Override
    public String idempotencyKey() {
        return idempotencyKey;
    }

    @Override
    public Caller owner() {
        return owner;
    }

    @Override
    public Optional<String> approverId() {
        return approval.map(Answer::answeredBy);
    }

    @Override
    public Optional<String> approvalComment() {
        return approval.flatMap(ToolApproval::comment);
    }

    @Override
    public List<JsonNode> answers() {
        return answers.stream().map(JsonNode::<JsonNode>deepCopy).toList();
    }

    @Override
    public Optional<JsonNode> kept() {
        return kept.map(JsonNode::deepCopy);
    }

    @Override
    public boolean isStopping() {
        return stop.reason()
                .filter(why -> why == RunStop.Reason.CANCELLED || why == RunStop.Reason.TIMED_OUT)
                .isPresent();
    }

    @Override
    public JsonNode state() {
        return state.get();
    }

    /** Not on the call's own lock: a change may wait for one of another call. */
    @Override
    public JsonNode updateState(UnaryOperator<JsonNode> change) {
        requireRunning();
        return state.update(change);
    }

    @Override
    public void emit(String name, JsonNode value) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("The name of an event must not be blank.");
        }
        JsonNode own = count(name.length(), value);
        progress.custom(name, own);
    }

    @Override
    public void emitRaw(JsonNode event, String source) {
        JsonNode own = count(source.length(), event);
        events.raw(own, source);
    }

    private synchronized void requireRunning() {
        if (ended) {
            throw new IllegalStateException("The call has ended: nothing more of it is heard.");
        }
    }

    /** A copy of a value that may still be sent. */
    private synchronized JsonNode count(int more, JsonNode value) {
        requireRunning();
        String json = RecordJson.write(value);
        long length = (long) emitted + more + json.length();
        if (length > longest) {
            throw new IllegalArgumentException("The events of this call have " + length
                    + " characters of JSON together; at most " + longest + " are sent (Limits.resultLength).");
        }
        emitted = (int) length;
        return RecordJson.read(json, JsonNode.class);
    }

    @Override
    public ToolInterrupt.Raised interrupt(ToolInterrupt interrupt) {
        if (!mayAsk) {
            throw new IllegalStateException("Nobody can be asked here: the call was made in a guardrail's re-prompt.");
        }
        int length = interrupt.message().length()
                + interrupt.responseSchema().toString().length()
                + interrupt.clientMetadata().toString().length()
                + interrupt.keptValue().map(value -> value.toString().length()).orElse(0);
        if (length > longest) {
            throw new IllegalArgumentException("The interrupt's message, schema, metadata and kept value have " + length
                    + " characters together; at most " + longest + " can be asked (Limits.resultLength).");
        }
        return leave((claimed, now) -> Restart.ask(claimed, interrupt, now));
    }

    private ToolInterrupt.Raised leave(BiFunction<Call, Instant, Question> question) {
        raised.compareAndSet(null, question);
        throw new ToolInterrupt.Raised();
    }

    @Override
    public Map<String, JsonNode> delegatedAnswers() {
        return delegatedAnswers;
    }

    @Override
    public Caller answerer() {
        return answerer;
    }

    @Override
    public ToolInterrupt.Raised delegate(Interrupt question, String message) {
        if (!mayAsk) {
            throw new IllegalStateException("Nobody can be asked here: the call was made in a guardrail's re-prompt.");
        }
        return leave((claimed, now) -> Restart.delegate(claimed, question, message, now));
    }
}
