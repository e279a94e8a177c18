package io.holdpoint;

/** What an {@link ApprovalCondition} says about a call. Immutable. */
public sealed interface ApprovalVerdict {

    /**
     * The call may run without asking anybody, as far as this condition is concerned.
     *
     * @return the verdict
     */
    static ApprovalVerdict allow() {
        return Allow.INSTANCE;
    }

    /**
     * A person must be asked.
     *
     * @return the verdict
     */
    static ApprovalVerdict requireApproval() {
        return RequireApproval.INSTANCE;
    }

    /**
     * A person must be asked, or not.
     *
     * @param condition whether to ask; otherwise the call may run
     * @return the verdict
     */
    static ApprovalVerdict requireApprovalIf(boolean condition) {
        return condition ? requireApproval() : allow();
    }

    /**
     * The call does not run, and nobody is asked.
     *
     * @param reason for the model, and so for the user; quoted, and cut at 1,000 characters
     * @return the verdict
     */
    static ApprovalVerdict deny(String reason) {
        return new Deny(reason);
    }

    /** It may run. */
    enum Allow implements ApprovalVerdict {
        /** The only one. */
        INSTANCE
    }

    /** A person must be asked. */
    enum RequireApproval implements ApprovalVerdict {
        /** The only one. */
        INSTANCE
    }

    /**
     * It does not run.
     *
     * @param reason for the model
     */
    record Deny(String reason) implements ApprovalVerdict {}
}
