package io.holdpoint.internal.memory;

import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.UserMessage;
import io.holdpoint.internal.gate.ToolArguments;
import io.holdpoint.store.TurnRecord;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The user message of a turn as the chat memory got it, or was about to get it. Users repeat themselves and messages in a
 * memory have no ids, so the message is told from an equal one by its place: {@code before} is the mark of the memory right
 * before the message entered, or empty if that is not known.
 */
public record RememberedMessage(UserMessage message, String before) {

    public static Optional<RememberedMessage> of(TurnRecord turn, ChatMessageJson.UserMessageJson json) {
        String remembered = turn.prepared().remembered();
        if (remembered == null) {
            return Optional.empty();
        }
        String before = Objects.requireNonNullElse(turn.prepared().memoryBefore(), "");
        return Optional.of(new RememberedMessage(json.read(turn.messageOf(remembered)), before));
    }

    /** A short description of a memory's state: the number of its messages and the hash of the last one. */
    public static String mark(List<ChatMessage> messages) {
        String last =
                messages.isEmpty() ? "" : messages.get(messages.size() - 1).toString();
        return messages.size() + ":" + ToolArguments.sha256(last);
    }

    /**
     * Checks whether a memory is as it was before the message entered. Also {@code true} if the window is full of equal
     * messages, where a second entry makes no difference.
     */
    public boolean isStillToCome(List<ChatMessage> messages) {
        return before.startsWith(messages.size() + ":") && mark(messages).equals(before);
    }

    /** Checks whether a memory has the message itself, and not only an equal one of an earlier turn. */
    public boolean isIn(List<ChatMessage> messages) {
        if (isStillToCome(messages)) {
            return false;
        }
        boolean laterUserMessage = false;
        for (int i = messages.size() - 1; i >= 0; i--) {
            ChatMessage each = messages.get(i);
            if (each.equals(message)) {
                return true;
            }
            if (laterUserMessage && MemoryRepair.isAnswer(each)) {
                return false;
            }
            laterUserMessage |= each instanceof UserMessage;
        }
        return false;
    }
}
