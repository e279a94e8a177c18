package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/**
 * The fields a message may carry besides its own, flattened into the message on the wire. JSON:
 * {@code "name"?:…,"encryptedValue"?:…,"metadata"?:{…},"subagentRunId"?:…}. Mirrors the optional part of AG-UI's
 * {@code BaseMessage}. AG-UI knows no {@code name} on tool, activity and reasoning messages and no {@code encryptedValue} on
 * activity messages; there they are ignored when read. Immutable, so thread-safe.
 *
 * @param encryptedValue a provider's opaque reasoning artefact; {@code null} if absent
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record MessageExtras(
        @Nullable String name,
        @Nullable String encryptedValue,
        @Nullable ObjectNode metadata,
        @Nullable String subagentRunId) {

    /** Copies the metadata, because a tree can be changed. */
    public MessageExtras {
        metadata = metadata == null ? null : metadata.deepCopy();
    }

    /** No extra field at all. */
    public static final MessageExtras NONE = new MessageExtras(null, null, null, null);

    /** Creates extra fields of metadata only. */
    public static MessageExtras ofMetadata(ObjectNode metadata) {
        return new MessageExtras(null, null, metadata, null);
    }
}
