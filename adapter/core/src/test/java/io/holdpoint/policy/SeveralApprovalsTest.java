package io.holdpoint.policy;

import static io.holdpoint.Audience.role;
import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.service.IllegalConfigurationException;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Approvals;
import io.holdpoint.Caller;
import io.holdpoint.Decided;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt.Approval;
import io.holdpoint.RequiresApproval;
import io.holdpoint.ToolPolicy;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.store.Grant;
import io.holdpoint.testing.Bench;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What the annotation and a policy say about how many people approve, and what makes building the agent fail. */
class SeveralApprovalsTest {

    private static final Caller ADA = Caller.of("ada");
    private static final Caller GRACE = Caller.of("grace", "approver", "treasury");
    private static final Caller LUKE = Caller.of("luke", "approver", "legal");
    private static final Approvals TWO = Approvals.of(2).by(role("treasury"));
    private static final ApprovalAuthorizer APPROVERS = ApprovalAuthorizer.role("approver");

    private final Bench bench = new Bench();

    /** A tool whose annotation needs two. */
    public static final class Bank {
        @Tool
        @RequiresApproval(approvals = 2)
        public String pay(int amount) {
            return "paid " + amount;
        }
    }

    /** A tool that nobody can approve. */
    public static final class NoBank {
        @Tool
        @RequiresApproval(approvals = 0)
        public String pay(int amount) {
            return "paid " + amount;
        }
    }

    /** A tool that two approve, or one answers for. */
    public static final class RespondingBank {
        @Tool
        @RequiresApproval(approvals = 2, respond = true)
        public String pay(int amount) {
            return "paid " + amount;
        }
    }

    /** A tool that several would approve for ever. */
    public static final class RememberingBank {
        @Tool
        @RequiresApproval(approvals = 2, remember = Grant.Scope.TOOL)
        public String pay(int amount) {
            return "paid " + amount;
        }
    }

    @Test
    void theAnnotationNeedsAnyTwo() {
        Holdpoint agent = bench.another(builder -> builder.tools(new Bank()).approvalAuthorizer(APPROVERS));
        bench.model.calls(call("c1", "pay", "{\"amount\":5}"));
        Approval asked = agent.as(ADA).send(THREAD, "Pay").approvals().get(0);
        bench.model.says("Done.");
        assertThat(asked.interrupt().metadata().at("/langchain4j/approvals")).hasToString("{\"needed\":2,\"have\":[]}");

        assertThat(agent.as(LUKE).decide(THREAD, asked.approve())).isInstanceOf(Decided.Waits.class);
        assertThat(agent.as(GRACE).decide(THREAD, asked.approve())).isInstanceOf(Decided.Runs.class);
        assertThat(bench.model.lastResult("c1")).contains("paid 5");
    }

    @Test
    void misuseFailsWhenTheAgentIsBuiltAndTheErrorNamesTheRemedy() {
        misuse(new Bank(), ApprovalAuthorizer.OWNER, "approvalAuthorizer");
        misuse(new NoBank(), APPROVERS, "approvals = 0");
        misuse(new RememberingBank(), APPROVERS, "Remove remember");
        assertThatThrownBy(() -> bench.another(builder ->
                        builder.toolPolicies(ToolPolicy.named("sendEmail").approvals(TWO))))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("approvalAuthorizer");
        assertThatThrownBy(() -> bench.another(builder -> builder.approvalAuthorizer(APPROVERS)
                        .toolPolicies(ToolPolicy.named("sendEmail")
                                .approvals(TWO)
                                .remember(Duration.ofMinutes(5), Grant.Scope.TOOL))))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("Remove remember");
        misuse(new RespondingBank(), APPROVERS, "Remove respond");
        assertThatThrownBy(() -> bench.another(builder -> builder.approvalAuthorizer(APPROVERS)
                        .toolPolicies(
                                ToolPolicy.named("sendEmail").approvals(TWO).respond())))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("\"sendEmail\"")
                .hasMessageContaining("Remove respond");
        assertThatThrownBy(() -> bench.another(builder -> builder.toolPolicies(
                        ToolPolicy.named("sendEmail").approvals(Approvals.of(1).by(role("treasury"))))))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("\"treasury\" is asked, but only the owner");
        assertThatThrownBy(() -> Approvals.of(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> TWO.and(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> role(" ")).isInstanceOf(IllegalArgumentException.class);
    }

    private void misuse(Object tool, ApprovalAuthorizer authorizer, String remedy) {
        assertThatThrownBy(() -> bench.another(builder -> builder.tools(tool).approvalAuthorizer(authorizer)))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("pay")
                .hasMessageContaining(remedy);
    }

    @Test
    void whatAnotherPolicyWouldRememberIsNotOfferedAndNotRememberedWhereSeveralDecide() {
        Holdpoint remembers = bench.another(builder -> builder.approvalAuthorizer(APPROVERS)
                .toolPolicies(
                        ToolPolicy.named("deleteRecords").remember(Duration.ofMinutes(5), Grant.Scope.TOOL),
                        ToolPolicy.named("deleteRecords").approvals(TWO)));
        bench.model.calls(call("c1", "deleteRecords", "{\"table\":\"users\"}"));

        Approval asked = remembers.as(ADA).send(THREAD, "Delete").approvals().get(0);

        assertThat(asked.interrupt().responseSchema().path("properties").has("remember"))
                .isFalse();
        assertThat(remembers.as(GRACE).decide(THREAD, asked.approveAndRemember(Grant.Scope.TOOL)))
                .isInstanceOfSatisfying(Decided.Refused.class, refused -> assertThat(refused.code())
                        .isEqualTo(ErrorCode.INTERRUPT_PAYLOAD_INVALID));
    }

    private static final JsonNode ANSWERED =
            AguiCodec.mapper().createObjectNode().put("approved", false).put("response", "nobody");

    @Test
    void whereTwoPoliciesNeedTwoPeopleNoneOfThemAloneAnswersInPlaceOfTheTool() {
        Holdpoint both = bench.another(builder -> builder.approvalAuthorizer(APPROVERS)
                .toolPolicies(
                        ToolPolicy.named("searchContacts")
                                .respond()
                                .approvals(Approvals.of(1).by(role("treasury"))),
                        ToolPolicy.named("searchContacts")
                                .respond()
                                .approvals(Approvals.of(1).by(role("legal")))));
        bench.model.calls(call("c1", "searchContacts", "{\"query\":\"Bob\"}"));

        Approval asked = both.as(ADA).send(THREAD, "Search").approvals().get(0);

        assertThat(asked.interrupt().responseSchema().path("properties").has("response"))
                .isFalse();
        assertThat(both.as(LUKE).decide(THREAD, ResumeEntry.resolved(asked.id(), ANSWERED)))
                .isInstanceOfSatisfying(Decided.Refused.class, refused -> assertThat(refused.code())
                        .isEqualTo(ErrorCode.INTERRUPT_PAYLOAD_INVALID));
        assertThat(both.pending(THREAD)).isEmpty();
        assertThat(both.as(LUKE).pending(THREAD)).hasSize(1);
    }
}
