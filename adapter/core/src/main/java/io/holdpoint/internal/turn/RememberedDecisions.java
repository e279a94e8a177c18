package io.holdpoint.internal.turn;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.internal.gate.GatedTool;
import io.holdpoint.internal.gate.Remembering;
import io.holdpoint.internal.gate.ToolArguments;
import io.holdpoint.internal.input.Deciders;
import io.holdpoint.internal.journal.AuditEvents;
import io.holdpoint.store.Call;
import io.holdpoint.store.Grant;
import io.holdpoint.store.Question;
import io.holdpoint.store.Store;
import java.time.Clock;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * Whether a person is to be asked who has decided before. What the store has counts, as it is at this moment, and nothing
 * else: a decision counts only if whoever would be asked now were offered to have it remembered, so for every policy that
 * asks, and if the person who gave it could approve this call as well.
 */
public final class RememberedDecisions {

    private final Store store;
    private final String threadId;
    private final Clock clock;
    private final Deciders deciders;

    public RememberedDecisions(Store store, String threadId, Clock clock, Deciders deciders) {
        this.store = store;
        this.threadId = threadId;
        this.clock = clock;
        this.deciders = deciders;
    }

    /** Why a decision does not count; the names in lower case are on the wire. */
    private enum Why {
        EXPIRED,
        TOOL_CHANGED,
        NOT_ALLOWED
    }

    /**
     * Looks for a decision about a call that was just proposed.
     *
     * @param question what a person would be asked
     * @param arguments canonical text
     * @param allowed if there is one
     * @param asked with the question, which says so if there is one that does not count any more
     */
    <T> T about(
            Question question,
            GatedTool tool,
            String arguments,
            Function<Grant, T> allowed,
            Function<Question, T> asked) {
        Remembering offered = offered(question);
        if (offered.scopes().isEmpty()) {
            return asked.apply(question);
        }
        Question toAsk = question;
        for (Grant grant : store.grants(threadId)) {
            if (covers(grant, offered, tool, arguments)) {
                Optional<Why> why = whyNot(grant, offered, tool, question);
                if (why.isEmpty()) {
                    return allowed.apply(grant);
                }
                toAsk = unused(question, grant, why.get());
            }
        }
        return asked.apply(toAsk);
    }

    /**
     * Whether the decision that let a call through still does.
     *
     * @param call let through, or not
     * @param question what a person would be asked
     * @param arguments canonical text of what is about to run
     */
    boolean stillAllow(Call call, Question question, GatedTool tool, String arguments) {
        String id = call.grantId();
        Remembering offered = offered(question);
        return id != null
                && store.grants(threadId).stream()
                        .filter(grant -> grant.id().equals(id))
                        .anyMatch(grant -> covers(grant, offered, tool, arguments)
                                && whyNot(grant, offered, tool, question).isEmpty());
    }

    private static Remembering offered(Question question) {
        ObjectNode schema = question.interrupt().responseSchema();
        return Remembering.offered(schema == null ? AguiCodec.mapper().missingNode() : schema);
    }

    private static boolean covers(Grant grant, Remembering offered, GatedTool tool, String arguments) {
        return offered.scopes().contains(grant.scope()) && grant.covers(tool.name(), ToolArguments.sha256(arguments));
    }

    private Optional<Why> whyNot(Grant grant, Remembering offered, GatedTool tool, Question question) {
        Instant now = clock.instant();
        boolean tooLongAgo = !now.isBefore(grant.grantedAt().plus(offered.longest()));
        if (grant.isExpired(now) || tooLongAgo) {
            return Optional.of(Why.EXPIRED);
        }
        if (!grant.approved().toolSha256().equals(tool.sha256())) {
            return Optional.of(Why.TOOL_CHANGED);
        }
        boolean mayDecide = store.find(threadId)
                .filter(thread -> deciders.mayHaveApproved(grant, thread, question))
                .isPresent();
        return mayDecide ? Optional.empty() : Optional.of(Why.NOT_ALLOWED);
    }

    /** The person who is asked, and the audit trail, see that somebody had decided, and why that does not count. */
    private static Question unused(Question question, Grant grant, Why why) {
        Interrupt interrupt = question.interrupt().copy();
        ObjectNode metadata = Objects.requireNonNull(interrupt.metadata());
        metadata.withObject("/langchain4j")
                .putObject(AuditEvents.UNUSED_GRANT)
                .put("id", grant.id())
                .put("why", why.name().toLowerCase(Locale.ROOT));
        return new Question(question.kind(), interrupt, question.askedAt());
    }
}
