package io.holdpoint;

import dev.langchain4j.data.message.ContentType;
import java.net.URI;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The media of user messages that the model gets. LangChain4j's models do not say which media they take, so the application
 * does. Other media are skipped: the run goes on without them, the client is told by a {@code CUSTOM} event
 * {@code holdpoint:content_skipped}, and the transcript keeps the message as it came.
 *
 * <p>{@code InputMedia.of(ContentType.IMAGE).urls(url -> "cdn.example.com".equals(url.getHost()))} takes images, inline or
 * from one server.
 *
 * <p>Immutable; thread-safe if the predicate is.
 *
 * @param types the media that are taken besides text, which always is
 * @param acceptedUrls decides which URLs are handed on; asked about {@code http} and {@code https} only, others never are. The
 *     provider fetches them, but some of LangChain4j's models do so themselves, in your network: then decide here
 */
public record InputMedia(Set<ContentType> types, Predicate<URI> acceptedUrls) {

    /** Everything that LangChain4j has a content for: images, audio, video and PDF documents. The default. */
    public static final InputMedia ALL = new InputMedia(EnumSet.allOf(ContentType.class), url -> true);

    /** Text only. */
    public static final InputMedia NONE = new InputMedia(Set.of(), url -> true);

    /** Copies the set. */
    public InputMedia {
        types = Set.copyOf(types);
    }

    /** Takes some media, inline and by URL. */
    public static InputMedia of(ContentType... types) {
        return new InputMedia(Set.copyOf(Arrays.asList(types)), url -> true);
    }

    /**
     * Decides about URLs.
     *
     * @param accepts decides which URLs are handed on; a URL at which it throws is not
     * @return the same media, with these URLs only
     */
    public InputMedia urls(Predicate<URI> accepts) {
        return new InputMedia(types, accepts);
    }

    /** Tells whether a kind of content is taken; a text always is. */
    public boolean takes(ContentType type) {
        return type == ContentType.TEXT || types.contains(type);
    }
}
