package io.holdpoint.propose;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.Proposal.State;
import io.holdpoint.ToolPolicy;
import io.holdpoint.store.Bounds;
import io.holdpoint.testing.Bench;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Whose remembered approvals count for a call is who has proposed it. */
class ProposerTest {

    private static ObjectNode json() {
        return JsonNodeFactory.instance.objectNode();
    }

    @Test
    void anApprovalThatIsRememberedForTheOwnerCountsOnAThreadThatDidNotExist() {
        Holdpoint bounded = new Bench(builder -> builder.toolPolicies(ToolPolicy.named("searchContacts")
                        .rememberWithin(Bounds.same("query").count(1).ofOwner(), Duration.ofHours(1))))
                .agent();
        Holdpoint ada = bounded.as(Caller.of("ada"));
        ObjectNode query = json().put("query", "Ada");
        PendingInterrupt.Approval question =
                ada.propose("one", "searchContacts", query).open().get(0).asApproval();
        ada.decide("one", question.answer(json().put("approved", true).put("remember", "within")));

        assertThat(ada.propose("two", "searchContacts", query).state()).isEqualTo(State.EXECUTED);
        assertThat(ada.propose("three", "searchContacts", query).state()).isEqualTo(State.WAITS);
        assertThat(bounded.as(Caller.of("eve"))
                        .propose("four", "searchContacts", query)
                        .state())
                .isEqualTo(State.WAITS);
    }
}
