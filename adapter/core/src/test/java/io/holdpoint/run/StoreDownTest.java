package io.holdpoint.run;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.RunResult;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Store;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.RecordingSink;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** A store that cannot even be read when a run is to begin. */
@Logs("Run * could not be started")
class StoreDownTest {

    private final AtomicReference<String> down = new AtomicReference<>("");
    private final Bench bench = new Bench(builder -> builder.store(store(new InMemoryStore())));

    private Store store(Store real) {
        return (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("of")) {
                        return store(real.of((String) arguments[0]));
                    }
                    if (method.getName().equals(down.get())) {
                        throw new IllegalStateException("down: " + method.getName());
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                });
    }

    @Test
    void aRunThatCannotTakeItsLeaseFailsAndMayBeTriedAgain() {
        down.set("acquireOwn");
        bench.model.says("Hello.");

        assertThat(bench.agent().send(Bench.THREAD, "Hi")).isInstanceOf(RunResult.Failed.class);
        down.set("");

        assertThat(bench.agent().send(Bench.THREAD, "Hi")).isInstanceOf(RunResult.Completed.class);
    }

    @Test
    void anAnswerThatCannotBeLookedUpFailsAndLeavesTheQuestionOpen() {
        bench.model.calls(call("c1", "sendEmail", Bench.MAIL));
        bench.agent().send(Bench.THREAD, "Hi");
        var answer = bench.agent().pending(Bench.THREAD).get(0).asApproval().approve();
        down.set("acquireOwn");

        assertThat(bench.agent().resume(Bench.THREAD, answer)).isInstanceOf(RunResult.Failed.class);
        down.set("");

        assertThat(bench.agent().pending(Bench.THREAD)).hasSize(1);
        assertThat(bench.tools.effects()).isEmpty();
    }

    @Test
    void theStreamIsASingleError() {
        down.set("acquireOwn");
        RecordingSink sink = new RecordingSink();

        bench.agent().run(bench.input(Bench.user("u1", "Hi")), sink).join();

        assertThat(sink.types()).containsExactly("RUN_ERROR");
        assertThat(sink.errorCode()).isEqualTo("RUN_FAILED");
    }
}
