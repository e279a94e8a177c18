package io.holdpoint.demo.tools;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.invocation.InvocationParameters;

/** What every demo tool needs to tell about the call that it runs for. */
final class ToolCalls {

    private ToolCalls() {}

    /** The id of the call that is running; empty if whoever runs the tool did not give one. */
    static String id(InvocationParameters parameters) {
        return parameters.getOrDefault("toolCallId", "");
    }

    /** An empty set of arguments, to be filled. */
    static ObjectNode args() {
        return JsonNodeFactory.instance.objectNode();
    }
}
