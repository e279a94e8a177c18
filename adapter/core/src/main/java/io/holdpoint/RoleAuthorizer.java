package io.holdpoint;

/** Goes by a role. */
record RoleAuthorizer(String role) implements ApprovalAuthorizer {

    @Override
    public boolean mayDecide(ApprovalRequest request) {
        return request.caller().roles().contains(role);
    }

    @Override
    public boolean mayAccess(Caller caller, String threadId, String ownerId) {
        return caller.roles().contains(role);
    }
}
