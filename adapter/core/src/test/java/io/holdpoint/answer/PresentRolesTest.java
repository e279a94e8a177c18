package io.holdpoint.answer;

import static io.holdpoint.Audience.role;
import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Approvals;
import io.holdpoint.Caller;
import io.holdpoint.Decided;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.PendingInterrupt.Approval;
import io.holdpoint.Timeline;
import io.holdpoint.ToolPolicy;
import io.holdpoint.hook.RunObserver;
import io.holdpoint.rule.Approved;
import io.holdpoint.rule.Rule;
import io.holdpoint.rule.Say;
import io.holdpoint.store.AuditEvent.Kind;
import io.holdpoint.store.Grant;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.TrailRules;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With {@link HoldpointBuilder#people}, earlier voters count as who they are when the last voice comes, and when the call runs. */
class PresentRolesTest {

    private static final Caller ADA = Caller.of("ada");
    private static final Caller GRACE = Caller.of("grace", "approver", "treasury");
    private static final Caller HEIDI = Caller.of("heidi", "approver", "treasury");
    private static final Caller IRIS = Caller.of("iris", "approver", "treasury");
    private static final Caller LUKE = Caller.of("luke", "approver", "legal");
    private static final Approvals TWO = Approvals.of(2).by(role("treasury"));

    private final Bench bench = new Bench();
    private final Map<String, Caller> directory = new HashMap<>();

    PresentRolesTest() {
        List.of(GRACE, HEIDI, IRIS, LUKE).forEach(person -> directory.put(person.id(), person));
    }

    private Holdpoint agent(Approvals needed, UnaryOperator<HoldpointBuilder<Bench.Assistant>> custom) {
        return bench.another(builder -> custom.apply(builder.approvalAuthorizer(ApprovalAuthorizer.role("approver"))
                .toolPolicies(ToolPolicy.named("sendEmail").approvals(needed))));
    }

    private Holdpoint agent(Approvals needed) {
        return agent(needed, builder -> builder.people(id -> Optional.ofNullable(directory.get(id))));
    }

    private Approval held(Holdpoint agent) {
        bench.model.calls(call("c1", "sendEmail", MAIL)).says("Done.");
        return agent.as(ADA).send(THREAD, "Write to Ada").approvals().get(0);
    }

    private static void waits(Decided decided) {
        assertThat(decided).isInstanceOf(Decided.Waits.class);
    }

    private static void runs(Decided decided) {
        assertThat(decided).isInstanceOf(Decided.Runs.class);
        assertThat(((Decided.Runs) decided).result().join().text()).isEqualTo("Done.");
    }

    private List<String> trail() {
        return TrailRules.voices(bench.store, THREAD);
    }

    @Test
    void whoIsOfTheAudienceNoLongerWhenTheLastVoiceComesDoesNotCount() {
        Holdpoint agent = agent(TWO);
        Approval asked = held(agent);
        waits(agent.as(GRACE).decide(THREAD, asked.approve()));
        directory.put("grace", Caller.of("grace", "approver"));

        waits(agent.as(HEIDI).decide(THREAD, asked.approve()));

        assertThat(bench.tools.effects()).isEmpty();
        runs(agent.as(IRIS).decide(THREAD, asked.approve()));
        assertThat(bench.tools.effects()).hasSize(1);
        assertThat(trail())
                .containsExactly(
                        "VOTED grace",
                        "VOIDED heidi [\"grace\"]",
                        "VOTED heidi",
                        "DECIDED iris [\"heidi\",\"iris\"]",
                        "CLAIMED iris");
    }

    @Test
    void whomTheDirectoryDoesNotKnowDoesNotCount() {
        Holdpoint agent = agent(TWO);
        Approval asked = held(agent);
        waits(agent.as(GRACE).decide(THREAD, asked.approve()));
        directory.remove("grace");

        waits(agent.as(HEIDI).decide(THREAD, asked.approve()));

        assertThat(bench.tools.effects()).isEmpty();
        assertThat(trail()).containsExactly("VOTED grace", "VOIDED heidi [\"grace\"]", "VOTED heidi");
    }

    /** Asks once more before the first claim. */
    private record AsksOnce(AtomicBoolean asked) implements Rule {

        @Override
        public String name() {
            return "once";
        }

        @Override
        public Say beforeClaim(Approved approved) {
            return asked.compareAndSet(false, true) ? Say.ASK : Say.NOTHING;
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whoseApprovalCountsNoMoreNeedNotBeThereAnyMore(boolean isKnown) {
        Holdpoint agent = agent(TWO, builder -> builder.people(id -> Optional.ofNullable(directory.get(id)))
                .rules(new AsksOnce(new AtomicBoolean())));
        Approval asked = held(agent);
        waits(agent.as(GRACE).decide(THREAD, asked.approve()));
        assertThat(agent.as(HEIDI).decide(THREAD, asked.approve())).isInstanceOf(Decided.Runs.class);
        bench.model.says("Done.");
        Approval again = agent.as(IRIS).pending(THREAD).get(0).asApproval();
        directory.remove("grace");
        if (isKnown) {
            directory.put("grace", Caller.of("grace"));
        }

        waits(agent.as(HEIDI).decide(THREAD, again.approve()));
        runs(agent.as(IRIS).decide(THREAD, again.approve()));

        assertThat(bench.tools.effects()).hasSize(1);
    }

    @Test
    void whoeverHasEditedItMustStillBeThereWhenItRuns() {
        Holdpoint agent = agent(TWO);
        Approval asked = held(agent);
        waits(agent.as(GRACE).decide(THREAD, asked.edit("subject", "Hello")));
        Approval edited = agent.as(HEIDI).pending(THREAD).get(0).asApproval();
        directory.remove("grace");

        waits(agent.as(HEIDI).decide(THREAD, edited.approve()));
        runs(agent.as(IRIS).decide(THREAD, edited.approve()));

        assertThat(bench.tools.effects()).isEmpty();
        assertThat(bench.model.lastResult("c1")).contains("was not executed");
    }

    @Test
    void withoutADirectoryTheRolesAreThoseOfTheVote() {
        Holdpoint agent = agent(TWO, builder -> builder);
        Approval asked = held(agent);
        waits(agent.as(GRACE).decide(THREAD, asked.approve()));
        directory.clear();

        runs(agent.as(HEIDI).decide(THREAD, asked.approve()));

        assertThat(bench.tools.effects()).hasSize(1);
    }

    @Test
    void whoHasChangedToAnotherGroupLeavesThePlaceToSomebodyElse() {
        Holdpoint agent = agent(Approvals.of(1).by(role("legal")).and(1).by(role("treasury")));
        Approval asked = held(agent);
        waits(agent.as(GRACE).decide(THREAD, asked.approve()));
        directory.put("grace", Caller.of("grace", "approver", "legal"));

        waits(agent.as(LUKE).decide(THREAD, asked.approve()));
        assertThat(bench.tools.effects()).isEmpty();

        runs(agent.as(HEIDI).decide(THREAD, asked.approve()));
        assertThat(bench.tools.effects()).hasSize(1);
        assertThat(trail()).startsWith("VOTED grace", "VOTED luke", "DECIDED heidi [\"grace\",\"luke\",\"heidi\"]");
    }

    @Test
    void aNewRoleThatServesAsWellChangesNothing() {
        Holdpoint agent = agent(TWO);
        Approval asked = held(agent);
        waits(agent.as(GRACE).decide(THREAD, asked.approve()));
        directory.put("grace", Caller.of("grace", "approver", "treasury", "boss"));

        runs(agent.as(HEIDI).decide(THREAD, asked.approve()));

        assertThat(trail()).containsExactly("VOTED grace", "DECIDED heidi [\"grace\",\"heidi\"]", "CLAIMED heidi");
    }

    @Test
    @Logs("people(...) failed for grace*")
    void aDirectoryThatFailsHasNotSaidYes() {
        Holdpoint agent = agent(
                TWO,
                builder -> builder.people(id -> {
                    throw new IllegalStateException("the directory is away");
                }));
        Approval asked = held(agent);
        waits(agent.as(GRACE).decide(THREAD, asked.approve()));

        waits(agent.as(HEIDI).decide(THREAD, asked.approve()));

        assertThat(bench.tools.effects()).isEmpty();
        assertThat(trail()).containsExactly("VOTED grace", "VOIDED heidi [\"grace\"]", "VOTED heidi");
    }

    @ParameterizedTest
    @ValueSource(strings = {"grace", "heidi"})
    void whoLeavesAfterTheLastVoiceAndBeforeTheCallRunsDoesNotCountEither(String leaving) {
        Holdpoint agent = agent(TWO, builder -> builder.people(id -> Optional.ofNullable(directory.get(id)))
                .observers(RunObserver.ofTrail(event -> {
                    if (event.kind() == Kind.DECIDED) {
                        directory.remove(leaving);
                    }
                })));
        Approval asked = held(agent);
        waits(agent.as(GRACE).decide(THREAD, asked.approve()));

        runs(agent.as(HEIDI).decide(THREAD, asked.approve()));

        assertThat(bench.tools.effects()).isEmpty();
        assertThat(bench.model.lastResult("c1")).contains("not");
    }

    @Test
    void whoApprovesAgainTakesNobodyElsesApprovalAway() {
        Caller graceNow = Caller.of("grace", "approver", "legal", "boss");
        Holdpoint agent = bench.another(builder -> builder.approvalAuthorizer(ApprovalAuthorizer.role("approver"))
                .people(id -> Optional.ofNullable(directory.get(id)))
                .toolPolicies(ToolPolicy.named("sendEmail")
                        .approvals(Approvals.of(1).by(role("legal")).and(1).by(role("treasury")))
                        .timeline(Timeline.expiresAfter(Duration.ofDays(1))
                                .escalate(Duration.ofHours(1), role("boss")))));
        Approval asked = held(agent);
        waits(agent.as(GRACE).decide(THREAD, asked.approve()));
        directory.put("grace", graceNow);
        waits(agent.as(LUKE).decide(THREAD, asked.approve()));
        bench.clock.advance(Duration.ofHours(2));
        assertThat(agent.actOnTime()).isEqualTo(1);

        runs(agent.as(graceNow).decide(THREAD, asked.approve()));

        assertThat(bench.tools.effects()).hasSize(1);
        assertThat(trail())
                .containsExactly("VOTED grace", "VOTED luke", "DECIDED grace [\"grace\",\"luke\"]", "CLAIMED grace");
    }

    @Test
    void whoAloneHasApprovedForAnAudienceAndLeftBeforeTheCallRunsDoesNotCount() {
        Holdpoint agent = agent(Approvals.of(1).by(role("treasury")));
        bench.model
                .calls(call("c1", "sendEmail", MAIL), call("c2", "sendEmail", MAIL))
                .says("Done.");
        List<Approval> asked = agent.as(ADA).send(THREAD, "Write to Ada").approvals();
        waits(agent.as(GRACE).decide(THREAD, asked.get(0).approve()));
        directory.put("grace", Caller.of("grace", "approver"));

        runs(agent.as(HEIDI).decide(THREAD, asked.get(1).approve()));

        assertThat(bench.tools.effects()).hasSize(1);
        assertThat(bench.model.lastResult("c1")).contains("was not executed");
    }

    @Test
    void whatSomebodyHasRememberedWhoHasLeftIsAskedAboutAgain() {
        Holdpoint agent = bench.another(builder -> builder.approvalAuthorizer(ApprovalAuthorizer.role("approver"))
                .people(id -> Optional.ofNullable(directory.get(id)))
                .toolPolicies(ToolPolicy.named("remind").remember(Duration.ofDays(1), Grant.Scope.TOOL))
                .tools(new Reminders()));
        bench.model.calls(call("c1", "remind", "{}")).says("Done.");
        Approval asked = agent.as(ADA).send(THREAD, "Remind Bob").approvals().get(0);
        runs(agent.as(GRACE).decide(THREAD, asked.approveAndRemember(Grant.Scope.TOOL)));
        bench.model.calls(call("c2", "remind", "{}")).says("Done.");
        assertThat(agent.as(ADA).send(THREAD, "Again").approvals()).isEmpty();
        directory.remove("grace");

        bench.model.calls(call("c3", "remind", "{}"));
        assertThat(agent.as(ADA).send(THREAD, "And again").approvals()).hasSize(1);
    }

    /** A tool of which a person may remember the approval. */
    static final class Reminders {

        @Tool("Remind Bob")
        public String remind() {
            return "reminded";
        }
    }
}
