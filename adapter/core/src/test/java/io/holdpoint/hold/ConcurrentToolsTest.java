package io.holdpoint.hold;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.ToolCallContext;
import io.holdpoint.ToolInterrupt;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.OfficeTools;
import io.holdpoint.testing.Shape;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
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

    /** Two tools, of which one asks while it runs. */
    public static final class Trip {

        private final List<String> effects = new ArrayList<>();

        @Tool
        @RequiresApproval
        public String book(ToolCallContext call) {
            throw call.interrupt(ToolInterrupt.of("acme:class", "Which class?").answerIsResult());
        }

        @Tool
        @RequiresApproval
        public String pay() {
            effects.add("pay");
            return "paid";
        }
    }

    @Test
    void aCallThatWasCheckedWaitsIfAnotherOneAsksBeforeItIsClaimed() {
        Trip trip = new Trip();
        Deque<Runnable> tasks = new ArrayDeque<>();
        Set<String> answered = new HashSet<>();
        Holdpoint agent = Shape.BLOCKING
                .builder(
                        model,
                        service -> service.executeToolsConcurrently(task -> {
                            tasks.add(task);
                            if (tasks.size() == 2) {
                                tasks.removeLast().run();
                            }
                        }))
                .tools(trip)
                .approvalAuthorizer(request -> {
                    boolean isEntered = !answered.add(request.interrupt().toolName());
                    if (isEntered && !tasks.isEmpty()) { // the payment has been checked
                        tasks.removeFirst().run();
                    }
                    return true;
                })
                .build();
        model.calls(call("c1", "book", "{}"), call("c2", "pay", "{}"));
        agent.send("t", "Go");
        List<PendingInterrupt> both = agent.pending("t");

        RunResult asked = agent.resume(
                "t",
                both.get(0).asApproval().approve(),
                both.get(1).asApproval().approve());

        assertThat(asked.interrupts()).extracting(PendingInterrupt::message).containsExactly("Which class?");
        assertThat(trip.effects).isEmpty();
    }
}
