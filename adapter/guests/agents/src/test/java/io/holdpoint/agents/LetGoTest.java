package io.holdpoint.agents;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.Place;
import io.holdpoint.store.StoreException;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.ForwardingStore;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.Shape;
import io.holdpoint.testing.Unchecked;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The store of an agent in a tool is away when its question is let go: the question stays in its record, and nobody can answer it. */
class LetGoTest {

    private final List<String> effects = new ArrayList<>();
    private final Store inside = new InMemoryStore();
    private boolean away;

    private final class Bank {

        @Tool
        @RequiresApproval
        String pay(int amount) {
            effects.add("pay " + amount);
            return "paid";
        }
    }

    private Store sometimesAway(Throwable failure) {
        return new ForwardingStore() {
            @Override
            protected Store store() {
                if (away) {
                    throw Unchecked.<RuntimeException>of(failure);
                }
                return inside;
            }
        };
    }

    static Stream<Throwable> failures() {
        return Stream.of(
                new StoreException("no connection", new IllegalStateException()),
                new IOException("no connection"),
                new NoClassDefFoundError("a driver"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    @Logs({"What the agent in \"clerk\" has done is not known", "The question of the agent in \"clerk\" stays open"})
    void theQuestionThatStaysIsAskedOfNobodyAndRunsNothing(Throwable failure) {
        ScriptedModel model = new ScriptedModel()
                .calls(call("c1", "clerk", "{\"task\":\"Pay\"}"))
                .says("As you like.")
                .says("Nothing was paid.");
        Holdpoint clerk = Shape.BLOCKING
                .builder(new ScriptedModel().calls(call("c1", "pay", "{\"amount\":5}")))
                .name("clerk")
                .store(sometimesAway(failure))
                .tools(new Bank())
                .build();
        Holdpoint boss = Shape.BLOCKING
                .builder(model)
                .name("boss")
                .toolProviders(LocalAgent.of("clerk", "Pays bills", clerk))
                .build();
        PendingInterrupt.Approval question = boss.send("t", "Go").approval();

        away = true;
        RunResult cancelled = boss.resume("t", question.cancel());
        away = false;

        assertThat(cancelled).isInstanceOf(RunResult.Completed.class);
        assertThat(boss.pending("t")).isEmpty();
        assertThat(inside.of("clerk").open(Optional.empty(), Place.FIRST, 10)).isEmpty();
        assertThat(boss.resume("t", question.approve()).failure()).isPresent();
        boss.actOnTime();
        clerk.actOnTime();
        assertThat(boss.send("t", "And?")).isInstanceOf(RunResult.Completed.class);
        assertThat(effects).isEmpty();
        assertThat(inside.check()).isEmpty();
    }
}
