package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where the bytes of a media part are, told apart by {@code type}. Mirrors AG-UI's {@code PartSource}. Immutable, so
 * thread-safe.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonPropertyOrder("type")
public sealed interface PartSource {

    /** The name on the wire: {@code "data"}, {@code "url"} or {@code "file"}. */
    @JsonProperty("type")
    default String type() {
        return AguiModule.NAMES.get(getClass());
    }

    /** The bytes in Base64, the URL, or the handle. */
    String value();

    /** The media type of the bytes; {@code null} if absent. */
    @Nullable
    String mimeType();

    /**
     * Carried inline. JSON: {@code {"type":"data","value":…,"mimeType":…}}.
     *
     * @param value the bytes in Base64
     */
    @JsonTypeName("data")
    record Data(String value, String mimeType) implements PartSource {

        /** Checks that both are there. */
        public Data {
            Objects.requireNonNull(value, "value");
            Objects.requireNonNull(mimeType, "mimeType");
        }
    }

    /** To be fetched. JSON: {@code {"type":"url","value":…,"mimeType"?:…}}. */
    @JsonTypeName("url")
    record Url(String value, @Nullable String mimeType) implements PartSource {

        /** Checks that the URL is there. */
        public Url {
            Objects.requireNonNull(value, "value");
        }
    }

    /** Already at the provider. JSON: {@code {"type":"file","value":…,"provider"?:…,"mimeType"?:…}}. */
    @JsonTypeName("file")
    record File(
            String value,
            @Nullable String provider,
            @Nullable String mimeType) implements PartSource {

        /** Checks that the handle is there. */
        public File {
            Objects.requireNonNull(value, "value");
        }
    }
}
