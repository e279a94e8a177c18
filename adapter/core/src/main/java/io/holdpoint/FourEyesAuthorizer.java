package io.holdpoint;

/** Lets nobody decide about what they requested. */
record FourEyesAuthorizer(ApprovalAuthorizer others) implements ApprovalAuthorizer {

    @Override
    public boolean mayDecide(ApprovalRequest request) {
        return !request.caller().id().equals(request.ownerId()) && others.mayDecide(request);
    }

    @Override
    public boolean mayAccess(Caller caller, String threadId, String ownerId) {
        return others.mayAccess(caller, threadId, ownerId);
    }
}
