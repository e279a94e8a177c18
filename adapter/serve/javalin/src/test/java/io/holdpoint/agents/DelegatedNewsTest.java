package io.holdpoint.agents;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Approvals;
import io.holdpoint.Audience;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RequiresApproval;
import io.holdpoint.ToolPolicy;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.reach.LinkView;
import io.holdpoint.reach.Links;
import io.holdpoint.reach.Links.Key;
import io.holdpoint.reach.Notice;
import io.holdpoint.reach.Reach;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Store;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.test.VirtualClock;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.RecordingSink;
import io.holdpoint.testing.Shape;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What people are told of a call of an agent in a tool is what became of that call, not of the tool. */
class DelegatedNewsTest {

    private static final Caller ADA = Caller.of("ada");
    private static final Caller GRACE = Caller.of("grace", "treasury");
    private static final Caller HEIDI = Caller.of("heidi", "treasury");

    private final List<String> effects = new ArrayList<>();
    private final List<Notice> notices = new ArrayList<>();
    private final VirtualClock clock = new VirtualClock();
    private final Store store = new InMemoryStore();
    private final ScriptedModel clerkModel = new ScriptedModel();
    private final ScriptedModel bossModel = new ScriptedModel();
    private UnaryOperator<HoldpointBuilder<?>> inner = builder -> builder;
    private UnaryOperator<HoldpointBuilder<?>> outer = builder -> builder;
    private Holdpoint boss = boss();

    public final class Bank {

        @Tool
        @RequiresApproval
        public String pay(int amount) {
            effects.add("pay " + amount);
            return "paid";
        }
    }

    private HoldpointBuilder<?> builder(ScriptedModel model) {
        return Shape.BLOCKING
                .builder(model)
                .store(store)
                .approvalAuthorizer(ApprovalAuthorizer.role("treasury"))
                .clock(clock);
    }

    private Holdpoint boss() {
        Holdpoint clerk =
                inner.apply(builder(clerkModel)).name("clerk").tools(new Bank()).build();
        return outer.apply(builder(bossModel))
                .with(Reach.links(
                        Links.signed(URI.create("https://agents.example.com/agent"), Key.of("k1", new byte[32]))))
                .people(person -> Optional.of(Caller.of(person, "treasury")))
                .with(Reach.notifier("mail", notices::add))
                .toolProviders(LocalAgent.of("clerk", "Pays bills", clerk))
                .build();
    }

    @BeforeEach
    void script() {
        bossModel.calls(call("c1", "clerk", "{\"task\":\"Pay the rent\"}")).says("Done.");
        clerkModel.calls(call("i1", "pay", "{\"amount\":5}"));
    }

    /** The page of Heidi's link after Grace has answered. */
    private LinkView answered(Function<PendingInterrupt, ResumeEntry> answer) {
        boss.as(ADA).send("t", "Go");
        PendingInterrupt question = boss.as(GRACE).pending("t").get(0);
        String link = Reach.of(boss.as(ADA))
                .link("t", question.id(), "heidi")
                .orElseThrow()
                .toString();
        boss.as(GRACE).resume("t", answer.apply(question));
        boss.actOnTime();
        return Reach.of(boss.as(HEIDI)).openLink(link.substring(link.lastIndexOf('/') + 1));
    }

    private String outcome() {
        Notice last = notices.get(notices.size() - 1);
        return last.questions().get(0).outcome().orElseThrow().sentence();
    }

    @Test
    void aDeniedCallIsNotSaidToHaveBeenExecutedBecauseTheAgentHasFinished() {
        clerkModel.says("I may not.");

        LinkView page = answered(question -> question.asApproval().deny());

        assertThat(effects).isEmpty();
        assertThat(page.sentence()).isEqualTo("grace has denied this. It was not executed.");
        assertThat(outcome()).isEqualTo("denied by grace, not executed");
    }

    @Test
    void aCancelledCallIsNotSaidToHaveFailedBecauseTheTaskWasNotFinished() {
        LinkView page = answered(question -> ResumeEntry.cancelled(question.id()));

        assertThat(effects).isEmpty();
        assertThat(page.sentence()).isEqualTo("grace has cancelled this. It was not executed.");
        assertThat(outcome()).isEqualTo("cancelled by grace, not executed");
    }

    @Test
    void anApprovedCallIsSaidToHaveRunWhenTheAgentAsksAboutTheNextOne() {
        clerkModel.calls(call("i2", "pay", "{\"amount\":6}"));

        LinkView page = answered(question -> question.asApproval().approve());

        assertThat(effects).containsExactly("pay 5");
        assertThat(page.sentence()).isEqualTo("grace has approved this. It was executed.");
    }

    @Test
    void whoeverApprovesACallOfTheAgentIsSaidToHaveApprovedIt() {
        clerkModel.says("Paid.");

        answered(question -> question.asApproval().approve());

        assertThat(outcome()).isEqualTo("approved by grace, executed");
    }

    /** Whether the clerk's policy names them, or its authorizer alone knows who they are. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whoDecidesInsideIsToldAtOnceAlsoWhileTheOwnersClientShowsTheQuestion(boolean named) {
        ToolPolicy pay = ToolPolicy.named("pay");
        inner = clerk ->
                clerk.toolPolicies(named ? pay.approvals(Approvals.of(1).by(Audience.role("treasury"))) : pay);
        outer = agent -> agent.approvalAuthorizer(ApprovalAuthorizer.OWNER);
        boss = boss();

        boss.as(ADA)
                .run(RunAgentInput.of("t", "run-1", List.of(Bench.user("u1", "Go"))), new RecordingSink())
                .join();
        boss.actOnTime();

        assertThat(notices).hasSize(1);
        assertThat(notices.get(0).questions().get(0).audiences())
                .isEqualTo(named ? List.of(Audience.role("treasury")) : List.of());
    }
}
