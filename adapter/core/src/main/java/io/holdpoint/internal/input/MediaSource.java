package io.holdpoint.internal.input;

import io.holdpoint.agui.ContentPart;
import io.holdpoint.agui.PartSource;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Where the bytes of a media part are, as far as LangChain4j can say it: inline, or behind a URL that is fetched later. */
sealed interface MediaSource {

    /** The media type, in lower case and without parameters; {@code null} if the client gave none. */
    @Nullable
    String mimeType();

    /** Carried inline, as Base64 that can be decoded. */
    record Inline(String base64, String mimeType) implements MediaSource {}

    /** An absolute {@code http} or {@code https} URL. */
    record Remote(URI url, @Nullable String mimeType) implements MediaSource {}

    /** It cannot be said. */
    record Inexpressible(String reason) implements MediaSource {

        @Override
        public @Nullable String mimeType() {
            return null;
        }
    }

    /** {@code data:image/png;base64,iVBO...}, which some clients take for a URL. */
    Pattern DATA_URL = Pattern.compile("(?is)data:([^;,]+)(?:;[^;,]*)*?;base64,(.*)");

    Pattern MIME_TYPE = Pattern.compile("[\\w.+-]{1,100}/[\\w.+-]{1,100}");

    static MediaSource of(PartSource source) {
        if (source instanceof PartSource.Data data) {
            return inline(data.value(), data.mimeType());
        }
        return source instanceof PartSource.Url url
                ? remote(url.value(), url.mimeType())
                : new Inexpressible("LangChain4j cannot name a file that is at a provider already");
    }

    static MediaSource of(ContentPart.Binary binary) {
        String data = binary.data();
        if (data != null) {
            return inline(data, binary.mimeType());
        }
        String url = binary.url();
        return url != null
                ? remote(url, binary.mimeType())
                : new Inexpressible("LangChain4j cannot name a file that is at a provider already");
    }

    private static MediaSource inline(String value, String mimeType) {
        Matcher dataUrl = value.startsWith("data:") ? DATA_URL.matcher(value) : DATA_URL.matcher("");
        String base64 = dataUrl.matches() ? dataUrl.group(2) : value;
        Optional<String> type = mimeType(mimeType);
        if (type.isEmpty()) {
            return new Inexpressible("its mimeType is none");
        }
        return isBase64(base64) ? new Inline(base64, type.get()) : new Inexpressible("its data is not Base64");
    }

    private static MediaSource remote(String value, @Nullable String mimeType) {
        Matcher dataUrl = value.startsWith("data:") ? DATA_URL.matcher(value) : DATA_URL.matcher("");
        if (dataUrl.matches()) {
            return inline(dataUrl.group(2), dataUrl.group(1));
        }
        try {
            URI url = new URI(value);
            boolean web = "http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme());
            if (web && url.getHost() != null) {
                return new Remote(
                        url, mimeType == null ? null : mimeType(mimeType).orElse(null));
            }
        } catch (URISyntaxException e) {
            return new Inexpressible("its URL is none");
        }
        return new Inexpressible("its URL is not an absolute one of http or https");
    }

    private static boolean isBase64(String text) {
        try {
            return Base64.getDecoder().decode(text).length > 0;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static Optional<String> mimeType(String given) {
        String type = given.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        return MIME_TYPE.matcher(type).matches() ? Optional.of(type) : Optional.empty();
    }
}
