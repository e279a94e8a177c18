package io.holdpoint.oversight;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.Proposal;
import io.holdpoint.RequiresApproval;
import io.holdpoint.oversight.Drills.Sample;
import io.holdpoint.oversight.Figures.Drilled;
import io.holdpoint.store.Grant;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Store;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.test.VirtualClock;
import io.holdpoint.testing.Shape;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Planted calls look like others, never run, and are counted by what people have answered. */
class DrillsTest {

    private static final byte[] SECRET = "a secret of the tests".getBytes(StandardCharsets.UTF_8);
    private static final Caller BILLING = Caller.of("billing");
    private static final Caller GRACE = Caller.of("grace", "treasury");
    private static final ObjectNode MUCH = JsonNodeFactory.instance.objectNode().put("amount", 90_000);

    private final List<String> effects = new ArrayList<>();
    private final VirtualClock clock = new VirtualClock();
    private final Store store = new InMemoryStore();
    private final ScriptedModel model = new ScriptedModel();
    private final Drills drills =
            Drills.of(SECRET, new Sample("pay", MUCH, BILLING)).drawing(bound -> 0);

    public final class Bank {

        @Tool
        @RequiresApproval(remember = Grant.Scope.TOOL, rememberFor = "PT1H")
        public String pay(int amount) {
            effects.add("pay " + amount);
            return "paid";
        }

        @Tool
        public String note(String text) {
            effects.add("note " + text);
            return "noted";
        }
    }

    private HoldpointBuilder<?> builder() {
        return Shape.BLOCKING
                .builder(model)
                .store(store)
                .tools(new Bank())
                .approvalAuthorizer(ApprovalAuthorizer.role("treasury"))
                .clock(clock);
    }

    private Holdpoint agent(Drills with) {
        return builder()
                .rules(with)
                .with(with, Figures.byPerson(Duration.ofDays(1)))
                .build();
    }

    private PendingInterrupt.Approval question(Holdpoint agent, Proposal planted) {
        return agent.as(GRACE).pending(planted.threadId()).get(0).asApproval();
    }

    private Figures figures(Holdpoint agent) {
        return Figures.of(
                agent, clock.instant().minusSeconds(1), clock.instant().plusSeconds(1));
    }

    @ParameterizedTest
    @CsvSource({"approve, 0, 0, 1", "remember, 0, 0, 1", "edit, 0, 1, 0", "deny, 1, 0, 0", "cancel, 0, 0, 0"})
    void nothingRunsWhateverTheAnswerAndItIsCounted(String answer, int caught, int edited, int missed) {
        Holdpoint agent = agent(drills);
        Proposal planted = drills.plant(agent);
        assertThat(planted.state()).isEqualTo(Proposal.State.WAITS);
        PendingInterrupt.Approval question = question(agent, planted);

        agent.as(GRACE)
                .resume(
                        planted.threadId(),
                        switch (answer) {
                            case "approve" -> question.approve();
                            case "remember" -> question.approveAndRemember(Grant.Scope.TOOL);
                            case "edit" -> question.approveWith(Map.of("amount", 5));
                            case "deny" -> question.deny("too much");
                            default -> question.cancel();
                        });

        Proposal ended =
                agent.as(BILLING).proposal(planted.threadId(), planted.id()).orElseThrow();
        assertThat(ended.state()).isEqualTo(Proposal.State.NOT_EXECUTED);
        assertThat(effects).isEmpty();
        assertThat(figures(agent).drills()).containsExactly(Map.entry("pay", new Drilled(1, caught, edited, missed)));
        assertThat(figures(agent).tools().get(0).counts().asked()).isZero();
        assertThat(figures(agent).toJson().at("/tools/0/drills/planted").asInt())
                .isEqualTo(1);
        assertThat(figures(agent).drilledPeople().keySet())
                .isEqualTo(answer.equals("cancel") ? Set.of() : Set.of("grace"));
    }

    @Test
    void aDrillIsAskedAboutWhereNobodyNeedBe() {
        Drills ofNotes = Drills.of(
                SECRET, new Sample("note", JsonNodeFactory.instance.objectNode().put("text", "all salaries"), BILLING));
        Holdpoint agent = agent(ofNotes);

        assertThat(ofNotes.plant(agent).state()).isEqualTo(Proposal.State.WAITS);
        assertThat(agent.as(BILLING)
                        .propose(
                                "t",
                                "note",
                                JsonNodeFactory.instance.objectNode().put("text", "hello"))
                        .state())
                .isEqualTo(Proposal.State.EXECUTED);
        assertThat(effects).containsExactly("note hello");
    }

