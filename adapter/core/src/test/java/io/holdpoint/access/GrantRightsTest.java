package io.holdpoint.access;

import static io.holdpoint.store.Grant.Scope.TOOL;
import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.service.IllegalConfigurationException;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolProviderResult;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.ApprovalVerdict;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.RequiresApproval;
import io.holdpoint.Retention;
import io.holdpoint.RunResult;
import io.holdpoint.ToolPolicy;
import io.holdpoint.hook.RunObserver;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.AuditEvent.Kind;
import io.holdpoint.store.Grant;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Reversibility;
import io.holdpoint.store.Store;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.test.VirtualClock;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.MortalStore;
import io.holdpoint.testing.Shape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whose remembered decisions count, for which tools, and what is noted about them. */
@Logs("The chat memory of thread t was not kept*")
class GrantRightsTest {

    private static final Caller ADA = Caller.of("ada");
    private static final Caller BOSS = Caller.of("bob", "boss");

    static final class Bank {

        private final List<String> effects = new ArrayList<>();

        @Tool
        @RequiresApproval(remember = TOOL)
        public String pay(int amount) {
            effects.add("pay " + amount);
            return "paid";
        }
    }

    private final ScriptedModel model = new ScriptedModel();
    private final Bank bank = new Bank();
    private final Store store = new InMemoryStore();
    private final VirtualClock clock = new VirtualClock();
    private final List<AuditEvent> heard = new ArrayList<>();
    private int calls;

    private HoldpointBuilder<?> builder() {
        return Shape.BLOCKING
                .builder(model)
                .tools(bank)
                .store(store)
                .clock(clock)
                .observers(RunObserver.ofTrail(heard::add));
    }

    private RunResult pays(Holdpoint agent, int amount) {
        model.calls(call("c" + ++calls, "pay", "{\"amount\":" + amount + "}")).says("Well.");
        return agent.send("t", "go");
    }

    /** Ada's thread; somebody approves, and has that remembered. */
    private Grant remembered(Holdpoint agent, Caller granter) {
        pays(agent.as(ADA), 1);
        Holdpoint granting = agent.as(granter);
        granting.resume("t", granting.pending("t").get(0).asApproval().approveAndRemember(TOOL));
        return granting.grants("t").get(0);
    }

    @Test
    void theAuthorizerIsAskedAgainForTheOneWhoGaveItWithTheActualArguments() {
        AtomicReference<ApprovalAuthorizer.Request> asked = new AtomicReference<>();
        Holdpoint agent = builder()
                .approvalAuthorizer(new ApprovalAuthorizer() {
                    @Override
                    public boolean mayDecide(ApprovalAuthorizer.Request request) {
                        asked.set(request);
                        return request.caller().roles().contains("boss")
                                && request.arguments().path("amount").asInt() <= 100;
                    }

                    @Override
                    public boolean mayAccess(Caller caller, String threadId, String ownerId) {
                        return caller.roles().contains("boss");
                    }
                })
                .build();
        remembered(agent, BOSS);

        assertThat(pays(agent.as(ADA), 100)).isInstanceOf(RunResult.Completed.class);
        assertThat(asked.get().caller()).isEqualTo(BOSS);
        assertThat(asked.get().ownerId()).isEqualTo("ada");
        assertThat(asked.get().approves()).isTrue();
        assertThat(asked.get().toolName()).isEqualTo("pay");

        RunResult.Interrupted held = (RunResult.Interrupted) pays(agent.as(ADA), 101);
        assertThat(held.interrupts().get(0).interrupt().metadata().toString()).contains("not_allowed");
        assertThat(bank.effects).containsExactly("pay 1", "pay 100");
    }

    @ParameterizedTest
    @Logs("The authorizer failed for")
    @ValueSource(strings = {"decides no more", "sees the thread no more", "cannot be told"})
    void aDecisionOfSomebodyWhoMayNotDecideAnyMoreDoesNotCount(String why) {
        remembered(builder().approvalAuthorizer(ApprovalAuthorizer.role("boss")).build(), BOSS);
        Holdpoint later = builder()
                .approvalAuthorizer(
                        switch (why) {
                            case "decides no more" -> ApprovalAuthorizer.role("director");
                            case "sees the thread no more" -> request -> true;
                            default ->
                                request -> {
                                    throw new IllegalStateException("no connection");
                                };
                        })
                .build();

        assertThat(pays(later.as(ADA), 2)).isInstanceOf(RunResult.Interrupted.class);
    }

