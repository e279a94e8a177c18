package io.holdpoint.internal.input;

import io.holdpoint.ErrorCode;
import io.holdpoint.RunRejectedException;
import io.holdpoint.agui.ContentPart;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.PartSource;
import java.util.Optional;
import java.util.stream.Stream;

/** How long the texts and media of what is kept of a message may be: a longer one could not be read again. Immutable. */
record ContentLimits(int longest) {

    /** Refuses a message that is too long. */
    void check(String path, Message message) {
        if (message instanceof Message.Assistant assistant) {
            String content = assistant.content();
            atMost(path, content == null ? 0 : content.length());
        } else if (message instanceof Message.User user && user.content() instanceof MessageContent.Text text) {
            atMost(path, text.text().length());
        } else if (message instanceof Message.User user && user.content() instanceof MessageContent.Parts parts) {
            for (int i = 0; i < parts.parts().size(); i++) {
                atMost(path + "[" + i + "]", length(parts.parts().get(i)));
            }
        }
    }

    void atMost(String path, long length) {
        if (length > longest) {
            throw new RunRejectedException(
                    ErrorCode.INPUT_INVALID,
                    path + ": has " + length + " characters, and " + longest
                            + " are taken at most. Send something shorter.");
        }
    }

    private static long length(ContentPart part) {
        if (part instanceof ContentPart.Text text) {
            return text.text().length();
        } else if (part instanceof ContentPart.Binary binary) {
            return Stream.of(Optional.ofNullable(binary.data()), Optional.ofNullable(binary.url()))
                    .flatMap(Optional::stream)
                    .mapToLong(String::length)
                    .max()
                    .orElse(0);
        }
        return source(part).value().length();
    }

    private static PartSource source(ContentPart part) {
        if (part instanceof ContentPart.Image image) {
            return image.source();
        } else if (part instanceof ContentPart.Audio audio) {
            return audio.source();
        } else if (part instanceof ContentPart.Video video) {
            return video.source();
        }
        return ((ContentPart.Document) part).source();
    }
}
