package io.holdpoint.internal.aiservice;

import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.rag.AugmentationRequest;
import dev.langchain4j.rag.AugmentationResult;
import dev.langchain4j.rag.RetrievalAugmentor;
import dev.langchain4j.rag.content.Content;
import io.holdpoint.internal.events.Progress;
import io.holdpoint.internal.turn.Turn;
import java.util.List;
import java.util.Optional;

/** Retrieval for one turn: done once, noted, and not done again when the turn is continued. */
final class TurnAugmentor implements RetrievalAugmentor {

    private static final String NAME = "retrieval";

    private final RetrievalAugmentor augmentor;
    private final Turn turn;

    TurnAugmentor(RetrievalAugmentor augmentor, Turn turn) {
        this.augmentor = TextRetrieval.of(augmentor);
        this.turn = turn;
    }

    @Override
    public AugmentationResult augment(AugmentationRequest request) {
        Optional<List<Content>> before = turn.preparation().retrieved();
        if (before.isPresent()) {
            return new AugmentationResult(request.chatMessage(), before.get());
        }
        AugmentationResult result = turn.progress()
                .tell(NAME, turn.runId(), NAME, Progress.about(), () -> augmentor.augment(request), found -> "done");
        turn.preparation().retrieves(result.contents());
        if (request.chatMessage() instanceof UserMessage said
                && !said.hasSingleText()
                && result.chatMessage() instanceof UserMessage augmented) {
            turn.preparation().augments(augmented);
        }
        return result;
    }
}