    /** Who approves learns it from the result, which comes right after. */
    @Test
    void whoHasMissedItIsTold() {
        Holdpoint agent = agent(drills);
        Proposal planted = drills.plant(agent);

        agent.as(GRACE).resume(planted.threadId(), question(agent, planted).approve());

        assertThat(agent.as(BILLING)
                        .proposal(planted.threadId(), planted.id())
                        .orElseThrow()
                        .result()
                        .orElseThrow()
                        .resultText())
                .contains("This was a drill");
    }

    @Test
    void nothingThatTheReviewerGetsSaysThatItIsOne() {
        Holdpoint agent = agent(drills);
        Proposal planted = drills.plant(agent);
        Proposal real = agent.as(BILLING).propose("t", "pay", MUCH);

        PendingInterrupt drill = question(agent, planted);
        PendingInterrupt other = question(agent, real);

        assertThat(drill.toString().toLowerCase(Locale.ROOT)).doesNotContain("drill");
        assertThat(drill.message()).isEqualTo(other.message());
        assertThat(planted.id()).hasSameSizeAs(real.id());
        assertThat(drills.isDrill(planted.id())).isTrue();
        assertThat(drills.isDrill(real.id())).isFalse();
        assertThat(Drills.of("another secret, long".getBytes(StandardCharsets.UTF_8), new Sample("pay", MUCH, BILLING))
                        .isDrill(planted.id()))
                .isFalse();
    }

    /** Another server answers, which has the secret and has planted nothing. */
    @Test
    void anotherServerLetsItRunNeither() {
        Holdpoint first = agent(drills);
        Proposal planted = drills.plant(first);

        Holdpoint second = agent(Drills.of(SECRET, new Sample("pay", MUCH, BILLING)));
        second.as(GRACE).resume(planted.threadId(), question(second, planted).approve());

        assertThat(effects).isEmpty();
        assertThat(figures(second).drills().get("pay").missed()).isEqualTo(1);
    }

    @Test
    void oneOfSoManyQuestionsPlantsOneAndNoFurtherOneWhileThatIsOpen() {
        Deque<Runnable> later = new ArrayDeque<>();
        Drills often = drills.every(200);
        Holdpoint agent =
                builder().executor(later::add).rules(often).with(often).build();
        model.calls(call("c1", "pay", "{\"amount\":5}")).calls(call("c2", "pay", "{\"amount\":5}"));
        agent.as(Caller.of("ada")).send("t1", "Pay");
        while (!later.isEmpty()) {
            later.poll().run();
        }
        agent.as(Caller.of("ada")).send("t2", "Pay");
        while (!later.isEmpty()) {
            later.poll().run();
        }

        assertThat(figures(agent).drills().get("pay").planted()).isEqualTo(1);
        assertThat(figures(agent).tools().get(0).counts().asked()).isEqualTo(2);
    }

    /** What was missed is no evidence that such calls need nobody. */
    @Test
    void aMissedDrillCountsNotAsApproved() {
        Holdpoint agent = agent(drills);
        Proposal planted = drills.plant(agent);
        agent.as(GRACE).resume(planted.threadId(), question(agent, planted).approve());

        List<PastCall> approved = new ArrayList<>();
        PastCall.readAll(store, past -> approved.addAll(past.isApproved() ? List.of(past) : List.of()));

        assertThat(approved).isEmpty();
    }

    @Test
    void anAgentWithoutTheRuleTakesNoDrills() {
        assertThatIllegalStateException()
                .isThrownBy(() -> builder().with(drills).build())
                .withMessageContaining("rules(...)");
        Holdpoint without = builder().build();
        assertThatIllegalStateException().isThrownBy(() -> drills.plant(without));
        assertThatIllegalArgumentException().isThrownBy(() -> Drills.of(new byte[8], new Sample("pay", MUCH, BILLING)));
        assertThatIllegalArgumentException().isThrownBy(() -> Drills.of(SECRET));
        assertThatIllegalArgumentException().isThrownBy(() -> drills.every(0));
    }
}
