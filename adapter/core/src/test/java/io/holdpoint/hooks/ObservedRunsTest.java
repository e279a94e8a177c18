package io.holdpoint.hooks;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static io.holdpoint.testing.Bench.THREAD;
import static io.holdpoint.testing.Bench.user;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.Holdpoint;
import io.holdpoint.RunResult;
import io.holdpoint.hook.Interceptor;
import io.holdpoint.hook.RunInfo;
import io.holdpoint.hook.RunObserver;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.PuppetModel;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Who hears of runs. */
@Logs({"Run * could not be started", "Run * on thread * failed", "An observer failed"})
class ObservedRunsTest {

    private final List<String> heard = new CopyOnWriteArrayList<>();

    private final class Observer implements RunObserver {

        @Override
        public void started(RunInfo run) {
            heard.add("started " + run.caller().id() + " " + run.threadId());
        }

        @Override
        public void ended(RunInfo run, RunResult result) {
            heard.add("ended " + run.threadId() + " " + result.getClass().getSimpleName());
        }
    }

    private final Bench bench = new Bench(builder -> builder.observers(new Observer()));

    @Test
    void aRunStartsAndEndsWithItsResult() {
        bench.model.calls(call("c1", "sendEmail", MAIL)).says("Sent.");

        bench.agent().send(THREAD, "Send it");
        bench.agent().resume(THREAD, bench.pending(0).asApproval().approve());

        assertThat(heard)
                .containsExactly(
                        "started anonymous t", "ended t Interrupted", "started anonymous t", "ended t Completed");
    }

    @Test
    void aRunThatFailsEndsToo() {
        bench.model.fails(new IllegalStateException("broken"));

        bench.say("Hi");

        assertThat(heard).containsExactly("started anonymous t", "ended t Failed");
    }

    @Test
    void aRunThatIsRefusedEndsToo() {
        bench.model.calls(call("c1", "sendEmail", MAIL));
        bench.say("Send it");
        heard.clear();

        assertThat(bench.say("Something else").errorCode()).isEqualTo("INTERRUPT_PENDING");

        assertThat(heard).containsExactly("started anonymous t", "ended t Failed");
    }

    @Test
    void aStreamedRunHasEndedWhenItsFutureCompletes() {
        PuppetModel puppet = new PuppetModel();
        Holdpoint agent =
                bench.another(builder -> builder.streamingChatModel(puppet).observers(new Observer()));
        CompletableFuture<List<String>> heardByThen =
                agent.run(bench.input(user("u1", "Hi")), event -> {}).thenApply(result -> List.copyOf(heard));
        assertThat(heard).containsExactly("started anonymous t");

        puppet.ends("Hello.");

        assertThat(heardByThen.join()).containsExactly("started anonymous t", "ended t Completed");
    }

    @Test
    void anInputThatStartsNoRunIsNotTold() {
        Holdpoint agent = bench.another(
                builder -> builder.observers(new Observer()).interceptors(Interceptor.ofInput((caller, input) -> {
                    throw new IllegalStateException("broken");
                })));

        agent.send(THREAD, "Hi");

        assertThat(heard).isEmpty();
    }

    @Test
    void anObserverThatThrowsChangesNothingAndTheOthersHearAllTheSame() {
        Bench with = new Bench(builder -> builder.observers(new RunObserver() {
                    @Override
                    public void started(RunInfo run) {
                        throw new AssertionError("broken");
                    }

                    @Override
                    public void ended(RunInfo run, RunResult result) {
                        throw new IllegalStateException("broken");
                    }
                })
                .observers(new Observer()));
        with.model.says("Hello.");

        assertThat(with.say("Hi").text()).isEqualTo("Hello.");

        assertThat(heard).containsExactly("started anonymous t", "ended t Completed");
    }
}
