package io.holdpoint;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** A context without a run. */
record GivenCallContext(String threadId, String runId, String toolCallId, String idempotencyKey, List<JsonNode> answers)
        implements ToolCallContext {

    @Override
    public ToolInterruptedException interrupt(ToolInterrupt interrupt) {
        throw new ToolInterruptedException();
    }
}
