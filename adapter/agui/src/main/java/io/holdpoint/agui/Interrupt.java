package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Something a run needs from outside before it can continue, such as an approval.
 *
 * <p>JSON: {@code
 * {"id":…,"reason":…,"message"?:…,"toolCallId"?:…,"responseSchema"?:{…},"expiresAt"?:"2026-01-31T12:00:00Z",
 * "metadata"?:{…}}}. Mirrors AG-UI's {@code Interrupt} (without its {@code subagentRunId}, which is ignored when read).
 * Immutable, so thread-safe, as long as the JSON trees are not changed afterwards.
 *
 * @param id unique, opaque
 * @param reason {@code tool_call}, {@code input_required}, {@code confirmation}, or a name of the agent's own
 * @param responseSchema the JSON Schema an answer's payload must meet; {@code null} if absent
 * @param expiresAt until when an answer is taken, ISO-8601 on the wire; {@code null} if absent
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Interrupt(
        String id,
        String reason,
        @Nullable String message,
        @Nullable String toolCallId,
        @Nullable ObjectNode responseSchema,

        @JsonSerialize(using = ToStringSerializer.class) @JsonDeserialize(using = AguiModule.Time.class) @Nullable
        Instant expiresAt,

        @Nullable ObjectNode metadata) {

    /** Checks that the required fields are there. */
    public Interrupt {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(reason, "reason");
    }

    /** The fields of an answer that may hold changed arguments: Holdpoint's, and those of the interrupts draft. */
    private static final List<String> EDITS = List.of("editedArgs", "modifications", "functionArguments");

    /**
     * Names the field of an answer that takes changed arguments.
     *
     * @return the one that the {@code responseSchema} declares: {@code editedArgs}, or of an agent that speaks the interrupts draft
     *     {@code modifications} or {@code functionArguments}; empty if it declares none
     */
    public Optional<String> edits() {
        for (String field : EDITS) {
            if (responseSchema != null && responseSchema.path("properties").has(field)) {
                return Optional.of(field);
            }
        }
        return Optional.empty();
    }

    /** The same interrupt with another sentence. */
    public Interrupt withMessage(String other) {
        return new Interrupt(id, reason, other, toolCallId, responseSchema, expiresAt, metadata);
    }

    /** A copy with JSON trees of its own, to be given away. */
    public Interrupt copy() {
        return new Interrupt(
                id,
                reason,
                message,
                toolCallId,
                responseSchema == null ? null : responseSchema.deepCopy(),
                expiresAt,
                metadata == null ? null : metadata.deepCopy());
    }
}
