package io.holdpoint.store;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * A remembered decision: a person approved a call, and said that calls like it need no question for a while. It counts on its
 * own thread only, for the tool as it was when it was approved. Immutable.
 *
 * @param id unique, opaque
 * @param roles of that caller at that time: whether they may decide is checked again whenever the grant is used
 * @param expiresAt from when on it does not count any more
 */
public record Grant(
        String id,
        Scope scope,
        Approved approved,
        String grantedBy,
        Set<String> roles,
        Instant grantedAt,
        Instant expiresAt) {

    /**
     * The call that a person approved.
     *
     * @param toolSha256 of the tool as it was (name, parameters, method, sentences for the person), hexadecimal: a tool that
     *     has changed since is asked about
     * @param argumentsSha256 of the canonical arguments that were approved, after edits, hexadecimal
     */
    public record Approved(
            String toolCallId, String interruptId, String toolName, String toolSha256, String argumentsSha256) {}

    /** Most grants that count on a thread at a time; an answer that would give another one is refused. */
    public static final int MAX_PER_THREAD = 100;

    /** Which calls need no question. */
    public enum Scope {
        /** Those of the same tool with exactly the same arguments; {@code "same_call"} on the wire. */
        SAME_CALL,
        /** All of the same tool; {@code "tool"} on the wire. */
        TOOL,
        /** This version does not know: another one stored it. It covers no call. */
        @JsonEnumDefaultValue
        UNKNOWN;

        /** Gives the name on the wire. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final Comparator<Grant> BY_AGE =
            Comparator.comparing(Grant::grantedAt).thenComparing(Grant::id);

    /** Copies the roles. */
    public Grant {
        roles = Set.copyOf(roles);
    }

    /** Sorts oldest first, which is the order of {@link Store#grants}. */
    public static List<Grant> oldestFirst(Collection<Grant> grants) {
        return grants.stream().sorted(BY_AGE).toList();
    }

    /** The subject of an event about the grant. */
    public AuditEvent.Subject subject() {
        return new AuditEvent.Subject(
                Optional.of(approved.toolCallId()),
                Optional.of(approved.toolName()),
                Optional.of(approved.interruptId()));
    }

    /**
     * Checks whether the grant covers a call, as far as the name of its tool and its arguments say.
     *
     * @param arguments SHA-256 of the call's canonical arguments, hexadecimal
     * @return {@code true} if the call is like the approved one
     */
    public boolean covers(String tool, String arguments) {
        return approved.toolName().equals(tool)
                && switch (scope) {
                    case TOOL -> true;
                    case SAME_CALL -> approved.argumentsSha256().equals(arguments);
                    case UNKNOWN -> false;
                };
    }

    /** Checks whether the grant counts no longer: {@code true} from {@code expiresAt} on. */
    public boolean isExpired(Instant now) {
        return !now.isBefore(expiresAt);
    }
}
