package io.holdpoint.internal.aiservice;

import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.rag.AugmentationRequest;
import dev.langchain4j.rag.AugmentationResult;
import dev.langchain4j.rag.DefaultRetrievalAugmentor;
import dev.langchain4j.rag.RetrievalAugmentor;
import dev.langchain4j.rag.content.Content;
import dev.langchain4j.rag.query.Metadata;
import io.holdpoint.internal.events.Progress;
import io.holdpoint.internal.turn.Failures;
import io.holdpoint.internal.turn.Run;
import io.holdpoint.internal.turn.TurnPreparation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Retrieval for one turn: done once, noted, and not done again when the turn is continued. */
final class TurnAugmentor implements RetrievalAugmentor {

    private static final String NAME = "retrieval";

    private final RetrievalAugmentor augmentor;

    TurnAugmentor(RetrievalAugmentor augmentor) {
        this.augmentor = TextRetrieval.of(augmentor);
    }

    @Override
    public AugmentationResult augment(AugmentationRequest request) {
        AiServiceCall call = AiServiceCall.present();
        TurnPreparation turn = call.turn.preparation;
        Optional<List<Content>> before = turn.retrieved();
        if (before.isPresent()) {
            return new AugmentationResult(request.chatMessage(), before.get());
        }
        AugmentationRequest typed = restored(request, call);
        AugmentationResult result = retrieve(typed, call.run);
        turn.retrieves(result.contents());
        if (result.chatMessage() instanceof UserMessage augmented
                && (typed.chatMessage() != request.chatMessage()
                        || (typed.chatMessage() instanceof UserMessage whole && !whole.hasSingleText()))) {
            turn.augments(augmented);
            if (augmented.contents().stream().noneMatch(TextContent.class::isInstance)) {
                return new AugmentationResult(
                        request.chatMessage(), result.contents()); // LangChain4j wants a text here
            }
        }
        return result;
    }

    /** The request with what the user said and with the whole context of the call. */
    private static AugmentationRequest restored(AugmentationRequest request, AiServiceCall call) {
        Metadata metadata = request.metadata();
        ChatMessage typed = request.chatMessage() instanceof UserMessage rendered
                ? call.text.restored(rendered)
                : request.chatMessage();
        return new AugmentationRequest(
                typed,
                Metadata.builder()
                        .chatMessage(typed)
                        .systemMessage(metadata.systemMessage())
                        .chatMemory(metadata.chatMemory())
                        .invocationContext(call.whole(metadata.invocationContext()))
                        .build());
    }

    private AugmentationResult retrieve(AugmentationRequest request, Run run) {
        Progress.Work work = run.progress.begin(NAME, run.runId, NAME, Progress.about());
        AugmentationResult result;
        try {
            result = augmentor.augment(request);
        } catch (Throwable e) {
            work.failed(Failures.code(e, Failures.Origin.ELSEWHERE).sentence());
            throw e;
        }
        work.ended("done");
        return result;
    }

    /**
     * LangChain4j's retrieval for messages that are more than one text, at which it throws: it gets their text, also of those in
     * the chat memory, and the media come back afterwards. Other augmentors are given the message as it is.
     */
    private static final class TextRetrieval implements RetrievalAugmentor {

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
            List<dev.langchain4j.data.message.Content> contents = new ArrayList<>(augmented.contents());
            message.contents().stream()
                    .filter(content -> !(content instanceof TextContent))
                    .forEach(contents::add);
            return new AugmentationResult(
                    augmented.toBuilder().contents(contents).build(), result.contents());
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
}
