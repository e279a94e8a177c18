package io.holdpoint.oversight;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.ApprovalVerdict;
import io.holdpoint.Approvals;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.ToolPolicy;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.ClientToolSpec;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.oversight.PolicyReplay.Verdict;
import io.holdpoint.testing.Bench;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Policies on calls of the past, and decisions as examples. */
class PastCallsTest {

    private static final ToolPolicy LARGE = ToolPolicy.matching(java.util.regex.Pattern.compile("pay|send"))
            .when(call -> call.arguments().path("amount").asInt() > 1000
                    ? ApprovalVerdict.deny("too much")
                    : ApprovalVerdict.requireApprovalIf(
                            call.arguments().path("amount").asInt() > 100));

    private final Bench bench = new Bench();

    /** One is gated, the other is not. */
    static final class Bank {

        @Tool
        String pay(int amount) {
            return "paid";
        }

        @Tool
        @RequiresApproval
        String send(int amount) {
            return "sent";
        }
    }

    private Holdpoint agent(UnaryOperator<HoldpointBuilder<Bench.Assistant>> custom) {
        return bench.another(builder -> custom.apply(builder.tools(new Bank())));
    }

    private RunResult proposes(Holdpoint agent, String id, String tool, int amount) {
        bench.model.calls(call(id, tool, "{\"amount\":" + amount + "}"));
        if (tool.equals("pay")) {
            bench.model.says("Done.");
        }
        return agent.send(THREAD, "Please " + tool + " " + amount);
    }

    @Test
    void aReplaySaysWhichCallsOfThePastWouldHaveAnotherVerdict() {
        Holdpoint agent = agent(builder -> builder);
        proposes(agent, "c1", "pay", 5);
        proposes(agent, "c2", "pay", 500);
        proposes(agent, "c3", "pay", 5000);
        proposes(agent, "c4", "send", 500);
        agent.cancel(THREAD);
        proposes(agent, "c5", "send", 5);

        PolicyReplay.Result result =
                PolicyReplay.of(bench.store, "").with(LARGE).since(Instant.EPOCH);

        assertThat(result.calls()).isEqualTo(5);
        assertThat(result.unreplayable()).isZero();
        assertThat(result.changes())
                .containsExactly(
                        new PolicyReplay.Change(THREAD, "c2", "pay", Verdict.RUNS, Verdict.ASKS),
                        new PolicyReplay.Change(THREAD, "c3", "pay", Verdict.RUNS, Verdict.DENIES));
        assertThat(PolicyReplay.of(bench.store, "")
                        .with(LARGE)
                        .since(Instant.MAX)
                        .calls())
                .isZero();
    }

    @Test
    void aReplayCountsTheCallsAboutWhichItCanSayNothing() {
        proposes(agent(builder -> builder), "c1", "pay", 500);
        proposes(
                agent(builder -> builder.argumentRedactor((tool, arguments) -> arguments.remove(List.of("amount")))
                        .clock(bench.clock)
                        .executor(Runnable::run)),
                "c2",
                "pay",
                500);
        ToolPolicy failing = ToolPolicy.named("pay").when(call -> {
            throw new IllegalStateException("no roles");
        });

        ToolPolicy broken = ToolPolicy.named("pay").when(call -> {
            throw new NoClassDefFoundError("com/example/Rules");
        });

        assertThat(replay(broken).unreplayable()).isEqualTo(2);
        assertThat(PolicyReplay.of(bench.store, "").with(LARGE).since(Instant.EPOCH))
                .satisfies(result -> assertThat(result.unreplayable()).isEqualTo(1));
        assertThat(PolicyReplay.of(bench.store, "")
                        .with(failing)
                        .since(Instant.EPOCH)
                        .unreplayable())
                .isEqualTo(2);
        assertThat(PolicyReplay.of(bench.store, "")
                        .with(ToolPolicy.where(tool -> tool.description() != null))
                        .since(Instant.EPOCH)
                        .unreplayable())
                .isEqualTo(2);
    }

