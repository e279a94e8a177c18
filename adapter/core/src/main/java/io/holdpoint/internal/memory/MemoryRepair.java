package io.holdpoint.internal.memory;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.memory.ChatMemory;
import io.holdpoint.agui.Message;
import io.holdpoint.internal.gate.ToolArguments;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Changes a chat memory so that a provider accepts it afterwards: providers reject every request with a tool call that has
 * no result, with a result that has no call, and with a picture that they refused before.
 */
public final class MemoryRepair {

    static final String NOTICE = "[What was attached here is left out: the request with it failed.]";

    private static final AiMessage UNANSWERED = AiMessage.from("[Nothing was said about these results.]");

    private final ChatMemory memory;

    public MemoryRepair(ChatMemory memory) {
        this.memory = memory;
    }

    /**
     * A message and the results of its calls, with no arguments in place of blank and malformed ones. Most providers refuse every
     * request with a call whose arguments are not a JSON object; its result, an error, says what was wrong.
     */
    public static List<ChatMessage> withObjectsAsArguments(List<ChatMessage> batch) {
        boolean isError = false;
        for (ChatMessage message : batch) {
            isError |= message instanceof ToolExecutionResultMessage result && Boolean.TRUE.equals(result.isError());
        }
        AiMessage calling = (AiMessage) batch.get(0);
        List<ToolExecutionRequest> calls = new ArrayList<>(calling.toolExecutionRequests());
        boolean isChanged = false;
        for (int i = 0; i < calls.size(); i++) {
            String arguments = calls.get(i).arguments();
            if (arguments == null || arguments.isBlank() || isError && !ToolArguments.isObject(arguments)) {
                calls.set(i, calls.get(i).toBuilder().arguments("{}").build());
                isChanged = true;
            }
        }
        if (!isChanged) {
            return batch;
        }
        List<ChatMessage> changed = new ArrayList<>(batch);
        changed.set(0, calling.toBuilder().toolExecutionRequests(calls).build());
        return changed;
    }

    /**
     * Writes a batch that the memory may have already, because an earlier attempt failed later. In that case the answer that
     * the model gave then is removed, because the model is about to answer again. A part of the batch, as a memory has it that writes
     * message by message, is replaced. Returns what the memory holds then.
     */
    public List<ChatMessage> write(List<ChatMessage> present, List<ChatMessage> batch) {
        List<ChatMessage> whole = wellFormed(present);
        if (place(batch.get(0), whole) < 0) {
            return append(whole, batch);
        }
        List<ChatMessage> messages = new ArrayList<>(present);
        return removeAnswers(messages) ? replace(messages) : present;
    }

    /** The place of a message with calls, which is known by them: a memory may keep less of it. Negative if it is not there. */
    public static int place(ChatMessage calling, List<ChatMessage> messages) {
        List<ToolExecutionRequest> calls = ((AiMessage) calling).toolExecutionRequests();
        int place = messages.size() - 1;
        while (place >= 0
                && !(messages.get(place) instanceof AiMessage ai
                        && ai.toolExecutionRequests().equals(calls))) {
            place--;
        }
        return place;
    }

    /** Writes a batch in one step, and removes what a window breaks apart by that; returns what the memory holds then. */
    public List<ChatMessage> append(List<ChatMessage> present, List<ChatMessage> batch) {
        List<ChatMessage> all = new ArrayList<>(present);
        all.addAll(batch);
        List<ChatMessage> kept = replace(all);
        List<ChatMessage> wellFormed = wellFormed(kept);
        if (wellFormed.size() == kept.size()) {
            return kept;
        }
        if (wellFormed.isEmpty()) {
            memory.clear();
            return wellFormed;
        }
        return replace(wellFormed);
    }

    private List<ChatMessage> replace(List<ChatMessage> messages) {
        memory.set(messages);
        return memory.messages();
    }

    /**
     * Removes the media of the last message if it is a user's, which means that it never got an answer. A provider that has
     * refused a picture would refuse every later request with it as well, so the thread would be stuck.
     */
    public void leaveOutMedia() {
        List<ChatMessage> messages = new ArrayList<>(memory.messages());
        int last = messages.size() - 1;
        if (last < 0 || !(messages.get(last) instanceof UserMessage user)) {
            return;
        }
        List<Content> texts = new ArrayList<>(user.contents());
        if (texts.removeIf(content -> !(content instanceof TextContent))) {
            texts.add(TextContent.from(NOTICE));
            messages.set(last, user.toBuilder().contents(texts).build());
            memory.set(messages);
        }
    }

