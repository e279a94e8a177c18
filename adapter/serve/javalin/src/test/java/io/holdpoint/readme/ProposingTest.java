package io.holdpoint.readme;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Caller;
import io.holdpoint.Decided;
import io.holdpoint.Holdpoint;
import io.holdpoint.Proposal;
import io.holdpoint.test.ScriptedModel;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** The guide about a call that no model made. */
class ProposingTest {

    private final List<String> outbox = new CopyOnWriteArrayList<>();
    private final Holdpoint agent = Holdpoint.builder(Assistant.class)
            .streamingChatModel(new ScriptedModel())
            .tools(new MailTools((to, subject, body) -> outbox.add(to)))
            .approvalAuthorizer(ApprovalAuthorizer.role("boss"))
            .build();

    @Test
    void aJobProposesAndSomebodyElseDecides() {
        assertThat(Proposing.propose(agent).state()).isEqualTo(Proposal.State.WAITS);
        assertThat(Proposing.result(agent)).isEqualTo("not decided yet");
        Holdpoint boss = agent.as(Caller.of("grace", "boss"));

        Decided decided = boss.decide(
                "reminder-7", boss.pending("reminder-7").get(0).asApproval().approve());
        ((Decided.Runs) decided).result().join();

        assertThat(Proposing.result(agent)).startsWith("EXECUTED: ");
        assertThat(Proposing.propose(agent).state()).isEqualTo(Proposal.State.EXECUTED);
        assertThat(outbox).containsExactly("bob@example.com");
    }
}
