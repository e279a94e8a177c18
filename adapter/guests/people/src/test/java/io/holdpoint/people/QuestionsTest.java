package io.holdpoint.people;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.service.IllegalConfigurationException;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Approvals;
import io.holdpoint.Audience;
import io.holdpoint.Caller;
import io.holdpoint.Decided;
import io.holdpoint.Decision;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.PendingInterrupt.Approval;
import io.holdpoint.ProposedCall;
import io.holdpoint.RequiresApproval;
import io.holdpoint.Retention;
import io.holdpoint.RunRejectedException;
import io.holdpoint.Timeline;
import io.holdpoint.ToolPolicy;
import io.holdpoint.WhenExpired;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.rule.Rule;
import io.holdpoint.rule.Say;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.AuditEvent.Kind;
import io.holdpoint.store.Store;
import io.holdpoint.store.jdbc.JdbcStore;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Whoever may decide gives a question more time, or hands it to another one who may; neither decides anything. */
class QuestionsTest {

    private static final Caller GRACE = new Caller("grace", Set.of("approver"));
    private static final Caller HENRY = new Caller("henry", Set.of("approver"));
    private static final Caller MALLORY = new Caller("mallory", Set.of());
    private static final Map<String, Caller> PEOPLE = Map.of("grace", GRACE, "henry", HENRY, "mallory", MALLORY);

    private final List<String> effects = new ArrayList<>();
    private final Bench bench = new Bench();

    /** Pays. */
    final class Bank {

        @Tool
        @RequiresApproval(message = "Pay {{amount}}?")
        String pay(int amount) {
            effects.add("pay " + amount);
            return "paid";
        }
    }

    private final Holdpoint agent =
            with(Timeline.expiresAfter(Duration.ofHours(1)).warn(Duration.ofMinutes(10)), 1);
    private final Holdpoint grace = agent.as(GRACE);

    private Holdpoint with(Timeline timeline, int approvals) {
        return with(bench.store, timeline, approvals);
    }

    private Holdpoint with(Store store, Timeline timeline, int approvals) {
        return with(store, ToolPolicy.named("pay").timeline(timeline).approvals(Approvals.of(approvals)));
    }

    private Holdpoint with(Store store, ToolPolicy policy) {
        return bench.another(builder -> builder.tools(new Bank())
                .store(store)
                .approvalAuthorizer(ApprovalAuthorizer.role("approver"))
                .people(name -> Optional.ofNullable(PEOPLE.get(name)))
                .rules(MoreTime.of(Duration.ofMinutes(30), 2))
                .toolPolicies(policy));
    }

    private Approval held(Holdpoint of) {
        bench.model.calls(call("p", "pay", "{\"amount\":5}"));
        Approval asked = of.send(THREAD, "Pay, please").approvals().get(0);
        bench.model.says("Done.");
        return asked;
    }

    private PendingInterrupt open() {
        return grace.pending(THREAD).get(0);
    }

    private static JsonNode section(PendingInterrupt asked, String name) {
        return asked.interrupt().metadata().at("/langchain4j/" + name);
    }

    private List<AuditEvent> told(Kind kind) {
        return bench.store.auditTrail(THREAD, 0, 100).stream()
                .filter(event -> event.kind() == kind)
                .toList();
    }

    private static void assertRefused(ErrorCode code, ThrowingCallable attempt) {
        assertThatThrownBy(attempt)
                .isInstanceOfSatisfying(RunRejectedException.class, refused -> assertThat(refused.code())
                        .isEqualTo(code));
    }

