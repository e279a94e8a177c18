package io.holdpoint.internal.gate;

import static dev.langchain4j.service.IllegalConfigurationException.illegalConfiguration;

import dev.langchain4j.agent.tool.ToolSpecification;
import io.holdpoint.store.Bounds;
import io.holdpoint.store.Grant;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * The offer to remember an approval. It is written into the schema of the question, and read from there when the answer comes.
 * Immutable.
 */
public record Remembering(Set<Grant.Scope> scopes, Duration longest, Optional<Bounds> bounds) {

    /** Longest time that can be configured. */
    static final Duration MAX = Duration.ofDays(30);

    private static final Set<String> NUMBERS = Set.of("number", "integer");

    public static final Remembering NEVER = new Remembering(Set.of(), Duration.ZERO, Optional.empty());

    /** MCP's hint, which LangChain4j passes on in a tool's metadata. */
    private static final String DESTRUCTIVE_HINT = "destructiveHint";

    public Remembering {
        scopes = Set.copyOf(scopes);
    }

    static Remembering of(
            Collection<Grant.Scope> scopes,
            Duration longest,
            Optional<Bounds> bounds,
            boolean isIrreversible,
            String where) {
        if (scopes.isEmpty()) {
            return NEVER;
        }
        if (isIrreversible) {
            throw illegalConfiguration(
                    "%s: what the tool does is irreversible, so an approval of it cannot be remembered: somebody has to look at"
                            + " every call. Remove remember, or say that it can be taken back.",
                    where);
        }
        if (scopes.contains(Grant.Scope.WITHIN) != bounds.isPresent()) {
            throw illegalConfiguration(
                    "%s: remember = WITHIN needs bounds. Use ToolPolicy.rememberWithin(...), which names them.", where);
        }
        boolean whole = longest.equals(Duration.ofMinutes(longest.toMinutes()));
        if (!whole || longest.compareTo(Duration.ofMinutes(1)) < 0 || longest.compareTo(MAX) > 0) {
            throw illegalConfiguration(
                    "%s: rememberFor = \"%s\" must be a whole number of minutes, at least one minute and at most %d"
                            + " days.",
                    where, longest, MAX.toDays());
        }
        return new Remembering(EnumSet.copyOf(scopes), longest, bounds);
    }

    /** Tells whether the tool's own metadata marks it as destructive. */
    static boolean isDestructive(ToolSpecification tool) {
        Object hint = tool.metadata() == null ? null : tool.metadata().get(DESTRUCTIVE_HINT);
        return hint != null && Boolean.parseBoolean(String.valueOf(hint));
    }

    /** Refuses bounds that are none, or are of arguments that a call need not have. */
    static Optional<Bounds> requireFitting(Optional<Bounds> bounds, ToolSpecification tool, String where) {
        if (bounds.isEmpty()) {
            return bounds;
        }
        for (String path : bounds.get().same()) {
            ToolSchemas.requirePart(
                    path, tool, where, "%s: rememberWithin names \"%s\", but the tool's parameters are %s.");
        }
        Optional<String> sum = bounds.get().sum().map(Bounds.Sum::argument);
        if (sum.isEmpty() && bounds.get().count().isEmpty()) {
            throw illegalConfiguration(
                    "%s: rememberWithin bounds nothing. Add sum(argument, time) or count(most).", where);
        }
        if (sum.isPresent() && !ToolSchemas.isRequired(sum.get(), NUMBERS, tool)) {
            throw illegalConfiguration(
                    "%s: rememberWithin adds up \"%s\", which is not a required number of the tool. Name one that is, or"
                            + " a part of an argument: all steps of its path must be required.",
                    where, sum.get());
        }
        return bounds;
    }

    /** The offer without bounds, for calls that nobody counts: a client's are never claimed. */
    Remembering uncounted() {
        Set<Grant.Scope> others = EnumSet.noneOf(Grant.Scope.class);
        others.addAll(scopes);
        others.remove(Grant.Scope.WITHIN);
        return others.isEmpty() ? NEVER : new Remembering(others, longest, Optional.empty());
    }

    boolean isNever() {
        return scopes.isEmpty();
    }

    /** The offer that both make. */
    Remembering and(Remembering other) {
        Set<Grant.Scope> both = EnumSet.noneOf(Grant.Scope.class);
        both.addAll(scopes);
        both.retainAll(other.scopes);
        if (!bounds.equals(other.bounds)) {
            both.remove(Grant.Scope.WITHIN);
        }
        Duration shorter = longest.compareTo(other.longest) <= 0 ? longest : other.longest;
        Optional<Bounds> common = both.contains(Grant.Scope.WITHIN) ? bounds : Optional.empty();
        return both.isEmpty() ? NEVER : new Remembering(both, shorter, common);
    }
}
