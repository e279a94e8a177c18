package io.holdpoint.people;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.service.IllegalConfigurationException;
import io.holdpoint.ApprovalVerdict;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.PendingInterrupt.Approval;
import io.holdpoint.ProposedCall;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.ToolPolicy;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.Store;
import io.holdpoint.store.jdbc.JdbcStore;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.TestDatabase;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What was shown still holds when it runs, or a person is asked again. */
class EffectTest {

    private static final String PAY = "{\"amount\":5,\"note\":\"lunch\"}";

    private final List<String> effects = new ArrayList<>();
    private final Bench bench = new Bench();
    private BigDecimal balance = BigDecimal.valueOf(100);
    private BigDecimal price = BigDecimal.TEN;
    private int planned;

    /** Pays. */
    final class Bank {

        @Tool
        @RequiresApproval(message = "Pay {{amount}}?")
        String pay(BigDecimal amount, Optional<String> note) {
            effects.add("pay " + amount);
            return "paid";
        }
    }

    private Plan plan(ProposedCall call) {
        planned++;
        BigDecimal amount = call.argument("amount", BigDecimal.class).orElseThrow();
        return Plan.of(Map.of("leaves", balance.subtract(amount)))
                .holds("balance", balance)
                .holdsWithin("price", price, Tolerance.percent(1))
                .validFor(Duration.ofHours(4));
    }

    private Holdpoint agent(Effect effect) {
        return agent(effect, builder -> builder);
    }

    private Holdpoint agent(Effect effect, UnaryOperator<HoldpointBuilder<Bench.Assistant>> custom) {
        return bench.another(builder -> custom.apply(builder.tools(new Bank())
                .toolPolicies(ToolPolicy.named("pay").rules(effect).message("Pay {{amount}}?"))));
    }

    private Approval held(Holdpoint agent) {
        bench.model.calls(call("p", "pay", PAY));
        Approval asked = agent.send(THREAD, "Pay, please").approvals().get(0);
        bench.model.says("Done.");
        return asked;
    }

    private static JsonNode effect(PendingInterrupt asked) {
        return asked.interrupt().metadata().at("/langchain4j/effect");
    }

    private static Approval again(RunResult result) {
        return result.approvals().get(0);
    }

    // --- the plan

