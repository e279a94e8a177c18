package io.holdpoint.internal.turn;

import io.holdpoint.internal.gate.Gate.Verdict;
import io.holdpoint.internal.gate.GatedTool;
import io.holdpoint.internal.gate.ModelTexts;
import io.holdpoint.internal.gate.ModelTexts.Refusal;
import io.holdpoint.internal.gate.ToolArguments;
import io.holdpoint.internal.gate.Voices;
import io.holdpoint.internal.question.NextStep;
import io.holdpoint.rule.Say;
import io.holdpoint.store.Call;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks a call a last time before its batch goes on: the call does what its record says, as long as the tool is still the one
 * that the record is about, as long as the gate still lets through what no person has approved, and as long as whoever has
 * approved a call still may.
 */
public final class FinalGate {

    private static final Logger LOG = LoggerFactory.getLogger(FinalGate.class);

    private final TurnGate gate;
    private final GatedTool tool;
    private final boolean laterRun;

    /** With {@code laterRun}, an earlier run has let the call through the gate, so it must still be let through. */
    public FinalGate(TurnGate gate, GatedTool tool, boolean laterRun) {
        this.gate = gate;
        this.tool = tool;
        this.laterRun = laterRun;
    }

    /** Throws if the call has its result already, or waits for an answer. */
    public NextStep of(Call call) {
        return switch (call.state()) {
            case PENDING -> pending(call);
            case DECIDED -> decided(call);
            case CLAIMED -> claimed(call);
            case UNKNOWN -> NextStep.unknownOutcome(call);
            case EXECUTED, FAILED, NOT_EXECUTED ->
                throw new IllegalStateException("a settled call has a result: " + call);
        };
    }

    private NextStep pending(Call call) {
        if (call.openQuestion().isPresent()) {
            throw new IllegalStateException("the call " + call.toolCallId() + " waits for an answer");
        }
        NextStep.Execute proposed = NextStep.asProposed(call);
        if (!mustStillBeLetThrough(call)) {
            return checked(call, proposed);
        }
        Verdict verdict = verdict(call, proposed);
        return switch (verdict.kind()) {
            case ALLOW -> checked(call, proposed);
            case ASK ->
                allows(call, verdict, proposed)
                        ? checked(call, proposed)
                        : NextStep.notExecuted(ModelTexts.needsApprovalByNow(call.toolName()));
            case REFUSE -> NextStep.notExecuted(verdict.refusal().asProposed());
        };
    }

    /** A grant may be revoked at any time, and it expires. */
    private boolean mustStillBeLetThrough(Call call) {
        return ofItsName().isGuarded() && (laterRun || call.grantId() != null);
    }

    private boolean allows(Call call, Verdict verdict, NextStep.Execute execute) {
        return gate.stillAllows(call, verdict, ofItsName(), execute.arguments());
    }

    private NextStep decided(Call call) {
        NextStep decision = NextStep.of(call, tool.arguments());
        NextStep checked = decision instanceof NextStep.Execute execute ? approved(call, execute) : decision;
        return checked instanceof NextStep.Execute execute ? unlessAskedAgain(call, execute) : checked;
    }

    /** Rules look at an approved call a last time: one of them may want a new question in place of the claim. */
    private NextStep unlessAskedAgain(Call call, NextStep.Execute execute) {
        Map<String, Say> said = gate.beforeClaim(call, ofItsName(), execute);
        if (said.isEmpty()) {
            return execute;
        }
        for (Say each : said.values()) {
            if (each.kind() == Say.Kind.DENY) {
                return denied(call, execute, ModelTexts.denied(call.toolName(), String.valueOf(each.why())));
            }
        }
        Verdict verdict = verdict(call, execute);
        return verdict.kind() == Verdict.Kind.REFUSE
                ? denied(call, execute, verdict.refusal())
                : new NextStep.Ask(gate.again(call, ofItsName(), execute, verdict, said));
    }

    /**
     * Arguments that a person has edited go through the gate again; whoever approved them must be all who have to. Of a call that
     * runs as it was shown, or once more, the gate only asks whether it is denied by now.
     */
    private NextStep approved(Call call, NextStep.Execute execute) {
        if (!execute.edited() || isAttempted(call, execute) || !ofItsName().isGuarded()) {
            return unlessDenied(call, execute);
        }
        if (!isProposed(call)) {
            return checked(call, execute);
        }
        Verdict verdict = verdict(call, execute);
        return switch (verdict.kind()) {
            case ALLOW -> checked(call, execute);
            case ASK ->
                isApproved(call, verdict)
                        ? checked(call, execute)
                        : notAsEdited(call, execute, ModelTexts.needsOthers(call.toolName()));
            case REFUSE -> notAsEdited(call, execute, verdict.refusal());
        };
    }

    private static boolean isAttempted(Call call, NextStep.Execute execute) {
        return call.lastAttempt()
                .filter(last -> last.arguments().equals(execute.arguments()))
                .isPresent();
    }

    private NextStep unlessDenied(Call call, NextStep.Execute execute) {
        NextStep checked = checked(call, execute);
        GatedTool named = ofItsName();
        if (!(checked instanceof NextStep.Execute) || !named.isGuarded()) {
            return checked;
        }
        Optional<Refusal> denied = gate.denial(call, named, execute.arguments());
        return denied.isEmpty() ? execute : denied(call, execute, denied.get());
    }

