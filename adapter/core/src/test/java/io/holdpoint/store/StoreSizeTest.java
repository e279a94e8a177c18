package io.holdpoint.store;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.holdpoint.RunResult;
import io.holdpoint.store.Store.Place;
import io.holdpoint.testing.Bench;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What is looked for every minute costs what is found, not what the store has. A look at a thread allocates, so bytes count the looks. */
class StoreSizeTest {

    private static final int FEW = 20;
    private static final int MANY = 1_000;
    private static final int PAGE = 5;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final Bench bench = new Bench();
    private final Store store = bench.store;
    private int threads;

    /** Half of them are settled, and half wait for an answer. */
    private void grow(int count) {
        for (; threads < count; threads++) {
            String threadId = "t" + threads;
            bench.model.calls(call(threadId, "sendEmail", Bench.MAIL));
            bench.agent().send(threadId, "Write");
            if (threads % 2 == 0) {
                bench.model.says("Done.");
                assertThat(bench.agent()
                                .resume(
                                        threadId,
                                        bench.agent()
                                                .pending(threadId)
                                                .get(0)
                                                .asApproval()
                                                .approve()))
                        .isInstanceOf(RunResult.Completed.class);
            }
        }
    }

    private Map<String, Long> looks() {
        Instant now = bench.clock.instant();
        Map<String, Long> cost = new TreeMap<>();
        for (Store.Wanted what : Store.Wanted.values()) {
            cost.put("threads " + what, bytes(each -> each.threads(what, Place.FIRST, now.plusSeconds(1), PAGE)));
        }
        cost.put("open", bytes(each -> each.open(Optional.empty(), Place.FIRST, PAGE)));
        cost.put("open of nobody", bytes(each -> each.open(Optional.of("nobody"), Place.FIRST, PAGE)));
        for (Store.Old what : Store.Old.values()) {
            cost.put("purge " + what + ", nothing", bytes(each -> each.purge(what, Instant.EPOCH, PAGE)));
            cost.put("purge " + what, bytes(each -> each.purge(what, now.plusSeconds(1), PAGE)));
        }
        return cost;
    }

    private long bytes(Consumer<Store> look) {
        look.accept(store); // its classes are loaded
        long before = THREADS.getCurrentThreadAllocatedBytes();
        look.accept(store);
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }

    @Test
    void aLookAtALargeStoreCostsWhatOneAtASmallStoreCosts() {
        grow(FEW);
        looks();
        grow(2 * FEW);
        Map<String, Long> small = looks();
        grow(MANY);

        Map<String, Long> large = looks();

        assertThat(large).allSatisfy((look, bytes) -> assertThat(bytes)
                .as("bytes of %s in a store of %s threads", look, MANY)
                .isLessThanOrEqualTo(2 * small.get(look) + 1_000));
    }
}
