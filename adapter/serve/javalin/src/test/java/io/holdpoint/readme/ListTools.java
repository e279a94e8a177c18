package io.holdpoint.readme;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.ToolCallContext;

final class ListTools {

    // readme
    @Tool("Add an item to the list that the user sees")
    String addItem(String item, ToolCallContext call) {
        JsonNode state = call.updateState(before -> {
            ObjectNode list = before instanceof ObjectNode object ? object : JsonNodeFactory.instance.objectNode();
            list.withArray("items").add(item);
            return list;
        });
        call.emit("list-changed", state.path("items"));
        return "The list has " + state.path("items").size() + " items now.";
    }
    // end
}
