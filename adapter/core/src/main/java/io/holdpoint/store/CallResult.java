package io.holdpoint.store;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/**
 * The one result of a call. Immutable.
 *
 * @param message the result as the chat memory and the model get it: LangChain4j's own JSON of a
 *     {@code ToolExecutionResultMessage}
 * @param clientText the result as the client gets it: the tool's own result as text, without what is only for the model
 * @param metadata what the client gets besides, for instance how the arguments were edited
 */
public record CallResult(
        String message, String clientText, @Nullable ObjectNode metadata) {}
