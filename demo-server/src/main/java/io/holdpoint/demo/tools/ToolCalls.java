package io.holdpoint.demo.tools;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.ToolCallContext;

/** What every demo tool needs to tell about the call that it runs for. */
final class ToolCalls {

    private ToolCalls() {}

    /** The id of the call that is running; empty if a plain AI Service runs the tool. */
    static String id(ToolCallContext call) {
        return call == null ? "" : call.toolCallId();
    }

    /** An empty set of arguments, to be filled. */
    static ObjectNode args() {
        return JsonNodeFactory.instance.objectNode();
    }
}
