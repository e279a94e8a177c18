package io.holdpoint.agents;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.service.tool.ToolProvider;
import io.holdpoint.Holdpoint;
import io.holdpoint.RequiresApproval;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Store;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Shape;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One agent works for several others. */
class SharedAgentTest {

    private final List<String> effects = new ArrayList<>();
    private final Store store = new InMemoryStore();

    private final class Bank {

        @Tool
        @RequiresApproval
        String pay(int amount) {
            effects.add("pay " + amount);
            return "paid " + amount;
        }
    }

    private Holdpoint boss(String name, ToolProvider clerk) {
        ScriptedModel model = new ScriptedModel()
                .calls(call("c1", "clerk", "{\"task\":\"Pay\"}"))
                .says("Done.");
        return Shape.BLOCKING
                .builder(model)
                .name(name)
                .store(store)
                .toolProviders(clerk)
                .build();
    }

    @Test
    void eachOfItsTasksIsDoneAlsoWhereThreadsAndCallsHaveTheSameIds() {
        ScriptedModel model = new ScriptedModel()
                .calls(call("i1", "pay", "{\"amount\":5}"))
                .says("Paid.")
                .calls(call("i1", "pay", "{\"amount\":6}"))
                .says("Paid.");
        ToolProvider clerk = LocalAgent.of(
                "clerk",
                "Pays bills",
                Shape.BLOCKING
                        .builder(model)
                        .name("clerk")
                        .store(store)
                        .tools(new Bank())
                        .build());

        for (String name : List.of("sales", "support")) {
            Holdpoint boss = boss(name, clerk);
            boss.resume("t", boss.send("t", "Go").approval().approve()).orThrow();
        }

        assertThat(effects).containsExactly("pay 5", "pay 6");
    }
}
