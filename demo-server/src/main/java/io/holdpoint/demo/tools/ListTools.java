package io.holdpoint.demo.tools;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.ToolCallContext;

/** A list in the shared state of a thread, {@code {"list": [...]}}: the client sees it change. Thread-safe. */
public final class ListTools {

    /**
     * Adds to the list of the thread, and tells the client of it in an event {@code list-changed}.
     *
     * @param item what to add
     * @param call whose state the list is in
     * @return a sentence saying how long the list is
     */
    @Tool("Add an item to the list that the user sees")
    public String addToList(@P("the item") String item, ToolCallContext call) {
        JsonNode state = call.updateState(before -> {
            ObjectNode changed = before instanceof ObjectNode object ? object : ToolCalls.args();
            changed.withArray("list").add(item);
            return changed;
        });
        call.emit("list-changed", ToolCalls.args().put("added", item));
        int length = state.path("list").size();
        return "The list has " + length + (length == 1 ? " item." : " items.");
    }
}
