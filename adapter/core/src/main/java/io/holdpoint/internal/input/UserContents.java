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
            try {
                contents.add(content(part));
            } catch (Skip skip) {
                LOG.warn("The model does not get part {} ({}) of a message: {}", i, part.type(), skip.getMessage());
                skipped.add(new SkippedPart(message.id(), i, part.type(), String.valueOf(skip.getMessage())));
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

    private Content content(ContentPart part) throws Skip {
        if (part instanceof ContentPart.Text text) {
            return TextContent.from(text.text());
        }
        File file;
        ContentType type;
        if (part instanceof ContentPart.Media given) {
            file = File.of(given.source());
            type = type(given.kind());
        } else {
            file = File.of((ContentPart.Binary) part);
            type = kind(file.mimeType());
        }
        if (type == null) {
            throw new Skip("LangChain4j has no content of its mimeType");
        }
        if (file.mimeType() != null && kind(file.mimeType()) != type) {
            throw new Skip("its mimeType is not one of " + type);
        }
        if (!media.takes(type)) {
            throw new Skip("the model does not take " + type);
        }
        if (file.url() != null && !accepts(file.url())) {
            throw new Skip("its URL is not accepted");
        }
        return content(type, file);
    }

    private static ContentType type(Kind kind) {
        return switch (kind) {
            case IMAGE -> ContentType.IMAGE;
            case AUDIO -> ContentType.AUDIO;
            case VIDEO -> ContentType.VIDEO;
            case DOCUMENT -> ContentType.PDF;
        };
    }

    private static @Nullable ContentType kind(@Nullable String mimeType) {
        if (mimeType == null || mimeType.equals(PDF)) {
            return mimeType == null ? null : ContentType.PDF;
        }
        return switch (mimeType.substring(0, mimeType.indexOf('/'))) {
            case "image" -> ContentType.IMAGE;
            case "audio" -> ContentType.AUDIO;
            case "video" -> ContentType.VIDEO;
            default -> null;
        };
    }

    private boolean accepts(URI url) {
        try {
            return media.acceptedUrls().test(url);
        } catch (Throwable e) { // a missing class too, and not every application is written in Java
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

    /** The reason for which the model does not get a part. */
    private static final class Skip extends Exception {

        private static final long serialVersionUID = 1L;

        Skip(String reason) {
            super(reason, null, false, false);
        }
    }

    /** Inline, as Base64 that can be decoded, or behind an absolute {@code http} or {@code https} URL that is fetched later. */
    private record File(
            @Nullable URI url,
            @Nullable String base64,
            @Nullable String mimeType) {

        /** {@code data:image/png;base64,iVBO...}, which some clients take for a URL. */
        private static final Pattern DATA_URL = Pattern.compile("(?is)data:([^;,]+)(?:;[^;,]*)*?;base64,(.*)");

        private static final Pattern MIME_TYPE = Pattern.compile("[\\w.+-]{1,100}/[\\w.+-]{1,100}");

        static File of(PartSource source) throws Skip {
            if (source instanceof PartSource.Data data) {
                return inline(data.value(), data.mimeType());
            }
            PartSource.Url url = source instanceof PartSource.Url known ? known : null;
            return remote(url == null ? null : url.value(), url == null ? null : url.mimeType());
        }

        static File of(ContentPart.Binary binary) throws Skip {
            return binary.data() != null
                    ? inline(binary.data(), binary.mimeType())
                    : remote(binary.url(), binary.mimeType());
        }

        private static File inline(String value, String mimeType) throws Skip {
            Matcher dataUrl = DATA_URL.matcher(value.startsWith("data:") ? value : "");
            String base64 = dataUrl.matches() ? dataUrl.group(2) : value;
            String type = mimeType(mimeType);
            if (type == null) {
                throw new Skip("its mimeType is none");
            }
            if (!isBase64(base64)) {
                throw new Skip("its data is not Base64");
            }
            return new File(null, base64, type);
        }

        private static File remote(@Nullable String value, @Nullable String mimeType) throws Skip {
            if (value == null) {
                throw new Skip("LangChain4j cannot name a file that is at a provider already");
            }
            Matcher dataUrl = DATA_URL.matcher(value.startsWith("data:") ? value : "");
            if (dataUrl.matches()) {
                return inline(dataUrl.group(2), dataUrl.group(1));
            }
            URI url;
            try {
                url = new URI(value);
            } catch (URISyntaxException e) {
                throw new Skip("its URL is none");
            }
            boolean web = "http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme());
            if (!web || url.getHost() == null) {
                throw new Skip("its URL is not an absolute one of http or https");
            }
            return new File(url, null, mimeType == null ? null : mimeType(mimeType));
        }

        private static boolean isBase64(String text) {
            try {
                return Base64.getDecoder().decode(text).length > 0;
            } catch (IllegalArgumentException e) {
                return false;
            }
        }

        private static @Nullable String mimeType(String given) {
            String type = given.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
            return MIME_TYPE.matcher(type).matches() ? type : null;
        }
    }
}