    /**
     * Takes the last turns off. Messages in a memory have no ids, and retrieval may have changed them, so the user messages are
     * counted from the end. If the memory does not end with {@code last}, or what is left does not end with {@code before}, it
     * has evicted, summarised or never got some of them, or has been cut already: it gets the texts then. System messages stay.
     */
    public void cut(int turns, Message last, Optional<Message> before, List<ChatMessage> texts) {
        List<ChatMessage> messages = memory.messages();
        int end = messages.size();
        int left = turns;
        while (left > 0 && end > 0) {
            end--;
            left -= messages.get(end) instanceof UserMessage ? 1 : 0;
        }
        List<ChatMessage> kept = new ArrayList<>();
        messages.stream().filter(message -> message instanceof SystemMessage).forEach(kept::add);
        int system = kept.size();
        for (ChatMessage message : messages.subList(0, end)) {
            if (!(message instanceof SystemMessage)) {
                kept.add(message);
            }
        }
        if (kept.size() > system && kept.get(kept.size() - 1).equals(UNANSWERED)) { // the transcript does not have it
            kept.remove(kept.size() - 1);
        }
        boolean fits = left == 0
                && (before.isEmpty()
                        || (isSame(messages.get(messages.size() - 1), last)
                                && kept.size() > system
                                && isSame(kept.get(kept.size() - 1), before.get())));
        if (!fits) {
            kept.subList(system, kept.size()).clear();
            kept.addAll(texts);
        }
        if (kept.isEmpty()) {
            memory.clear();
        } else {
            memory.set(kept);
        }
    }

    /**
     * Puts a message between results that no model has answered and the user message that follows: some providers take no user
     * message after a result.
     */
    public void endResults() {
        List<ChatMessage> messages = memory.messages();
        if (!messages.isEmpty() && messages.get(messages.size() - 1) instanceof ToolExecutionResultMessage) {
            memory.add(UNANSWERED);
        }
    }

    /**
     * Makes the last results, which the model could not take, single texts without media. It would not take them in any later
     * request, and several texts are as strange to some models as a picture.
     */
    public void leaveOutMediaOfResults() {
        List<ChatMessage> messages = new ArrayList<>(memory.messages());
        boolean isChanged = false;
        for (int i = messages.size() - 1; i >= 0 && messages.get(i) instanceof ToolExecutionResultMessage result; i--) {
            if (!result.hasSingleText()) {
                String text = result.contents().stream()
                        .map(content -> content instanceof TextContent part ? part.text() : NOTICE)
                        .collect(Collectors.joining("\n\n"));
                messages.set(
                        i,
                        result.toBuilder()
                                .contents(List.of(TextContent.from(text)))
                                .build());
                isChanged = true;
            }
        }
        if (isChanged) {
            memory.set(messages);
        }
    }

    private static boolean isSame(ChatMessage remembered, Message message) {
        if (message instanceof Message.Assistant assistant) {
            return remembered instanceof AiMessage ai && Objects.equals(ai.text(), assistant.content());
        } else if (message instanceof Message.Tool tool) {
            return remembered instanceof ToolExecutionResultMessage result
                    && Objects.equals(result.id(), tool.toolCallId());
        }
        return message instanceof Message.User && remembered instanceof UserMessage;
    }

    /** Checks whether the last message in the memory waits for an answer: a user's message, or a tool's result. */
    public boolean lacksAnswer() {
        List<ChatMessage> messages = memory.messages();
        return !messages.isEmpty() && !isAnswer(messages.get(messages.size() - 1));
    }

    /** Removes the answers at the end of a list; returns whether there were any. */
    public static boolean removeAnswers(List<ChatMessage> messages) {
        int size = messages.size();
        while (!messages.isEmpty() && isAnswer(messages.get(messages.size() - 1))) {
            messages.remove(messages.size() - 1);
        }
        return messages.size() < size;
    }

    static boolean isAnswer(ChatMessage message) {
        return message instanceof AiMessage ai && !ai.hasToolExecutionRequests();
    }

    /** The messages without incomplete batches and orphaned results, in order. */
    private static List<ChatMessage> wellFormed(List<ChatMessage> messages) {
        List<ChatMessage> result = new ArrayList<>();
        for (int i = 0; i < messages.size(); i++) {
            ChatMessage message = messages.get(i);
            if (message instanceof AiMessage ai && ai.hasToolExecutionRequests()) {
                int end = i + 1 + ai.toolExecutionRequests().size();
                if (end <= messages.size() && answers(ai, messages.subList(i + 1, end))) {
                    result.addAll(messages.subList(i, end));
                    i = end - 1;
                }
            } else if (!(message instanceof ToolExecutionResultMessage)) {
                result.add(message);
            }
        }
        return result;
    }

    /** The results may stand in any order, because other writers than this run may have written them. */
    private static boolean answers(AiMessage ai, List<ChatMessage> results) {
        List<String> calls = new ArrayList<>();
        for (ToolExecutionRequest call : ai.toolExecutionRequests()) {
            calls.add(call.id());
        }
        for (ChatMessage each : results) {
            if (!(each instanceof ToolExecutionResultMessage result) || !calls.remove(result.id())) {
                return false;
            }
        }
        return true;
    }
}
