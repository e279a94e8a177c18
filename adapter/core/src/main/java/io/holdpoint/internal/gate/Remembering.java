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
 * The offer to remember an approval. It is written into the schema of the question, and read from there when the answer comes.
 * Immutable.
 *
 * @param scopes the calls that an approval may be remembered for; empty if it may not be remembered
 * @param longest the longest time, a whole number of minutes
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
     * Checks the settings of an annotation or a policy.
     *
     * @param destructive whether the same policy marks the tool as destructive
     * @param where names the policy in error messages
     * @throws dev.langchain4j.service.IllegalConfigurationException if the settings contradict each other
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
                    "%s: rememberFor = \"%s\" must be a whole number of minutes, at least one minute and at most %d"
                            + " days.",
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

    /** Tells whether the tool's own metadata marks it as destructive. */
    static boolean isDestructive(ToolSpecification tool) {
        Object hint = tool.metadata() == null ? null : tool.metadata().get(DESTRUCTIVE_HINT);
        return hint != null && Boolean.parseBoolean(String.valueOf(hint));
    }

    boolean isNever() {
        return scopes.isEmpty();
    }

    /** The offer that both make. */
    Remembering and(Remembering other) {
        Set<Grant.Scope> both = EnumSet.noneOf(Grant.Scope.class);
        scopes.stream().filter(other.scopes::contains).forEach(both::add);
        Duration shorter = longest.compareTo(other.longest) <= 0 ? longest : other.longest;
        return both.isEmpty() ? NEVER : new Remembering(both, shorter);
    }
}