    @Test
    void theQuestionShowsThePlanAndItsFacts() {
        JsonNode shown = effect(held(agent(this::plan)));

        assertThat(shown.path("plan")).hasToString("{\"leaves\":95}");
        assertThat(shown.path("facts")).hasToString("{\"balance\":100,\"price\":10}");
        assertThat(shown.path("within")).hasToString("{\"price\":{\"percent\":1.0}}");
        assertThat(shown.path("validFor").asText()).isEqualTo("PT4H");
        assertThat(shown.path("fingerprint").asText()).hasSize(64);
        assertThat(shown.has("why")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theSameFactsRunAndOthersAreShownBesideThem(boolean inDatabase) {
        Store store = inDatabase ? JdbcStore.create(TestDatabase.sqlite().dataSource()) : bench.store;
        Holdpoint agent = agent(this::plan, builder -> builder.store(store));
        Approval first = held(agent);
        balance = new BigDecimal("100.00");
        price = new BigDecimal("10.1");
        assertThat(agent.resume(THREAD, first.approve())).isInstanceOf(RunResult.Completed.class);
        assertThat(effects).containsExactly("pay 5");

        Approval other = held(agent);
        balance = BigDecimal.valueOf(50_000);
        Approval second =
                again(agent(this::plan, builder -> builder.store(store)).resume(THREAD, other.approve()));

        assertThat(effects).containsExactly("pay 5");
        assertThat(effect(second).path("changed"))
                .hasToString("{\"was\":{\"balance\":100},\"is\":{\"balance\":50000}}");
        assertThat(effect(second).path("why").asText()).isEqualTo("changed");
        assertThat(second.message()).isEqualTo("What was shown no longer holds. balance was 100 and is 50000. Pay 5?");
        agent.resume(THREAD, second.approve());
        assertThat(effects).containsExactly("pay 5", "pay 5");
        assertThat(store.check()).isEmpty();
    }

    @Test
    void aNumberBeyondItsToleranceIsAnotherFact() {
        Holdpoint agent = agent(this::plan);
        Approval first = held(agent);
        price = new BigDecimal("10.11");

        assertThat(effect(again(agent.resume(THREAD, first.approve())))
                        .at("/changed/is/price")
                        .asText())
                .isEqualTo("10.11");
        assertThat(effects).isEmpty();
        assertThat(Tolerance.of(0.5).written()).hasToString("{\"most\":0.5}");
        assertThatThrownBy(() -> Tolerance.of(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void thatACreepingNumberIsWithinItsToleranceIsSaidOfTheOneThatWasShown() {
        Holdpoint agent = agent(call -> Plan.of("x").holdsWithin("price", price, Tolerance.of(1)));
        Approval first = held(agent);
        price = new BigDecimal("11.5");
        Approval second = again(agent.resume(THREAD, first.approve()));
        price = new BigDecimal("12.4");

        assertThat(agent.resume(THREAD, second.approve())).isInstanceOf(RunResult.Completed.class);
    }

    @Test
    void aPlanIsValidForItsTime() {
        Holdpoint agent = agent(this::plan);
        Approval first = held(agent);
        bench.clock.advance(Duration.ofHours(4));
        Approval second = again(agent.resume(THREAD, first.approve()));

        assertThat(effect(second).path("why").asText()).isEqualTo("expired");
        assertThat(effect(second).has("changed")).isFalse();
        bench.clock.advance(Duration.ofHours(3));
        assertThat(agent.resume(THREAD, second.approve())).isInstanceOf(RunResult.Completed.class);
        assertThat(effects).containsExactly("pay 5");
    }

    @Test
    void factsComeAndGoAndMayBeAnything() {
        List<Plan> plans = new ArrayList<>(List.of(
                Plan.of("x").holds("a", null).holds("when", Instant.EPOCH),
                Plan.of("x").holds("b", List.of(1, Map.of("c", 2.50))).holds("when", Instant.EPOCH)));
        Holdpoint agent = agent(call -> plans.size() == 1 ? plans.get(0) : plans.remove(0));

        Approval second = again(agent.resume(THREAD, held(agent).approve()));

        assertThat(effect(second).path("changed")).hasToString("{\"was\":{\"a\":null},\"is\":{\"b\":[1,{\"c\":2.5}]}}");
        assertThat(second.message()).contains("a was null and is not there; b was not there and is [1,{\"c\":2.5}].");
        assertThatThrownBy(() -> Plan.of("x").holds("a", 1).holds("a", 2)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Plan.of("x").validFor(Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aPlanWithoutFactsIsShownAndNeverCompared() {
        Holdpoint agent = agent(call -> Plan.of(Map.of("leaves", balance)));
        Approval first = held(agent);
        balance = BigDecimal.ZERO;

        assertThat(agent.resume(THREAD, first.approve())).isInstanceOf(RunResult.Completed.class);
    }

    // --- no plan

    /** Has no plan, in one way or another, until there is one. */
    private final class Broken implements Effect {

        private final String how;
        private final CountDownLatch never = new CountDownLatch(1);

        Broken(String how) {
            this.how = how;
        }

        @Override
        public Duration within() {
            return Duration.ofMillis(how.equals("late") ? 20 : 5_000);
        }

        @Override
        public Plan plan(ProposedCall call) throws Exception {
            switch (how) {
                case "throws" -> throw new IllegalStateException("secret");
                case "error" -> throw new NoClassDefFoundError("secret");
                case "late" -> never.await();
                case "large" -> {
                    return Plan.of("x".repeat(Effect.MAX_LENGTH));
                }
                case "fact" -> {
                    return Plan.of("x").holds("f", "x".repeat(Effect.MAX_FACT_LENGTH));
                }
                case "facts" -> {
                    Plan plan = Plan.of("x");
                    for (int i = 0; i <= Effect.MOST_FACTS; i++) {
                        plan = plan.holds("f" + i, i);
                    }
                    return plan;
                }
                case "unwritable" -> {
                    return Plan.of(new Object());
                }
                default -> {}
            }
            return null;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"throws", "error", "late", "large", "fact", "facts", "unwritable", "null"})
    @Logs("The plan of a call of pay could not be made*")
    void withoutAPlanItIsAskedThreeTimesAndNeverRuns(String how) {
        Holdpoint agent = agent(new Broken(how));
        String word =
                switch (how) {
                    case "late" -> "late";
                    case "large", "fact", "facts" -> "large";
                    default -> "failed";
                };
        Approval asked = held(agent);
        for (int times = 1; times <= Effect.MOST_TIMES; times++) {
            assertThat(effect(asked).path("why").asText()).isEqualTo(word);
            assertThat(effect(asked).path("times").path(word).intValue()).isEqualTo(times);
            assertThat(effect(asked).path("reason").asText()).doesNotContain("secret");
            assertThat(effect(asked).path("reason").asText().contains("tell who looks after"))
                    .isEqualTo(times == 3);
            RunResult result = agent.resume(THREAD, asked.approve());
            if (times < Effect.MOST_TIMES) {
                asked = again(result);
                assertThat(asked.message()).startsWith("What it would do ").endsWith("Pay 5?");
            } else {
                assertThat(result).isInstanceOf(RunResult.Completed.class);
            }
        }
        assertThat(effects).isEmpty();
        assertThat(bench.model.lastResult("p")).contains("it was asked about 3 times");
    }

    /** A statement that is cancelled because its time is over has ended before anybody could find that it is late. */
    @Test
    void whatFailsAfterItsTimeIsLate() {
        CountDownLatch ended = new CountDownLatch(1);
        Effect cancelled = new Effect() {
            @Override
            public Duration within() {
                try {
                    ended.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                return Duration.ofMillis(1);
            }

            @Override
            public Plan plan(ProposedCall call) {
                long began = System.nanoTime();
                while (System.nanoTime() - began < 2_000_000) {
                    Thread.onSpinWait();
                }
                ended.countDown();
                throw new IllegalStateException("cancelled");
            }
        };
        ProposedCall call = new ProposedCall(
                ToolSpecification.builder().name("pay").build(),
                JsonNodeFactory.instance.objectNode(),
                Caller.ANONYMOUS,
                THREAD,
                "r",
                "p");

        assertThat(FoundPlan.of(cancelled, call).failed()).contains(FoundPlan.Why.LATE);
    }

    @Test
    @Logs("The plan of a call of pay could not be made*")
    void whatWasNotShownAtFirstIsShownBeforeItRuns() {
        List<RuntimeException> failures = new ArrayList<>(List.of(new IllegalStateException("no line")));
        Holdpoint agent = agent(call -> {
            if (!failures.isEmpty()) {
                throw failures.remove(0);
            }
            return plan(call);
        });
        Approval second = again(agent.resume(THREAD, held(agent).approve()));

        assertThat(effect(second).path("why").asText()).isEqualTo("unseen");
        assertThat(effect(second).path("plan")).hasToString("{\"leaves\":95}");
        agent.resume(THREAD, second.approve());
        assertThat(effects).containsExactly("pay 5");
    }

    @Test
    void factsThatAlwaysChangeComeToAnEnd() {
        Holdpoint agent = agent(call -> Plan.of("x").holds("n", planned++));
        Approval asked = held(agent);
        for (int i = 0; i < Effect.MOST_TIMES; i++) {
            asked = again(agent.resume(THREAD, asked.approve()));
        }
        assertThat(asked.message()).contains("does not run if it happens again");

        assertThat(agent.resume(THREAD, asked.approve())).isInstanceOf(RunResult.Completed.class);
        assertThat(effects).isEmpty();
    }

    // --- edits, and what nobody is asked about

    @Test
    void anEditThatHasAnotherEffectIsShownOnceMore() {
        Holdpoint agent = agent(this::plan);
        Approval second = again(agent.resume(THREAD, held(agent).edit("amount", 7)));

        assertThat(effects).isEmpty();
        assertThat(effect(second).path("plan")).hasToString("{\"leaves\":93}");
        assertThat(effect(second).path("why").asText()).isEqualTo("edited");
        assertThat(second.arguments().path("amount").intValue()).isEqualTo(7);
        agent.resume(THREAD, second.approve());
        assertThat(effects).containsExactly("pay 7");
    }

    @Test
    void anEditThatHasTheSameEffectRuns() {
        Holdpoint agent = agent(this::plan);

        assertThat(agent.resume(THREAD, held(agent).edit("note", "dinner"))).isInstanceOf(RunResult.Completed.class);
        assertThat(effects).containsExactly("pay 5");
    }

    @Test
    void whatNobodyIsAskedAboutIsNotPlanned() {
        class Plain {
            @Tool
            String pay(BigDecimal amount, String note) {
                effects.add("pay " + amount);
                return "paid";
            }
        }
        Effect effect = this::plan;
        Holdpoint agent = bench.another(builder -> builder.tools(new Plain())
                .toolPolicies(ToolPolicy.named("pay")
                        .when(call -> ApprovalVerdict.allow())
                        .rules(effect)));
        bench.model.calls(call("p", "pay", PAY)).says("Done.");

        assertThat(agent.send(THREAD, "Pay")).isInstanceOf(RunResult.Completed.class);
        assertThat(effects).hasSize(1);
        assertThat(planned).isZero();
    }

    @Test
    void withARedactorTheTrailKeepsTheReasonOnly() {
        Holdpoint agent =
                agent(this::plan, builder -> builder.argumentRedactor((tool, arguments) -> arguments.removeAll()));
        Approval first = held(agent);
        balance = BigDecimal.ONE;
        agent.resume(THREAD, first.approve());

        assertThat(bench.store.auditTrail(THREAD, 0, 100).stream()
                        .filter(event -> event.kind() == AuditEvent.Kind.HELD)
                        .map(event -> event.detail().path("effect").toString()))
                .containsExactly("{}", "{\"times\":{\"changed\":1},\"why\":\"changed\"}");
    }

    // --- the annotation

    /** Shows and holds nothing that changes. */
    static final class Calm implements Effect {

        @Override
        public Plan plan(ProposedCall call) {
            return Plan.of("calm").holds("calm", true);
        }
    }

    /** Needs what only the application has. */
    record Needy(List<String> world) implements Effect {

        @Override
        public Plan plan(ProposedCall call) {
            return Plan.of(world).holds("world", world);
        }
    }

    @Test
    void anAnnotationNamesItByItsClass() {
        class Calming {
            @Tool
            @RequiresApproval(rules = Calm.class)
            String pay(int amount, String note) {
                return "paid";
            }
        }
        class Needing {
            @Tool
            @RequiresApproval(rules = Needy.class)
            String pay(int amount) {
                effects.add("pay " + amount);
                return "paid";
            }
        }
        assertThat(effect(held(bench.another(builder -> builder.tools(new Calming()))))
                        .path("plan")
                        .asText())
                .isEqualTo("calm");
        assertThatThrownBy(() -> bench.another(builder -> builder.tools(new Needing())))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("beans");
        List<String> world = new ArrayList<>(List.of("calm"));
        Bench second = new Bench();
        Holdpoint agent = second.another(builder -> builder.tools(new Needing()).beans(new Needy(world)));
        second.model.calls(call("n", "pay", "{\"amount\":1}"));
        Approval first = agent.send("other", "Pay").approvals().get(0);
        world.add("storm");

        assertThat(effect(again(agent.resume("other", first.approve()))).at("/changed/is/world"))
                .hasToString("[\"calm\",\"storm\"]");
        assertThat(effects).isEmpty();
    }

    // --- a thousand worlds

    @Test
    void aThousandChangesOfTheWorldLeaveNothingStale() {
        Random random = new Random(43);
        Map<String, Integer> world = new HashMap<>();
        List<Integer> fails = new ArrayList<>();
        Map<String, JsonNode> ran = new HashMap<>();
        Effect look = call -> {
            if (!fails.isEmpty() && fails.remove(0) == 0) {
                return null;
            }
            Plan plan = Plan.of(Map.copyOf(world));
            for (Map.Entry<String, Integer> fact : world.entrySet()) {
                plan = fact.getKey().equals("near")
                        ? plan.holdsWithin("near", fact.getValue(), Tolerance.of(1))
                        : plan.holds(fact.getKey(), fact.getValue());
            }
            return plan;
        };
        List<Map<String, Integer>> seen = new ArrayList<>();
        class World {
            @Tool
            @RequiresApproval
            String act(int n) {
                seen.add(Map.copyOf(world));
                return "done";
            }
        }
        Holdpoint agent = bench.another(builder ->
                builder.tools(new World()).toolPolicies(ToolPolicy.named("act").rules(look)));
        int asked = 0;
        int ranCount = 0;
        for (int trial = 0; trial < 1_000; trial++) {
            String thread = "t" + trial;
            world.clear();
            world.put("near", random.nextInt(5));
            world.put("far", random.nextInt(3));
            bench.model.calls(call("c" + trial, "act", "{\"n\":1}")).says("Done.");
            RunResult result = agent.send(thread, "Act");
            seen.clear();
            for (int answers = 0; !result.approvals().isEmpty(); answers++) {
                assertThat(answers).isLessThan(20);
                Approval question = result.approvals().get(0);
                asked++;
                change(world, random);
                boolean edits = random.nextInt(10) == 0;
                result = agent.resume(thread, edits ? question.edit("n", 2 + answers) : question.approve());
                if (!seen.isEmpty()) {
                    holds(effect(question).path("facts"), seen.get(0));
                    ranCount++;
                }
            }
            assertThat(result).isInstanceOf(RunResult.Completed.class);
            assertThat(seen.size()).isLessThanOrEqualTo(1);
        }
        assertThat(asked).isGreaterThan(1_400);
        assertThat(ranCount).isGreaterThan(500);
    }

    private static void change(Map<String, Integer> world, Random random) {
        switch (random.nextInt(6)) {
            case 0 -> world.merge("near", random.nextInt(4) - 2, Integer::sum);
            case 1 -> world.put("far", random.nextInt(3));
            case 2 -> world.put("new", 1);
            case 3 -> world.remove("new");
            default -> {}
        }
    }

    private static void holds(JsonNode shown, Map<String, Integer> present) {
        Map<String, Integer> others = new HashMap<>(present);
        int near = others.remove("near");
        assertThat(Math.abs(shown.path("near").intValue() - near)).isLessThanOrEqualTo(1);
        others.forEach((fact, value) ->
                assertThat(shown.path(fact).intValue()).as(fact).isEqualTo(value));
        assertThat(shown).hasSize(present.size());
    }
}
