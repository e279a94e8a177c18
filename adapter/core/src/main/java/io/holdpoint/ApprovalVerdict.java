package io.holdpoint;

/** The verdict of an {@link ApprovalCondition} about a call. Immutable. */
public sealed interface ApprovalVerdict {

    /** Lets the call run without asking a person, as far as this condition is concerned. */
    static ApprovalVerdict allow() {
        return Allow.INSTANCE;
    }

    /** Requires that a person is asked. */
    static ApprovalVerdict requireApproval() {
        return RequireApproval.INSTANCE;
    }

    /** Requires that a person is asked if the condition is {@code true}, or lets the call run. */
    static ApprovalVerdict requireApprovalIf(boolean condition) {
        return condition ? requireApproval() : allow();
    }

    /** Denies the call without asking a person. The model, and so the user, reads the reason, quoted and cut at 1,000 characters. */
    static ApprovalVerdict deny(String reason) {
        return new Deny(reason);
    }

    /** The call may run. */
    enum Allow implements ApprovalVerdict {
        /** The only one. */
        INSTANCE
    }

    /** A person must be asked. */
    enum RequireApproval implements ApprovalVerdict {
        /** The only one. */
        INSTANCE
    }

    /** The call does not run. */
    record Deny(String reason) implements ApprovalVerdict {}
}
