package io.holdpoint.time;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.data.message.ChatMessageType;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.service.IllegalConfigurationException;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Approvals;
import io.holdpoint.Audience;
import io.holdpoint.Caller;
import io.holdpoint.Decided;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.Retention;
import io.holdpoint.Timeline;
import io.holdpoint.ToolCallContext;
import io.holdpoint.ToolInterrupt;
import io.holdpoint.ToolPolicy;
import io.holdpoint.WhenExpired;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.ClientToolSpec;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.AuditEvent.Kind;
import io.holdpoint.store.Store;
import io.holdpoint.store.TimeStep;
import io.holdpoint.store.jdbc.JdbcStore;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.TestDatabase;
import io.holdpoint.testing.Unchecked;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Law 12: what time does happens once, in its own name, and is never an approval. */
@Logs({"Due work on thread * failed", "Run * on thread * failed", "Lease* could not be given back"})
class TimelineTest {

    private static final Timeline DAY = Timeline.expiresAfter(Duration.ofHours(24))
            .remind(Duration.ofHours(4))
            .warn(Duration.ofHours(2))
            .escalate(Duration.ofHours(12), Audience.role("manager"));

    private static final ApprovalAuthorizer MANAGERS =
            ApprovalAuthorizer.anyOf(ApprovalAuthorizer.OWNER, ApprovalAuthorizer.role("manager"));

    private Bench bench = with(DAY);

    private static Bench with(Timeline timeline) {
        return new Bench(builder -> builder.approvalAuthorizer(MANAGERS)
                .toolPolicies(ToolPolicy.named("sendEmail").timeline(timeline)));
    }

    private Holdpoint node(Store store) {
        return bench.another(builder -> builder.store(store)
                .approvalAuthorizer(MANAGERS)
                .toolPolicies(ToolPolicy.named("sendEmail").timeline(DAY)));
    }

    private PendingInterrupt hold() {
        bench.model.calls(call("c1", "sendEmail", MAIL));
        bench.say("Go");
        return bench.pending(0);
    }

    private List<AuditEvent> told(Kind... kinds) {
        List<Kind> wanted = List.of(kinds);
        return bench.store.auditTrail(THREAD, 0, 100).stream()
                .filter(event -> wanted.contains(event.kind()))
                .toList();
    }

    private List<Kind> trail() {
        return told(Kind.REMINDED, Kind.WARNED, Kind.ESCALATED, Kind.EXPIRED, Kind.DECIDED).stream()
                .map(AuditEvent::kind)
                .toList();
    }

    @Test
    void eachStepHappensOnceInItsOrderAndInTheNameOfTime() {
        hold();
        for (int hour = 0; hour < 30; hour++) {
            bench.clock.advance(Duration.ofHours(1));
            bench.agent().actOnTime();
            bench.agent().actOnTime();
        }

        assertThat(trail()).containsExactly(Kind.REMINDED, Kind.ESCALATED, Kind.WARNED, Kind.EXPIRED);
        List<AuditEvent> all = told(Kind.REMINDED, Kind.WARNED, Kind.ESCALATED, Kind.EXPIRED);
        assertThat(all).extracting(AuditEvent::caller).containsOnly("holdpoint:time");
        assertThat(all).extracting(event -> event.detail().path("by").asText()).containsOnly("time");
        assertThat(all.get(1).detail().path("audience").asText()).isEqualTo("manager");
        assertThat(all.get(0).interruptId()).isPresent();
        assertThat(bench.tools.effects()).isEmpty();
    }

    @Test
    void theClientIsToldTheStepsToCome() {
        PendingInterrupt asked = hold();

        JsonNode steps = asked.interrupt().metadata().at("/langchain4j/timeline");
        assertThat(steps).hasSize(4);
        assertThat(steps.findValuesAsText("step")).containsExactly("remind", "escalate", "warn", "give_up");
        assertThat(steps.get(1).path("audience").asText()).isEqualTo("manager");
        assertThat(steps.get(3).path("at").asText())
                .isEqualTo(asked.interrupt().expiresAt().toString());
    }

