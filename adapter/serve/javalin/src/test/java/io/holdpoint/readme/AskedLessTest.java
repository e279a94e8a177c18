package io.holdpoint.readme;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.service.tool.ToolProviderResult;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunResult;
import io.holdpoint.store.Grant;
import io.holdpoint.test.ScriptedModel;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** README.md's section on decisions that are remembered. */
class AskedLessTest {

    private final ScriptedModel model = new ScriptedModel();
    private final AskedLess.Newsletter newsletter = new AskedLess.Newsletter();

    private Holdpoint agent() {
        return Holdpoint.builder(Assistant.class)
                .streamingChatModel(model)
                .tools(newsletter)
                .toolProviders(request -> ToolProviderResult.builder()
                        .add(ToolSpecification.builder().name("write_file").build(), (call, memoryId) -> "written")
                        .build())
                .toolPolicies(AskedLess.policy())
                .build();
    }

    @Test
    void whatWasAllowedForAWhileIsNotAskedAboutUntilItIsRevoked() {
        model.calls(call("c1", "send", "{\"to\":\"ada\"}"))
                .says("Sent.")
                .calls(call("c2", "send", "{\"to\":\"bob\"}"))
                .says("Sent, too.")
                .calls(call("c3", "send", "{\"to\":\"cyd\"}"));
        Holdpoint agent = agent();

        Grant given = AskedLess.use(agent).get(0);

        assertThat(newsletter.sent).containsExactly("ada", "bob");
        assertThat(Duration.between(given.grantedAt(), given.expiresAt())).isEqualTo(Duration.ofMinutes(10));
        assertThat(agent.grants("thread-1")).isEmpty();
        assertThat(agent.send("thread-1", "And to Cyd")).isInstanceOf(RunResult.Interrupted.class);
    }

    @Test
    void aPolicyAllowsItForToolsThatNobodyAnnotated() {
        model.calls(call("c1", "write_file", "{}"))
                .says("Written.")
                .calls(call("c2", "write_file", "{}"))
                .says("Written again.");
        Holdpoint agent = agent();
        agent.send("t", "Write");
        agent.resume("t", agent.pending("t").get(0).asApproval().approveAndRemember(Grant.Scope.TOOL));

        assertThat(agent.send("t", "Again")).isInstanceOf(RunResult.Completed.class);
    }
}
