package io.holdpoint.internal.turn;

import io.holdpoint.ApprovalVerdict;
import io.holdpoint.ProposedCall;
import io.holdpoint.internal.gate.Gate;
import io.holdpoint.internal.gate.Gate.Verdict;
import io.holdpoint.internal.gate.GatedTool;
import io.holdpoint.internal.gate.ModelTexts;
import io.holdpoint.internal.gate.Rules;
import io.holdpoint.internal.gate.ToolArguments;
import io.holdpoint.internal.gate.Voices;
import io.holdpoint.internal.question.ToolApproval;
import io.holdpoint.rule.Intended;
import io.holdpoint.rule.Outlook;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call;
import io.holdpoint.store.Call.Answer;
import io.holdpoint.store.Grant;
import io.holdpoint.store.Reversibility;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The calls of a turn's tools that nobody has proposed yet: what would become of them, and which were approved with another one. Thread-safe. */
public final class LaterCalls {

    private static final Logger LOG = LoggerFactory.getLogger(LaterCalls.class);

    private final TurnGate gate;
    private final Run run;
    private final Gate.Scope scope;

    LaterCalls(TurnGate gate, Run run, Gate.Scope scope) {
        this.gate = gate;
        this.run = run;
        this.scope = scope;
    }

    Outlook outlook(Intended intended) {
        return gate.find(intended.toolName())
                .map(tool -> new Outlook(verdict(intended, tool), tool.sha256()))
                .orElseGet(() -> {
                    String named = ModelTexts.shown(intended.toolName());
                    return new Outlook(ApprovalVerdict.deny("there is no tool \"" + named + "\""), "");
                });
    }

    private ApprovalVerdict verdict(Intended intended, GatedTool tool) {
        Verdict verdict = decide(intended, tool);
        return switch (verdict.kind()) {
            case ALLOW -> ApprovalVerdict.allow();
            case REFUSE -> ApprovalVerdict.deny(verdict.refusal().why());
            case ASK ->
                !isAsListed(intended, verdict)
                        ? ApprovalVerdict.deny("it would run with " + verdict.arguments() + ". List it like that")
                        : tool.reversibility().equals(Optional.of(Reversibility.IRREVERSIBLE))
                                ? ApprovalVerdict.requireApproval("it cannot be taken back")
                                : ApprovalVerdict.requireApprovalIf(!mayBeApprovedBefore(verdict, tool));
        };
    }

    /** Checks that people who read the list read all that would run, what the tool adds by default too. */
    private static boolean isAsListed(Intended intended, Verdict verdict) {
        return verdict.arguments().equals(ToolArguments.write(ToolArguments.canonical(intended.arguments())));
    }

    private Verdict decide(Intended intended, GatedTool tool) {
        return gate.decide("", ToolArguments.write(intended.arguments()), tool);
    }

    /** Calls that a client executes are not counted. */
    private static boolean mayBeApprovedBefore(Verdict verdict, GatedTool tool) {
        return verdict.kind() == Verdict.Kind.ASK
                && !tool.ofClient()
                && verdict.remembering().scopes().contains(Grant.Scope.SAME_CALL);
    }

    /**
     * Gives the grants for the calls that were approved with one of a batch that has run, and not denied beside it: all of them, or nothing if
     * there is no room for that, or if it cannot be found out, because the result that is there must not be lost for it.
     */
    public Optional<List<Grant>> approvedWith(Batch batch, Call call, String arguments) {
        try {
            List<Grant> grants = new ArrayList<>(grants(call, arguments));
            batch.calls().stream()
                    .filter(ToolApproval::isDenied)
                    .forEach(denied -> grants.removeIf(grant -> ToolApproval.covers(grant, denied)));
            if (Grant.haveRoom(grants, run.store, run.threadId, run.owner, run.clock.instant())) {
                return Optional.of(grants);
            }
            LOG.warn(
                    "{} calls that were approved with \"{}\" are asked about: the thread has no room for more remembered decisions",
                    grants.size(),
                    call.toolName());
        } catch (Throwable e) { // a missing class too, and not every store is written in Java
            LOG.warn("Calls that were approved with \"{}\" are asked about", call.toolName(), e);
        }
        return Optional.empty();
    }

    private List<Grant> grants(Call call, String arguments) {
        GatedTool own = gate.find(call.toolName()).orElse(null);
        Call.Asked approved = call.answered().orElse(null);
        if (own == null
                || approved == null
                || !approved.question().isForApproval()
                || Voices.isDelegated(approved.question())) {
            return List.of();
        }
        Answer answer = approved.answer().orElseThrow();
        List<Grant> grants = new ArrayList<>();
        ProposedCall ran = Gate.proposed(scope, own, call.toolCallId(), ToolArguments.read(arguments));
        for (Intended each : Rules.intended(own.rules(), ran, approved.question())) {
            gate.find(each.toolName())
                    .filter(tool -> tool.is(each.toolSha256()))
                    .ifPresent(tool -> {
                        Verdict verdict = decide(each, tool);
                        if (mayBeApprovedBefore(verdict, tool)
                                && isAsListed(each, verdict)
                                && verdict.isApprovedBy(approved.question(), List.of(answer))) {
                            grants.add(ToolApproval.intended(call, approved, verdict, tool.sha256(), each.times()));
                        }
                    });
        }
        return grants;
    }
}
