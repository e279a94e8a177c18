package io.holdpoint.readme;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolProviderResult;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunResult;
import io.holdpoint.test.ScriptedModel;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;

/** README.md's section on when somebody is asked. */
class WhenToAskTest {

    private final ScriptedModel model = new ScriptedModel();
    private final WhenToAsk.Payments payments = new WhenToAsk.Payments();
    private final ToolProvider files = request -> ToolProviderResult.builder()
            .add(tool("delete_file"), (call, memoryId) -> "deleted")
            .add(tool("write_file"), (call, memoryId) -> "written")
            .add(tool("read_file"), (call, memoryId) -> "read")
            .build();
    private final Holdpoint agent = WhenToAsk.agent(model, payments, files);

    private static ToolSpecification tool(String name) {
        return ToolSpecification.builder()
                .name(name)
                .parameters(JsonObjectSchema.builder().addStringProperty("path").build())
                .build();
    }

    private RunResult send(Holdpoint to, String thread, String tool, String arguments) {
        model.calls(call("c1", tool, arguments)).says("Well.");
        RunResult result = to.send(thread, "go");
        if (result instanceof RunResult.Interrupted held) {
            to.resume(thread, held.interrupts().get(0).asApproval().deny());
        }
        return result;
    }

    @Test
    void smallPaymentsRunLargeOnesWaitAndStrangeOnesDoNot() {
        assertThat(send(agent, "t1", "pay", "{\"amount\":20}")).isInstanceOf(RunResult.Completed.class);
        assertThat(send(agent, "t2", "pay", "{\"amount\":200}")).isInstanceOf(RunResult.Interrupted.class);
        assertThat(send(agent, "t3", "pay", "{\"amount\":-20}")).isInstanceOf(RunResult.Completed.class);
        assertThat(model.lastResult("c1")).contains("An invoice has a positive amount.");
        assertThat(payments.paid).containsExactly(new BigDecimal(20));
    }

    @Test
    void internsAreAskedAboutSmallOnesToo() {
        Holdpoint intern = agent.as(Caller.of("ivy", "intern"));

        assertThat(send(intern, "t4", "pay", "{\"amount\":20}")).isInstanceOf(RunResult.Interrupted.class);
    }

    @Test
    void toolsThatNobodyAnnotatedWaitWherePoliciesSaySo() {
        assertThat(send(agent, "t5", "delete_file", "{\"path\":\"a\"}")).isInstanceOf(RunResult.Interrupted.class);
        assertThat(send(agent, "t6", "write_file", "{\"path\":\"a\"}")).isInstanceOf(RunResult.Interrupted.class);
        assertThat(send(agent, "t7", "read_file", "{\"path\":\"a\"}")).isInstanceOf(RunResult.Completed.class);
    }
}
