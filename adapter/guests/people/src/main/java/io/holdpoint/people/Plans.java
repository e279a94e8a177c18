package io.holdpoint.people;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunRejectedException;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.internal.Ids;
import io.holdpoint.internal.run.Inside;
import java.util.List;
import java.util.Optional;

/**
 * Shows what calls would do while somebody decides about them, for the caller whom the agent is bound to.
 *
 * <pre>{@code
 * ResumeEntry edit = question.edit("amount", 5);
 * ObjectNode plan = Plans.of(agent).shown(threadId, edit).orElseThrow();
 * agent.resume(threadId, question.with(edit, "effect", plan.path("fingerprint").asText()));
 * }</pre>
 *
 * <p>Immutable, thread-safe.
 */
public final class Plans {

    private final Inside inside;

    private Plans(Inside inside) {
        this.inside = inside;
    }

    /** Returns the plans of an agent's calls. */
    public static Plans of(Holdpoint agent) {
        return new Plans(Inside.of(agent));
    }

    /**
     * Makes the plan of the call that an answer would let run, with its edits. The answer is not taken, and nothing is stored; it need not have what
     * has nothing to do with the call, such as a value that is to be repeated.
     *
     * @return what a question about the call would have in {@code metadata.langchain4j.effect}: with {@code fingerprint}, or {@code why} there is no plan;
     *     empty if the tool has no {@link Effect}, this server has not looked at it since it started, or the answer lets nothing run
     * @throws RunRejectedException if there is no such open question, or the caller may not give this answer, or its edits do not fit
     */
    public Optional<ObjectNode> shown(String threadId, ResumeEntry answer) {
        Caller caller = inside.caller();
        RunAgentInput input = RunAgentInput.of(inside.thread(caller, threadId), Ids.run(), List.of())
                .withResume(List.of(answer));
        return Optional.ofNullable(inside.runs().shown(caller, input).get("effect"));
    }
}
