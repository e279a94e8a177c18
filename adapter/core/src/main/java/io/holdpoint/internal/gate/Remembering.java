package io.holdpoint.internal.gate;

import static dev.langchain4j.service.IllegalConfigurationException.illegalConfiguration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.service.IllegalConfigurationException;
import io.holdpoint.store.Grant;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * Whether an approval may be remembered, for which calls, and for how long. Is part of the schema that an answer is checked
 * against, so that what was offered is known later. Immutable.
 *
 * @param scopes which calls it may be remembered for; none if it may not
 * @param longest longest time, a whole number of minutes
 */
public record Remembering(Set<Grant.Scope> scopes, Duration longest) {

    /** The property of an answer that says for which calls it is remembered. */
    public static final String REMEMBER = "remember";

    /** The property of an answer that says for how long. */
    public static final String MINUTES = "rememberMinutes";

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

    /**
     * What was offered with a question.
     *
     * @param responseSchema the question's
     * @return what an answer may say
     */
    public static Remembering offered(JsonNode responseSchema) {
        JsonNode properties = responseSchema.path("properties");
        Set<Grant.Scope> scopes = EnumSet.noneOf(Grant.Scope.class);
        for (JsonNode name : properties.path(REMEMBER).path("enum")) {
            scope(name).ifPresent(scopes::add);
        }
        Duration longest =
                Duration.ofMinutes(properties.path(MINUTES).path("maximum").asLong());
        return scopes.isEmpty() ? NEVER : new Remembering(scopes, longest);
    }

    /**
     * A scope by its name on the wire.
     *
     * @param name what an answer says
     * @return the scope; empty if it is none
     */
    public static Optional<Grant.Scope> scope(JsonNode name) {
        return EnumSet.allOf(Grant.Scope.class).stream()
                .filter(scope -> name.isTextual() && scope.wireName().equals(name.textValue()))
                .findFirst();
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

    /**
     * Offers it.
     *
     * @param approval the schema of an approval; not changed
     * @return the schema with what may be remembered
     */
    ObjectNode addedTo(ObjectNode approval) {
        if (isNever()) {
            return approval;
        }
        ObjectNode schema = approval.deepCopy();
        ObjectNode properties = schema.withObject("/properties");
        ObjectNode remember = properties.putObject(REMEMBER).put("type", "string");
        ArrayNode names = remember.putArray("enum");
        scopes.stream().sorted().forEach(scope -> names.add(scope.wireName()));
        remember.put(
                "description",
                "Do not ask again in this conversation for a while. same_call: about this tool with the same arguments."
                        + " tool: about this tool, whatever the arguments. Read only with approved: true.");
        int most = (int) longest.toMinutes(); // as it is read again from a store
        ObjectNode minutes = properties.putObject(MINUTES).put("type", "integer");
        minutes.put("minimum", 1).put("maximum", most).put("default", most);
        minutes.put("description", "For how many minutes. Read only with remember.");
        return schema;
    }
}
