package io.holdpoint.agents;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.RequiresApproval;
import io.holdpoint.hook.ArgumentRedactor;
import io.holdpoint.oversight.Figures;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Store;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.test.VirtualClock;
import io.holdpoint.testing.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Figures count the calls of an agent in a tool. */
class DelegatedFiguresTest {

    private static final Caller ADA = Caller.of("ada");
    private static final Caller GRACE = Caller.of("grace", "treasury");

    private final List<String> effects = new ArrayList<>();
    private final VirtualClock clock = new VirtualClock();
    private final Store store = new InMemoryStore();
    private final ScriptedModel clerkModel = new ScriptedModel();
    private final ScriptedModel bossModel = new ScriptedModel();

    public final class Bank {

        @Tool
        @RequiresApproval
        public String pay(int amount) {
            effects.add("pay " + amount);
            return "paid";
        }
    }

    private HoldpointBuilder<?> builder(ScriptedModel model, boolean redacts) {
        return Shape.BLOCKING
                .builder(model)
                .store(store)
                .approvalAuthorizer(ApprovalAuthorizer.role("treasury"))
                .clock(clock)
                .argumentRedactor(redacts ? (tool, arguments) -> arguments.removeAll() : ArgumentRedactor.NONE);
    }

    /** The trail of the agent that asks keeps no more of such an answer than the verdict. */
    @ParameterizedTest
    @CsvSource({"true, false", "false, true"})
    void figuresCountAnApprovalAsOneWhicheverOfTheTwoAgentsHasARedactor(boolean inside, boolean outside) {
        Holdpoint clerk =
                builder(clerkModel, inside).name("clerk").tools(new Bank()).build();
        Holdpoint boss = builder(bossModel, outside)
                .toolProviders(LocalAgent.of("clerk", "Pays bills", clerk))
                .build();
        bossModel.calls(call("c1", "clerk", "{\"task\":\"Pay the rent\"}")).says("Done.");
        clerkModel
                .calls(call("i1", "pay", "{\"amount\":5}"))
                .calls(call("i2", "pay", "{\"amount\":6}"))
                .says("One is paid.");
        boss.as(ADA).send("t", "Go");

        boss.as(GRACE)
                .resume("t", boss.as(GRACE).pending("t").get(0).asApproval().approveWith(Map.of("amount", 987)));
        boss.as(GRACE)
                .resume("t", boss.as(GRACE).pending("t").get(0).asApproval().deny("too much"));

        Figures.Counts counts = Figures.of(
                        boss, clock.instant().minusSeconds(1), clock.instant().plusSeconds(1))
                .tools()
                .get(0)
                .counts();
        assertThat(effects).containsExactly("pay 987");
        assertThat(List.of(counts.asked(), counts.approved(), counts.edited(), counts.denied()))
                .containsExactly(2, 1, 1, 1);
        assertThat(boss.as(ADA).auditTrail("t", 0, 100).toString())
                .contains("{\"approved\":false}")
                .doesNotContain("amount", "too much");
    }
}