    private static NextStep denied(Call call, NextStep.Execute execute, Refusal refusal) {
        if (!call.attempts().isEmpty()) {
            return NextStep.notAgain(call, refusal.again());
        }
        if (call.answered().isEmpty()) {
            return NextStep.notExecuted(refusal.asProposed());
        }
        return NextStep.notExecuted(execute.edited() ? refusal.asEdited(execute.arguments()) : refusal.asApproved());
    }

    private static boolean isApproved(Call call, Verdict verdict) {
        Call.Asked decisive = call.answered().orElseThrow();
        return verdict.isApprovedBy(
                decisive.question(),
                Voices.with(decisive.votes(), decisive.answer().orElseThrow()));
    }

    private static NextStep notAsEdited(Call call, NextStep.Execute execute, Refusal refusal) {
        return call.attempts().isEmpty()
                ? NextStep.notExecuted(refusal.asEdited(execute.arguments()))
                : NextStep.notAgain(call, refusal.again(execute.arguments()));
    }

    /**
     * Without an answer, only a tool that was idempotent then and is so now is executed again: as it was approved, if rules want nothing else by
     * now, because its body may not have been entered yet.
     */
    private NextStep claimed(Call call) {
        if (!call.proposal().idempotent() || !tool.idempotent()) {
            return NextStep.unknownOutcome(call);
        }
        NextStep.Execute again = NextStep.again(call);
        boolean isAsDecided = call.asked().isEmpty()
                ? !again.edited()
                : NextStep.of(call, tool.arguments()).equals(again);
        if (!isAsDecided) {
            return NextStep.notAgain(call, ModelTexts.ARGUMENTS_CHANGED);
        }
        if (!call.asked().isEmpty() || !ofItsName().isGuarded()) {
            NextStep next = unlessDenied(call, again);
            boolean isAsShown = call.asked().isEmpty()
                    || !(next instanceof NextStep.Execute)
                    || gate.beforeClaim(call, ofItsName(), again).isEmpty();
            return isAsShown ? next : new NextStep.Ask(gate.whatBecameOf(call));
        }
        Verdict verdict = verdict(call, again);
        boolean allowed =
                switch (verdict.kind()) {
                    case ALLOW -> true;
                    case ASK -> allows(call, verdict, again);
                    case REFUSE -> false;
                };
        return allowed ? checked(call, again) : NextStep.unknownOutcome(call);
    }

    private Verdict verdict(Call call, NextStep.Execute execute) {
        return gate.decide(call.toolCallId(), execute.arguments(), ofItsName());
    }

    private NextStep checked(Call call, NextStep.Execute execute) {
        boolean isOther = !isProposed(call);
        if (isOther) {
            LOG.warn(
                    "The call {} of the tool \"{}\" is not executed: it was proposed to another tool of this name. Either"
                            + " the tool has changed since (its class, method, parameters or message), or two agents of one"
                            + " name use one store: give each its own name(...).",
                    call.toolCallId(),
                    call.toolName());
        }
        if (isOther || takesThemDifferently(execute)) {
            return refused(call, ModelTexts.toolChanged(call.toolName()), ModelTexts.TOOL_CHANGED);
        }
        if (!gate.mayStillRun(call)) {
            return refused(call, ModelTexts.mayNotApprove(call.toolName()), ModelTexts.MAY_NOT_APPROVE);
        }
        if (!isAsDecided(call)) {
            return refused(call, ModelTexts.decisionChanged(call.toolName()), ModelTexts.DECISION_CHANGED);
        }
        if (!execute.edited()
                && !ToolArguments.sha256(execute.arguments())
                        .equals(call.proposal().argumentsSha256())) {
            return refused(call, ModelTexts.argumentsChanged(call.toolName()), ModelTexts.ARGUMENTS_CHANGED);
        }
        Optional<Refusal> veto = gate.veto(call, ofItsName(), execute.arguments());
        return veto.isEmpty() ? execute : denied(call, execute, veto.get());
    }

    /** Checks whether the record of who decided about a call, and how, is the one that was stored then. */
    static boolean isAsDecided(Call call) {
        for (Call.Asked asked : call.asked()) {
            if (!asked.isIntact()) {
                LOG.error(
                        "The call {} of the tool \"{}\" is not executed: the record of who decided about it, and how, was changed"
                                + " in the store. Store.check() says more.",
                        call.toolCallId(),
                        call.toolName());
                return false;
            }
        }
        return true;
    }

    /** The tool with every policy of its name: another tool that has it may be the one that people were asked about. */
    private GatedTool ofItsName() {
        return gate.find(tool.name()).orElse(tool);
    }

    /** Which of two tools of one name runs is LangChain4j's affair, if they take the same arguments. */
    private boolean isProposed(Call call) {
        return ofItsName().is(call.proposal().toolSha256()) && tool.takesTheSameAs(ofItsName());
    }

    /** The gate has seen to it, unless the classes of the tool's parameters have changed since. */
    private boolean takesThemDifferently(NextStep.Execute execute) {
        return laterRun
                && tool.isGuarded()
                && !tool.arguments()
                        .misfits(ToolArguments.read(execute.arguments()))
                        .isEmpty();
    }

    private static NextStep refused(Call call, String text, String why) {
        return call.attempts().isEmpty() ? NextStep.notExecuted(text) : NextStep.notAgain(call, why);
    }
}
