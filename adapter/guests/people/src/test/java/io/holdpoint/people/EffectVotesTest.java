package io.holdpoint.people;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Approvals;
import io.holdpoint.Caller;
import io.holdpoint.Decided;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt.Approval;
import io.holdpoint.ToolPolicy;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A vote is for the effect that the voter has seen, also that of whoever has edited the call; and reasons are counted on whoever edits it. */
class EffectVotesTest {

    private static final Caller GRACE = Caller.of("grace", "approver");
    private static final Caller HENRY = Caller.of("henry", "approver");

    private final List<String> effects = new ArrayList<>();
    private final Bench bench = new Bench();
    private int balance = 100;
    private boolean broken;

    /** Pays. */
    final class Bank {

        @Tool
        String pay(int amount, String note) {
            effects.add("pay " + amount);
            return "paid";
        }
    }

    private final Effect effect = call -> {
        if (broken) {
            throw new IllegalStateException("no line");
        }
        int amount = call.argument("amount", Integer.class).orElseThrow();
        return Plan.of("leaves " + (balance - amount)).holds("balance", balance);
    };

    private final Holdpoint agent = bench.another(builder -> builder.tools(new Bank())
            .approvalAuthorizer(ApprovalAuthorizer.role("approver"))
            .toolPolicies(ToolPolicy.named("pay").approvals(Approvals.of(2)).rules(effect)));

    private Approval held() {
        bench.model.calls(call("p", "pay", "{\"amount\":5,\"note\":\"lunch\"}"));
        Approval asked = agent.send(THREAD, "Pay").approvals().get(0);
        bench.model.says("Done.");
        return asked;
    }

    private Approval open() {
        return agent.as(GRACE).pending(THREAD).get(0).asApproval();
    }

    private void waits(Caller caller, ResumeEntry answer) {
        assertThat(agent.as(caller).decide(THREAD, answer)).isInstanceOf(Decided.Waits.class);
        assertThat(effects).isEmpty();
    }

    private void ends(Caller caller, ResumeEntry answer) {
        assertThat(agent.as(caller).decide(THREAD, answer))
                .isInstanceOfSatisfying(
                        Decided.Runs.class, runs -> runs.result().join());
    }

    private static JsonNode section(Approval asked) {
        return asked.interrupt().metadata().at("/langchain4j/effect");
    }

    private static JsonNode votes(Approval asked) {
        return asked.interrupt().metadata().at("/langchain4j/approvals/have");
    }

    private ResumeEntry seen(ResumeEntry edit) {
        return open().with(
                        edit,
                        "effect",
                        Plans.of(agent.as(GRACE))
                                .shown(THREAD, edit)
                                .orElseThrow()
                                .path("fingerprint")
                                .asText());
    }

    @Test
    void anEditWithAnotherEffectIsNoVoteUntilItsEditorHasSeenIt() {
        waits(GRACE, held().edit("amount", 7));

        assertThat(votes(open())).isEmpty();
        assertThat(section(open()).path("plan").asText()).isEqualTo("leaves 93");
        waits(HENRY, open().approve());
        ends(GRACE, open().approve());
        assertThat(effects).containsExactly("pay 7");
    }

    @Test
    void anEditWhoseEffectWasSeenIsAVote() {
        waits(GRACE, seen(held().edit("amount", 7)));

        assertThat(votes(open())).hasSize(1);
        ends(HENRY, open().approve());
        assertThat(effects).containsExactly("pay 7");
    }

    @Test
    void itIsNoneIfTheWorldHasChangedSince() {
        ResumeEntry edit = seen(held().edit("amount", 7));
        balance = 50;
        waits(GRACE, edit);

        assertThat(votes(open())).isEmpty();
        waits(HENRY, open().approve());
        ends(GRACE, open().approve());
        assertThat(effects).containsExactly("pay 7");
    }

    /** Found by random histories: as an edit it was not compared with the question, and as a vote it was one for what that shows. */
    @Test
    void anEditThatChangesNothingIsNoVoteForAnotherEffect() {
        Approval asked = held();
        balance = 50;
        ResumeEntry other = seen(asked.edit("amount", 5));
        balance = 100;

        assertThat(agent.as(GRACE).decide(THREAD, other)).isInstanceOf(Decided.Refused.class);
        waits(HENRY, asked.approve());
        ends(GRACE, open().approve());
        assertThat(effects).containsExactly("pay 5");
    }

    @Test
    void anEditWithTheEffectThatTheQuestionHasShownIsAVote() {
        waits(GRACE, held().edit("note", "dinner"));

        assertThat(votes(open())).hasSize(1);
        ends(HENRY, open().approve());
        assertThat(effects).containsExactly("pay 5");
    }

    @Test
    @Logs("The plan of a call of pay could not be made*")
    void howOftenItWasAskedForAReasonGoesOnWhoeverEdits() {
        broken = true;
        Approval asked = held();
        waits(GRACE, asked.edit("note", "dinner"));
        assertThat(section(open()).path("times").path("failed").asInt()).isEqualTo(2);
        waits(HENRY, open().edit("note", "supper"));

        assertThat(section(open()).path("times").path("failed").asInt()).isEqualTo(3);
        assertThat(section(open()).path("reason").asText()).contains("does not run if it happens again");
        waits(GRACE, open().approve());
        ends(HENRY, open().approve());
        assertThat(effects).isEmpty();
        assertThat(agent.as(GRACE).pending(THREAD)).isEmpty();
        assertThat(bench.model.lastResult("p")).contains("asked about 3 times");
    }

    @Test
    void aReasonBeforeAnEditIsCountedAfterIt() {
        Approval asked = held();
        waits(GRACE, asked.approve());
        balance = 50;
        ends(HENRY, open().approve());
        assertThat(section(open()).path("times").path("changed").asInt()).isEqualTo(1);
        waits(GRACE, seen(open().edit("amount", 7)));
        assertThat(section(open()).path("times").path("changed").asInt()).isEqualTo(1);
        balance = 40;
        ends(HENRY, open().approve());

        assertThat(section(open()).path("times").path("changed").asInt()).isEqualTo(2);
        assertThat(effects).isEmpty();
    }
}
