package io.holdpoint.internal.memory;

import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.UserMessage;
import io.holdpoint.internal.aiservice.BatchChatMemory;
import io.holdpoint.internal.gate.ToolArguments;
import io.holdpoint.store.TurnRecord;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The user message of a turn as the chat memory got it, or was about to get it. People say the same twice, and messages in
 * a memory have no ids: what tells them apart is where they are.
 *
 * @param message the message
 * @param before the mark of the memory right before it entered; empty if that is not known
 */
public record RememberedMessage(UserMessage message, String before) {

    public static Optional<RememberedMessage> of(TurnRecord turn) {
        return Optional.ofNullable(turn.remembered())
                .map(json -> new RememberedMessage(
                        ChatMessageJson.readUserMessage(json), Objects.requireNonNullElse(turn.memoryBefore(), "")));
    }

    /** What a memory is like, short enough to be kept: how many messages it has, and which is the last. */
    public static String mark(List<ChatMessage> messages) {
        String last =
                messages.isEmpty() ? "" : messages.get(messages.size() - 1).toString();
        return messages.size() + ":" + ToolArguments.sha256(last);
    }

    /**
     * Whether a memory is as it was before the message entered. Also {@code true} if the window is full of messages like it,
     * where entering again changes nothing.
     */
    public boolean isStillToCome(List<ChatMessage> messages) {
        return mark(messages).equals(before);
    }

    /** Whether a memory has the message, and not just one like it of an earlier turn. */
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
            if (laterUserMessage && BatchChatMemory.isAnswer(each)) {
                return false;
            }
            laterUserMessage |= each instanceof UserMessage;
        }
        return false;
    }
}
