package io.holdpoint.internal.turn;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdpoint.Caller;
import io.holdpoint.ToolCallContext;
import io.holdpoint.ToolInterrupt;
import io.holdpoint.internal.Ids;
import io.holdpoint.internal.agent.OuterRun;
import io.holdpoint.internal.gate.Voices;
import io.holdpoint.internal.lease.RunStop;
import io.holdpoint.internal.question.NextStep;
import io.holdpoint.internal.question.OutcomeUnknown;
import io.holdpoint.internal.question.Restart;
import io.holdpoint.internal.question.ToolApproval;
import io.holdpoint.store.Call;
import io.holdpoint.store.Call.Answer;
import io.holdpoint.store.Call.Question;
import io.holdpoint.store.RecordJson;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/**
 * The context of one execution of a tool, which tells the tool about its call and takes its question. The first question counts,
 * also if the tool swallows the exception that comes with it. Thread-safe.
 */
public final class RunningToolCall implements ToolCallContext {

    private final Run run;
    private final Caller owner;
    private final String toolCallId;
    private final String idempotencyKey;
    /** The execution, with the call as it was before; empty if no person can be asked about the call. */
    private final Optional<Executed> executed;

    /** Stops what works in this call together with the run. */
    private Optional<RunStop> inside = Optional.empty();

    private int emitted;
    private boolean ended;
    private final AtomicReference<BiFunction<Call, Instant, Question>> raised = new AtomicReference<>();

    private record Executed(Call call, NextStep.Execute how) {}

    public RunningToolCall(Run run, Caller owner, Call call, NextStep.Execute how) {
        this(run, owner, call.toolCallId(), call.idempotencyKey(), Optional.of(new Executed(call, how)));
    }

    /** An execution of a call that no person can be asked about. */
    public RunningToolCall(Run run, Caller owner, String toolCallId) {
        this(run, owner, toolCallId, Ids.message(), Optional.empty());
    }

    private RunningToolCall(
            Run run, Caller owner, String toolCallId, String idempotencyKey, Optional<Executed> executed) {
        this.run = run;
        this.owner = owner;
        this.toolCallId = toolCallId;
        this.idempotencyKey = idempotencyKey;
        this.executed = executed;
    }

    /** The body has been left. */
    public synchronized void end() {
        ended = true;
    }

    /** The question of the tool, if it has asked one. */
    public Optional<BiFunction<Call, Instant, Question>> raised() {
        return Optional.ofNullable(raised.get());
    }

    @Override
    public String threadId() {
        return run.threadId;
    }

    @Override
    public String runId() {
        return run.runId;
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
        return approval().map(Answer::answeredBy);
    }

    @Override
    public Optional<String> approvalComment() {
        Optional<Answer> approval = approval();
        return approval.isPresent() ? ToolApproval.comment(approval.get()) : Optional.empty();
    }

    private Optional<Answer> approval() {
        return executed.flatMap(present -> ToolApproval.approval(present.call()));
    }

    @Override
    public List<JsonNode> answers() {
        return answered().stream()
                .map(asked -> asked.answer().orElseThrow().payload().<JsonNode>deepCopy())
                .toList();
    }

    @Override
    public Optional<JsonNode> kept() {
        List<Call.Asked> answered = answered();
        return answered.isEmpty()
                ? Optional.empty()
                : Optional.ofNullable(
                                answered.get(answered.size() - 1).question().kept())
                        .map(JsonNode::deepCopy);
    }

    @Override
    public boolean isStopping() {
        return run.stop
                .reason()
                .filter(why -> why == RunStop.Reason.CANCELLED
                        || why == RunStop.Reason.TIMED_OUT
                        || why == RunStop.Reason.HALTED)
                .isPresent();
    }

    @Override
    public JsonNode state() {
        return run.state.get();
    }

    /** Not on the call's own lock: a change may wait for one of another call. */
    @Override
    public JsonNode updateState(UnaryOperator<JsonNode> change) {
        requireRunning();
        return run.state.update(change);
    }