    @Test
    void whoeverMayDecideGivesMoreTimeAsOftenAsTheRuleSays() {
        Approval asked = held(agent);
        Instant first = asked.interrupt().expiresAt();

        Instant end = Questions.of(grace).moreTime(THREAD, asked.id());

        assertThat(end).isEqualTo(first.plus(Duration.ofMinutes(30)));
        assertThat(open().interrupt().expiresAt()).isEqualTo(end);
        assertThat(open().id()).isEqualTo(asked.id());
        assertThat(section(open(), "moreTime/left").asInt()).isEqualTo(1);
        assertThat(section(open(), "timeline").findValuesAsText("at"))
                .containsExactly(end.minus(Duration.ofMinutes(10)).toString(), end.toString());
        assertThat(told(Kind.EXTENDED)).singleElement().satisfies(event -> {
            assertThat(event.caller()).isEqualTo("grace");
            assertThat(event.interruptId()).hasValue(asked.id());
            assertThat(event.detail().path("expiresAt").asText()).isEqualTo(end.toString());
        });
        Questions.of(grace).moreTime(THREAD, asked.id());
        assertRefused(ErrorCode.INPUT_INVALID, () -> Questions.of(grace).moreTime(THREAD, asked.id()));
        assertThat(told(Kind.EXTENDED)).hasSize(2);
    }

    /** The first warning then comes when the second one was to come. */
    @Test
    void eachWarningIsShownWhenItComes() {
        Holdpoint twice = with(
                Timeline.expiresAfter(Duration.ofHours(2))
                        .warn(Duration.ofMinutes(60))
                        .warn(Duration.ofMinutes(30)),
                1);
        Approval asked = held(twice);

        Instant end = Questions.of(twice.as(GRACE)).moreTime(THREAD, asked.id());

        assertThat(section(twice.as(GRACE).pending(THREAD).get(0), "timeline").findValuesAsText("at"))
                .containsExactly(
                        end.minus(Duration.ofMinutes(60)).toString(),
                        end.minus(Duration.ofMinutes(30)).toString(),
                        end.toString());
    }

    @Test
    void timeEndsTheQuestionAtItsNewEndAndWarnsBefore() {
        Approval asked = held(agent);
        Questions.of(grace).moreTime(THREAD, asked.id());

        bench.clock.advance(Duration.ofMinutes(75));
        agent.actOnTime();
        assertThat(open().id()).isEqualTo(asked.id());
        assertThat(told(Kind.WARNED)).isEmpty();
        bench.clock.advance(Duration.ofMinutes(6));
        agent.actOnTime();
        assertThat(told(Kind.WARNED)).hasSize(1);
        bench.clock.advance(Duration.ofMinutes(10));
        agent.actOnTime();

        assertThat(told(Kind.EXPIRED)).hasSize(1);
        assertThat(grace.pending(THREAD)).isEmpty();
        assertThat(effects).isEmpty();
    }

    @Test
    void anAnswerAfterTheFirstEndRunsTheCallOnce() {
        Approval asked = held(agent);
        Questions.of(grace).moreTime(THREAD, asked.id());
        bench.clock.advance(Duration.ofMinutes(80));

        grace.resume(THREAD, asked.approve());

        assertThat(effects).containsExactly("pay 5");
    }

    @Test
    void nobodyGivesTimeWhoMayNotDecideAndNothingThatIsOver() {
        Approval asked = held(agent);

        assertRefused(ErrorCode.THREAD_NOT_FOUND, () -> Questions.of(agent.as(MALLORY))
                .moreTime(THREAD, asked.id()));
        assertRefused(ErrorCode.INTERRUPT_FORBIDDEN, () -> Questions.of(agent).moreTime(THREAD, asked.id()));
        assertRefused(ErrorCode.INTERRUPT_UNKNOWN, () -> Questions.of(grace).moreTime(THREAD, "another"));
        bench.clock.advance(Duration.ofMinutes(61));
        assertRefused(ErrorCode.INTERRUPT_EXPIRED, () -> Questions.of(grace).moreTime(THREAD, asked.id()));
        grace.resume(THREAD, asked.deny("Too late"));
        assertRefused(ErrorCode.INTERRUPT_UNKNOWN, () -> Questions.of(grace).moreTime(THREAD, asked.id()));
        assertThat(told(Kind.EXTENDED)).isEmpty();
    }