    @Test
    void whoIsGivenUpIsSettledWithoutTheModelAndTheThreadTakesANewMessage() {
        PendingInterrupt asked = hold();
        bench.clock.advance(Duration.ofHours(24));

        assertThat(bench.agent().actOnTime()).isEqualTo(1);

        assertThat(bench.pending()).isEmpty();
        assertThat(bench.model.requests()).hasSize(1);
        assertThat(bench.memory())
                .extracting(message -> message.type())
                .containsExactly(ChatMessageType.USER, ChatMessageType.AI, ChatMessageType.TOOL_EXECUTION_RESULT);
        assertThat(bench.resume(asked.asApproval().approve()).errorCode())
                .isEqualTo(ErrorCode.INTERRUPT_ALREADY_RESOLVED.name());
        bench.model.says("Hello.");
        assertThat(bench.say("Hi").text()).isEqualTo("Hello.");
        assertThat(bench.model.lastResult("c1")).contains("Nobody answered");
        assertThat(bench.tools.effects()).isEmpty();
    }

    @Test
    void theTurnGoesOnWithoutAClientIfItIsSaid() {
        bench = with(Timeline.expiresAfter(Duration.ofHours(1)).then(WhenExpired.GO_ON));
        hold();
        bench.model.says("I will ask again tomorrow.");
        bench.clock.advance(Duration.ofHours(1));

        assertThat(bench.agent().actOnTime()).isEqualTo(1);

        assertThat(bench.model.lastResult("c1")).contains("Nobody answered");
        assertThat(bench.transcript()).last().asString().contains("I will ask again tomorrow.");
        assertThat(bench.store.find(THREAD).orElseThrow().batch()).isEmpty();
        assertThat(bench.tools.effects()).isEmpty();
        assertThat(bench.agent().actOnTime()).isZero();
    }

    @Test
    void aTurnThatHasGoneOnAndWaitsForTheClientIsNotDueAgain() {
        bench = with(Timeline.expiresAfter(Duration.ofHours(1)).then(WhenExpired.GO_ON));
        ClientToolSpec page = new ClientToolSpec(
                "readPage", "Of the client", AguiCodec.mapper().createObjectNode(), null);
        bench.model.calls(call("c1", "readPage", "{}"), call("c2", "sendEmail", MAIL));
        bench.run(bench.input(Bench.user("u1", "Go")).withTools(List.of(page)));
        bench.clock.advance(Duration.ofHours(1));

        assertThat(bench.agent().actOnTime()).isEqualTo(1);

        assertThat(bench.store.threads(Store.Wanted.DUE, Store.Place.FIRST, bench.clock.instant(), 10))
                .isEmpty();
        bench.model.says("Nobody was there.");
        Message result = new Message.Tool("r1", "c1", MessageContent.text("a page"), null);
        assertThat(bench.run(bench.input(result)).text()).isEqualTo("Nobody was there.");
        assertThat(bench.model.lastResult("c2")).contains("Nobody answered");
        assertThat(bench.tools.effects()).isEmpty();
    }

    @Test
    void aQuestionThatIsOnlyToExpireWaitsAsEver() {
        bench = new Bench(
                builder -> builder.toolPolicies(ToolPolicy.named("sendEmail").expiresAfter(Duration.ofHours(1))));
        PendingInterrupt asked = hold();
        bench.clock.advance(Duration.ofHours(2));

        assertThat(bench.agent().actOnTime()).isZero();
        assertThat(bench.pending()).hasSize(1);
        assertThat(bench.resume(asked.asApproval().approve()).errorCode())
                .isEqualTo(ErrorCode.INTERRUPT_EXPIRED.name());
    }

    @Test
    void afterAWeekendOnlyTheLastStepHappens() {
        hold();
        bench.clock.advance(Duration.ofHours(23));
        bench.agent().actOnTime();
        assertThat(trail()).containsExactly(Kind.WARNED);

        bench.clock.advance(Duration.ofHours(100));
        bench.agent().actOnTime();
        assertThat(trail()).containsExactly(Kind.WARNED, Kind.EXPIRED);
    }

