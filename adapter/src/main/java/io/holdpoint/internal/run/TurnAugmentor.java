package io.holdpoint.internal.run;

import dev.langchain4j.rag.AugmentationRequest;
import dev.langchain4j.rag.AugmentationResult;
import dev.langchain4j.rag.RetrievalAugmentor;
import dev.langchain4j.rag.content.Content;
import java.util.List;
import java.util.Optional;

/** Retrieval for one turn: done once, noted, and not done again when the turn is continued. */
final class TurnAugmentor implements RetrievalAugmentor {

    private final RetrievalAugmentor augmentor;
    private final TurnPreparation turn;

    TurnAugmentor(RetrievalAugmentor augmentor, TurnPreparation turn) {
        this.augmentor = augmentor;
        this.turn = turn;
    }

    @Override
    public AugmentationResult augment(AugmentationRequest request) {
        Optional<List<Content>> before = turn.retrieved();
        if (before.isPresent()) {
            return new AugmentationResult(request.chatMessage(), before.get());
        }
        AugmentationResult result = augmentor.augment(request);
        turn.retrieves(result.contents());
        return result;
    }
}
