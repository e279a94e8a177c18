package io.holdpoint.demo;

import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.ApprovalVerdict;
import io.holdpoint.Approvals;
import io.holdpoint.Audience;
import io.holdpoint.Caller;
import io.holdpoint.Timeline;
import io.holdpoint.ToolPolicy;
import io.holdpoint.people.MoreTime;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Set;

/**
 * People who may decide, where somebody has the role {@code approver}: money and deletions need an approver other than whoever
 * asked for them, two of them for a huge transfer; everything else is for the owner of the thread or an approver. Stateless.
 */
final class DemoReviewers implements ApprovalAuthorizer {

    static final String ROLE = "approver";

    private static final BigDecimal HUGE = new BigDecimal(10_000);

    /** More than 10,000 euros need two approvers, within two days; they may give it two days more, one by one. */
    static final ToolPolicy HUGE_TRANSFER = ToolPolicy.named("transferMoney")
            .when(call -> ApprovalVerdict.requireApprovalIf(
                    call.argument("amount", BigDecimal.class).orElseThrow().compareTo(HUGE) > 0))
            .message("Transfer {{amount}} euros to {{to}}?")
            .rules(MoreTime.of(Duration.ofDays(1), 2))
            .approvals(Approvals.of(2).by(Audience.role(ROLE)))
            .timeline(Timeline.expiresAfter(Duration.ofDays(2))
                    .remind(Duration.ofHours(4))
                    .escalate(Duration.ofDays(1), Audience.role("manager"))
                    .warn(Duration.ofHours(2)));

    private static final Set<String> FOUR_EYES = Set.of("transferMoney", "deleteRecords");

    private static final ApprovalAuthorizer APPROVER = ApprovalAuthorizer.role(ROLE);
    private static final ApprovalAuthorizer OTHERS = ApprovalAuthorizer.fourEyes(APPROVER);
    private static final ApprovalAuthorizer ANY = ApprovalAuthorizer.anyOf(ApprovalAuthorizer.OWNER, APPROVER);

    @Override
    public boolean mayDecide(Request request) {
        boolean fourEyes = request.approves() && FOUR_EYES.contains(request.toolName());
        return (fourEyes ? OTHERS : ANY).mayDecide(request);
    }

    @Override
    public boolean mayAccess(Caller caller, String threadId, String ownerId) {
        return APPROVER.mayAccess(caller, threadId, ownerId);
    }
}
