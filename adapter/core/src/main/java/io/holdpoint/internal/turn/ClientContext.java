package io.holdpoint.internal.turn;

import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.request.ChatRequest;
import io.holdpoint.agui.ContextEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The client's tools and the {@code context} of a run's input, on their way to the model. The context is part of every request
 * of the run: it is put before what the user said last, with no more than a user's authority. It never enters the chat memory,
 * because the next run brings its own. Immutable.
 */
public final class ClientContext {

    static final String HEADING = "Information that the application sent along with this request:";

    /** For a run of somebody who may only decide: the model does not get its data. */
    public static final ClientContext NONE = new ClientContext(List.of(), List.of());

    private final Optional<String> text;
    private final List<ToolSpecification> tools;

    public ClientContext(List<ContextEntry> entries, List<ToolSpecification> tools) {
        this.tools = List.copyOf(tools);
        this.text = entries.isEmpty()
                ? Optional.empty()
                : Optional.of(entries.stream()
                        .map(entry -> entry.description() + ": " + entry.value())
                        .collect(Collectors.joining("\n\n", HEADING + "\n\n", "")));
    }

    public List<ToolSpecification> tools() {
        return tools;
    }

    /** The request with the context in it. */
    public ChatRequest addTo(ChatRequest request) {
        return text.isPresent()
                ? request.toBuilder()
                        .messages(with(text.get(), request.messages()))
                        .build()
                : request;
    }

    private static List<ChatMessage> with(String context, List<ChatMessage> given) {
        List<ChatMessage> messages = new ArrayList<>(given);
        for (int i = messages.size() - 1; i >= 0; i--) {
            if (messages.get(i) instanceof UserMessage user) {
                messages.set(i, with(context, user));
                return messages;
            }
        }
        int first = !messages.isEmpty() && messages.get(0) instanceof SystemMessage ? 1 : 0;
        messages.add(first, UserMessage.from(context));
        return messages;
    }

    /** One text stays one text: there are models that take no more. */
    private static UserMessage with(String context, UserMessage message) {
        List<Content> contents = new ArrayList<>(message.contents());
        if (!contents.isEmpty() && contents.get(0) instanceof TextContent first) {
            contents.set(0, TextContent.from(context + "\n\n" + first.text()));
        } else {
            contents.add(0, TextContent.from(context));
        }
        return message.toBuilder().contents(contents).build();
    }
}