    @Test
    void aQuestionThatWaitsForEverGetsNoMoreTime() {
        Holdpoint waits = with(new Timeline(Optional.empty(), WhenExpired.WAIT, List.of()), 1);
        Approval asked = held(waits);

        assertRefused(
                ErrorCode.INPUT_INVALID, () -> Questions.of(waits.as(GRACE)).moreTime(THREAD, asked.id()));
    }

    @Test
    void votesStay() {
        Holdpoint two = with(Timeline.expiresAfter(Duration.ofHours(1)), 2);
        Approval asked = held(two);
        two.as(GRACE).resume(THREAD, asked.approve());

        Questions.of(two.as(HENRY)).moreTime(THREAD, asked.id());
        two.as(HENRY).resume(THREAD, asked.approve());

        assertThat(effects).containsExactly("pay 5");
    }

    /** An edit that others have to approve asks again: it gives no time anew. */
    @Test
    void howOftenMoreTimeMayBeGivenIsCountedOverAllQuestionsOfACall() {
        Holdpoint two = with(Timeline.expiresAfter(Duration.ofHours(1)), 2);
        Approval asked = held(two);
        Questions.of(grace).moreTime(THREAD, asked.id());

        two.as(GRACE).resume(THREAD, asked.edit("amount", 6));

        assertThat(open().id()).isNotEqualTo(asked.id());
        assertThat(section(open(), "moreTime/left").asInt()).isEqualTo(1);
        Questions.of(two.as(HENRY)).moreTime(THREAD, open().id());
        assertRefused(ErrorCode.INPUT_INVALID, () -> Questions.of(two.as(HENRY)).moreTime(THREAD, open().id()));
    }

    @Test
    void theRecordFitsTogetherAfterEachStep() {
        Store store = JdbcStore.create(TestDatabase.sqlite().dataSource());
        Holdpoint two = with(store, Timeline.expiresAfter(Duration.ofHours(1)), 2);
        Approval asked = held(two);
        two.as(GRACE).resume(THREAD, asked.approve());
        Questions henrys = Questions.of(two.as(HENRY));

        henrys.hand(THREAD, asked.id(), "henry", "Later");
        assertThat(store.check()).isEmpty();
        henrys.moreTime(THREAD, asked.id());
        assertThat(store.check()).isEmpty();
        bench.clock.advance(Duration.ofMinutes(80));
        two.actOnTime();
        two.as(HENRY).resume(THREAD, asked.approve());

        assertThat(effects).containsExactly("pay 5");
        assertThat(store.check()).isEmpty();
    }

    /** A week each time: that is longer than questions are kept that nobody answers. */
    @Test
    void aQuestionIsNotAbandonedBeforeTheTimeThatItWasGivenIsOver() {
        Holdpoint patient = bench.another(builder -> builder.tools(new Bank())
                .approvalAuthorizer(ApprovalAuthorizer.role("approver"))
                .rules(MoreTime.of(Duration.ofDays(7), 5))
                .toolPolicies(ToolPolicy.named("pay").timeline(Timeline.expiresAfter(Duration.ofDays(7))))
                .retention(Retention.DEFAULT));
        Approval asked = held(patient);
        for (int times = 0; times < 5; times++) {
            Questions.of(patient.as(GRACE)).moreTime(THREAD, asked.id());
        }
        bench.clock.advance(Duration.ofDays(35));

        patient.purge();

        assertThat(patient.as(GRACE).pending(THREAD)).hasSize(1);
        patient.as(GRACE).resume(THREAD, asked.approve());
        assertThat(effects).containsExactly("pay 5");
    }

    @Test
    void whoSawItBeforeItWasHandedOverOrGotMoreTimeMayStillAnswerIt() {
        Approval seen = held(agent);
        Questions.of(grace).moreTime(THREAD, seen.id());
        Questions.of(grace).hand(THREAD, seen.id(), "henry", "");

        agent.as(HENRY).decide(List.of(new Decision(THREAD, seen.approve(), Optional.of(seen.fingerprint()))));

        assertThat(effects).containsExactly("pay 5");
    }

