package io.holdpoint.store;

import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A remembered decision: a person approved a call, and said that calls like it need not be asked about for a while. It counts
 * on its own thread only, for the tool as it was when it was approved. Immutable.
 *
 * @param id unique, opaque
 * @param scope which calls are like it
 * @param toolName the approved call's tool
 * @param toolSha256 of the tool as it was (name and parameters), hexadecimal: a tool that has changed since is asked about
 * @param argumentsSha256 of the canonical arguments that were approved, after edits, hexadecimal
 * @param grantedBy id of the caller who approved
 * @param roles of that caller at that time: whether they may decide is looked at again whenever the grant is used
 * @param toolCallId the approved call
 * @param interruptId the interrupt that asked about it
 * @param grantedAt when the answer was accepted
 * @param expiresAt from when on it does not count any more
 */
public record Grant(
        String id,
        Scope scope,
        String toolName,
        String toolSha256,
        String argumentsSha256,
        String grantedBy,
        Set<String> roles,
        String toolCallId,
        String interruptId,
        Instant grantedAt,
        Instant expiresAt) {

    /** Most grants that count on a thread at a time; an answer that would give another one is refused. */
    public static final int MAX_PER_THREAD = 100;

    /** Which calls need not be asked about. */
    public enum Scope {
        /** Those of the same tool with exactly the same arguments; {@code "same_call"} on the wire. */
        SAME_CALL,
        /** All of the same tool; {@code "tool"} on the wire. */
        TOOL;

        /**
         * What a client calls it.
         *
         * @return the name in lower case
         */
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

    /**
     * In the order of {@link Store#grants}.
     *
     * @param grants any
     * @return the same, oldest first
     */
    public static List<Grant> oldestFirst(Collection<Grant> grants) {
        return grants.stream().sorted(BY_AGE).toList();
    }

    /**
     * Whether a call is one of those that need not be asked about, as far as its tool's name and its arguments say.
     *
     * @param tool the call's tool
     * @param arguments SHA-256 of the call's canonical arguments, hexadecimal
     * @return whether it is
     */
    public boolean covers(String tool, String arguments) {
        return toolName.equals(tool) && (scope == Scope.TOOL || argumentsSha256.equals(arguments));
    }

    /**
     * Whether it does not count any more.
     *
     * @param now the present
     * @return {@code true} from {@code expiresAt} on
     */
    public boolean isExpired(Instant now) {
        return !now.isBefore(expiresAt);
    }
}