    @Test
    void whoMayNotSeeTheThreadNeitherSeesNorRevokesWhatItRemembers() {
        Holdpoint agent = builder().build();
        Grant given = remembered(agent, ADA);

        assertThat(agent.as(Caller.of("mallory")).grants("t")).isEmpty();
        assertThat(agent.as(Caller.of("mallory")).revoke("t", given.id())).isFalse();
        assertThat(agent.as(ADA).grants("t")).containsExactly(given);
        assertThat(agent.as(ADA).grants("\0")).isEmpty();
    }

    @Test
    void whoeverMayAccessTheThreadMayRevokeWhatSomebodyElseGave() {
        Holdpoint agent =
                builder().approvalAuthorizer(ApprovalAuthorizer.role("boss")).build();
        Grant given = remembered(agent, BOSS);

        assertThat(agent.as(ADA).revoke("t", given.id())).isTrue();
        assertThat(agent.as(BOSS).grants("t")).isEmpty();
    }

    private List<String> trail(Kind kind, String field) {
        return store.auditTrail("t", 0, 100).stream()
                .filter(event -> event.kind() == kind)
                .map(event -> event.toolCallId().orElseThrow() + " by " + event.caller() + ": "
                        + event.detail().path(field).asText())
                .toList();
    }

    @Test
    void whatIsGivenUsedExpiredAndRevokedIsNotedAndToldToTheListener() {
        Holdpoint agent =
                builder().approvalAuthorizer(ApprovalAuthorizer.role("boss")).build();
        String id = remembered(agent, BOSS).id();
        pays(agent.as(ADA), 2);
        agent.as(ADA).revoke("t", id);

        assertThat(trail(Kind.GRANTED, "grant")).containsExactly("c1 by bob: " + id);
        assertThat(trail(Kind.GRANTED, "scope")).containsExactly("c1 by bob: tool");
        assertThat(trail(Kind.GRANTED, "expiresAt")).containsExactly("c1 by bob: 2026-01-31T12:15:00Z");
        assertThat(trail(Kind.ALLOWED, "grant")).containsExactly("c2 by ada: " + id);
        assertThat(trail(Kind.CLAIMED, "grant")).containsExactly("c1 by bob: ", "c2 by ada: " + id);
        assertThat(trail(Kind.REVOKED, "grant")).containsExactly("c1 by ada: " + id);
        assertThat(heard).isEqualTo(store.auditTrail("t", 0, 100));
    }

    @Test
    void thatADecisionHadExpiredIsNotedWithTheQuestion() {
        Holdpoint agent = builder().build();
        String id = remembered(agent, ADA).id();
        clock.advance(Duration.ofMinutes(15));
        pays(agent.as(ADA), 2);

        assertThat(store.auditTrail("t", 0, 100))
                .filteredOn(event -> event.kind() == Kind.HELD)
                .last()
                .satisfies(event -> assertThat(event.detail().path("unusedGrant"))
                        .hasToString("{\"id\":\"" + id + "\",\"why\":\"expired\"}"));
    }

    @Test
    void whatHasExpiredLongAgoIsPurged() {
        Holdpoint agent = builder()
                .retention(new Retention(Duration.ofHours(2), Duration.ofDays(1)))
                .build();
        remembered(agent, ADA);
        clock.advance(Duration.ofMinutes(135));
        agent.purge();
        assertThat(Grant.of(store, "t")).hasSize(1);
        clock.advance(Duration.ofNanos(1));

        agent.purge();

        assertThat(Grant.of(store, "t")).isEmpty();
    }

    @Test
    @Logs("Run * on thread * failed")
    void whoFailsRightAfterTheAnswerHasStoredWhatIsRemembered() {
        AtomicBoolean fails = new AtomicBoolean();
        Holdpoint failing = builder()
                .chatModel(run -> {
                    if (fails.get()) {
                        throw new IllegalStateException("no model today");
                    }
                    return model;
                })
                .build()
                .as(ADA);
        pays(failing, 1);
        var answer = failing.pending("t").get(0).asApproval().approveAndRemember(TOOL);
        fails.set(true);
        failing.resume("t", answer);
        assertThat(bank.effects).isEmpty();

        Holdpoint next = builder().build().as(ADA);
        next.resume("t", answer);

        assertThat(bank.effects).containsExactly("pay 1");
        assertThat(next.grants("t")).hasSize(1);
        assertThat(pays(next, 2)).isInstanceOf(RunResult.Completed.class);
    }

