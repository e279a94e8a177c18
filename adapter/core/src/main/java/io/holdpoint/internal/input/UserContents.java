package io.holdpoint.internal.input;

import dev.langchain4j.data.audio.Audio;
import dev.langchain4j.data.image.Image;
import dev.langchain4j.data.message.AudioContent;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.ContentType;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.data.message.PdfFileContent;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.VideoContent;
import dev.langchain4j.data.pdf.PdfFile;
import dev.langchain4j.data.video.Video;
import io.holdpoint.InputMedia;
import io.holdpoint.agui.ContentPart;
import io.holdpoint.agui.ContentPart.Media.Kind;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.PartSource;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The content of a user message as LangChain4j takes it. Parts that it has no content for, or that the application says the
 * model does not take, are skipped. Thread-safe.
 */
public final class UserContents {

    private static final Logger LOG = LoggerFactory.getLogger(UserContents.class);
    private static final String PDF = "application/pdf";

    private final InputMedia media;

    UserContents(InputMedia media) {
        this.media = media;
    }

    /** The contents that the model gets of a message; never empty. Parts that it does not get are added to the list. */
    List<Content> of(Message.User message, List<SkippedPart> skipped) {
        if (!(message.content() instanceof MessageContent.Parts parts)) {
            return List.of(TextContent.from(message.content().asText()));
        }
        List<Content> contents = new ArrayList<>();
        List<String> missing = new ArrayList<>();
        for (int i = 0; i < parts.parts().size(); i++) {
            ContentPart part = parts.parts().get(i);
            Taken taken = take(part);
            if (taken instanceof As as) {
                contents.add(as.content());
            } else if (taken instanceof Skip skip) {
                LOG.warn("The model does not get part {} ({}) of a message: {}", i, part.type(), skip.reason());
                skipped.add(new SkippedPart(message.id(), i, part.type(), skip.reason()));
                missing.add(part.type());
            }
        }
        if (contents.isEmpty()) {
            contents.add(TextContent.from(
                    missing.isEmpty()
                            ? ""
                            : "[What was attached cannot be shown: " + String.join(", ", missing) + "]"));
        }
        return contents;
    }

    /** The AG-UI form of what an application says in LangChain4j's contents. */
    public static MessageContent toMessage(List<? extends Content> contents) {
        List<ContentPart> parts = new ArrayList<>();
        for (Content content : contents) {
            parts.add(
                    switch (content.type()) {
                        case TEXT -> new ContentPart.Text(((TextContent) content).text());
                        case IMAGE -> {
                            Image image = ((ImageContent) content).image();
                            yield new ContentPart.Media(
                                    Kind.IMAGE, source(image.url(), image.base64Data(), image.mimeType()));
                        }
                        case AUDIO -> {
                            Audio audio = ((AudioContent) content).audio();
                            yield new ContentPart.Media(
                                    Kind.AUDIO, source(audio.url(), audio.base64Data(), audio.mimeType()));
                        }
                        case VIDEO -> {
                            Video video = ((VideoContent) content).video();
                            yield new ContentPart.Media(
                                    Kind.VIDEO, source(video.url(), video.base64Data(), video.mimeType()));
                        }
                        case PDF -> {
                            PdfFile file = ((PdfFileContent) content).pdfFile();
                            yield new ContentPart.Media(
                                    Kind.DOCUMENT, source(file.url(), file.base64Data(), file.mimeType()));
                        }
                    });
        }
        return new MessageContent.Parts(parts);
    }

    private static PartSource source(@Nullable URI url, @Nullable String base64, @Nullable String mimeType) {
        if (url != null) {
            return new PartSource.Url(url.toString(), mimeType);
        }
        if (base64 == null || mimeType == null) {
            throw new IllegalArgumentException("A file in a message needs a URL, or base64 data with its MIME type.");
        }
        return new PartSource.Data(base64, mimeType);
    }

    private sealed interface Taken {}

    private record As(Content content) implements Taken {}

    private Taken take(ContentPart part) {
        if (part instanceof ContentPart.Text text) {
            return new As(TextContent.from(text.text()));
        }
        Source source = part instanceof ContentPart.Media media
                ? Source.of(media.source())
                : Source.of((ContentPart.Binary) part);
        if (source instanceof Skip skip) {
            return skip;
        }
        File file = (File) source;
        Optional<ContentType> type =
                part instanceof ContentPart.Media media ? Optional.of(type(media.kind())) : kind(file.mimeType());
        return type.map(known -> take(known, file))
                .orElseGet(() -> new Skip("LangChain4j has no content of its mimeType"));
    }

    private static ContentType type(Kind kind) {
        return switch (kind) {
            case IMAGE -> ContentType.IMAGE;
            case AUDIO -> ContentType.AUDIO;
            case VIDEO -> ContentType.VIDEO;
            case DOCUMENT -> ContentType.PDF;
        };
    }

