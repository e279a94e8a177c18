package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
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
    @JsonProperty("type")
    String type();

    /** The id of the part; {@code null} if absent. */
    @Nullable
    String id();

    /** Extra information, any JSON but null; {@code null} if absent. */
    @Nullable
    JsonNode metadata();

    /**
     * Text. JSON: {@code {"type":"text","id"?:…,"text":…,"metadata"?:…}}.
     *
     * @param text the text
     * @param id the id of the part; {@code null} if absent
     * @param metadata extra information, any JSON but null; {@code null} if absent
     */
    record Text(String text, @Nullable String id, @Nullable JsonNode metadata) implements ContentPart {

        /** Checks that the text is there. */
        public Text {
            Objects.requireNonNull(text, "text");
            metadata = metadata instanceof NullNode ? null : metadata;
        }

        /** Without id and metadata. */
        public Text(String text) {
            this(text, null, null);
        }

        @Override
        public String type() {
            return "text";
        }
    }

    /**
     * An image. JSON: {@code {"type":"image","id"?:…,"source":{…},"metadata"?:…}}.
     *
     * @param source where the bytes are
     * @param id the id of the part; {@code null} if absent
     * @param metadata extra information, any JSON but null; {@code null} if absent
     */
    record Image(
            PartSource source,
            @Nullable String id,
            @Nullable JsonNode metadata) implements ContentPart {

        /** Checks that the source is there. */
        public Image {
            Objects.requireNonNull(source, "source");
            metadata = metadata instanceof NullNode ? null : metadata;
        }

        /** Without id and metadata. */
        public Image(PartSource source) {
            this(source, null, null);
        }

        @Override
        public String type() {
            return "image";
        }
    }

    /**
     * A recording. JSON: {@code {"type":"audio","id"?:…,"source":{…},"metadata"?:…}}.
     *
     * @param source where the bytes are
     * @param id the id of the part; {@code null} if absent
     * @param metadata extra information, any JSON but null; {@code null} if absent
     */
    record Audio(
            PartSource source,
            @Nullable String id,
            @Nullable JsonNode metadata) implements ContentPart {

        /** Checks that the source is there. */
        public Audio {
            Objects.requireNonNull(source, "source");
            metadata = metadata instanceof NullNode ? null : metadata;
        }

        /** Without id and metadata. */
        public Audio(PartSource source) {
            this(source, null, null);
        }

        @Override
        public String type() {
            return "audio";
        }
    }

    /**
     * A video. JSON: {@code {"type":"video","id"?:…,"source":{…},"metadata"?:…}}.
     *
     * @param source where the bytes are
     * @param id the id of the part; {@code null} if absent
     * @param metadata extra information, any JSON but null; {@code null} if absent
     */
    record Video(
            PartSource source,
            @Nullable String id,
            @Nullable JsonNode metadata) implements ContentPart {

        /** Checks that the source is there. */
        public Video {
            Objects.requireNonNull(source, "source");
            metadata = metadata instanceof NullNode ? null : metadata;
        }

        /** Without id and metadata. */
        public Video(PartSource source) {
            this(source, null, null);
        }

        @Override
        public String type() {
            return "video";
        }
    }

    /**
     * A document. JSON: {@code {"type":"document","id"?:…,"source":{…},"metadata"?:…}}.
     *
     * @param source where the bytes are
     * @param id the id of the part; {@code null} if absent
     * @param metadata extra information, any JSON but null; {@code null} if absent
     */
    record Document(
            PartSource source,
            @Nullable String id,
            @Nullable JsonNode metadata) implements ContentPart {

        /** Checks that the source is there. */
        public Document {
            Objects.requireNonNull(source, "source");
            metadata = metadata instanceof NullNode ? null : metadata;
        }

        /** Without id and metadata. */
        public Document(PartSource source) {
            this(source, null, null);
        }

        @Override
        public String type() {
            return "document";
        }
    }

    /**
     * Bytes in the form of clients older than 1.0, to be read; a 1.0 client refuses it. JSON: {@code
     * {"type":"binary","mimeType":…,"id"?:…,"url"?:…,"data"?:…,
     * "filename"?:…}}.
     *
     * @param mimeType what kind of bytes
     * @param id the id of the part; {@code null} if absent
     * @param url where to fetch the bytes; {@code null} if absent
     * @param data the bytes in Base64; {@code null} if absent
     * @param filename the name of the file; {@code null} if absent
     */
    record Binary(
            String mimeType,
            @Nullable String id,
            @Nullable String url,
            @Nullable String data,
            @Nullable String filename)
            implements ContentPart {

        /** Checks that the media type is there. */
        public Binary {
            Objects.requireNonNull(mimeType, "mimeType");
        }

        /** Older clients knew none. */
        @Override
        public @Nullable JsonNode metadata() {
            return null;
        }

        @Override
        public String type() {
            return "binary";
        }
    }
}