    @Test
    void whoeverMayDecideHandsItToAnotherOneWhoMay() {
        Approval asked = held(agent);

        Questions.of(grace).hand(THREAD, asked.id(), "henry", "You know Bob. ");

        assertThat(section(open(), "handed").path("to").asText()).isEqualTo("henry");
        assertThat(section(open(), "handed").path("by").asText()).isEqualTo("grace");
        assertThat(section(open(), "handed").path("reason").asText()).isEqualTo("You know Bob.");
        assertThat(told(Kind.HANDED)).singleElement().satisfies(event -> {
            assertThat(event.caller()).isEqualTo("grace");
            assertThat(event.detail().path("to").asText()).isEqualTo("henry");
            assertThat(event.detail().path("reason").asText()).isEqualTo("You know Bob.");
        });
        Questions.of(agent.as(HENRY)).hand(THREAD, asked.id(), "grace", "");
        assertThat(section(open(), "handed").path("to").asText()).isEqualTo("grace");
        agent.as(HENRY).resume(THREAD, asked.approve());
        assertThat(effects).containsExactly("pay 5");
    }

    @Test
    void nobodyGetsAQuestionWhoMayNotDecideIt() {
        Approval asked = held(agent);
        Questions questions = Questions.of(grace);

        for (String person : List.of("mallory", "nobody", "")) {
            assertRefused(ErrorCode.INPUT_INVALID, () -> questions.hand(THREAD, asked.id(), person, ""));
        }
        assertRefused(
                ErrorCode.INPUT_INVALID,
                () -> questions.hand(THREAD, asked.id(), "henry", "x".repeat(Questions.LONGEST + 1)));
        assertRefused(ErrorCode.INTERRUPT_FORBIDDEN, () -> Questions.of(agent).hand(THREAD, asked.id(), "henry", ""));
        assertThat(told(Kind.HANDED)).isEmpty();
        assertThat(section(open(), "handed").isMissingNode()).isTrue();
    }

    @Test
    void whoeverMayDecideHandsItToAGroupWithWhichOneMay() {
        Approval asked = held(agent);

        Questions.of(grace).hand(THREAD, asked.id(), Audience.role("approver"), "Who is there? ");

        assertThat(section(open(), "handed").path("audience").asText()).isEqualTo("approver");
        assertThat(section(open(), "handed").path("by").asText()).isEqualTo("grace");
        assertThat(section(open(), "handed").has("to")).isFalse();
        assertThat(told(Kind.HANDED)).singleElement().satisfies(event -> {
            assertThat(event.caller()).isEqualTo("grace");
            assertThat(event.detail().path("audience").asText()).isEqualTo("approver");
            assertThat(event.detail().path("reason").asText()).isEqualTo("Who is there?");
            assertThat(event.detail().has("to")).isFalse();
        });
        Questions.of(agent.as(HENRY)).hand(THREAD, asked.id(), "henry", "");
        assertThat(section(open(), "handed").path("to").asText()).isEqualTo("henry");
        assertThat(section(open(), "handed").has("audience")).isFalse();
        grace.resume(THREAD, asked.approve());
        assertThat(effects).containsExactly("pay 5");
    }

    /** Its people need a role of the authorizer's as well. */
    @Test
    void aGroupThatTheQuestionAsksGetsIt() {
        Holdpoint treasury = with(
                bench.store,
                ToolPolicy.named("pay")
                        .approvals(Approvals.of(1).by(Audience.role("treasury")))
                        .timeline(Timeline.expiresAfter(Duration.ofHours(1))
                                .escalate(Duration.ofMinutes(10), Audience.role("manager"))));
        Approval asked = held(treasury);
        Questions questions = Questions.of(treasury.as(new Caller("grace", Set.of("approver", "treasury"))));
        Audience managers = Audience.role("manager");

        questions.hand(THREAD, asked.id(), Audience.role("treasury"), "");
        assertRefused(ErrorCode.INPUT_INVALID, () -> questions.hand(THREAD, asked.id(), managers, ""));
        bench.clock.advance(Duration.ofMinutes(11));
        treasury.actOnTime();
        questions.hand(THREAD, asked.id(), managers, "");

        assertThat(told(Kind.HANDED))
                .extracting(event -> event.detail().path("audience").asText())
                .containsExactly("treasury", "manager");
    }

