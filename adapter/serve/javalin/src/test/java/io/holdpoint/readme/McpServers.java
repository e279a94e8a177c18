package io.holdpoint.readme;

import dev.langchain4j.mcp.McpToolProvider;
import dev.langchain4j.mcp.client.DefaultMcpClient;
import dev.langchain4j.mcp.client.McpClient;
import dev.langchain4j.mcp.client.transport.stdio.StdioMcpTransport;
import dev.langchain4j.model.chat.StreamingChatModel;
import io.holdpoint.Holdpoint;
import io.holdpoint.ToolPolicy;
import java.util.List;

final class McpServers {

    private McpServers() {}

    static McpClient client(List<String> command) {
        // readme
        McpClient files = DefaultMcpClient.builder()
                .transport(StdioMcpTransport.builder().command(command).build())
                .build();
        // end
        return files;
    }

    static Holdpoint agent(StreamingChatModel model, McpClient files) {
        // readme
        Holdpoint agent = Holdpoint.builder(Assistant.class)
                .streamingChatModel(model)
                .toolProviders(McpToolProvider.builder().mcpClients(files).build())
                .toolPolicies(
                        ToolPolicy.named("delete_file")
                                .message("Delete {{path}}?")
                                .editable(),
                        ToolPolicy.where(
                                tool -> !Boolean.TRUE.equals(tool.metadata().get("readOnlyHint"))))
                .build();
        // end
        return agent;
    }
}