    @Test
    void anAnswerThatWasStoredBeforeStandsAndNothingHappensAfterIt() {
        PendingInterrupt asked = hold();
        bench.clock.advance(Duration.ofHours(5));
        bench.agent().actOnTime();
        bench.model.says("Sent.");
        bench.resume(asked.asApproval().approve());
        bench.clock.advance(Duration.ofHours(100));

        assertThat(bench.agent().actOnTime()).isZero();
        assertThat(trail()).containsExactly(Kind.REMINDED, Kind.DECIDED);
        assertThat(bench.tools.effects()).hasSize(1);
    }

    @Test
    void eachQuestionExpiresAloneAndTheOthersGoOn() {
        bench.model.calls(call("c1", "sendEmail", MAIL), call("c2", "transferMoney", "{\"amount\":5,\"to\":\"Bob\"}"));
        bench.say("Go");
        bench.clock.advance(Duration.ofHours(24));

        assertThat(bench.agent().actOnTime()).isEqualTo(1);

        assertThat(bench.pending()).extracting(PendingInterrupt::toolName).containsExactly("transferMoney");
        bench.clock.advance(Duration.ofHours(24));
        assertThat(bench.agent().actOnTime()).isZero();
        bench.model.says("Transferred.");
        assertThat(bench.resume(bench.pending(0).asApproval().approve()).text()).isEqualTo("Transferred.");
        assertThat(bench.tools.effects()).hasSize(1);
        assertThat(bench.model.lastResult("c1")).contains("Nobody answered");
    }

    /** Nobody has gone on, and one of the two has answered. */
    @Test
    void theModelIsToldTrulyOfCallsThatTimeHasGivenUp() {
        bench = new Bench(builder -> builder.toolPolicies(
                        ToolPolicy.named("sendEmail").approvals(Approvals.of(2)).timeline(DAY),
                        ToolPolicy.named("transferMoney").timeline(DAY))
                .approvalAuthorizer(
                        ApprovalAuthorizer.anyOf(ApprovalAuthorizer.OWNER, ApprovalAuthorizer.role("approver"))));
        bench.model.calls(
                call("c1", "sendEmail", MAIL),
                call("c2", "transferMoney", "{\"amount\":5,\"to\":\"Bob\"}"),
                call("c3", "searchContacts", "{\"query\":\"Bob\"}"));
        Holdpoint ada = bench.agent().as(Caller.of("ada"));
        List<PendingInterrupt.Approval> asked = ada.send(THREAD, "Go").approvals();
        decides("grace", asked.get(0));
        bench.clock.advance(Duration.ofHours(24));
        bench.agent().actOnTime();

        bench.model.says("Hello.");
        ada.send(THREAD, "Hi");

        assertThat(bench.model.lastResult("c1")).contains("Not everybody whose approval it needs answered", "in time");
        assertThat(bench.model.lastResult("c2")).contains("Nobody answered", "in time");
        assertThat(bench.model.lastResult("c3")).contains("The calls of its message were given up before");
        assertThat(bench.tools.effects()).isEmpty();
    }

