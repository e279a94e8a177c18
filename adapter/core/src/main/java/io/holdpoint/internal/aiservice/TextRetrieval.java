package io.holdpoint.internal.aiservice;

import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.rag.AugmentationRequest;
import dev.langchain4j.rag.AugmentationResult;
import dev.langchain4j.rag.DefaultRetrievalAugmentor;
import dev.langchain4j.rag.RetrievalAugmentor;
import dev.langchain4j.rag.query.Metadata;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * LangChain4j's retrieval for messages that are more than one text, which it throws at: it gets their text, also of those in
 * the chat memory, and the media come back afterwards. Augmentors of others are given the message as it is.
 */
final class TextRetrieval implements RetrievalAugmentor {

    private final RetrievalAugmentor augmentor;

    private TextRetrieval(RetrievalAugmentor augmentor) {
        this.augmentor = augmentor;
    }

    static RetrievalAugmentor of(RetrievalAugmentor augmentor) {
        return augmentor instanceof DefaultRetrievalAugmentor ? new TextRetrieval(augmentor) : augmentor;
    }

    @Override
    public AugmentationResult augment(AugmentationRequest request) {
        if (!(request.chatMessage() instanceof UserMessage message)) {
            return augmentor.augment(request);
        }
        if (text(message).isBlank()) {
            return new AugmentationResult(message, List.of()); // nothing to search with
        }
        UserMessage asText = asText(message);
        AugmentationResult result =
                augmentor.augment(new AugmentationRequest(asText, asText(request.metadata(), asText)));
        if (asText == message || !(result.chatMessage() instanceof UserMessage augmented)) {
            return result;
        }
        List<Content> contents = new ArrayList<>(augmented.contents());
        message.contents().stream()
                .filter(content -> !(content instanceof TextContent))
                .forEach(contents::add);
        return new AugmentationResult(augmented.toBuilder().contents(contents).build(), result.contents());
    }

    private static Metadata asText(Metadata metadata, UserMessage message) {
        List<ChatMessage> memory = metadata.chatMemory();
        return Metadata.builder()
                .chatMessage(message)
                .systemMessage(metadata.systemMessage())
                .chatMemory(
                        memory == null
                                ? null
                                : memory.stream().map(TextRetrieval::asText).toList())
                .invocationContext(metadata.invocationContext())
                .build();
    }

    private static ChatMessage asText(ChatMessage message) {
        return message instanceof UserMessage user ? asText(user) : message;
    }

    private static UserMessage asText(UserMessage message) {
        return message.hasSingleText()
                ? message
                : message.toBuilder()
                        .contents(List.of(TextContent.from(text(message))))
                        .build();
    }

    private static String text(UserMessage message) {
        return message.contents().stream()
                .filter(TextContent.class::isInstance)
                .map(content -> ((TextContent) content).text())
                .collect(Collectors.joining("\n"));
    }
}
