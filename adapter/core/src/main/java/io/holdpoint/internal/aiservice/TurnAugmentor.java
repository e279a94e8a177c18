package io.holdpoint.internal.aiservice;

import io.holdpoint.internal.turn.TurnPreparation;
import io.holdpoint.internal.turn.Run;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.rag.AugmentationRequest;
import dev.langchain4j.rag.AugmentationResult;
import dev.langchain4j.rag.RetrievalAugmentor;
import dev.langchain4j.rag.content.Content;
import io.holdpoint.internal.events.Progress;
import java.util.List;
import java.util.Optional;

/** Retrieval for one turn: done once, noted, and not done again when the turn is continued. */
final class TurnAugmentor implements RetrievalAugmentor {

    private static final String NAME = "retrieval";

    private final RetrievalAugmentor augmentor;
    private final Run run;
    private final TurnPreparation turn;

    TurnAugmentor(RetrievalAugmentor augmentor, Run run, TurnPreparation turn) {
        this.augmentor = TextRetrieval.of(augmentor);
        this.run = run;
        this.turn = turn;
    }

    @Override
    public AugmentationResult augment(AugmentationRequest request) {
        Optional<List<Content>> before = turn.retrieved();
        if (before.isPresent()) {
            return new AugmentationResult(request.chatMessage(), before.get());
        }
        AugmentationResult result = retrieve(request);
        turn.retrieves(result.contents());
        if (request.chatMessage() instanceof UserMessage said
                && !said.hasSingleText()
                && result.chatMessage() instanceof UserMessage augmented) {
            turn.augments(augmented);
        }
        return result;
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
