package io.holdpoint.policy;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.memory.ChatMemory;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import io.holdpoint.Holdpoint;
import io.holdpoint.RequiresApproval;
import io.holdpoint.ToolPolicy;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Store;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Shape;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A new version of the application was deployed while a person was thinking. */
class ToolMarkedMeanwhileTest {

    private final ScriptedModel model = new ScriptedModel();
    private final Store store = new InMemoryStore();
    private final ChatMemory memory = MessageWindowChatMemory.withMaxMessages(50);
    private final List<String> effects = new CopyOnWriteArrayList<>();

    /** One of them must be approved. */
    public final class Tools {
        @Tool
        @RequiresApproval
        public String publish(String page) {
            effects.add("publish " + page);
            return "published";
        }

        @Tool
        public String wipe(String disk) {
            effects.add("wipe " + disk);
            return "wiped";
        }
    }

    private Holdpoint agent(Shape shape, ToolPolicy... policies) {
        return shape.builder(model)
                .tools(new Tools())
                .toolPolicies(policies)
                .store(store)
                .chatMemoryProvider(id -> memory)
                .build();
    }

    @ParameterizedTest
    @EnumSource
    void aSiblingThatNobodyWasAskedAboutDoesNotRunOnceItIsMarked(Shape shape) {
        model.calls(call("c1", "publish", "{\"page\":\"home\"}"), call("c2", "wipe", "{\"disk\":\"sda\"}"))
                .says("Done.");
        agent(shape).send("t", "Go");
        Holdpoint redeployed = agent(shape, ToolPolicy.named("wipe"));

        redeployed.resume("t", redeployed.pending("t").get(0).asApproval().approve());

        assertThat(effects).containsExactly("publish home");
        assertThat(model.lastResult("c2")).contains("was not executed");
    }
}
