package io.holdpoint.hook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Decides what the audit trail keeps of a tool's arguments. Must be thread-safe. If it throws, nothing of the arguments is
 * kept, and the trail says so.
 *
 * <p>With a redactor, arguments that are not one JSON object are not kept either, nor are texts of errors that could quote
 * arguments, nor what a person tells a tool, or says in its place. The hash of the arguments is kept as it is: arguments that can be guessed can be recognised by it. A person's
 * reason is kept as well.
 */
@FunctionalInterface
public interface ArgumentRedactor {

    /** Keeps everything. The default. */
    ArgumentRedactor NONE = (toolName, arguments) -> arguments;

    /**
     * Redacts.
     *
     * @param toolName the tool, as the model named it: there need not be such a tool
     * @param arguments proposed, edited or executed; a copy that may be changed and returned
     * @return what to keep
     */
    JsonNode redact(String toolName, ObjectNode arguments);
}
