package io.holdpoint.internal.aiservice;

import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.service.Result;
import io.holdpoint.agui.AguiCodec;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What an AI Service returned, as text for the transcript and as JSON for the end of the run. */
public final class FinalValue {

    private static final Logger LOG = LoggerFactory.getLogger(FinalValue.class);

    private FinalValue() {}

    /** The text, if the value is one. */
    static Optional<String> text(@Nullable Object value) {
        Object content = value instanceof Result<?> result ? result.content() : value;
        return content instanceof String text ? Optional.of(text) : Optional.empty();
    }

    /** The JSON of a value that is not a text; {@code null} if there is none, or if it cannot be written. */
    public static @Nullable JsonNode json(@Nullable Object value) {
        Object content = value instanceof Result<?> result ? result.content() : value;
        if (content == null || content instanceof String || content instanceof ChatResponse) {
            return null;
        }
        try {
            return AguiCodec.mapper().valueToTree(content);
        } catch (IllegalArgumentException e) {
            LOG.warn(
                    "The AI Service's {} cannot be written as JSON; the run ends without a result",
                    content.getClass(),
                    e);
            return null;
        }
    }
}
