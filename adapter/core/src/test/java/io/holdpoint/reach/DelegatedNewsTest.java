package io.holdpoint.reach;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RequiresApproval;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.hook.ArgumentRedactor;
import io.holdpoint.reach.Links.Key;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Store;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.test.VirtualClock;
import io.holdpoint.testing.Shape;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
                .advanced(settings -> settings.clock(clock));
    }

    private Holdpoint boss() {
        Holdpoint clerk =
                inner.apply(builder(clerkModel)).name("clerk").tools(new Bank()).build();
        return outer.apply(builder(bossModel))
                .links(Links.signed(URI.create("https://agents.example.com/agent"), Key.of("k1", new byte[32])))
                .people(person -> Optional.of(Caller.of(person, "treasury")))
                .notifier("mail", notices::add)
                .toolProviders(clerk.asTool("clerk", "Pays bills"))
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
        String link =
                boss.as(ADA).link("t", question.id(), "heidi").orElseThrow().toString();
        boss.as(GRACE).resume("t", answer.apply(question));
        boss.actOnTime();
        return boss.as(HEIDI).openLink(link.substring(link.lastIndexOf('/') + 1));
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

    /** The trail of the agent that asks keeps no more of such an answer than the verdict. */
    @ParameterizedTest
    @CsvSource({"true, false", "false, true"})
    void figuresCountAnApprovalAsOneWhicheverOfTheTwoAgentsHasARedactor(boolean inside, boolean outside) {
        ArgumentRedactor redactor = (tool, arguments) -> arguments.removeAll();
        inner = builder -> inside ? builder.advanced(settings -> settings.argumentRedactor(redactor)) : builder;
        outer = builder -> outside ? builder.advanced(settings -> settings.argumentRedactor(redactor)) : builder;
        boss = boss();
        clerkModel.calls(call("i2", "pay", "{\"amount\":6}")).says("One is paid.");

        answered(question -> question.asApproval().approveWith(Map.of("amount", 987)));
        boss.as(GRACE)
                .resume("t", boss.as(GRACE).pending("t").get(0).asApproval().deny("too much"));

        Figures.Counts counts = boss.figures(
                        clock.instant().minusSeconds(1), clock.instant().plusSeconds(1))
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
