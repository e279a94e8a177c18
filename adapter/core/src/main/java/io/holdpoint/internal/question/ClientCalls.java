package io.holdpoint.internal.question;

import io.holdpoint.internal.gate.MethodArguments;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call;
import java.util.List;

/** The calls of a batch that its client executes. */
public final class ClientCalls {

    private ClientCalls() {}

    /**
     * Whether the client is to execute a call, and has not sent its result.
     *
     * @param call any
     * @return {@code false} also if somebody has to be asked first, or has declined
     */
    public static boolean isLeft(Call call) {
        return call.proposal().ofClient()
                && (call.state() == Call.State.DECIDED
                        ? Decision.of(call, MethodArguments.NONE).match(execute -> true, settled -> false)
                        : call.state() == Call.State.PENDING
                                && call.openQuestion().isEmpty());
    }

    /**
     * What a batch waits for, if for nothing but the client.
     *
     * @param batch a batch that nobody is asked about
     * @return ids of the calls, in model order; empty if the server has something to do first
     */
    public static List<String> waitedFor(Batch batch) {
        boolean isClientsTurn = !batch.isOver()
                && batch.calls().stream().allMatch(call -> call.state().isSettled() || isLeft(call));
        return isClientsTurn ? left(batch).stream().map(Call::toolCallId).toList() : List.of();
    }

    /**
     * All of them.
     *
     * @param batch a batch
     * @return in model order
     */
    public static List<Call> left(Batch batch) {
        return batch.calls().stream().filter(ClientCalls::isLeft).toList();
    }
}