    @Override
    public void emit(String name, JsonNode value) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("The name of an event must not be blank.");
        }
        JsonNode own = count(name.length(), value);
        run.progress.custom(name, own);
    }

    @Override
    public void emitRaw(JsonNode event, String source) {
        JsonNode own = count(source.length(), event);
        run.events.raw(own, source);
    }

    private synchronized void requireRunning() {
        if (ended) {
            throw new IllegalStateException("This call has ended; it can no longer send events or change the state.");
        }
    }

    /** A copy of a value that may still be sent. */
    private synchronized JsonNode count(int more, JsonNode value) {
        requireRunning();
        String json = RecordJson.write(value);
        long length = (long) emitted + more + json.length();
        int longest = run.limits.resultLength();
        if (length > longest) {
            throw new IllegalArgumentException("The events of this call have " + length
                    + " characters of JSON together; at most " + longest + " are sent (Limits.resultLength).");
        }
        emitted = (int) length;
        return RecordJson.read(json, JsonNode.class);
    }

    @Override
    public ToolInterrupt.Raised interrupt(ToolInterrupt interrupt) {
        requireSomebody();
        int length = interrupt.message().length()
                + interrupt.responseSchema().toString().length()
                + interrupt.clientMetadata().toString().length()
                + interrupt.keptValue().map(value -> value.toString().length()).orElse(0);
        int longest = run.limits.resultLength();
        if (length > longest) {
            throw new IllegalArgumentException("The interrupt's message, schema, metadata and kept value have " + length
                    + " characters together; at most " + longest + " can be asked (Limits.resultLength).");
        }
        return leave((claimed, now) -> Restart.ask(claimed, interrupt, now));
    }

    private void requireSomebody() {
        if (executed.isEmpty()) {
            throw new IllegalStateException(
                    "This call was made in a guardrail's re-prompt, where no person can be asked.");
        }
    }

    /** Asks a person what became of the body, which nobody waits for; {@code false} if nobody can be asked. */
    public boolean asksForOutcome(String message) {
        if (executed.isPresent()) {
            raised.compareAndSet(null, (claimed, now) -> OutcomeUnknown.ask(claimed, message, now));
        }
        return executed.isPresent();
    }

    private ToolInterrupt.Raised leave(BiFunction<Call, Instant, Question> question) {
        raised.compareAndSet(null, question);
        throw new ToolInterrupt.Raised();
    }

    /** The name of the agent whose call it is. */
    public String agentName() {
        return run.config.name;
    }

    /** Tells whether this call has never been executed before. */
    public boolean isFirstAttempt() {
        return executed.filter(present -> present.call().attempts().isEmpty()).isPresent();
    }

    /** The run of this call, for the runs of an agent that works in it. */
    public OuterRun run() {
        return new OuterRun(run.lease, inside(), run::spends);
    }

    private synchronized RunStop inside() {
        if (inside.isEmpty()) {
            RunStop stop = new RunStop(run.config.timer::aside);
            run.stop.stopsToo(stop);
            inside = Optional.of(stop);
        }
        return inside.get();
    }

    /** Stops the runs of an agent that works in this call, and lets no other one begin. */
    public void stopsInside() {
        inside().request(RunStop.Reason.TIMED_OUT);
    }

    /** The questions of the tool, and of an agent that works in this call, that have an answer, oldest first. */
    public List<Call.Asked> answered() {
        return executed.map(present -> Restart.answered(present.call(), present.how()))
                .orElse(List.of());
    }

    /** The person who gave an answer, with the roles of the present run if it is theirs. */
    public Caller giver(Answer answer) {
        return answer.answeredBy().equals(run.caller.id()) ? run.caller : Voices.voter(answer);
    }

    /** Leaves the body to ask a question of an agent that works in it, with a remark after its message. */
    public ToolInterrupt.Raised delegate(Question question, String remark) {
        requireSomebody();
        return leave((claimed, now) -> Restart.delegate(claimed, question, remark, now));
    }
}
