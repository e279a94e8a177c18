package io.holdpoint.agents;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.service.tool.ToolProvider;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Caller;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.Limits;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.Timeline;
import io.holdpoint.ToolPolicy;
import io.holdpoint.WhenExpired;
import io.holdpoint.hook.Guest;
import io.holdpoint.hook.RunObserver;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.Bounds;
import io.holdpoint.store.Commit;
import io.holdpoint.store.DailyTokens;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Reversibility;
import io.holdpoint.store.Store;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.ForwardingStore;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.MortalStore;
import io.holdpoint.testing.OfficeTools;
import io.holdpoint.testing.Shape;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What an agent in a tool is for the rest of the agent around it: a tool with a class, with tokens, with a time, in the record. */
class LocalAgentTest {

    private static final String SECRET = "4111-1111";

    private final Bench bench = new Bench();
    private final List<String> paid = new ArrayList<>();

    /** Tools of both agents. */
    public final class Desk {

        @Tool
        @RequiresApproval(reversibility = Reversibility.IRREVERSIBLE)
        public String look() {
            return "Acme";
        }

        @Tool
        public String find() {
            return "Acme";
        }
    }

    /** Pays. */
    public final class Bank {

        @Tool
        public String pay(String vendor, BigDecimal amount) {
            paid.add(vendor + " " + amount);
            return "paid";
        }
    }

    private ToolProvider clerk(ScriptedModel model, Object... tools) {
        return LocalAgent.of(
                "clerk",
                "Works",
                Holdpoint.builder(Bench.Assistant.class)
                        .streamingChatModel(model)
                        .store(bench.store)
                        .clock(bench.clock)
                        .name("clerk")
                        .tools(tools)
                        .build());
    }

    @Test
    void itHasNoGuests() {
        AtomicInteger joined = new AtomicInteger();
        Holdpoint inner = bench.another(builder -> builder.with(agent -> {
            joined.incrementAndGet();
            return new Guest() {};
        }));

        LocalAgent.of("clerk", "Pays bills", inner);

        assertThat(joined).hasValue(1);
    }

    @Test
    void itHasTheHighestClassOfItsTools() {
        Holdpoint outer = bench.another(builder ->
                builder.toolProviders(clerk(new ScriptedModel(), new Desk())).toolPolicies(ToolPolicy.named("clerk")));
        bench.model.calls(call("c1", "clerk", "{\"task\":\"Go\"}"));

        assertThat(Reversibility.of(outer.send(THREAD, "Go").interrupts().get(0).interrupt()))
                .contains(Reversibility.IRREVERSIBLE);
    }

    @Test
    void aPolicyForAClassAppliesToItIfItsToolsHaveTheClass() {
        Holdpoint outer = bench.another(builder -> builder.toolProviders(clerk(new ScriptedModel(), new Desk()))
                .toolPolicies(ToolPolicy.classed(Reversibility.IRREVERSIBLE).message("Let the agent work?")));
        bench.model.calls(call("c1", "clerk", "{\"task\":\"Go\"}"));

        assertThat(outer.send(THREAD, "Go").interrupts().get(0).interrupt().message())
                .isEqualTo("Let the agent work?");
    }

    @Test
    void itIsNotBuiltTwiceAndIsNamedAmongTheToolsThatProvidersGive() {
        ToolProvider clerk = clerk(new ScriptedModel(), new Desk());
        assertThat(bench.store.of("clerk").feed(0, 100)).hasSize(1);
        assertThat(bench.store.of("clerk~tool").feed(0, 100)).isEmpty();
        Holdpoint boss = bench.another(builder -> builder.name("boss").toolProviders(clerk));
        bench.model.says("Hello.");

        boss.send(THREAD, "Hi");

        assertThat(bench.store.of("boss").auditTrail("", 0, 100))
                .filteredOn(event -> event.kind() == AuditEvent.Kind.PROVIDED)
                .singleElement()
                .satisfies(event -> assertThat(event.detail().path("never").fieldNames())
                        .toIterable()
                        .containsExactly("clerk"));
    }

    @Test
    void itsTokensCountForTheTurnAndTheDay() {
        ScriptedModel clerkModel =
                new ScriptedModel().calls(call("i1", "look", "{}")).says("Seen.");
        Holdpoint boss = bench.another(builder -> builder.toolProviders(clerk(clerkModel, new Desk()))
                .limits(Limits.DEFAULT.withTokensPerTurn(45).withTokensPerDay(45)));
        bench.model.calls(call("c1", "clerk", "{\"task\":\"Look\"}"));
        PendingInterrupt asked = boss.send(THREAD, "Go").interrupts().get(0);

        assertThat(code(boss.resume(THREAD, asked.asApproval().approve()))).isEqualTo(ErrorCode.TOO_MANY_TOKENS);

        assertThat(bench.model.requests()).hasSize(1);
        assertThat(clerkModel.requests()).hasSize(2);
        assertThat(code(boss.send("t2", "Hi"))).isEqualTo(ErrorCode.TOKENS_USED_UP);
    }