    @Test
    @Logs({"Lease* could not be given back", "Run * on thread * failed"})
    void aCallWhoseServerDiedAfterItWasLetThroughIsLookedAtAgain() {
        remembered(builder().build(), ADA);
        MortalStore mortal = new MortalStore(store);
        Holdpoint dying = builder()
                .store(mortal)
                .observers(RunObserver.ofTrail(event -> {
                    if (event.kind() == Kind.ALLOWED) {
                        mortal.die();
                    }
                }))
                .build()
                .as(ADA);
        pays(dying, 2);
        clock.advance(Duration.ofMinutes(15));

        builder().build().as(ADA).resume("t");

        assertThat(bank.effects).containsExactly("pay 1");
        assertThat(model.lastResult("c2")).contains("was not executed");
    }

    /** The tool may run again, but by then nobody has approved it. */
    @Test
    @Logs({"Lease* could not be given back", "Run * on thread * failed"})
    void anIdempotentCallWhoseServerDiedWhileItRanIsNotExecutedAgainByARevokedDecision() {
        ToolPolicy idempotent =
                ToolPolicy.named("pay").remember(Duration.ofHours(1), TOOL).idempotent();
        Holdpoint agent = builder().toolPolicies(idempotent).build().as(ADA);
        String grant = remembered(agent, ADA).id();
        MortalStore mortal = new MortalStore(store);
        Holdpoint dying = builder()
                .toolPolicies(idempotent)
                .store(mortal)
                .observers(RunObserver.ofTrail(event -> {
                    if (event.kind() == Kind.CLAIMED) {
                        mortal.die();
                    }
                }))
                .build()
                .as(ADA);
        pays(dying, 2);
        assertThat(bank.effects).containsExactly("pay 1", "pay 2");
        clock.advance(Duration.ofMinutes(2));
        assertThat(agent.revoke("t", grant)).isTrue();

        agent.resume("t");

        assertThat(bank.effects).containsExactly("pay 1", "pay 2");
        assertThat(model.lastResult("c2")).contains("outcome", "is unknown");
    }

    // --- destructive tools

    private static ToolProvider provides(Object destructiveHint) {
        return request -> ToolProviderResult.builder()
                .add(
                        ToolSpecification.builder()
                                .name("drop")
                                .metadata(Map.of("destructiveHint", destructiveHint))
                                .build(),
                        (call, memoryId) -> "dropped")
                .build();
    }

    private boolean offersToRemember(HoldpointBuilder<?> builder) {
        model.calls(call("c1", "drop", "{}"));
        RunResult.Interrupted held = (RunResult.Interrupted)
                builder.store(new InMemoryStore()).build().send("t", "go");
        return held.interrupts()
                .get(0)
                .interrupt()
                .responseSchema()
                .path("properties")
                .has("remember");
    }

    @Test
    void aToolThatIsMarkedDestructiveIsNeverRememberedWhateverAPolicySays() {
        ToolPolicy remembering = ToolPolicy.named("drop").remember(Duration.ofMinutes(5), TOOL);

        assertThat(offersToRemember(builder().toolProviders(provides(false)).toolPolicies(remembering)))
                .isTrue();
        assertThat(offersToRemember(builder().toolProviders(provides(true)).toolPolicies(remembering)))
                .isFalse();
        assertThat(offersToRemember(builder()
                        .toolProviders(provides(false))
                        .toolPolicies(
                                remembering,
                                ToolPolicy.named("drop")
                                        .when(call -> ApprovalVerdict.allow())
                                        .reversibility(Reversibility.IRREVERSIBLE))))
                .isFalse();
    }

    @Test
    void aPolicyThatSaysBothIsRefusedWhenTheAgentIsBuilt() {
        ToolPolicy both =
                ToolPolicy.named("pay").remember(Duration.ofMinutes(5), TOOL).reversibility(Reversibility.IRREVERSIBLE);
        HoldpointBuilder<?> builder = builder().toolPolicies(both);

        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("\"pay\"")
                .hasMessageContaining("irreversible");
    }

    @Test
    void aPolicySaysForWhichCalls() {
        assertThatThrownBy(() -> ToolPolicy.named("pay").remember(Duration.ofMinutes(5)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
