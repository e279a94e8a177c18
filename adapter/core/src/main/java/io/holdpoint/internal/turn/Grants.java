package io.holdpoint.internal.turn;

import io.holdpoint.ProposedCall;
import io.holdpoint.internal.gate.ApprovalForm;
import io.holdpoint.internal.gate.Gate;
import io.holdpoint.internal.gate.Gate.Verdict;
import io.holdpoint.internal.gate.GatedTool;
import io.holdpoint.internal.gate.Remembering;
import io.holdpoint.internal.gate.ToolArguments;
import io.holdpoint.internal.input.Access;
import io.holdpoint.internal.journal.Audit;
import io.holdpoint.store.Bounds;
import io.holdpoint.store.Call;
import io.holdpoint.store.Call.Answer;
import io.holdpoint.store.Call.Question;
import io.holdpoint.store.Grant;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The grants of a turn's thread, as far as they let a call run without asking. Only the store's present state counts. A grant
 * covers a call if every policy that asks now would offer to remember the answer, and if the person who gave the grant could
 * approve this call as well, the way they did.
 */
final class Grants {

    private final Run run;
    private final Access access;
    /** The uses that calls of this message are going to make, by the grants that have let them through. */
    private final Map<String, List<Grant.Use>> planned = new HashMap<>();

    Grants(Run run, Access access) {
        this.run = run;
        this.access = access;
    }

    /** The reason why a grant does not count; the names in lower case are on the wire. */
    private enum Why {
        EXPIRED,
        TOOL_CHANGED,
        USED_UP,
        NOT_ALLOWED
    }

    /** The grant that lets a call run, or else the question that a person is asked. */
    record Found(Optional<Grant> grant, Question question) {}

    /** Looks for a grant that covers a call. The question says so if there is one that no longer counts. */
    Found find(Verdict verdict, GatedTool tool) {
        Question question = verdict.question();
        Remembering offered = verdict.remembering();
        Question toAsk = question;
        for (Grant grant : present(offered)) {
            if (covers(grant, offered, tool, verdict.arguments())) {
                Optional<Why> why = whyNot(grant, offered, tool, question)
                        .or(() -> usedUp(grant, verdict.call(), verdict.call().toolCallId()));
                if (why.isEmpty()) {
                    uses(grant, verdict.call())
                            .ifPresent(use -> planned.computeIfAbsent(grant.id(), id -> new ArrayList<>())
                                    .add(use));
                    return new Found(Optional.of(grant), question);
                }
                toAsk = unused(question, grant, why.get());
            }
        }
        return new Found(Optional.empty(), toAsk);
    }

    private List<Grant> present(Remembering offered) {
        boolean isOfOwner = offered.bounds().filter(Bounds::perOwner).isPresent();
        return isOfOwner ? Grant.of(run.store, run.threadId, run.owner) : Grant.of(run.store, run.threadId);
    }

    /** Checks whether the grant that let a call through the gate still covers it. */
    boolean stillAllow(Call call, Verdict verdict, GatedTool tool, String arguments) {
        Remembering offered = verdict.remembering();
        for (Grant grant : present(offered)) {
            if (grant.id().equals(call.grantId())
                    && covers(grant, offered, tool, arguments)
                    && whyNot(grant, offered, tool, verdict.question()).isEmpty()
                    && usedUp(grant, verdict.call(), Grant.useOf(call)).isEmpty()) {
                return true;
            }
        }
        return false;
    }

    private static boolean covers(Grant grant, Remembering offered, GatedTool tool, String arguments) {
        Optional<Bounds> bounds = Optional.ofNullable(grant.within()).map(Grant.Within::bounds);
        return offered.scopes().contains(grant.scope())
                && (grant.scope() != Grant.Scope.WITHIN || offered.bounds().equals(bounds))
                && grant.covers(tool.name(), ToolArguments.sha256(arguments), ToolArguments.read(arguments));
    }

    private Optional<Grant.Use> uses(Grant grant, ProposedCall call) {
        return Optional.ofNullable(grant.within())
                .map(within -> within.use(call.toolCallId(), call.arguments(), run.clock.instant()));
    }

    /** The store counts again when the call is claimed. */
    private Optional<Why> usedUp(Grant grant, ProposedCall call, String use) {
        Grant.Within within = grant.within();
        if (within == null) {
            return Optional.empty();
        }
        List<Grant.Use> uses = new ArrayList<>(grant.uses());
        uses.removeIf(earlier -> earlier.toolCallId().equals(use));
        uses.addAll(planned.getOrDefault(grant.id(), List.of()));
        return within.allows(uses, call.arguments(), run.clock.instant()) ? Optional.empty() : Optional.of(Why.USED_UP);
    }

    private Optional<Why> whyNot(Grant grant, Remembering offered, GatedTool tool, Question question) {
        Instant now = run.clock.instant();
        boolean tooLongAgo = !now.isBefore(grant.grantedAt().plus(offered.longest()));
        if (grant.isExpired(now) || tooLongAgo) {
            return Optional.of(Why.EXPIRED);
        }
        if (!tool.is(grant.approved().toolSha256())) {
            return Optional.of(Why.TOOL_CHANGED);
        }
        boolean mayDecide = (!Answer.LINK.equals(grant.approved().via()) || ApprovalForm.isDecidedByLink(question))
                && access.mayHaveApproved(grant, run.threadId, run.owner, question);
        return mayDecide ? Optional.empty() : Optional.of(Why.NOT_ALLOWED);
    }

    /** Tells the person who is asked, and the audit trail, that there is a grant and why it does not count. */
    private static Question unused(Question question, Grant grant, Why why) {
        return Gate.annotated(question, metadata -> metadata.putObject(Audit.UNUSED_GRANT)
                .put("id", grant.id())
                .put("why", why.name().toLowerCase(Locale.ROOT)));
    }
}
