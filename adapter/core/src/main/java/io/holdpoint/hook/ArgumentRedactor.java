package io.holdpoint.hook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Decides which part of a tool's arguments the audit trail keeps. Must be thread-safe. If it throws, no argument is kept, and
 * the trail says so.
 *
 * <p>With a redactor, arguments that are not one JSON object are not kept either, nor are texts of errors that could quote
 * arguments, nor a person's answer to a tool, or in its place. The hash of the arguments is kept as it is: arguments that can
 * be guessed can be recognised by it. A person's reason is kept as well.
 */
@FunctionalInterface
public interface ArgumentRedactor {

    /** Keeps everything. The default. */
    ArgumentRedactor NONE = (toolName, arguments) -> arguments;

    /**
     * Redacts the arguments of a call.
     * @param toolName the tool, as the model named it: there need not be such a tool
     * @param arguments proposed, edited or executed; a copy that may be changed and returned
     */
    JsonNode redact(String toolName, ObjectNode arguments);
}
