package io.holdpoint.hold;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.Holdpoint;
import io.holdpoint.RunResult;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.OfficeTools;
import io.holdpoint.testing.Shape;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** LangChain4j starts concurrent tools while the model still writes: the gate comes first. */
class ConcurrentToolsTest {

    private static final String MAIL = "{\"to\":\"ada@example.com\",\"subject\":\"Hi\",\"body\":\"Hello\"}";

    private final ScriptedModel model = new ScriptedModel();
    private final OfficeTools tools = new OfficeTools();
    private final List<String> started = new ArrayList<>();

    private Holdpoint agent(Shape shape) {
        return shape.builder(
                        model,
                        service -> service.executeToolsConcurrently(task -> {
                            started.add("task");
                            task.run();
                        }))
                .tools(tools)
                .build();
    }

    @ParameterizedTest
    @EnumSource
    void noTaskIsStartedForABatchThatIsHeld(Shape shape) {
        model.calls(call("c1", "searchContacts", "{\"query\":\"Ada\"}"), call("c2", "sendEmail", MAIL));

        RunResult held = agent(shape).send("t", "Go");

        assertThat(held).isInstanceOf(RunResult.Interrupted.class);
        assertThat(started).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void everyCallOfAResumedBatchIsATask(Shape shape) {
        model.calls(call("c1", "searchContacts", "{\"query\":\"Ada\"}"), call("c2", "sendEmail", MAIL))
                .says("Done.");
        Holdpoint agent = agent(shape);
        agent.send("t", "Go");

        agent.resume("t", agent.pending("t").get(0).asApproval().approve());

        assertThat(started).hasSize(2);
        assertThat(tools.effects()).containsExactly("searchContacts Ada", "sendEmail ada@example.com|Hi|Hello");
    }
}