    @Test
    void aReminderKeepsTheVotesAndWhatWasApprovedRunsOnceWhenTheLastQuestionHasExpired() {
        bench = new Bench(builder -> builder.toolPolicies(
                        ToolPolicy.named("sendEmail").approvals(Approvals.of(2)).timeline(DAY),
                        ToolPolicy.named("transferMoney").timeline(DAY))
                .approvalAuthorizer(
                        ApprovalAuthorizer.anyOf(ApprovalAuthorizer.OWNER, ApprovalAuthorizer.role("approver"))));
        bench.model.calls(call("c1", "sendEmail", MAIL), call("c2", "transferMoney", "{\"amount\":5,\"to\":\"Bob\"}"));
        Holdpoint ada = bench.agent().as(Caller.of("ada"));
        PendingInterrupt mail = ada.send(THREAD, "Go").approvals().get(0);
        decides("grace", mail);
        bench.clock.advance(Duration.ofHours(4));
        bench.agent().actOnTime();

        assertThat(ada.pending(THREAD)
                        .get(0)
                        .interrupt()
                        .metadata()
                        .at("/langchain4j/approvals/have/0/by")
                        .asText())
                .isEqualTo("grace");

        decides("heidi", mail);
        assertThat(bench.tools.effects()).isEmpty();
        bench.model.says("Sent.");
        bench.clock.advance(Duration.ofHours(24));

        assertThat(bench.agent().actOnTime()).isEqualTo(1);
        assertThat(bench.tools.effects()).hasSize(1);
        assertThat(bench.model.lastResult("c2")).contains("Nobody answered");
        assertThat(bench.agent().actOnTime()).isZero();
    }

    private void decides(String name, PendingInterrupt asked) {
        assertThat(bench.agent()
                        .as(Caller.of(name, "approver"))
                        .decide(THREAD, asked.asApproval().approve()))
                .isInstanceOf(Decided.Waits.class);
    }

    /** A tool that asks while it runs. */
    public static final class Asking {

        @Tool
        public String ask(ToolCallContext call) {
            throw call.interrupt(ToolInterrupt.confirmation("Sure?").expiresAfter(Duration.ofHours(1)));
        }
    }

    @Test
    void aMessageEndsABatchOfWhichSomethingHasRunBeforeAToolAskedAndNobodyAnswered() {
        bench = new Bench(builder -> builder.tools(new Asking()));
        bench.model.calls(
                call("c1", "searchContacts", "{\"query\":\"Ada\"}"),
                call("c2", "ask", "{}"),
                call("c3", "searchContacts", "{\"query\":\"Bob\"}"));
        bench.say("Go");
        bench.clock.advance(Duration.ofHours(1));
        assertThat(bench.agent().actOnTime()).isZero();
        bench.model.says("Hello.");

        assertThat(bench.say("Hi").text()).isEqualTo("Hello.");

        assertThat(bench.model.lastResult("c1")).isEqualTo("ada@example.com");
        assertThat(bench.model.lastResult("c2")).contains("not finished");
        assertThat(bench.tools.effects()).containsExactly("searchContacts Ada");
    }

