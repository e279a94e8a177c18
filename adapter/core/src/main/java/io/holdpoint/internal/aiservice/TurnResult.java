package io.holdpoint.internal.aiservice;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.model.output.TokenUsage;
import dev.langchain4j.service.Result;
import dev.langchain4j.service.tool.ToolExecution;
import dev.langchain4j.service.tool.ToolExecutionResult;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.ToolCall;
import io.holdpoint.internal.turn.Run;
import io.holdpoint.internal.turn.TurnPreparation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Completes LangChain4j's result, which knows of the last run of a turn only, with what the earlier runs have used and done. */
final class TurnResult {

    private final Run run;
    private final TurnPreparation turn;

    TurnResult(Run run, TurnPreparation turn) {
        this.run = run;
        this.turn = turn;
    }

    Result<?> of(Result<?> lastRun) {
        if (!turn.isContinued()) {
            return lastRun;
        }
        return Result.<Object>builder()
                .content(lastRun.content())
                .tokenUsage(TokenUsage.sum(turn.usedBefore(), lastRun.tokenUsage()))
                .sources(lastRun.sources())
                .finishReason(lastRun.finishReason())
                .toolExecutions(executions(lastRun.toolExecutions()))
                .intermediateResponses(lastRun.intermediateResponses())
                .finalResponse(lastRun.finalResponse())
                .build();
    }

    /** The calls of earlier messages, from the transcript, before those of the last run. */
    private List<ToolExecution> executions(List<ToolExecution> lastRun) {
        Set<String> known = new HashSet<>();
        lastRun.forEach(execution -> known.add(execution.request().id()));
        Map<String, ToolCall> calls = new LinkedHashMap<>();
        List<ToolExecution> all = new ArrayList<>();
        for (Message message : run.store.transcriptAfter(run.threadId, turn.userMessageId())) {
            if (message instanceof Message.Assistant assistant) {
                assistant.toolCalls().forEach(call -> calls.put(call.id(), call));
            } else if (message instanceof Message.Tool result && !known.contains(result.toolCallId())) {
                ToolCall call = calls.get(result.toolCallId());
                if (call != null) {
                    all.add(execution(call, result));
                }
            }
        }
        all.addAll(lastRun);
        return all;
    }

    private ToolExecution execution(ToolCall call, Message.Tool result) {
        return ToolExecution.builder()
                .request(ToolExecutionRequest.builder()
                        .id(call.id())
                        .name(call.name())
                        .arguments(call.arguments())
                        .build())
                .result(ToolExecutionResult.builder()
                        .isError(result.error() != null)
                        .resultText(result.content().asText())
                        .build())
                .invocationContext(InvocationContext.builder()
                        .chatMemoryId(run.config.memories.id(run.threadId))
                        .build())
                .build();
    }
}
