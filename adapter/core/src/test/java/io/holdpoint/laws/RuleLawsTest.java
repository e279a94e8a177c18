package io.holdpoint.laws;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import io.holdpoint.Decided;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.ProposedCall;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.rule.Answering;
import io.holdpoint.rule.Proposal;
import io.holdpoint.rule.Rule;
import io.holdpoint.rule.Say;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.TestLog;
import io.holdpoint.testing.UnexpectedLog;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** The laws for rules, on made-up sets of them: what they say depends on the call by chance, at each of their moments. */
@Logs("The rule * failed on *")
class RuleLawsTest {

    private static final int AMOUNTS = 4;

    /** What a rule does at a moment. */
    enum Does {
        NOTHING,
        TIGHTEN,
        DENY,
        THROW
    }

    /** What a rule does about each amount, at each moment. */
    record Made(String name, List<Does> proposed, List<Does> answered, List<Does> run) implements Rule {

        private static int amount(ProposedCall call) {
            return call.argument("amount", Integer.class).orElseThrow();
        }

        @Override
        public Say onProposal(Proposal proposal) {
            return switch (proposed.get(amount(proposal.call()))) {
                case NOTHING -> Say.remark(JsonNodeFactory.instance.objectNode().put("by", name));
                case TIGHTEN -> Say.ASK;
                case DENY -> Say.deny("no, says " + name);
                case THROW -> throw new IllegalStateException(name);
            };
        }

        @Override
        public Optional<String> onAnswer(Answering answer) {
            return says(answered.get(amount(answer.call())));
        }

        @Override
        public Optional<String> beforeBody(ProposedCall call) {
            return says(run.get(amount(call)));
        }

        private Optional<String> says(Does does) {
            return switch (does) {
                case NOTHING -> Optional.empty();
                case TIGHTEN, DENY -> Optional.of("no, says " + name);
                case THROW -> throw new IllegalStateException(name);
            };
        }

        /** The same rule, which says what its exceptions stand for. */
        Made strict() {
            return new Made(name, strict(proposed, Does.TIGHTEN), strict(answered, Does.DENY), strict(run, Does.DENY));
        }

        private static List<Does> strict(List<Does> does, Does instead) {
            return does.stream()
                    .map(each -> each == Does.THROW ? instead : each)
                    .toList();
        }
    }

    @Provide
    Arbitrary<List<Made>> rules() {
        Arbitrary<Does> does = Arbitraries.frequencyOf(
                Tuple.of(6, Arbitraries.just(Does.NOTHING)),
                Tuple.of(2, Arbitraries.just(Does.TIGHTEN)),
                Tuple.of(1, Arbitraries.just(Does.DENY)),
                Tuple.of(1, Arbitraries.just(Does.THROW)));
        Arbitrary<List<Does>> all = does.list().ofSize(AMOUNTS);
        Arbitrary<List<List<Does>>> moments = all.list().ofSize(3);
        return moments.list().ofMinSize(0).ofMaxSize(5).map(made -> {
            List<Made> rules = new ArrayList<>();
            for (List<List<Does>> each : made) {
                rules.add(new Made("rule" + (char) ('A' + rules.size()), each.get(0), each.get(1), each.get(2)));
            }
            return rules;
        });
    }

    /** What came of a conversation in which a person approves whatever they are asked, and denies what they cannot approve. */
    private static final class Told {

        private final Set<String> effects = new TreeSet<>();
        private final List<String> asked = new ArrayList<>();
        private final List<Made> rules;

        Told(List<Made> rules) {
            this.rules = rules;
        }

        /** Pays, asked about or not. */
        final class Bank {

            @Tool
            @RequiresApproval
            String pay(int amount) {
                effects.add("pay " + amount);
                return "paid";
            }

            @Tool
            String move(int amount) {
                effects.add("move " + amount);
                return "moved";
            }
        }

        Told run() {
            Bench bench = new Bench();
            Holdpoint agent = bench.another(builder -> builder.tools(new Bank()).rules(rules.toArray(Rule[]::new)));
            List<ToolExecutionRequest> calls = new ArrayList<>();
            for (int amount = 0; amount < AMOUNTS; amount++) {
                String arguments = "{\"amount\":" + amount + "}";
                calls.add(call("p" + amount, "pay", arguments));
                calls.add(call("m" + amount, "move", arguments));
            }
            bench.model.calls(calls.toArray(ToolExecutionRequest[]::new)).says("Done.");
            RunResult held = agent.send(THREAD, "Pay and move");
            for (PendingInterrupt open : held.interrupts()) {
                PendingInterrupt.Approval question = open.asApproval();
                asked.add(question.interrupt().toolCallId() + " "
                        + question.interrupt().metadata());
                String before = stored(bench);
                Decided decided = agent.decide(THREAD, question.approve());
                if (decided instanceof Decided.Refused) {
                    assertThat(stored(bench))
                            .as("a refused answer changes nothing")
                            .isEqualTo(before);
                    decided = agent.decide(THREAD, question.deny("not so"));
                }
                if (decided instanceof Decided.Runs last) {
                    assertThat(last.result().join()).isInstanceOf(RunResult.Completed.class);
                }
            }
            return this;
        }

        private static String stored(Bench bench) {
            return bench.store.find(THREAD).orElseThrow().batch().toString();
        }
    }

    @BeforeContainer
    static void keepTheLog() {
        TestLog.keep();
    }

    @AfterContainer
    static void checkTheLog() {
        UnexpectedLog.check(TestLog.release(), Stream.of(RuleLawsTest.class));
    }

    private static Told told(List<Made> rules) {
        return new Told(rules).run();
    }

    @Property(seed = "11", edgeCases = EdgeCasesMode.NONE)
    void moreRulesNeverLetMoreRunNorWhatOneOfThemKeepsFromRunning(@ForAll("rules") List<Made> rules) {
        Set<String> some = told(rules.subList(0, rules.size() / 2)).effects;
        Set<String> all = told(rules).effects;

        assertThat(some).containsAll(all);
        for (int amount = 0; amount < AMOUNTS; amount++) {
            for (Made rule : rules) {
                if (rule.proposed().get(amount) == Does.DENY || rule.run().get(amount) != Does.NOTHING) {
                    assertThat(all).doesNotContain("pay " + amount, "move " + amount);
                }
            }
        }
    }

    @Property(seed = "12", edgeCases = EdgeCasesMode.NONE)
    void aRuleThatThrowsIsOnItsStrictSide(@ForAll("rules") List<Made> rules) {
        Told thrown = told(rules);
        Told strict = told(rules.stream().map(Made::strict).toList());

        assertThat(thrown.effects).isEqualTo(strict.effects);
        assertThat(thrown.asked.size()).isEqualTo(strict.asked.size());
    }

    @Property(seed = "13", edgeCases = EdgeCasesMode.NONE)
    void theirOrderChangesNothing(@ForAll("rules") List<Made> rules, @ForAll long seed) {
        List<Made> others = new ArrayList<>(rules);
        Collections.shuffle(others, new Random(seed));
        Told told = told(rules);
        Told other = told(others);

        assertThat(other.effects).isEqualTo(told.effects);
        assertThat(other.asked).isEqualTo(told.asked);
    }
}
