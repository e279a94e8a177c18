package io.holdpoint.internal.follow;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import io.holdpoint.EventSink;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.agui.Event;
import io.holdpoint.agui.ReasoningEvent;
import io.holdpoint.agui.RunEvent;
import io.holdpoint.agui.RunFinishedOutcome;
import io.holdpoint.agui.TextMessageEvent;
import io.holdpoint.agui.ToolCallEvent;
import io.holdpoint.follow.RunHandler;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.ThreadRecord;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Tells a handler what the events of a run say. Events come one at a time. */
public final class HandlerSink implements EventSink {

    private final RunHandler handler;
    private final Store store;
    private final String threadId;
    private final Map<String, String> names = new HashMap<>();
    private final Map<String, StringBuilder> arguments = new HashMap<>();

    public HandlerSink(RunHandler handler, Store store, String threadId) {
        this.handler = handler;
        this.store = store;
        this.threadId = threadId;
    }

    @Override
    public void send(Event event) {
        switch (event.type()) {
            case "TEXT_MESSAGE_CONTENT" -> handler.onPartialResponse(((TextMessageEvent.Content) event).delta());
            case "REASONING_MESSAGE_CONTENT" ->
                handler.onPartialThinking(((ReasoningEvent.MessageContent) event).delta());
            case "TOOL_CALL_START" -> {
                ToolCallEvent.Start start = (ToolCallEvent.Start) event;
                names.put(start.toolCallId(), start.toolCallName());
                arguments.put(start.toolCallId(), new StringBuilder());
            }
            case "TOOL_CALL_ARGS" -> {
                ToolCallEvent.Args args = (ToolCallEvent.Args) event;
                arguments.get(args.toolCallId()).append(args.delta());
            }
            case "TOOL_CALL_END" -> {
                String id = ((ToolCallEvent.End) event).toolCallId();
                handler.onToolCall(request(id, names.get(id), arguments.get(id).toString()));
            }
            case "TOOL_CALL_RESULT" -> {
                ToolCallEvent.Result result = (ToolCallEvent.Result) event;
                handler.onToolCallExecuted(
                        executed(result.toolCallId()), result.content().asText());
            }
            case "RUN_FINISHED" -> {
                if (((RunEvent.Finished) event).outcome() instanceof RunFinishedOutcome.Interrupted held) {
                    held.interrupts()
                            .forEach(interrupt -> handler.onToolCallHeld(PendingInterrupt.of(interrupt.copy())));
                }
            }
            default -> {} // the other events are for clients
        }
    }

    /** The call as it ran; of a call that an earlier run proposed, this run's events tell only the id. */
    private ToolExecutionRequest executed(String toolCallId) {
        if (names.containsKey(toolCallId)) {
            return request(
                    toolCallId, names.get(toolCallId), arguments.get(toolCallId).toString());
        }
        List<Call> calls = store.find(threadId)
                .flatMap(ThreadRecord::batch)
                .map(Batch::calls)
                .orElse(List.of());
        for (Call call : calls) {
            if (call.toolCallId().equals(toolCallId)) {
                return request(
                        toolCallId,
                        call.toolName(),
                        call.lastAttempt().map(Call.Attempt::arguments).orElse(call.arguments()));
            }
        }
        return request(toolCallId, "", "{}");
    }

    private static ToolExecutionRequest request(String id, String name, String arguments) {
        return ToolExecutionRequest.builder()
                .id(id)
                .name(name)
                .arguments(arguments)
                .build();
    }
}
