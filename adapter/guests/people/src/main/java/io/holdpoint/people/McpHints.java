package io.holdpoint.people;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.ToolSpecification;
import io.holdpoint.rule.Proposal;
import io.holdpoint.rule.Rule;
import io.holdpoint.rule.Say;
import io.holdpoint.store.Reversibility;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Has a person asked about each call of a tool whose MCP server says that somebody should be: {@code destructiveHint}, or {@code
 * anthropic/requiresUserInteraction} in the tool's {@code _meta}, which LangChain4j passes on in its metadata. A rule, given to {@code
 * Holdpoint.builder(...).rules(...)}. Hints only tighten: no condition, no policy and no remembered approval lets such a call run unasked, and a
 * hint that is absent or {@code false} says nothing. Questions have the hint in {@code metadata.langchain4j.mcp}, and say it in a sentence.
 */
public record McpHints() implements Rule {

    private static final Map<String, String> REASONS = Map.of(
            "destructiveHint", "The server of this tool says that it can destroy something.",
            "anthropic/requiresUserInteraction", "The server of this tool wants a person to be asked.");

    @Override
    public String name() {
        return "mcp";
    }

    @Override
    public boolean concerns(ToolSpecification tool, Optional<Reversibility> known) {
        return REASONS.keySet().stream().anyMatch(hint -> isSet(tool, hint));
    }

    @Override
    public Say onProposal(Proposal proposal) {
        ObjectNode section = JsonNodeFactory.instance.objectNode();
        StringBuilder why = new StringBuilder();
        REASONS.keySet().stream()
                .sorted()
                .filter(hint -> isSet(proposal.call().tool(), hint))
                .forEach(hint -> {
                    section.put(hint, true);
                    why.append(why.isEmpty() ? "" : " ").append(REASONS.get(hint));
                });
        return Say.ask(why.toString(), section);
    }

    @Override
    public Set<String> unredacted() {
        return REASONS.keySet();
    }

    /** Tells whether a tool's metadata has a hint; as a text, too. */
    static boolean isSet(ToolSpecification tool, String hint) {
        Map<String, Object> metadata = tool.metadata();
        return metadata != null && Boolean.parseBoolean(String.valueOf(metadata.get(hint)));
    }
}
