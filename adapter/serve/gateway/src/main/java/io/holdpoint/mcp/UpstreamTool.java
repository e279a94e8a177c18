package io.holdpoint.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.ToolSpecification;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * A tool of a server behind the gateway.
 *
 * @param server the name of the server
 * @param tool as the server has it
 */
record UpstreamTool(String server, Tool tool) {

    /** In {@code _meta}: the server wants that a person is asked. */
    private static final String REQUIRES_USER = "anthropic/requiresUserInteraction";

    /** The name that policies, questions and the record know, whatever the tools of other servers are called. */
    String name() {
        return server + "." + tool.name();
    }

    /** Tells whether the server says so, and nothing that speaks against it. */
    boolean isReadOnly() {
        return hint(ToolAnnotations::readOnlyHint) && !wantsPerson();
    }

    /** Tells whether the server says that a person is to be asked, which it cannot take back by saying something else. */
    boolean wantsPerson() {
        Object meta = tool.meta() == null ? null : tool.meta().get(REQUIRES_USER);
        return hint(ToolAnnotations::destructiveHint) || meta != null && Boolean.parseBoolean(String.valueOf(meta));
    }

    /** Tells whether it takes what a tool of its name took before, and its server speaks for asking people no more than then. */
    boolean isAs(UpstreamTool before) {
        return name().equals(before.name())
                && (isReadOnly() || !before.isReadOnly())
                && (!wantsPerson() || before.wantsPerson())
                && specification().parameters().equals(before.specification().parameters());
    }

    private boolean hint(Function<ToolAnnotations, Boolean> which) {
        return Optional.ofNullable(tool.annotations()).map(which).orElse(false);
    }

    /** The names of its arguments. */
    Set<String> arguments() {
        return specification().parameters().properties().keySet();
    }

    /** The tool as clients see it, who may know it by another name. */
    Tool as(String name) {
        ObjectNode renamed = Results.JSON.valueToTree(tool);
        return NewEra.read(renamed.put("name", name), Tool.class);
    }

    ToolSpecification specification() {
        return ToolSpecification.builder()
                .name(name())
                .description(Optional.ofNullable(tool.description()).orElse(""))
                .parameters(Schemas.parameters(tool.inputSchema()))
                .build();
    }
}