    private static Optional<ContentType> kind(@Nullable String mimeType) {
        if (mimeType == null) {
            return Optional.empty();
        } else if (mimeType.equals(PDF)) {
            return Optional.of(ContentType.PDF);
        }
        return switch (mimeType.substring(0, mimeType.indexOf('/'))) {
            case "image" -> Optional.of(ContentType.IMAGE);
            case "audio" -> Optional.of(ContentType.AUDIO);
            case "video" -> Optional.of(ContentType.VIDEO);
            default -> Optional.empty();
        };
    }

    private Taken take(ContentType type, File file) {
        if (file.mimeType() != null && !kind(file.mimeType()).equals(Optional.of(type))) {
            return new Skip("its mimeType is not one of " + type);
        }
        if (!media.takes(type)) {
            return new Skip("the model does not take " + type);
        }
        return file.url() == null || accepts(file.url())
                ? new As(content(type, file))
                : new Skip("its URL is not accepted");
    }

    private boolean accepts(URI url) {
        try {
            return media.acceptedUrls().test(url);
        } catch (RuntimeException e) {
            LOG.warn("Could not decide whether a URL of a user message is accepted: it is not", e);
            return false;
        }
    }

    private static Content content(ContentType type, File file) {
        URI url = file.url();
        String data = file.base64();
        String mimeType = file.mimeType();
        return switch (type) {
            case IMAGE ->
                ImageContent.from(
                        Image.builder()
                                .url(url)
                                .base64Data(data)
                                .mimeType(mimeType)
                                .build(),
                        ImageContent.DetailLevel.AUTO);
            case AUDIO ->
                AudioContent.from(Audio.builder()
                        .url(url)
                        .base64Data(data)
                        .mimeType(mimeType)
                        .build());
            case VIDEO ->
                VideoContent.from(Video.builder()
                        .url(url)
                        .base64Data(data)
                        .mimeType(mimeType)
                        .build());
            case PDF ->
                PdfFileContent.from(PdfFile.builder()
                        .url(url)
                        .base64Data(data)
                        .mimeType(Objects.requireNonNullElse(mimeType, PDF))
                        .build());
            case TEXT -> throw new IllegalArgumentException("text is no media");
        };
    }

    /** A part of a user message that the model does not get; the reason is for the client that sent it. */
    public record SkippedPart(String messageId, int index, String type, String reason) {}

    private record Skip(String reason) implements Taken, Source {}

    /** Inline, as Base64 that can be decoded, or behind an absolute {@code http} or {@code https} URL that is fetched later. */
    private record File(
            @Nullable URI url,
            @Nullable String base64,
            @Nullable String mimeType) implements Source {}

    /** Where the bytes of a media part are, as far as LangChain4j can say it. */
    private sealed interface Source permits File, Skip {

        /** {@code data:image/png;base64,iVBO...}, which some clients take for a URL. */
        Pattern DATA_URL = Pattern.compile("(?is)data:([^;,]+)(?:;[^;,]*)*?;base64,(.*)");

        Pattern MIME_TYPE = Pattern.compile("[\\w.+-]{1,100}/[\\w.+-]{1,100}");

        static Source of(PartSource source) {
            if (source instanceof PartSource.Data data) {
                return inline(data.value(), data.mimeType());
            }
            return source instanceof PartSource.Url url
                    ? remote(url.value(), url.mimeType())
                    : new Skip("LangChain4j cannot name a file that is at a provider already");
        }

        static Source of(ContentPart.Binary binary) {
            String data = binary.data();
            if (data != null) {
                return inline(data, binary.mimeType());
            }
            String url = binary.url();
            return url != null
                    ? remote(url, binary.mimeType())
                    : new Skip("LangChain4j cannot name a file that is at a provider already");
        }

        private static Source inline(String value, String mimeType) {
            Matcher dataUrl = value.startsWith("data:") ? DATA_URL.matcher(value) : DATA_URL.matcher("");
            String base64 = dataUrl.matches() ? dataUrl.group(2) : value;
            Optional<String> type = mimeType(mimeType);
            if (type.isEmpty()) {
                return new Skip("its mimeType is none");
            }
            return isBase64(base64) ? new File(null, base64, type.get()) : new Skip("its data is not Base64");
        }

        private static Source remote(String value, @Nullable String mimeType) {
            Matcher dataUrl = value.startsWith("data:") ? DATA_URL.matcher(value) : DATA_URL.matcher("");
            if (dataUrl.matches()) {
                return inline(dataUrl.group(2), dataUrl.group(1));
            }
            try {
                URI url = new URI(value);
                boolean web = "http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme());
                if (web && url.getHost() != null) {
                    return new File(
                            url,
                            null,
                            mimeType == null ? null : mimeType(mimeType).orElse(null));
                }
            } catch (URISyntaxException e) {
                return new Skip("its URL is none");
            }
            return new Skip("its URL is not an absolute one of http or https");
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
}
