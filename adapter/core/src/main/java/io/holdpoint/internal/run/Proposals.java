package io.holdpoint.internal.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import io.holdpoint.Caller;
import io.holdpoint.ErrorCode;
import io.holdpoint.Proposal;
import io.holdpoint.RunRejectedException;
import io.holdpoint.RunResult;
import io.holdpoint.agui.Agui;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.agui.ToolCall;
import io.holdpoint.internal.Ids;
import io.holdpoint.internal.agent.HookFailedException;
import io.holdpoint.internal.events.EventEmitter;
import io.holdpoint.internal.gate.ToolArguments;
import io.holdpoint.internal.input.Access;
import io.holdpoint.internal.memory.ChatMessageJson;
import io.holdpoint.internal.turn.ToolResult;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.ThreadRecord;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Calls that no model made: each is a batch of one call, whose id is the call's as well, in a run without a model. Thread-safe.
 */
public final class Proposals {

    private static final String BUSY =
            "A question is open on this thread, and nothing was proposed. Answer or cancel it first,"
                    + " or propose the call on a thread of its own.";
    private static final String TAKEN =
            "id: this thread has had another call of this id, or one that is no longer kept. Give each"
                    + " proposal an id of its own.";
    private static final String NO_ID =
            "id: must have 1 to " + Agui.MAX_ID_LENGTH + " characters and no control characters";

    private final AgentRuns<?> runs;

    Proposals(AgentRuns<?> runs) {
        this.runs = runs;
    }

    /** Makes a call in a run on this thread, unless the thread has it already. */
    public Proposal propose(Caller caller, String clientThreadId, ToolExecutionRequest call) {
        runs.active.requireOpen();
        ToolCall shown = new ToolCall(call.id(), call.name(), call.arguments());
        List<Message> messages = List.of(new Message.Assistant(call.id(), null, List.of(shown)));
        RunAgentInput input = take(caller, RunAgentInput.of(clientThreadId, Ids.run(), messages))
                .withMessages(messages); // or it would only ask to see the thread
        Optional<Proposal> known = same(caller, input.threadId(), clientThreadId, call);
        if (known.filter(before -> before.state() != Proposal.State.GOES_ON).isPresent()) {
            return known.get();
        }
        RunResult ended;
        try {
            ended = runs.propose(caller, input, call).join();
        } catch (RunRejectedException e) {
            return known.filter(before -> e.code() == ErrorCode.RUN_IN_PROGRESS).orElseThrow(() -> e);
        }
        return same(caller, input.threadId(), clientThreadId, call).orElseThrow(() -> refusal(ended));
    }

    private RunAgentInput take(Caller caller, RunAgentInput input) {
        try {
            return runs.take(caller, input);
        } catch (HookFailedException e) {
            throw refusal(RunEnding.beforeItBegan(input, new EventEmitter(event -> {}), e));
        }
    }

    /** The reason for which a run has not made the call. */
    private static RunRejectedException refusal(RunResult ended) {
        if (ended instanceof RunResult.Failed failed) {
            return new RunRejectedException(failed.code(), failed.message());
        }
        return ended instanceof RunResult.Interrupted
                ? new RunRejectedException(ErrorCode.INTERRUPT_PENDING, BUSY)
                : taken();
    }

    private static RunRejectedException taken() {
        return new RunRejectedException(ErrorCode.INPUT_INVALID, TAKEN);
    }

    /** Finds the proposal of this call; another call of its id is a mistake. */
    private Optional<Proposal> same(Caller caller, String threadId, String clientThreadId, ToolExecutionRequest call) {
        List<ToolExecutionRequest> only = List.of(call);
        return find(caller, threadId, clientThreadId, call.id(), batch -> {
            if (!batch.isProposal()
                    || !ChatMessageJson.read(AiMessage.class, batch.message().json())
                            .toolExecutionRequests()
                            .equals(only)) {
                throw taken();
            }
        });
    }

    /** Reads a proposal; empty if the caller has no such thread, or the thread no such proposal. */
    public Optional<Proposal> find(Caller caller, String threadId, String clientThreadId, String id) {
        return find(caller, threadId, clientThreadId, id, batch -> {});
    }

    private Optional<Proposal> find(
            Caller caller, String threadId, String clientThreadId, String id, Consumer<Batch> check) {
        if (!Agui.isId(id)) {
            return Optional.empty();
        }
        return runs.threads.find(caller, threadId).flatMap(thread -> {
            Optional<Batch> kept = runs.config.store.findBatch(threadId, Store.By.BATCH, id);
            kept.ifPresent(check);
            return kept.filter(Batch::isProposal).map(batch -> proposal(caller, thread, clientThreadId, batch));
        });
    }

    private Proposal proposal(Caller caller, ThreadRecord thread, String clientThreadId, Batch batch) {
        Call call = batch.calls().get(0);
        Optional<Batch> held = Optional.of(batch);
        String arguments = call.lastAttempt().map(Call.Attempt::arguments).orElse(call.arguments());
        return new Proposal(
                clientThreadId,
                batch.id(),
                call.toolName(),
                ToolArguments.read(arguments),
                state(call),
                ThreadView.pending(new Access(runs.config).shown(caller, thread.threadId(), thread.owner(), held)),
                Optional.ofNullable(call.result()).map(ToolResult::replay));
    }

    private static Proposal.State state(Call call) {
        return switch (call.state()) {
            case EXECUTED -> Proposal.State.EXECUTED;
            case FAILED -> Proposal.State.FAILED;
            case NOT_EXECUTED -> Proposal.State.NOT_EXECUTED;
            case PENDING, DECIDED, CLAIMED, UNKNOWN ->
                call.openQuestion().isPresent() ? Proposal.State.WAITS : Proposal.State.GOES_ON;
        };
    }

    /** The call as it is stored and compared. */
    public static ToolExecutionRequest call(String tool, ObjectNode arguments, String id) {
        if (!Agui.isId(id)) {
            throw new RunRejectedException(ErrorCode.INPUT_INVALID, NO_ID);
        }
        String canonical = ToolArguments.write(ToolArguments.canonical(arguments));
        return ToolExecutionRequest.builder()
                .id(id)
                .name(tool)
                .arguments(canonical)
                .build();
    }
}
