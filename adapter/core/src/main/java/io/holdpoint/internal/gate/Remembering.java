package io.holdpoint.internal.gate;

import static dev.langchain4j.service.IllegalConfigurationException.illegalConfiguration;

import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.service.IllegalConfigurationException;
import io.holdpoint.store.Grant;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;

/**
 * What of an approval may be remembered: for which calls, and for how long. It is part of the schema that an answer is checked
 * against. Immutable.
 *
 * @param scopes which calls it may be remembered for; none if it may not
 * @param longest longest time, a whole number of minutes
 */
public record Remembering(Set<Grant.Scope> scopes, Duration longest) {

    /** Longest time that can be configured. */
    static final Duration MAX = Duration.ofDays(30);

    static final Remembering NEVER = new Remembering(Set.of(), Duration.ZERO);

    /** MCP's hint, which LangChain4j passes on in a tool's metadata. */
    private static final String DESTRUCTIVE_HINT = "destructiveHint";

    /** Copies the set. */
    public Remembering {
        scopes = Set.copyOf(scopes);
    }

    /**
     * Checks what an application says.
     *
     * @param scopes none if approvals are not remembered
     * @param longest as it was given; not looked at if approvals are not remembered
     * @param destructive whether the same policy says that the tool is destructive
     * @param where names the policy, for error messages
     * @throws dev.langchain4j.service.IllegalConfigurationException if it cannot be meant
     */
    static Remembering of(Collection<Grant.Scope> scopes, Duration longest, boolean destructive, String where) {
        if (scopes.isEmpty()) {
            return NEVER;
        }
        if (destructive) {
            throw contradiction(where);
        }
        boolean whole = longest.equals(Duration.ofMinutes(longest.toMinutes()));
        if (!whole || longest.compareTo(Duration.ofMinutes(1)) < 0 || longest.compareTo(MAX) > 0) {
            throw illegalConfiguration(
                    "%s: rememberFor = \"%s\" must be a whole number of minutes, at least one minute and at most %d days.",
                    where, longest, MAX.toDays());
        }
        return new Remembering(EnumSet.copyOf(scopes), longest);
    }

    static IllegalConfigurationException contradiction(String where) {
        return illegalConfiguration(
                "%s: the tool is destructive, so an approval of it cannot be remembered: somebody has to look at every"
                        + " call. Remove remember, or say that it is not destructive.",
                where);
    }

    /** Whether the tool itself says that it destroys something. */
    static boolean isDestructive(ToolSpecification tool) {
        Object hint = tool.metadata() == null ? null : tool.metadata().get(DESTRUCTIVE_HINT);
        return hint != null && Boolean.parseBoolean(String.valueOf(hint));
    }

    boolean isNever() {
        return scopes.isEmpty();
    }

    /** What both allow. */
    Remembering and(Remembering other) {
        Set<Grant.Scope> both = EnumSet.noneOf(Grant.Scope.class);
        scopes.stream().filter(other.scopes::contains).forEach(both::add);
        Duration shorter = longest.compareTo(other.longest) <= 0 ? longest : other.longest;
        return both.isEmpty() ? NEVER : new Remembering(both, shorter);
    }

}
