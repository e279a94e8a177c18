package io.holdpoint.access;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Approvals;
import io.holdpoint.Audience;
import io.holdpoint.Caller;
import io.holdpoint.Decided;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt.Approval;
import io.holdpoint.ToolPolicy;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Bench;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A caller is who the transport and the directory say, and both say the same. */
class IdentityTest {

    /** Needs two people. */
    static final class Tools {

        @Tool
        String pay(String to) {
            return "paid";
        }
    }

    private final ScriptedModel model = new ScriptedModel();
    private final Holdpoint agent = Holdpoint.builder(Bench.Assistant.class)
            .streamingChatModel(model)
            .tools(new Tools())
            .approvalAuthorizer(ApprovalAuthorizer.role("r"))
            .toolPolicies(ToolPolicy.named("pay").approvals(Approvals.of(2).by(Audience.role("r"))))
            .people(person -> Optional.of(Caller.of(person.equals("grace") ? "somebody-else" : person, "r")))
            .build();

    @Test
    void aVoteOfWhomTheDirectoryKnowsAsSomebodyElseDoesNotCount() {
        model.calls(call("c1", "pay", "{\"to\":\"Bob\"}"));
        Approval question = agent.as(Caller.of("ada", "r"))
                .send("t", "Pay")
                .interrupts()
                .get(0)
                .asApproval();

        agent.as(Caller.of("grace", "r")).decide("t", question.approve());
        Decided last = agent.as(Caller.of("heidi", "r")).decide("t", question.approve());

        assertThat(last).isInstanceOf(Decided.Waits.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"holdpoint:time", "holdpoint:retention", "Holdpoint:Time", "anonymous", "Anonymous"})
    void nobodySignsInUnderANameOfTheLibrarys(String id) {
        assertThatThrownBy(() -> agent.as(Caller.of(id)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the caller's id \"" + id + "\" is reserved")
                .hasMessageContaining("Give the person another id; somebody who has not signed in is Caller.ANONYMOUS");
        assertThatThrownBy(() -> agent.as(() -> Caller.of(id)).pending("t"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> agent.as(Caller.of(id, "r")).pending("t"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whoHasNotSignedInIsOneCallerOnly() {
        assertThat(agent.as(Caller.ANONYMOUS).pending("t")).isEmpty();
        assertThat(Caller.ANONYMOUS.isReserved()).isTrue();
        assertThat(Caller.of("anonymous2").isReserved()).isFalse();
    }
}
