package io.holdpoint.internal.turn;

import io.holdpoint.store.Batch;
import io.holdpoint.store.Call;
import io.holdpoint.store.TurnRecord;
import java.util.List;
import java.util.Set;

/** Ends a turn whose model makes the same calls all the time, none of which can run: each round is paid for. Not thread-safe. */
final class UselessCalls {

    private static final int MOST = 3;

    private List<String> last = List.of();
    private int times;

    /** Counts a gated batch; throws at the third of the same useless ones in a row. */
    void count(Batch gated) {
        Set<String> declined = Set.copyOf(gated.turn().declined());
        List<String> keys = gated.calls().stream().map(TurnRecord::key).toList();
        for (Call call : gated.calls()) {
            if (!call.state().isSettled() || declined.contains(TurnRecord.key(call))) {
                keys = List.of();
            }
        }
        times = keys.equals(last) ? times + 1 : 1;
        last = keys;
        if (times >= MOST && !keys.isEmpty()) {
            throw new Failures.RepetitionException(times);
        }
    }
}
