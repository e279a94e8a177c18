package io.holdpoint;

import java.util.Set;

/**
 * Who a run works for, as the transport has found out; never taken from the body of a request. A thread belongs to the
 * caller that started it: for everybody else it does not exist, unless an {@link ApprovalAuthorizer} says otherwise.
 * Immutable.
 *
 * @param id identifies the caller; kept with threads, answers and the audit trail
 * @param roles what an {@link ApprovalAuthorizer} may go by; kept only with what the
 *     caller says, as long as that is worked on, and with decisions that the caller has remembered
 */
public record Caller(String id, Set<String> roles) {

    /** Longest id, in characters. */
    public static final int MAX_ID_LENGTH = 255;

    /** Everybody, where nobody is told apart. */
    public static final Caller ANONYMOUS = new Caller("anonymous", Set.of());

    /**
     * Checks the id.
     *
     * @throws IllegalArgumentException if it is blank, longer than {@value #MAX_ID_LENGTH} characters, or has control
     *     characters
     */
    public Caller {
        if (id.isBlank() || id.length() > MAX_ID_LENGTH || id.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("a caller's id must have 1 to " + MAX_ID_LENGTH
                    + " characters, not only blanks and no control characters");
        }
        roles = Set.copyOf(roles);
    }

    /**
     * A caller.
     *
     * @param id identifies the caller
     * @param roles what an authorizer may go by
     * @return the caller
     */
    public static Caller of(String id, String... roles) {
        return new Caller(id, Set.of(roles));
    }
}
