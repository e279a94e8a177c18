package io.holdpoint.internal.run;

import io.holdpoint.internal.gate.GatedTool;
import io.holdpoint.internal.gate.NotExecuted;
import io.holdpoint.internal.gate.ToolArguments;
import io.holdpoint.internal.question.Decision;
import io.holdpoint.store.Call;
import io.holdpoint.store.CallState;

/**
 * What to do with a call that has no result yet, when its batch goes on: what its record says, as long as the tool is still
 * the one that the record is about.
 */
final class ToDo {

    private ToDo() {}

    /**
     * Looks at a call.
     *
     * @param call not settled, and not waiting for an answer
     * @param tool the tool that would run
     * @throws IllegalStateException if the call is settled or waits
     */
    static Decision with(Call call, GatedTool tool) {
        return switch (call.state()) {
            case PENDING -> pending(call, tool);
            case DECIDED ->
                Decision.of(call, tool.arguments()).match(execute -> checked(call, tool, execute), no -> no);
            case CLAIMED -> claimed(call, tool);
            case EXECUTED, FAILED, NOT_EXECUTED ->
                throw new IllegalStateException("a settled call has a result: " + call);
        };
    }

    private static Decision pending(Call call, GatedTool tool) {
        if (call.openQuestion().isPresent()) {
            throw new IllegalStateException("the call " + call.toolCallId() + " waits for an answer");
        }
        return tool.approval().isPresent()
                ? new Decision.Settle(CallState.NOT_EXECUTED, NotExecuted.nobodyWasAsked(call.toolName()))
                : checked(call, tool, Decision.asProposed(call));
    }

    /** Without asking anybody, only what declares itself harmless, then and now, is executed again. */
    private static Decision claimed(Call call, GatedTool tool) {
        boolean allowed = !call.questions().isEmpty() || tool.approval().isEmpty();
        return call.idempotent() && tool.idempotent() && allowed
                ? checked(call, tool, Decision.again(call))
                : new Decision.Settle(CallState.FAILED, NotExecuted.unknownOutcome(call.toolName()));
    }

    private static Decision checked(Call call, GatedTool tool, Decision.Execute execute) {
        if (!tool.sha256().equals(call.toolSha256())) {
            return refused(call, NotExecuted.toolChanged(call.toolName()), NotExecuted.TOOL);
        }
        if (!execute.edited() && !ToolArguments.sha256(execute.arguments()).equals(call.argumentsSha256())) {
            return refused(call, NotExecuted.changed(call.toolName()), NotExecuted.ARGUMENTS);
        }
        return execute;
    }

    private static Decision refused(Call call, String text, String why) {
        return call.attempts().isEmpty()
                ? new Decision.Settle(CallState.NOT_EXECUTED, text)
                : new Decision.Settle(CallState.FAILED, NotExecuted.notRetried(call.toolName(), why));
    }
}
