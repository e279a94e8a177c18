package io.holdpoint;

import java.util.Optional;

/** The verdict of an {@link ApprovalCondition} about a call. Immutable. */
public sealed interface ApprovalVerdict {

    /** Lets the call run without asking a person, as far as this condition is concerned. */
    static ApprovalVerdict allow() {
        return Allow.INSTANCE;
    }

    /** Requires that a person is asked. */
    static ApprovalVerdict requireApproval() {
        return RequireApproval.WITHOUT_REASON;
    }

    /**
     * Requires that a person is asked, and tells them why in a sentence before that of the question, as {@code "The amount is above 100
     * euros."}: on the card, in messages and on the page of a link, and in the audit trail. It is cut at 1,000 characters.
     */
    static ApprovalVerdict requireApproval(String reason) {
        return new RequireApproval(Optional.of(reason));
    }

    /** Requires that a person is asked if the condition is {@code true}, or lets the call run. */
    static ApprovalVerdict requireApprovalIf(boolean condition) {
        return condition ? requireApproval() : allow();
    }

    /** Requires that a person is asked, and tells them why ({@link #requireApproval(String)}), if the condition is {@code true}. */
    static ApprovalVerdict requireApprovalIf(boolean condition, String reason) {
        return condition ? requireApproval(reason) : allow();
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

    /** A person must be asked; the reason, if one is said, is a sentence for them. */
    record RequireApproval(Optional<String> reason) implements ApprovalVerdict {

        private static final RequireApproval WITHOUT_REASON = new RequireApproval(Optional.empty());
    }

    /** The call does not run. */
    record Deny(String reason) implements ApprovalVerdict {}
}