    private static ErrorCode code(RunResult result) {
        return result.failure().orElseThrow().code();
    }

    /** Runs something right before a payment is claimed. */
    private Store beforeClaims(AtomicReference<Runnable> beforeClaim) {
        return new ForwardingStore() {
            @Override
            protected Store store() {
                return bench.store;
            }

            @Override
            public void commit(Lease lease, Commit commit, Instant now) {
                if (commit.batches().stream()
                        .flatMap(batch -> batch.claimed().stream())
                        .anyMatch(call -> call.toolName().equals("pay"))) {
                    beforeClaim.getAndSet(() -> {}).run();
                }
                super.commit(lease, commit, now);
            }
        };
    }

    @Test
    void itsTokensCountAlsoIfTheDecisionOfACallBesideItIsRevokedBeforeTheClaim() {
        Deque<Runnable> tasks = new ArrayDeque<>();
        AtomicReference<Runnable> beforeClaim = new AtomicReference<>(() -> {});
        ScriptedModel clerkModel = new ScriptedModel()
                .calls(call("i1", "find", "{}"))
                .answers(request -> {
                    tasks.remove().run(); // the payment, with the tokens of the clerk's first answer not written yet
                    return AiMessage.from("Acme.");
                });
        Holdpoint clerk = Shape.BLOCKING
                .builder(clerkModel)
                .name("clerk")
                .tools(new Desk())
                .build();
        Holdpoint ada = Shape.BLOCKING
                .builder(
                        bench.model,
                        service -> service.executeToolsConcurrently(task -> {
                            tasks.add(task);
                            if (tasks.size() == 2 || paid.isEmpty()) {
                                tasks.remove().run();
                            }
                        }))
                .name("bank")
                .store(beforeClaims(beforeClaim))
                .tools(new Bank())
                .toolProviders(LocalAgent.of("clerk", "Finds people", clerk))
                .toolPolicies(ToolPolicy.named("pay")
                        .rememberWithin(
                                Bounds.same("vendor")
                                        .sum("amount", Duration.ofDays(1))
                                        .ofOwner(),
                                Duration.ofDays(7)))
                .limits(Limits.DEFAULT.withTokensPerDay(1_000))
                .clock(bench.clock)
                .build()
                .as(Caller.of("ada"));
        bench.model
                .calls(call("c1", "pay", "{\"vendor\":\"Acme\",\"amount\":40}"))
                .says("Done.");
        PendingInterrupt asked = ada.send("t1", "Pay").interrupts().get(0);
        ada.resume("t1", asked.asApproval().approveWithin(Map.of("amount", new BigDecimal("100"))));
        beforeClaim.set(() -> ada.revoke("t1", ada.grants("t1").get(0).id()));
        bench.model
                .calls(
                        call("k", "clerk", "{\"task\":\"Who?\"}"),
                        call("c2", "pay", "{\"vendor\":\"Acme\",\"amount\":60}"))
                .says("Not paid.");

        ada.send("t2", "Pay").orThrow();

        assertThat(paid).containsExactly("Acme 40");
        assertThat(DailyTokens.of(bench.store.of("bank"), "ada", LocalDate.now(bench.clock)))
                .isEqualTo(6 * 15);
    }

    // --- time

    private static ToolPolicy expiring(String tool, Duration end, WhenExpired then) {
        return ToolPolicy.named(tool).timeline(Timeline.expiresAfter(end).then(then));
    }

    @ParameterizedTest
    @EnumSource(names = {"GIVE_UP", "GO_ON"})
    void timeAlsoEndsABatchOfWhichSomethingHasRunAlready(WhenExpired then) {
        OfficeTools ofClerk = new OfficeTools();
        Holdpoint clerk = Shape.BLOCKING
                .builder(new ScriptedModel().calls(call("i1", "sendEmail", MAIL)))
                .name("clerk")
                .store(bench.store)
                .clock(bench.clock)
                .tools(ofClerk)
                .toolPolicies(expiring("sendEmail", Duration.ofHours(1), then))
                .build();
        Holdpoint boss =
                bench.another(builder -> builder.toolProviders(LocalAgent.of("clerk", "Writes letters", clerk)));
        bench.model.calls(
                call("c1", "searchContacts", "{\"query\":\"Ada\"}"),
                call("c2", "clerk", "{\"task\":\"Write\"}"),
                call("c3", "searchContacts", "{\"query\":\"Bob\"}"));
        boss.send(THREAD, "Go");
        assertThat(bench.tools.effects()).containsExactly("searchContacts Ada");
        bench.model.says("Nobody was there.");
        bench.clock.advance(Duration.ofHours(1));

        assertThat(boss.actOnTime()).isEqualTo(1);

        assertThat(bench.store.find(THREAD).orElseThrow().batch()).isEmpty();
        int more = then == WhenExpired.GO_ON ? 1 : 0;
        assertThat(bench.model.requests()).hasSize(1 + more);
        assertThat(bench.tools.effects()).hasSize(1 + more);
        assertThat(ofClerk.effects()).isEmpty();
        assertThat(boss.actOnTime()).isZero();
    }