    @Test
    void noGroupGetsAQuestionThatIsNotForItAndNobodyARightByIt() {
        Holdpoint treasury = with(
                bench.store, ToolPolicy.named("pay").approvals(Approvals.of(1).by(Audience.role("treasury"))));
        Approval asked = held(treasury);
        Questions questions = Questions.of(treasury.as(new Caller("grace", Set.of("approver", "treasury"))));

        for (String group : List.of("approver", "nobody", "Treasury")) { // who only approves is not asked
            assertRefused(ErrorCode.INPUT_INVALID, () -> questions.hand(THREAD, asked.id(), Audience.role(group), ""));
        }
        assertThat(told(Kind.HANDED)).isEmpty();
        assertRefused(ErrorCode.INTERRUPT_FORBIDDEN, () -> Questions.of(treasury.as(HENRY))
                .hand(THREAD, asked.id(), Audience.role("treasury"), ""));

        questions.hand(THREAD, asked.id(), Audience.role("treasury"), "");

        Caller stranger = new Caller("mallory", Set.of("treasury")); // whom the authorizer does not know
        Questions strangers = Questions.of(treasury.as(stranger));
        assertRefused(ErrorCode.THREAD_NOT_FOUND, () -> strangers.hand(THREAD, asked.id(), "mallory", ""));
        assertThat(treasury.as(stranger).decide(THREAD, asked.approve()))
                .isInstanceOfSatisfying(
                        Decided.Refused.class, no -> assertThat(no.code()).isEqualTo(ErrorCode.THREAD_NOT_FOUND));
        assertThat(treasury.as(HENRY).decide(THREAD, asked.approve()))
                .isInstanceOfSatisfying(
                        Decided.Refused.class, no -> assertThat(no.code()).isEqualTo(ErrorCode.INTERRUPT_FORBIDDEN));
        assertThat(effects).isEmpty();
    }

    @Test
    void theOwnerWhoAloneDecidesHasNoGroupToHandItTo() {
        Holdpoint owned = bench.another(builder -> builder.tools(new Bank()));
        Approval asked = held(owned);

        assertRefused(ErrorCode.INPUT_INVALID, () -> Questions.of(owned)
                .hand(THREAD, asked.id(), Audience.role("approver"), ""));
    }

    @Test
    void aGroupIsNoVoteAndNobodyVotesTwiceByIt() {
        Holdpoint two = with(Timeline.expiresAfter(Duration.ofHours(1)), 2);
        Approval asked = held(two);
        two.as(GRACE).resume(THREAD, asked.approve());

        Questions.of(two.as(HENRY)).hand(THREAD, asked.id(), Audience.role("approver"), "");
        two.as(GRACE).resume(THREAD, asked.approve());

        assertThat(effects).isEmpty();
        two.as(HENRY).resume(THREAD, asked.approve());
        assertThat(effects).containsExactly("pay 5");
    }

    /** Where anybody may decide, a group is any text: it is on the card of everybody who looks. */
    @Test
    void noGroupHasALongName() {
        ApprovalAuthorizer anybody = new ApprovalAuthorizer() {
            @Override
            public boolean mayDecide(Request request) {
                return true;
            }

            @Override
            public boolean mayAccess(Caller caller, String threadId, String ownerId) {
                return true;
            }
        };
        Holdpoint open = bench.another(builder -> builder.tools(new Bank()).approvalAuthorizer(anybody));
        Approval asked = held(open);
        Questions questions = Questions.of(open);

        assertRefused(
                ErrorCode.INPUT_INVALID,
                () -> questions.hand(THREAD, asked.id(), Audience.role("x".repeat(Questions.LONGEST + 1)), ""));
        assertThat(told(Kind.HANDED)).isEmpty();
        questions.hand(THREAD, asked.id(), Audience.role("x".repeat(Questions.LONGEST)), "");
        assertThat(told(Kind.HANDED)).hasSize(1);
    }

