package io.holdpoint.internal.memory;

import dev.langchain4j.data.message.UserMessage;
import java.util.Optional;

/**
 * The user message of one turn, beside its JSON: a turn mostly notes the same message as said, as prepared and as remembered,
 * which is so written and read once. A message with attributes is written and read each time, because they may change, and
 * may not survive JSON as they are. Thread-safe.
 */
public final class UserMessageJson {

    private volatile Optional<Known> last = Optional.empty();

    private record Known(UserMessage message, String json) {

        boolean isPlain() {
            return message.attributes().isEmpty();
        }
    }

    public String write(UserMessage message) {
        Optional<Known> known = last;
        if (known.isPresent() && known.get().isPlain() && known.get().message().equals(message)) {
            return known.get().json();
        }
        return keep(message, ChatMessageJson.write(message)).json();
    }

    /** Reads a stored message; throws {@link ChatMessageJson.UnreadableRecordException} if it is none. */
    public UserMessage read(String json) {
        Optional<Known> known = last;
        if (known.isPresent() && known.get().isPlain() && known.get().json().equals(json)) {
            return known.get().message();
        }
        return keep(ChatMessageJson.readUserMessage(json), json).message();
    }

    private Known keep(UserMessage message, String json) {
        Known known = new Known(message, json);
        if (known.isPlain()) {
            last = Optional.of(known);
        }
        return known;
    }
}