    /** Of two tools of a message that run at the same time, the second one runs the first one in itself, and the server dies in it. */
    public static final class Beside {

        private final MortalStore store;
        private final Deque<Runnable> tasks = new ArrayDeque<>();
        private final List<String> effects = new ArrayList<>();

        Beside(Store store) {
            this.store = new MortalStore(store);
        }

        @Tool
        public String lose() {
            tasks.remove().run();
            effects.add("lose");
            store.die();
            return "";
        }

        private void lastFirst(Runnable task) {
            tasks.add(task);
            if (tasks.size() == 2) {
                tasks.removeLast().run();
            }
        }
    }

    @Test
    @Logs({"Lease* could not be given back", "Run * on thread * failed"})
    void itsQuestionThatExpiresBesideACallThatACrashCutOffDoesNotEndThat() {
        Holdpoint clerk = Shape.BLOCKING
                .builder(new ScriptedModel().calls(call("i1", "deleteRecords", "{\"table\":\"Old\"}")))
                .name("clerk")
                .store(bench.store)
                .clock(bench.clock)
                .tools(new OfficeTools())
                .toolPolicies(expiring("deleteRecords", Duration.ofMinutes(5), WhenExpired.GIVE_UP))
                .build();
        Beside tools = new Beside(bench.store);
        bench.model.calls(call("c1", "clerk", "{\"task\":\"Tidy up\"}"), call("c2", "lose", "{}"));
        bench.another(builder -> builder.store(tools.store)
                        .tools(tools)
                        .toolProviders(LocalAgent.of("clerk", "Tidies up", clerk))
                        .aiService(service -> service.executeToolsConcurrently(tools::lastFirst)))
                .send(THREAD, "Go");
        bench.clock.advance(Duration.ofMinutes(20));
        assertThat(bench.pending())
                .extracting(asked -> asked.interrupt().toolCallId())
                .containsExactly("c1");
        Holdpoint node = bench.another(
                builder -> builder.tools(tools).toolProviders(LocalAgent.of("clerk", "Tidies up", clerk)));

        assertThat(node.actOnTime()).isEqualTo(1);

        List<PendingInterrupt> asked = node.pending(THREAD);
        assertThat(asked).extracting(PendingInterrupt::toolName).containsExactly("lose");
        assertThat(asked.get(0)).isInstanceOf(PendingInterrupt.UnknownOutcome.class);
        assertThat(node.actOnTime()).isZero();
        bench.model.says("Seen.");
        assertThat(node.resume(THREAD, asked.get(0).asUnknownOutcome().done()).text())
                .isEqualTo("Seen.");
        assertThat(bench.model.lastResult("c1")).contains("not finished");
        assertThat(tools.effects).containsExactly("lose");
    }

    // --- the trail

    /** Fails with what it was given. */
    public static final class Mailer {

        @Tool
        @RequiresApproval
        public String mail(String body) {
            throw new IllegalStateException("cannot send " + body);
        }
    }

    /** At the end of a chain. */
    @Test
    @Logs("Tool '*' execution failed")
    void noAgentKeepsWhatOneInItsToolRedacts() {
        ApprovalAuthorizer boss = ApprovalAuthorizer.role("boss");
        List<AuditEvent> heard = new ArrayList<>();
        Store store = new InMemoryStore();
        ScriptedModel last = new ScriptedModel()
                .calls(call("i", "mail", "{\"body\":\"Hi\"}"))
                .says("It failed.");
        Holdpoint agent = Shape.BLOCKING
                .builder(last)
                .store(store)
                .approvalAuthorizer(ApprovalAuthorizer.fourEyes(boss))
                .argumentRedactor((tool, arguments) -> arguments.has("body") ? arguments.put("body", "***") : arguments)
                .tools(new Mailer())
                .build();
        for (String tool : List.of("mailer", "clerk")) {
            ScriptedModel model = new ScriptedModel()
                    .calls(call("c", tool, "{\"task\":\"Write\"}"))
                    .says("Done.");
            agent = Shape.BLOCKING
                    .builder(model)
                    .store(store)
                    .name("of-" + tool)
                    .approvalAuthorizer(boss)
                    .observers(RunObserver.ofTrail(heard::add))
                    .toolProviders(LocalAgent.of(tool, "Writes", agent))
                    .build();
        }
        agent.send("t", "Go");
        Holdpoint grace = agent.as(Caller.of("grace", "boss"));

        grace.resume("t", grace.pending("t").get(0).asApproval().approveWith(Map.of("body", SECRET)));
        Holdpoint heidi = agent.as(Caller.of("heidi", "boss"));
        heidi.resume("t", heidi.pending("t").get(0).asApproval().approve()).orThrow();

        assertThat(last.lastResult("i")).contains("cannot send " + SECRET);
        assertThat(heard.toString()).contains("\"editedBy\":\"grace\"").doesNotContain(SECRET);
        assertThat(grace.auditTrail("t", 0, 100).toString()).contains("grace").doesNotContain(SECRET);
    }
}
