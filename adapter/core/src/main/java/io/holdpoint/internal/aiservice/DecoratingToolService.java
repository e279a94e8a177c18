package io.holdpoint.internal.aiservice;

import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.service.tool.AiServiceTool;
import dev.langchain4j.service.tool.ToolExecutor;
import dev.langchain4j.service.tool.ToolProviderResult;
import dev.langchain4j.service.tool.ToolServiceContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** LangChain4j's tool service with a decorator around each executor, however its tool comes in. */
abstract class DecoratingToolService extends WrappingToolService {

    /** Returns what runs in the place of an executor; what was returned already stays. */
    abstract ToolExecutor decorated(ToolSpecification specification, ToolExecutor executor);

    @Override
    ToolProviderResult provided(@Nullable ToolProviderResult given) {
        List<AiServiceTool> tools = new ArrayList<>();
        for (AiServiceTool tool : given == null ? List.<AiServiceTool>of() : given.aiServiceTools()) {
            tools.add(tool.toBuilder()
                    .toolExecutor(decorated(tool.toolSpecification(), tool.toolExecutor()))
                    .build());
        }
        return new ToolProviderResult(tools);
    }

    /** The same tools, each decorated. */
    ToolServiceContext decorated(ToolServiceContext context) {
        int most = context.effectiveTools().size() + context.availableTools().size();
        Map<String, ToolSpecification> specifications = new HashMap<>(2 * most);
        for (ToolSpecification tool : context.effectiveTools()) {
            specifications.put(tool.name(), tool);
        }
        for (ToolSpecification tool : context.availableTools()) { // the last of a name is that of the executor
            specifications.put(tool.name(), tool);
        }
        Map<String, ToolExecutor> executors =
                new HashMap<>(2 * context.toolExecutors().size());
        for (Map.Entry<String, ToolExecutor> each : context.toolExecutors().entrySet()) {
            String name = each.getKey();
            ToolSpecification tool = specifications.get(name);
            ToolSpecification known =
                    tool == null ? ToolSpecification.builder().name(name).build() : tool;
            executors.put(name, decorated(known, each.getValue()));
        }
        return context.toBuilder().toolExecutors(executors).build();
    }
}
