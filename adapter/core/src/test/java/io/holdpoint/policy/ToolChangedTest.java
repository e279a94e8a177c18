package io.holdpoint.policy;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.ToolPolicy;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.ToolCallEvent;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.MortalStore;
import io.holdpoint.testing.RecordingSink;
import io.holdpoint.testing.Shape;
import io.holdpoint.testing.StreamRules;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The server was updated while a person was thinking: what was approved is not what would run now. */
@Logs({
    "Lease* could not be given back",
    "Run * on thread * failed",
    "The call * of the tool * is not executed: it was proposed to another tool of this name"
})
class ToolChangedTest {

    private final List<String> effects = new CopyOnWriteArrayList<>();
    private final Bench bench = new Bench();
    private final MortalStore store = new MortalStore(bench.store);
    private final Holdpoint old = bench.another(builder -> builder.store(store)
            .tools(new Before())
            .toolPolicies(ToolPolicy.matching(Pattern.compile("refresh"))
                    .withoutApproval()
                    .idempotent()));

    /** The tools as they were. */
    public final class Before {

        @Tool("Pays")
        @RequiresApproval
        public String pay(@P("amount") int amount) {
            effects.add("pay " + amount);
            store.die();
            return "paid";
        }

        @Tool("Looks")
        public String look(@P("what") String what) {
            effects.add("look " + what);
            return "seen";
        }

        @Tool("Refreshes")
        public String refresh(@P("what") String what) {
            effects.add("refresh " + what);
            store.die();
            return "fresh";
        }
    }

    /** The same tools with other parameters. */
    public final class After {

        @Tool("Pays")
        @RequiresApproval
        public String pay(@P("amount in cents") long amount, @P(value = "currency", required = false) String currency) {
            effects.add("pay cents");
            return "paid";
        }

        @Tool("Looks")
        public String look(@P("what") String what, @P(value = "where", required = false) String where) {
            effects.add("look elsewhere");
            return "seen";
        }

        @Tool("Refreshes")
        public String refresh(@P("which") String what) {
            effects.add("refresh other");
            return "fresh";
        }
    }

    /** None of the tools. */
    public static final class Others {

        @Tool
        public String other() {
            return "other";
        }
    }

    private ResumeEntry hold() {
        bench.model.calls(call("c1", "pay", "{\"amount\":20}"), call("c2", "look", "{\"what\":\"x\"}"));
        old.send(Bench.THREAD, "Pay");
        return old.pending(Bench.THREAD).get(0).asApproval().approve();
    }

    private RecordingSink resumeOn(Holdpoint agent, ResumeEntry... answers) {
        RecordingSink sink = new RecordingSink();
        agent.run(bench.answers(answers), sink).join();
        StreamRules.check(sink.events());
        return sink;
    }

    private Holdpoint with(Object tools) {
        return bench.another(builder -> builder.tools(tools)
                .toolPolicies(ToolPolicy.matching(Pattern.compile("refresh"))
                        .withoutApproval()
                        .idempotent()));
    }

    @Test
    void anApprovedCallOfAChangedToolIsNotExecuted() {
        ResumeEntry approval = hold();
        bench.model.says("I see.");

        RecordingSink sink = resumeOn(with(new After()), approval);

        assertThat(effects).isEmpty();
        assertThat(bench.model.lastResult("c1")).contains("was not executed", "tool has changed");
        assertThat(sink.all(ToolCallEvent.Result.class).get(0).content().asText())
                .contains("tool has changed");
    }

    @Test
    void neitherIsAnUngatedSibling() {
        ResumeEntry approval = hold();
        bench.model.says("I see.");

        resumeOn(with(new After()), approval);

        assertThat(bench.model.lastResult("c2")).contains("was not executed", "tool has changed");
    }

    @Test
    void aDenialIsADenialWhateverTheToolIsNow() {
        hold();
        bench.model.says("I see.");

        resumeOn(
                with(new Others()),
                old.pending(Bench.THREAD).get(0).asApproval().deny("too much"));

        assertThat(bench.model.lastResult("c1")).contains("too much");
    }

    @Test
    void aRetryOfAChangedToolDoesNotHappen() {
        Holdpoint updated = with(new After());
        PendingInterrupt asked = interrupted(updated);
        bench.model.says("I see.");

        resumeOn(updated, asked.asUnknownOutcome().retry());

        assertThat(effects).containsExactly("pay 20");
        assertThat(bench.model.lastResult("c1")).contains("unknown", "tool has changed");
    }

    @Test
    void aRetryOfAToolThatIsGoneDoesNotHappen() {
        Holdpoint updated = with(new Others());
        PendingInterrupt asked = interrupted(updated);
        bench.model.says("I see.");

        resumeOn(updated, asked.asUnknownOutcome().retry());

        assertThat(effects).containsExactly("pay 20");
        assertThat(bench.model.lastResult("c1")).contains("unknown", "is not offered now");
    }

    @Test
    void whatAPersonSaysAboutItCountsWhateverTheToolIsNow() {
        Holdpoint updated = with(new Others());
        PendingInterrupt asked = interrupted(updated);
        bench.model.says("Good.");

        resumeOn(updated, asked.asUnknownOutcome().done("seen on the statement"));

        assertThat(bench.model.lastResult("c1")).contains("seen on the statement");
    }

    @Test
    void anIdempotentToolThatHasChangedIsNotExecutedAgain() {
        bench.model.calls(call("c1", "refresh", "{\"what\":\"x\"}"));
        old.send(Bench.THREAD, "Refresh");
        leasePasses();
        bench.model.says("I see.");

        resumeOn(with(new After()));

        assertThat(effects).containsExactly("refresh x");
        assertThat(bench.model.lastResult("c1")).contains("unknown", "tool has changed");
    }

    @ParameterizedTest
    @EnumSource
    void aPersonIsAskedAboutAToolThatIsNotIdempotentAnyMore(Shape shape) {
        bench.model.calls(call("c1", "refresh", "{\"what\":\"x\"}"));
        old.send(Bench.THREAD, "Refresh");
        leasePasses();
        Holdpoint updated = shape.builder(bench.model)
                .store(bench.store)
                .clock(bench.clock)
                .tools(new Before())
                .build();

        updated.resume(Bench.THREAD);
        PendingInterrupt asked = updated.pending(Bench.THREAD).get(0);

        assertThat(asked.reason()).isEqualTo("langchain4j:outcome_unknown");
        assertThat(effects).containsExactly("refresh x");
        bench.model.says("I see.");
        assertThat(updated.resume(Bench.THREAD, asked.asUnknownOutcome().done("seen on the screen")))
                .isInstanceOf(RunResult.Completed.class);
        assertThat(effects).containsExactly("refresh x");
        assertThat(bench.model.lastResult("c1")).contains("seen on the screen");
    }

    private PendingInterrupt interrupted(Holdpoint updated) {
        old.resume(Bench.THREAD, hold());
        leasePasses();
        resumeOn(updated);
        return updated.pending(Bench.THREAD).get(0);
    }

    private void leasePasses() {
        bench.clock.advance(HoldpointBuilder.LEASE_DURATION);
    }
}
