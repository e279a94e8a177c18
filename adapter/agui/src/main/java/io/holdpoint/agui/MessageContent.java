package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** The body of a user or tool message: a JSON string, or an array of parts. Immutable, so thread-safe. */
public sealed interface MessageContent {

    /** The expected JSON, for errors. */
    String EXPECTED = "a string or an array of parts";

    /** The text; of parts, the text parts one after the other, the others left out. */
    String asText();

    /** Creates a body of plain text. */
    static MessageContent text(String text) {
        return new Text(text);
    }

    /** A body that is a JSON string. */
    record Text(@JsonValue String text) implements MessageContent {

        /** Checks that the text is there. */
        public Text {
            Objects.requireNonNull(text, "text");
        }

        @Override
        public String asText() {
            return text;
        }
    }

    /** A body that is a JSON array of parts. Parts of a type not known here are skipped when read. */
    record Parts(@JsonValue List<ContentPart> parts) implements MessageContent {

        /** Copies the list. */
        public Parts {
            parts = List.copyOf(parts);
        }

        @Override
        public String asText() {
            return parts.stream()
                    .filter(ContentPart.Text.class::isInstance)
                    .map(part -> ((ContentPart.Text) part).text())
                    .collect(Collectors.joining());
        }
    }
}