    @Test
    void anApprovalThatStandsIsNotLostWhenAMessageFindsTheOtherQuestionExpired() {
        bench = new Bench(builder ->
                builder.toolPolicies(ToolPolicy.named("transferMoney").expiresAfter(Duration.ofHours(1))));
        bench.model.calls(call("c1", "sendEmail", MAIL), call("c2", "transferMoney", "{\"amount\":5,\"to\":\"Bob\"}"));
        bench.say("Go");
        assertThat(bench.agent().decide(THREAD, bench.pending(0).asApproval().approve()))
                .isInstanceOf(Decided.Waits.class);
        bench.clock.advance(Duration.ofHours(1));
        bench.model.says("Sent.").says("Hello.");

        assertThat(bench.say("Hi").text()).contains("Hello.");
        assertThat(bench.tools.effects()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aMemoryThatThrowsWhateverKeepsTimeFromNoOtherThread(boolean isException) {
        for (String thread : List.of("a", "b")) {
            bench.model.calls(call("c1", "sendEmail", MAIL));
            bench.agent().send(thread, "Go");
        }
        Holdpoint node = bench.another(builder -> builder.approvalAuthorizer(MANAGERS)
                .toolPolicies(ToolPolicy.named("sendEmail").timeline(DAY))
                .chatMemoryProvider(id -> {
                    if (id.equals("a") && isException) {
                        throw Unchecked.<RuntimeException>of(new IOException("memory down"));
                    } else if (id.equals("a")) {
                        throw new NoClassDefFoundError("a driver");
                    }
                    return MessageWindowChatMemory.withMaxMessages(20);
                }));
        bench.clock.advance(Duration.ofDays(2));

        node.actOnTime();

        assertThat(bench.store.find("b").orElseThrow().batch()).isEmpty();
    }

    @Test
    void aTurnThatFailsIsTriedAtFewerAndFewerLooks() {
        bench = with(Timeline.expiresAfter(Duration.ofHours(1)).then(WhenExpired.GO_ON));
        bench.model.calls(call("c1", "sendEmail", MAIL));
        bench.agent().run(bench.input(Bench.user("u1", "Go")), event -> {}).join();
        AtomicInteger tries = new AtomicInteger();
        Holdpoint failing = bench.another(builder -> builder.approvalAuthorizer(MANAGERS)
                .toolPolicies(ToolPolicy.named("sendEmail").timeline(DAY))
                .chatMemoryProvider(id -> {
                    tries.incrementAndGet();
                    throw new IllegalStateException("no memory");
                }));
        bench.clock.advance(Duration.ofHours(1));
        for (int look = 0; look < 64; look++) {
            failing.actOnTime();
        }

        assertThat(tries.get()).isBetween(2, 16);
        bench.model.says("Nobody was there.");
        bench.agent().actOnTime();
        assertThat(bench.store.find(THREAD).orElseThrow().batch()).isEmpty();
    }

    @Test
    void aTurnWhoseModelFailsAfterTheEndIsTriedAgain() {
        bench = with(Timeline.expiresAfter(Duration.ofHours(1)).then(WhenExpired.GO_ON));
        hold();
        bench.model.answers(request -> {
            throw new IllegalStateException("down");
        });
        bench.clock.advance(Duration.ofHours(1));
        bench.agent().actOnTime();
        bench.model.says("Nobody was there.");

        for (int look = 0; look < 2; look++) {
            bench.agent().actOnTime();
        }

        assertThat(bench.store.find(THREAD).orElseThrow().batch()).isEmpty();
        assertThat(bench.transcript()).last().asString().contains("Nobody was there.");
        assertThat(told(Kind.EXPIRED)).hasSize(1);
    }

    @Test
    void aPolicyAndAnAnnotationTogetherHaveTheEarlierEndAndTheStepsOfBoth() {
        Timeline both = Timeline.expiresAfter(Duration.ofHours(8))
                .remind(Duration.ofHours(1))
                .then(WhenExpired.GO_ON)
                .and(DAY);

        assertThat(both.expiry()).contains(Duration.ofHours(8));
        assertThat(both.whenExpired()).isEqualTo(WhenExpired.GO_ON);
        assertThat(both.steps())
                .extracting(Timeline.Step::after)
                .containsExactly(Duration.ofHours(1), Duration.ofHours(4));
        assertThat(DAY.and(both).whenExpired()).isEqualTo(WhenExpired.GO_ON);
    }

    @Test
    void aStepAfterTheEndIsRefusedAtOnce() {
        assertThatThrownBy(() -> Timeline.expiresAfter(Duration.ofHours(1)).remind(Duration.ofHours(2)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "remind must be between the question and its end (PT1H), but would be PT2H after the question.");
        assertThatThrownBy(() -> Timeline.expiresAfter(Duration.ofHours(1)).warn(Duration.ofHours(1)))
                .hasMessageContaining("warn must be between");
        assertThatThrownBy(() -> Timeline.expiresAfter(Duration.ZERO)).hasMessageContaining("must be longer than zero");
        assertThatThrownBy(() -> new Timeline.Step(TimeStep.Kind.GIVE_UP, Duration.ofHours(1), Optional.empty()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("REMIND, WARN or ESCALATE, but is GIVE_UP");
        assertThatThrownBy(() -> new Timeline.Step(TimeStep.Kind.ESCALATE, Duration.ofHours(1), Optional.empty()))
                .hasMessageContaining("an escalation needs an audience");
    }

    @Test
    void whoIsAskedAsWellCountsForEveryGroupFromThenOn() {
        bench = new Bench(builder -> builder.approvalAuthorizer(ApprovalAuthorizer.role("approver"))
                .toolPolicies(ToolPolicy.named("sendEmail")
                        .approvals(Approvals.of(1)
                                .by(Audience.role("legal"))
                                .and(1)
                                .by(Audience.role("treasury")))
                        .timeline(DAY)));
        bench.model.calls(call("c1", "sendEmail", MAIL));
        PendingInterrupt asked = bench.agent()
                .as(Caller.of("ada"))
                .send(THREAD, "Go")
                .approvals()
                .get(0);
        Holdpoint mia = bench.agent().as(Caller.of("mia", "approver", "manager"));
        assertThat(mia.decide(THREAD, asked.asApproval().approve()))
                .isInstanceOfSatisfying(Decided.Refused.class, refused -> assertThat(refused.code())
                        .isEqualTo(ErrorCode.INTERRUPT_FORBIDDEN));

        bench.clock.advance(Duration.ofHours(12));
        bench.agent().actOnTime();

        assertThat(mia.pending(THREAD)
                        .get(0)
                        .interrupt()
                        .metadata()
                        .at("/langchain4j/mayDecide")
                        .asBoolean())
                .isTrue();
        assertThat(mia.decide(THREAD, asked.asApproval().approve())).isInstanceOf(Decided.Waits.class);
        bench.model.says("Sent.");
        assertThat(bench.agent()
                        .as(Caller.of("max", "approver", "manager"))
                        .decide(THREAD, asked.asApproval().approve()))
                .isInstanceOf(Decided.Runs.class);
        assertThat(bench.tools.effects()).hasSize(1);
    }

    @Test
    void aTimelineThatCannotHoldIsRefusedWhenTheAgentIsBuilt() {
        Bench plain = new Bench();
        assertThatThrownBy(() -> plain.another(builder ->
                        builder.toolPolicies(ToolPolicy.named("sendEmail").timeline(DAY))))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("\"sendEmail\": \"manager\" is asked, but only the owner")
                .hasMessageContaining("approvalAuthorizer");
        ToolPolicy slow = ToolPolicy.named("sendEmail").expiresAfter(Duration.ofDays(40));
        assertThatThrownBy(() -> plain.another(builder -> builder.toolPolicies(slow)))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("\"sendEmail\": expiresAfter = \"PT960H\" is longer")
                .hasMessageContaining("retention(...)");
        Retention longer = new Retention(Duration.ofHours(24), Duration.ofDays(40));
        plain.another(builder -> builder.toolPolicies(slow).retention(longer)).close();
    }

    @Test
    void twoHundredThreadsThatAreDueAtOnceAreEachDoneOnceByTwoNodes() {
        eachIsDoneOnce(bench.store);
    }

    @Test
    @Tag("deep")
    void theSameOnPostgres() {
        try (TestDatabase database = TestDatabase.postgres()) {
            eachIsDoneOnce(JdbcStore.create(database.dataSource()));
        }
    }

    private void eachIsDoneOnce(Store store) {
        Holdpoint one = node(store);
        Holdpoint other = node(store);
        List<String> threads =
                IntStream.range(0, 200).mapToObj(i -> "thread-" + i).toList();
        for (String thread : threads) {
            bench.model.calls(call("c1", "sendEmail", MAIL));
            one.send(thread, "Go");
        }
        bench.clock.advance(Duration.ofHours(24));

        CompletableFuture<Integer> first = CompletableFuture.supplyAsync(one::actOnTime);
        int second = other.actOnTime();

        assertThat(first.join() + second + one.actOnTime()).isEqualTo(200);
        for (String thread : threads) {
            assertThat(store.auditTrail(thread, 0, 100))
                    .extracting(AuditEvent::kind)
                    .containsExactly(Kind.PROPOSED, Kind.HELD, Kind.EXPIRED, Kind.NOT_EXECUTED);
        }
        assertThat(bench.tools.effects()).isEmpty();
        assertThat(bench.model.requests()).hasSize(200);
    }
}