    private PolicyReplay.Result replay(ToolPolicy policy) {
        return PolicyReplay.of(bench.store, "").with(policy).since(Instant.EPOCH);
    }

    @Test
    void aConditionThatReadsRolesIsNotReplayedAndTheOwnerIsTheCaller() {
        Holdpoint agent = agent(builder -> builder);
        bench.model.calls(call("c1", "pay", "{\"amount\":5}")).says("Done.");
        agent.as(Caller.of("owen", "clerk")).send("t2", "Please pay 5");

        assertThat(replay(ToolPolicy.named("pay")
                                .when(call -> ApprovalVerdict.requireApprovalIf(
                                        !call.caller().roles().contains("clerk"))))
                        .unreplayable())
                .isEqualTo(1);
        assertThat(replay(ToolPolicy.named("pay")
                                .when(call -> ApprovalVerdict.requireApprovalIf(
                                        call.caller().id().equals("owen"))))
                        .changes())
                .hasSize(1);
    }

    @Test
    void aCallThatWasCancelledWithAnotherOneWasNotDenied() {
        Holdpoint agent =
                agent(builder -> builder.toolPolicies(ToolPolicy.matching(java.util.regex.Pattern.compile("pay"))
                        .when(call -> call.arguments().path("amount").asInt() > 100
                                ? ApprovalVerdict.deny("Too much.")
                                : ApprovalVerdict.allow())));
        bench.model.calls(call("c1", "pay", "{\"amount\":5}"), call("c2", "send", "{\"amount\":5}"));
        agent.send(THREAD, "Please pay 5");
        agent.cancel(THREAD);
        proposes(agent, "c3", "pay", 500);

        assertThat(replay(ToolPolicy.named("pay").withoutApproval()).changes())
                .containsExactly(new PolicyReplay.Change(THREAD, "c3", "pay", Verdict.DENIES, Verdict.RUNS));
    }

    @Test
    void aDenialOfWhatAnotherPersonHasEditedIsADenial() throws IOException {
        Holdpoint agent = agent(
                builder -> builder.approvalAuthorizer(ApprovalAuthorizer.fourEyes(ApprovalAuthorizer.role("staff")))
                        .toolPolicies(ToolPolicy.named("send").approvals(Approvals.of(2))));
        PendingInterrupt asked = proposes(agent, "c1", "send", 500).interrupts().get(0);
        Holdpoint ada = agent.as(Caller.of("ada", "staff"));
        Holdpoint bob = agent.as(Caller.of("bob", "staff"));
        ada.decide(THREAD, asked.asApproval().approveWith(Map.of("amount", 400)));
        bench.model.says("Well.");
        bob.resume(THREAD, bob.pending(THREAD).get(0).asApproval().deny("No."));

        assertThat(exported(Instant.EPOCH)).singleElement().satisfies(line -> {
            assertThat(line.path("verdict").asText()).isEqualTo("denied");
            assertThat(line.path("reason").asText()).isEqualTo("No.");
        });
    }

    @Test
    void aCallThatTheClientHasExecutedIsExportedWithItsArguments() throws IOException {
        ClientToolSpec colour =
                new ClientToolSpec("colour", "", AguiCodec.mapper().createObjectNode(), null);
        Bench client = new Bench(builder -> builder.store(bench.store)
                .toolPolicies(ToolPolicy.where(tool -> tool.name().equals("colour"))));
        client.model.calls(call("c1", "colour", "{\"name\":\"blue\"}")).says("Done.");
        client.run(client.input(Bench.user("u", "Blue")).withTools(List.of(colour)));
        client.run(client.input()
                .withTools(List.of(colour))
                .withResume(List.of(client.pending(0).asApproval().approve())));
        assertThat(exported(Instant.EPOCH)).singleElement().satisfies(line -> assertThat(line.has("final"))
                .isFalse());

        client.run(client.input(new Message.Tool("r1", "c1", MessageContent.text("done"), null))
                .withTools(List.of(colour)));

        assertThat(exported(Instant.EPOCH)).singleElement().satisfies(line -> {
            assertThat(line.path("verdict").asText()).isEqualTo("approved");
            assertThat(line.at("/final/name").asText()).isEqualTo("blue");
        });
    }

