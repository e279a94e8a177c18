package io.holdpoint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Decides what the audit trail keeps of a tool's arguments. Must be thread-safe. If it throws, nothing of the arguments is
 * kept.
 */
@FunctionalInterface
public interface ArgumentRedactor {

    /** Keeps everything. The default. */
    ArgumentRedactor NONE = (toolName, arguments) -> arguments;

    /**
     * Redacts.
     *
     * @param toolName the tool
     * @param arguments proposed, edited or executed; a copy that may be changed and returned
     * @return what to keep
     */
    JsonNode redact(String toolName, ObjectNode arguments);
}
