package io.holdpoint.internal.aiservice;

import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.rag.AugmentationRequest;
import dev.langchain4j.rag.AugmentationResult;
import dev.langchain4j.rag.RetrievalAugmentor;
import dev.langchain4j.rag.content.Content;
import dev.langchain4j.rag.query.Metadata;
import io.holdpoint.UserTurn;
import io.holdpoint.internal.events.Progress;
import io.holdpoint.internal.turn.Run;
import io.holdpoint.internal.turn.TurnPreparation;
import java.util.List;
import java.util.Optional;

/** Retrieval for one turn: done once, noted, and not done again when the turn is continued. */
final class TurnAugmentor implements RetrievalAugmentor {

    private static final String NAME = "retrieval";

    private final RetrievalAugmentor augmentor;
    private final Run run;
    private final TurnPreparation turn;
    private final UserTurn said;
    private final TypedText text;

    TurnAugmentor(RetrievalAugmentor augmentor, Run run, TurnPreparation turn, UserTurn said, TypedText text) {
        this.augmentor = TextRetrieval.of(augmentor);
        this.run = run;
        this.turn = turn;
        this.said = said;
        this.text = text;
    }

    @Override
    public AugmentationResult augment(AugmentationRequest request) {
        Optional<List<Content>> before = turn.retrieved();
        if (before.isPresent()) {
            return new AugmentationResult(request.chatMessage(), before.get());
        }
        AugmentationRequest typed = restored(request);
        AugmentationResult result = retrieve(typed);
        turn.retrieves(result.contents());
        if (result.chatMessage() instanceof UserMessage augmented
                && (typed != request
                        || (typed.chatMessage() instanceof UserMessage whole && !whole.hasSingleText()))) {
            turn.augments(augmented);
        }
        return result;
    }

    /** The request with what the user said; the same object if nothing was kept from it. */
    private AugmentationRequest restored(AugmentationRequest request) {
        Metadata metadata = request.metadata();
        if (metadata.invocationContext() != null) {
            said.putInto(metadata.invocationContext().invocationParameters());
        }
        if (!(request.chatMessage() instanceof UserMessage rendered)) {
            return request;
        }
        UserMessage typed = text.restored(rendered);
        return typed == rendered
                ? request
                : new AugmentationRequest(
                        typed,
                        Metadata.builder()
                                .chatMessage(typed)
                                .systemMessage(metadata.systemMessage())
                                .chatMemory(metadata.chatMemory())
                                .invocationContext(metadata.invocationContext())
                                .build());
    }

    private AugmentationResult retrieve(AugmentationRequest request) {
        Progress.Work work = run.progress().begin(NAME, run.runId(), NAME, Progress.about());
        String how = Progress.FAILED;
        try {
            AugmentationResult result = augmentor.augment(request);
            how = "done";
            return result;
        } finally {
            work.ended(how);
        }
    }
}
