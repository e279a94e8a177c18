package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A call an assistant message made. JSON:
 * {@code {"id":…,"type":"function","function":{"name":…,"arguments":…},"encryptedValue"?:…,"metadata"?:{…}}}. Mirrors AG-UI's
 * {@code ToolCall} and {@code FunctionCall}. Immutable, so thread-safe.
 *
 * @param arguments the JSON text of the arguments, exactly as the model wrote it
 * @param encryptedValue a provider's opaque reasoning artefact; {@code null} if absent
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonPropertyOrder({"id", "type", "function"})
public record ToolCall(
        String id,
        @JsonIgnore String name,
        @JsonIgnore String arguments,
        @Nullable String encryptedValue,
        @Nullable ObjectNode metadata) {

    /** Checks that the required fields are there. */
    public ToolCall {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(arguments, "arguments");
    }

    /** A call without encrypted value and metadata. */
    public ToolCall(String id, String name, String arguments) {
        this(id, name, arguments, null, null);
    }

    @JsonProperty("type")
    String type() {
        return "function";
    }

    @JsonProperty("function")
    Function function() {
        return new Function(name, arguments);
    }

    /** The nested object of the wire form. */
    record Function(String name, String arguments) {}
}
