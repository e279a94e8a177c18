package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A tool the client executes, or one the agent declares in its capabilities. JSON:
 * {@code {"name":…,"description":…,"parameters"?:{…},"metadata"?:{…}}}. Mirrors AG-UI's {@code ClientToolSpec}. When read, an
 * absent description is the empty string. Immutable, so thread-safe, as long as the JSON trees are not changed afterwards.
 *
 * @param parameters the JSON Schema of its arguments; {@code null} if absent
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ClientToolSpec(
        String name,
        @JsonSetter(nulls = Nulls.AS_EMPTY) String description,
        @Nullable JsonNode parameters,
        @Nullable ObjectNode metadata) {

    /** Takes JSON null for no parameters. */
    public ClientToolSpec {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(description, "description");
        parameters = parameters instanceof NullNode ? null : parameters;
    }
}
