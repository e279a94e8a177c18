package io.holdpoint;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.service.tool.ToolExecutionResult;
import java.util.List;
import java.util.Optional;

/**
 * A call that no model made but a caller: a step of a workflow, a job, an undo. See {@link Holdpoint#propose}. Immutable, as long as its
 * arguments are not changed.
 *
 * @param id of the proposal and of its call: {@code toolCallId} of its questions, and in the audit trail
 * @param tool its name
 * @param arguments those with which it was executed last; before that, as they were proposed, with the defaults of the tool
 * @param state how far it has come
 * @param open the questions that wait for an answer, as far as the caller may see them
 * @param result the result as a model would get it, what people have remarked first; empty before there is one. Without LangChain4j's
 *     {@code result()} object, which is not stored
 */
public record Proposal(
        String threadId,
        String id,
        String tool,
        ObjectNode arguments,
        State state,
        List<PendingInterrupt> open,
        Optional<ToolExecutionResult> result) {

    /** The stages of a proposal. */
    public enum State {
        /** Somebody is asked, before the call or about what has become of it. */
        WAITS,
        /**
         * The call has neither a question nor a result: a run is at work, or has died. Propose the same id again to have it go on in that case.
         */
        GOES_ON,
        /** The tool returned, or a person gave its result. */
        EXECUTED,
        /** The tool was entered and failed, or its outcome stays unknown; the result says which. */
        FAILED,
        /** The tool was not entered and never will be: denied, refused, cancelled or expired; the result says which. */
        NOT_EXECUTED
    }

    /** Copies the list. */
    public Proposal {
        open = List.copyOf(open);
    }

    /** Says whether there is a result, and nothing changes any more. */
    public boolean isOver() {
        return result.isPresent();
    }
}