    @Test
    void anEditOfWhatWasHandedOverIsAnotherQuestion() {
        Holdpoint two = with(bench.store, Timeline.expiresAfter(Duration.ofHours(1)), 2);
        Approval seen = held(two);
        Questions.of(two.as(GRACE)).hand(THREAD, seen.id(), "henry", "");
        assertThat(open().fingerprint()).isEqualTo(seen.fingerprint());

        two.as(HENRY).resume(THREAD, seen.edit("amount", 6));

        assertThat(open().fingerprint()).isNotEqualTo(seen.fingerprint());
    }

    /** The tool as another version of the application has it. */
    final class NewBank {

        @Tool("Pays, in euros")
        @RequiresApproval(message = "Pay {{amount}}?")
        String pay(int amount) {
            effects.add("pay " + amount);
            return "paid";
        }
    }

    /** No template asks about it there. */
    @Test
    void anEditWhereTheToolIsNotKnownAnyMoreIsAnotherQuestion() {
        Approval seen = held(with(Timeline.expiresAfter(Duration.ofHours(1)), 2));
        Questions.of(grace).hand(THREAD, seen.id(), "henry", "");
        Holdpoint later = bench.another(builder -> builder.tools(new NewBank())
                .store(bench.store)
                .approvalAuthorizer(ApprovalAuthorizer.role("approver")));

        later.as(HENRY).resume(THREAD, seen.edit("amount", 6));

        assertThat(open().id()).isNotEqualTo(seen.id());
        assertThat(open().fingerprint()).isNotEqualTo(seen.fingerprint());
    }

    /** Only what is done with a question may change without that people are told. */
    @Test
    void whatARuleOfTheNameOfAnotherOneShowsIsPartOfTheFingerprint() {
        Rule named = new Rule() {
            @Override
            public String name() {
                return "moreTime";
            }

            @Override
            public Say onQuestion(ProposedCall call, Optional<ObjectNode> before) {
                return Say.remark(AguiCodec.mapper().createObjectNode().put("left", 1));
            }
        };
        Holdpoint other = bench.another(builder -> builder.tools(new Bank()).rules(named));
        Approval seen = held(other);
        Interrupt changed = seen.interrupt().copy();
        ((ObjectNode) changed.metadata().at("/langchain4j/moreTime")).put("left", 2);

        assertThat(PendingInterrupt.of(changed).fingerprint()).isNotEqualTo(seen.fingerprint());
    }

    /** What a rule shows would be gone with the first mark, and nobody would be told that the question has changed. */
    @Test
    void noRuleIsCalledAsTheMark() {
        Rule named = new Rule() {
            @Override
            public String name() {
                return "handed";
            }
        };

        assertThatThrownBy(
                        () -> bench.another(builder -> builder.tools(new Bank()).rules(named)))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("the name of the rule is \"handed\"");
    }

    @Test
    void timeThatNoClockShowsIsRefusedWhereItIsSet() {
        for (Duration by : List.of(Duration.ZERO, Duration.ofDays(36_526), Duration.ofSeconds(Long.MAX_VALUE))) {
            assertThatThrownBy(() -> MoreTime.of(by, 1)).hasMessageContaining("at most 100 years");
        }
    }

    @Test
    void ofTwoRulesTheStricterOneCounts() {
        MoreTime both = (MoreTime) MoreTime.of(Duration.ofMinutes(5), 3).and(MoreTime.of(Duration.ofMinutes(9), 1));

        assertThat(both).isEqualTo(MoreTime.of(Duration.ofMinutes(5), 1));
        assertThatThrownBy(() -> MoreTime.of(Duration.ZERO, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> MoreTime.of(Duration.ofMinutes(1), 0)).isInstanceOf(IllegalArgumentException.class);
    }
}
