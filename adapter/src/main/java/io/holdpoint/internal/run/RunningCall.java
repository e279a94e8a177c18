package io.holdpoint.internal.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdpoint.ToolCallContext;
import io.holdpoint.ToolInterrupt;
import io.holdpoint.ToolInterruptedException;
import io.holdpoint.internal.question.Decision;
import io.holdpoint.internal.question.Restart;
import io.holdpoint.store.Call;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What one execution of a tool is told about its call, and what it asks. The first question counts, also if the tool
 * swallows the exception that comes with it. Thread-safe.
 */
final class RunningCall implements ToolCallContext {

    private final String threadId;
    private final String runId;
    private final String toolCallId;
    private final String idempotencyKey;
    private final List<JsonNode> answers;
    private final int longest;
    private final AtomicReference<ToolInterrupt> raised = new AtomicReference<>();

    /**
     * @param call as it was before this execution
     * @param execute what is executed
     * @param longest question that may be asked, in characters
     */
    RunningCall(TurnSession turn, Call call, Decision.Execute execute, int longest) {
        this(turn, call.toolCallId(), call.idempotencyKey(), Restart.answers(call, execute), longest);
    }

    static RunningCall whereNobodyCanBeAsked(TurnSession turn, String toolCallId, String idempotencyKey) {
        return new RunningCall(turn, toolCallId, idempotencyKey, List.of(), 0);
    }

    private RunningCall(
            TurnSession turn, String toolCallId, String idempotencyKey, List<JsonNode> answers, int longest) {
        this.threadId = turn.threadId();
        this.runId = turn.runId();
        this.toolCallId = toolCallId;
        this.idempotencyKey = idempotencyKey;
        this.answers = answers;
        this.longest = longest;
    }

    /** What the tool asked, if it did. */
    Optional<ToolInterrupt> raised() {
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
    public List<JsonNode> answers() {
        return answers.stream().map(JsonNode::<JsonNode>deepCopy).toList();
    }

    @Override
    public ToolInterruptedException interrupt(ToolInterrupt interrupt) {
        if (longest == 0) {
            throw new IllegalStateException("Nobody can be asked here: the call was made in a guardrail's re-prompt.");
        }
        int length = interrupt.message().length()
                + interrupt.responseSchema().toString().length()
                + interrupt.clientMetadata().toString().length();
        if (length > longest) {
            throw new IllegalArgumentException("The interrupt's message, schema and metadata have " + length
                    + " characters together; at most " + longest + " can be asked (Limits.resultLength).");
        }
        raised.compareAndSet(null, interrupt);
        throw new ToolInterruptedException();
    }
}
