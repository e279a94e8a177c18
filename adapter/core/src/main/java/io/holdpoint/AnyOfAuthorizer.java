package io.holdpoint;

import java.util.List;

/** Allows what one of several allows. */
record AnyOfAuthorizer(List<ApprovalAuthorizer> authorizers) implements ApprovalAuthorizer {

    @Override
    public boolean mayDecide(ApprovalRequest request) {
        return authorizers.stream().anyMatch(each -> each.mayDecide(request));
    }

    @Override
    public boolean mayAccess(Caller caller, String threadId, String ownerId) {
        return authorizers.stream().anyMatch(each -> each.mayAccess(caller, threadId, ownerId));
    }
}
