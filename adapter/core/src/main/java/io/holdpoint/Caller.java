package io.holdpoint;

import io.holdpoint.internal.gate.UnknownRoles;
import java.util.Set;

/**
 * The person or system that a run works for. The transport authenticates it; it is never taken from the body of a request. A
 * thread belongs to the caller that started it: for everybody else it does not exist, unless an {@link ApprovalAuthorizer} says
 * otherwise. Immutable.
 *
 * @param id identifies the caller; kept with threads, answers and the audit trail
 * @param roles the roles that an {@link ApprovalAuthorizer} may check; stored only with an input that is being worked on, and
 *     with remembered decisions
 */
public record Caller(String id, Set<String> roles) {

    /** Longest id, in characters. */
    public static final int MAX_ID_LENGTH = 255;

    private static final String OURS = "holdpoint:";

    /** The one caller of an application that does not tell callers apart. */
    public static final Caller ANONYMOUS = new Caller("anonymous", Set.of());

    /**
     * Refuses an id that is blank, longer than {@value #MAX_ID_LENGTH} characters, or has control characters, with an
     * {@link IllegalArgumentException}.
     */
    public Caller {
        if (id.isBlank() || id.length() > MAX_ID_LENGTH || id.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("a caller's id must have 1 to " + MAX_ID_LENGTH
                    + " characters, not only blanks and no control characters");
        }
        roles = roles instanceof UnknownRoles ? roles : Set.copyOf(roles);
    }

    /**
     * Tells whether nobody may sign in with this id: {@code anonymous}, which stands for everybody who is not known, and ids that begin
     * with {@code holdpoint:}, under which the record has time and others. Upper and lower case make no difference.
     */
    public boolean isReserved() {
        return id.equalsIgnoreCase(ANONYMOUS.id) || id.regionMatches(true, 0, OURS, 0, OURS.length());
    }

    /** Creates a caller with the roles that an authorizer may check. */
    public static Caller of(String id, String... roles) {
        return new Caller(id, Set.of(roles));
    }
}