    private List<JsonNode> exported(Instant since) throws IOException {
        StringBuilder lines = new StringBuilder();
        int written = DecisionExport.of(bench.store, "").writeTo(lines, since);
        List<JsonNode> read = new java.util.ArrayList<>();
        for (String line : lines.toString().lines().toList()) {
            read.add(AguiCodec.mapper().readTree(line));
        }
        assertThat(read).hasSize(written);
        return read;
    }

    @Test
    void eachDecidedCallIsALineOfJson() throws IOException {
        Holdpoint agent = agent(builder -> builder);
        PendingInterrupt edited =
                proposes(agent, "c1", "send", 500).interrupts().get(0);
        bench.model.says("Done.");
        agent.resume(THREAD, edited.asApproval().approveWith(Map.of("amount", 400)));
        PendingInterrupt denied =
                proposes(agent, "c2", "send", 600).interrupts().get(0);
        bench.model.says("Well.");
        agent.resume(THREAD, denied.asApproval().deny("Too much."));
        proposes(agent, "c3", "pay", 1);
        proposes(agent, "c4", "send", 700);

        List<JsonNode> lines = exported(Instant.EPOCH);

        assertThat(lines).extracting(line -> line.path("toolCallId").asText()).containsExactly("c1", "c2");
        JsonNode first = lines.get(0);
        assertThat(first.path("request").asText()).isEqualTo("Please send 500");
        assertThat(first.path("tool").asText()).isEqualTo("send");
        assertThat(first.at("/proposed/amount").asInt()).isEqualTo(500);
        assertThat(first.at("/final/amount").asInt()).isEqualTo(400);
        assertThat(first.path("verdict").asText()).isEqualTo("edited");
        JsonNode second = lines.get(1);
        assertThat(second.path("verdict").asText()).isEqualTo("denied");
        assertThat(second.path("reason").asText()).isEqualTo("Too much.");
        assertThat(second.has("final")).isFalse();
        assertThat(exported(Instant.MAX)).isEmpty();
    }

    @Test
    void anExportIsRedactedLikeTheTrailAndLeavesTheUsersWordsOutThen() throws IOException {
        Holdpoint agent =
                agent(builder -> builder.argumentRedactor((tool, arguments) -> arguments.remove(List.of("amount")))
                        .clock(bench.clock)
                        .executor(Runnable::run));
        PendingInterrupt asked = proposes(agent, "c1", "send", 500).interrupts().get(0);
        bench.model.says("Done.");
        agent.resume(THREAD, asked.asApproval().approve());

        assertThat(exported(Instant.EPOCH)).singleElement().satisfies(line -> {
            assertThat(line.toString()).doesNotContain("500");
            assertThat(line.path("verdict").asText()).isEqualTo("approved");
            assertThat(line.has("request")).isFalse();
        });
    }

    @Test
    void wordsThatMayQuoteWhatIsRedactedOfAnEditAreLeftOutToo() throws IOException {
        Holdpoint agent = agent(builder -> builder.argumentRedactor((tool, arguments) ->
                        arguments.path("amount").asInt() == 400 ? arguments.remove(List.of("amount")) : arguments)
                .clock(bench.clock)
                .executor(Runnable::run));
        PendingInterrupt asked = proposes(agent, "c1", "send", 500).interrupts().get(0);
        bench.model.says("Done.");
        agent.resume(THREAD, asked.asApproval().edit("amount", 400));

        assertThat(exported(Instant.EPOCH)).singleElement().satisfies(line -> {
            assertThat(line.at("/proposed/amount").asInt()).isEqualTo(500);
            assertThat(line.path("verdict").asText()).isEqualTo("edited");
            assertThat(line.path("final").has("amount")).isFalse();
            assertThat(line.has("request")).isFalse();
        });
    }
}
