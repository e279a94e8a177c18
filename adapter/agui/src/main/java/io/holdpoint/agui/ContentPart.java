package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One part of a message body, told apart by {@code type}. Mirrors AG-UI's {@code ContentPart}, plus the {@code binary}
 * part of
 * older clients. Immutable, so thread-safe, as long as the JSON trees are not changed afterwards.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonPropertyOrder("type")
public sealed interface ContentPart {

    /** The name on the wire, such as {@code "text"}. */
    String type();

    /** The id of the part; {@code null} if absent. */
    @Nullable
    String id();

    /** Extra information, any JSON but null; {@code null} if absent. */
    @Nullable
    JsonNode metadata();

    /** Text. JSON: {@code {"type":"text","id"?:…,"text":…,"metadata"?:…}}. */
    record Text(String text, @Nullable String id, @Nullable JsonNode metadata) implements ContentPart {

        /** Takes JSON null for no metadata. */
        public Text {
            Objects.requireNonNull(text, "text");
            metadata = metadata instanceof NullNode ? null : metadata;
        }

        /** Without id and metadata. */
        public Text(String text) {
            this(text, null, null);
        }

        @Override
        @JsonProperty("type")
        public String type() {
            return "text";
        }
    }

    /**
     * A file of one of the kinds that AG-UI tells apart. JSON: {@code {"type":"image","id"?:…,"source":{…},"metadata"?:…}},
     * with the kind as {@code type}.
     */
    record Media(
            @JsonProperty("type") Kind kind,
            PartSource source,
            @Nullable String id,
            @Nullable JsonNode metadata) implements ContentPart {

        /** Takes JSON null for no metadata. */
        public Media {
            Objects.requireNonNull(kind, "kind");
            Objects.requireNonNull(source, "source");
            metadata = metadata instanceof NullNode ? null : metadata;
        }

        /** Without id and metadata. */
        public Media(Kind kind, PartSource source) {
            this(kind, source, null, null);
        }

        @Override
        public String type() {
            return kind.wire();
        }

        /** The kind of a file: an image, a recording, a video or a document. */
        public enum Kind {
            /** {@code "image"} on the wire. */
            IMAGE,
            /** {@code "audio"} on the wire. */
            AUDIO,
            /** {@code "video"} on the wire. */
            VIDEO,
            /** {@code "document"} on the wire. */
            DOCUMENT;

            /** The name on the wire. */
            @JsonValue
            public String wire() {
                return name().toLowerCase(Locale.ROOT);
            }
        }
    }

    /**
     * Bytes in the form of clients older than 1.0, to be read; a 1.0 client refuses it. JSON:
     * {@code {"type":"binary","mimeType":…,"id"?:…,"url"?:…,"data"?:…, "filename"?:…}}.
     *
     * @param data the bytes in Base64; {@code null} if absent
     */
    record Binary(
            String mimeType,
            @Nullable String id,
            @Nullable String url,
            @Nullable String data,
            @Nullable String filename)
            implements ContentPart {

        /** Older clients knew none. */
        @Override
        public @Nullable JsonNode metadata() {
            return null;
        }

        @Override
        @JsonProperty("type")
        public String type() {
            return "binary";
        }
    }
}
