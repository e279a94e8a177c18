package io.holdpoint.run;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.service.IllegalConfigurationException;
import io.holdpoint.Caller;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.Limits;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.ToolCallContext;
import io.holdpoint.ToolInterrupt;
import io.holdpoint.ToolPolicy;
import io.holdpoint.rule.Proposal;
import io.holdpoint.rule.Rule;
import io.holdpoint.rule.Say;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.AuditEvent.Kind;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A tool has a time, a turn and a day have tokens. Each answer of the scripted model has 15 tokens. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BudgetTest {

    private final Bench bench = new Bench();
    private final CountDownLatch end = new CountDownLatch(1);
    private final CountDownLatch interrupted = new CountDownLatch(1);
    private Holdpoint agent = bench.agent();

    @AfterEach
    void lets() {
        end.countDown();
    }

    // --- time

    /** Tools that take their time. */
    final class Slow {

        /** Does not end when it is interrupted. */
        @Tool
        @RequiresApproval(timeLimit = "PT0.5S", idempotent = true)
        String read() {
            return hang();
        }

        /** Does not end when it is interrupted. */
        @Tool
        @RequiresApproval(timeLimit = "PT0.5S")
        String pay() {
            return hang();
        }

        private String hang() {
            while (true) {
                try {
                    end.await();
                    return "done at last";
                } catch (InterruptedException e) {
                    interrupted.countDown();
                }
            }
        }

        @Tool
        @RequiresApproval(timeLimit = "PT1H")
        String ask(ToolCallContext call) {
            if (call.answers().isEmpty()) {
                call.interrupt(ToolInterrupt.confirmation("Which one?"));
            }
            return "it is " + call.owner().id();
        }
    }

    private RunResult approved(String tool) {
        agent = bench.another(builder -> builder.tools(new Slow()));
        bench.model.calls(call("c1", tool, "{}"));
        PendingInterrupt asked = agent.send(THREAD, "Go").interrupts().get(0);
        bench.model.says("Done.");
        return agent.resume(THREAD, asked.asApproval().approve());
    }

    /** Whoever tries it again, unasked, pays twice. */
    @Test
    void aPersonIsAskedWhatCameOfABodyThatDoesNotEndUnlessASecondOneDoesNoHarm() {
        RunResult asked = approved("pay");

        assertThat(asked.interrupts()).hasSize(1);
        PendingInterrupt.UnknownOutcome question =
                (PendingInterrupt.UnknownOutcome) asked.interrupts().get(0);
        assertThat(question.interrupt().message())
                .isEqualTo(
                        "\"pay\" did not end within 0.5 seconds and was interrupted. It may still be running, and it is"
                                + " not known whether it took effect.");
        assertThat(kinds()).doesNotContain(Kind.FAILED, Kind.EXECUTED);
        assertThat(agent.resume(THREAD, question.done("It is paid."))).isInstanceOf(RunResult.Completed.class);
        assertThat(bench.model.lastResult("c1")).contains("took effect", "It is paid.");
    }

    @Test
    void theTurnGoesOnWithoutABodyThatDoesNotEndAndTheModelIsToldThatItMayHaveHadItsEffect() throws Exception {
        assertThat(approved("read")).isInstanceOf(RunResult.Completed.class);

        interrupted.await();
        assertThat(bench.model.lastResult("c1"))
                .contains("did not end within 0.5 seconds")
                .contains("may or may not have had its effect");
        assertThat(kinds()).containsSubsequence(Kind.CLAIMED, Kind.FAILED).doesNotContain(Kind.EXECUTED);
    }

    @Test
    void aToolWithinItsTimeAsksAndAnswersAsAnyOther() {
        assertThat(approved("ask").interrupts().get(0).interrupt().message()).isEqualTo("Which one?");
    }

    @Test
    void theShortestOfAllTimesCounts() throws Exception {
        Holdpoint agent = bench.another(builder -> builder.tools(new Slow())
                .toolPolicies(ToolPolicy.named("ask").withoutApproval().timeLimit(Duration.ofNanos(1))));
        bench.model.calls(call("c1", "ask", "{}"));
        PendingInterrupt asked = agent.send(THREAD, "Go").interrupts().get(0);
        bench.model.says("Done.");

        agent.resume(THREAD, asked.asApproval().approve());

        assertThat(kinds()).containsAnyOf(Kind.FAILED, Kind.HELD); // it may have asked before it was interrupted
        assertThat(kinds()).doesNotContain(Kind.EXECUTED);
    }

    /** No time at all. */
    static final class Timeless {

        @Tool
        @RequiresApproval(timeLimit = "PT0S")
        String none() {
            return "";
        }
    }

    @Test
    void aTimeLimitIsPositive() {
        assertThatThrownBy(() -> bench.another(builder -> builder.tools(new Timeless())))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("timeLimit = \"PT0S\" must be positive");
        assertThatThrownBy(() -> ToolPolicy.named("pay").timeLimit(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class);
    }

    // --- tokens

    /** A tool of no interest. */
    static final class Look {

        @Tool
        @RequiresApproval
        String look() {
            return "seen";
        }

        @Tool
        String glance() {
            return "seen";
        }
    }

    private Holdpoint agent(Limits limits) {
        return bench.another(builder -> builder.tools(new Look()).limits(limits));
    }

    private static ErrorCode code(RunResult result) {
        return result instanceof RunResult.Failed failed ? failed.code() : null;
    }

    @Test
    void aTurnAsksItsModelNoMoreWhenItsTokensAreUsedAndKeepsWhatWasDone() {
        Holdpoint agent = agent(Limits.DEFAULT.withTokensPerTurn(30));
        bench.model.calls(call("c1", "glance", "{}")).calls(call("c2", "glance", "{}"));

        assertThat(code(agent.send(THREAD, "Look"))).isEqualTo(ErrorCode.TOO_MANY_TOKENS);

        assertThat(bench.model.requests()).hasSize(2);
        assertThat(kinds().filter(Kind.EXECUTED::equals)).hasSize(2);
        bench.model.says("Hello.");
        assertThat(agent.send(THREAD, "Something else")).isInstanceOf(RunResult.Completed.class);
    }

    @Test
    void theTokensOfAllRunsOfATurnCount() {
        Holdpoint agent = agent(Limits.DEFAULT.withTokensPerTurn(15));
        bench.model.calls(call("c1", "look", "{}"));
        PendingInterrupt asked = agent.send(THREAD, "Look").interrupts().get(0);

        assertThat(code(agent.resume(THREAD, asked.asApproval().approve()))).isEqualTo(ErrorCode.TOO_MANY_TOKENS);

        assertThat(bench.model.requests()).hasSize(1);
        assertThat(kinds()).contains(Kind.EXECUTED);
    }

    @Test
    void theTokensOfACallerCountOverThreadsAndNodesUntilTheNextDay() {
        Limits limits = Limits.DEFAULT.withTokensPerDay(30);
        Holdpoint ada = agent(limits).as(Caller.of("ada"));
        Holdpoint onAnotherNode = agent(limits);
        bench.model.says("One.").says("Two.");
        ada.send("t1", "Hi");
        onAnotherNode.as(Caller.of("ada")).send("t2", "Hi");

        assertThat(code(ada.send("t3", "Hi"))).isEqualTo(ErrorCode.TOKENS_USED_UP);
        assertThat(code(onAnotherNode.as(Caller.of("ada")).send("t2", "Hi"))).isEqualTo(ErrorCode.TOKENS_USED_UP);

        bench.model.says("Hello Bob.").says("Good morning.");
        assertThat(onAnotherNode.as(Caller.of("bob")).send("t4", "Hi").text()).isEqualTo("Hello Bob.");
        bench.clock.advance(Duration.ofDays(1));
        assertThat(ada.send("t3", "Hi").text()).isEqualTo("Good morning.");
    }

    @Test
    void anAnswerThatFailsTheRunCountsForTheDayAsWell() {
        Holdpoint agent = agent(Limits.DEFAULT.withTokensPerDay(15).withTokensPerTurn(15));
        bench.model.calls(call("c1", "glance", "{}"));

        agent.send("t1", "Look");

        assertThat(code(agent.send("t2", "Hi"))).isEqualTo(ErrorCode.TOKENS_USED_UP);
    }

    @Test
    @Logs("Run * on thread * failed")
    void anAnswerThatFailsTheRunCountsForTheTurnThatGoesOnAsWell() {
        Holdpoint agent = agent(Limits.DEFAULT.withTokensPerTurn(45));
        bench.model.says(" ").calls(call("c1", "glance", "{}")).says(" ");
        assertThat(code(agent.send(THREAD, "Look"))).isEqualTo(ErrorCode.MODEL_ANSWER_EMPTY);
        assertThat(code(agent.resume(THREAD))).isEqualTo(ErrorCode.MODEL_ANSWER_EMPTY);

        assertThat(code(agent.resume(THREAD))).isEqualTo(ErrorCode.TOO_MANY_TOKENS);

        assertThat(bench.model.requests()).hasSize(3);
        assertThat(kinds()).contains(Kind.EXECUTED);
    }

    @Test
    void theTokensOfARuleCountForTheTurnAndTheDay() {
        Rule asking = new Rule() {
            @Override
            public String name() {
                return "reviewer";
            }

            @Override
            public Say onProposal(Proposal proposal) {
                return Say.ASK.using(new io.holdpoint.agui.TokenUsage(null, "scripted", 10, 5, 15, null, null, null));
            }
        };
        Holdpoint agent = bench.another(builder -> builder.tools(new Look())
                .toolPolicies(ToolPolicy.named("look"))
                .rules(asking)
                .limits(Limits.DEFAULT.withTokensPerTurn(30).withTokensPerDay(30)));
        bench.model.calls(call("c1", "look", "{}"));
        PendingInterrupt asked = agent.send(THREAD, "Look").interrupts().get(0);

        assertThat(code(agent.resume(THREAD, asked.asApproval().approve()))).isEqualTo(ErrorCode.TOO_MANY_TOKENS);
        assertThat(code(agent.send("t2", "Hi"))).isEqualTo(ErrorCode.TOKENS_USED_UP);
        assertThat(bench.model.requests()).hasSize(1);
    }

    @Test
    void theTrailNamesTheModelThatProposedACallAndItsTokens() {
        Holdpoint agent = agent(Limits.DEFAULT);
        bench.model.calls(call("c1", "look", "{}"));

        agent.send(THREAD, "Look");

        assertThat(bench.store.auditTrail(THREAD, 0, 1)).singleElement().satisfies(event -> assertThat(
                        event.detail().path("usage").toString())
                .isEqualTo("{\"model\":\"scripted\",\"inputTokens\":10,\"outputTokens\":5,\"totalTokens\":15}"));
    }

    private java.util.stream.Stream<Kind> kinds() {
        return bench.store.auditTrail(THREAD, 0, 100).stream().map(AuditEvent::kind);
    }
}
