package io.holdpoint;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;

/** A context without a run. */
record GivenCallContext(
        String threadId,
        String runId,
        String toolCallId,
        String idempotencyKey,
        List<JsonNode> answers,
        AtomicReference<JsonNode> present)
        implements ToolCallContext {

    @Override
    public ToolInterruptedException interrupt(ToolInterrupt interrupt) {
        throw new ToolInterruptedException();
    }

    @Override
    public JsonNode state() {
        return present.get().deepCopy();
    }

    @Override
    public JsonNode updateState(UnaryOperator<JsonNode> change) {
        return present.updateAndGet(before -> change.apply(before.deepCopy())).deepCopy();
    }

    @Override
    public void emit(String name, JsonNode value) {}

    @Override
    public void emitRaw(JsonNode event, String source) {}
}
