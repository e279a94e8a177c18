package io.holdpoint.demo;

import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Caller;
import java.util.Set;

/**
 * People who may decide, where somebody has the role {@code approver}: money and deletions need an approver other than whoever
 * asked for them, everything else is for the owner of the thread or an approver. Stateless.
 */
final class DemoReviewers implements ApprovalAuthorizer {

    static final String ROLE = "approver";

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
