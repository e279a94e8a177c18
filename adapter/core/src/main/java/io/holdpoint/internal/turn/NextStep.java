package io.holdpoint.internal.turn;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import io.holdpoint.internal.gate.GatedTool;
import io.holdpoint.internal.gate.ModelTexts;
import io.holdpoint.internal.gate.ToolArguments;
import io.holdpoint.internal.gate.Verdict;
import io.holdpoint.internal.question.Decision;
import io.holdpoint.internal.question.ToolError;
import io.holdpoint.store.Call;
import io.holdpoint.store.CallState;
import io.holdpoint.store.Question;

/**
 * What to do with a call that has no result yet, when its batch goes on: what its record says, as long as the tool is still
 * the one that the record is about.
 */
public final class NextStep {

    private final TurnTools tools;
    private final GatedTool tool;
    private final boolean laterRun;

    /**
     * @param tools of the turn
     * @param tool the tool that would run
     * @param laterRun whether the call was let through the gate by an earlier run: then it must still be let through
     */
    public NextStep(TurnTools tools, GatedTool tool, boolean laterRun) {
        this.tools = tools;
        this.tool = tool;
        this.laterRun = laterRun;
    }

    /**
     * Looks at a call.
     *
     * @param call not settled, and not waiting for an answer
     * @throws IllegalStateException if the call is settled or waits
     */
    public Decision with(Call call) {
        return switch (call.state()) {
            case PENDING -> pending(call);
            case DECIDED -> Decision.of(call, tool.arguments()).match(execute -> decided(call, execute), no -> no);
            case CLAIMED -> claimed(call);
            case EXECUTED, FAILED, NOT_EXECUTED ->
                throw new IllegalStateException("a settled call has a result: " + call);
        };
    }

    private Decision pending(Call call) {
        if (call.openQuestion().isPresent()) {
            throw new IllegalStateException("the call " + call.toolCallId() + " waits for an answer");
        }
        Decision.Execute proposed = Decision.asProposed(call);
        if (!mustStillBeLetThrough(call)) {
            return checked(call, proposed);
        }
        Verdict verdict = gate(call, proposed);
        return switch (verdict.kind()) {
            case ALLOW -> checked(call, proposed);
            case ASK ->
                allows(call, verdict.question(), proposed)
                        ? checked(call, proposed)
                        : notExecuted(ModelTexts.nobodyWasAsked(call.toolName()));
            case REFUSE -> notExecuted(verdict.refusal());
        };
    }

    /** What a person had remembered may be taken back at any time, and ends by itself. */
    private boolean mustStillBeLetThrough(Call call) {
        return tool.isGuarded() && (laterRun || call.grantId() != null);
    }

    private boolean allows(Call call, Question question, Decision.Execute execute) {
        return tools.remembered().stillAllow(call, question, tool, execute.arguments());
    }

    /** What a person has edited is decided about again; they have approved it, so only a denial counts. */
    private Decision decided(Call call, Decision.Execute execute) {
        boolean attempted = call.lastAttempt()
                .filter(last -> last.arguments().equals(execute.arguments()))
                .isPresent();
        if (!execute.edited() || !tool.isGuarded() || attempted) {
            return checked(call, execute);
        }
        Verdict verdict = gate(call, execute);
        return switch (verdict.kind()) {
            case ALLOW, ASK -> checked(call, execute);
            case REFUSE ->
                call.attempts().isEmpty()
                        ? notExecuted(verdict.refusal())
                        : ToolError.notTriedAgain(call, verdict.refusal());
        };
    }

    /** Without asking anybody, only what declares itself harmless, then and now, is executed again. */
    private Decision claimed(Call call) {
        if (!call.idempotent() || !tool.idempotent()) {
            return unknownOutcome(call);
        }
        Decision.Execute again = Decision.again(call);
        if (!call.questions().isEmpty() || !tool.isGuarded()) {
            return checked(call, again);
        }
        Verdict verdict = gate(call, again);
        boolean allowed =
                switch (verdict.kind()) {
                    case ALLOW -> true;
                    case ASK -> allows(call, verdict.question(), again);
                    case REFUSE -> false;
                };
        return allowed ? checked(call, again) : unknownOutcome(call);
    }

    private Verdict gate(Call call, Decision.Execute execute) {
        ToolExecutionRequest request = ToolExecutionRequest.builder()
                .id(call.toolCallId())
                .name(call.toolName())
                .arguments(execute.arguments())
                .build();
        return tools.gate().decide(request, tool, tools.scope());
    }

    private Decision checked(Call call, Decision.Execute execute) {
        if (!tool.sha256().equals(call.toolSha256())) {
            return refused(call, ModelTexts.toolChanged(call.toolName()), ModelTexts.TOOL_CHANGED);
        }
        if (!execute.edited() && !ToolArguments.sha256(execute.arguments()).equals(call.argumentsSha256())) {
            return refused(call, ModelTexts.argumentsChanged(call.toolName()), ModelTexts.ARGUMENTS_CHANGED);
        }
        return execute;
    }

    private static Decision refused(Call call, String text, String why) {
        return call.attempts().isEmpty() ? notExecuted(text) : Decision.notAgain(call, why);
    }

    private static Decision notExecuted(String text) {
        return new Decision.Settle(CallState.NOT_EXECUTED, text);
    }

    private static Decision unknownOutcome(Call call) {
        return new Decision.Settle(CallState.FAILED, ModelTexts.unknownOutcome(call.toolName()));
    }
}
