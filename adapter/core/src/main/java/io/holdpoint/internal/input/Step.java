package io.holdpoint.internal.input;

import dev.langchain4j.data.message.ChatMessage;
import io.holdpoint.agui.Message;
import io.holdpoint.store.Batch;
import io.holdpoint.store.TurnRecord;
import java.util.List;

/** What a run has to do. */
public sealed interface Step {

    /**
     * Does the step.
     *
     * @param steps who can
     */
    void take(Steps steps);

    /**
     * How to complete a batch that nobody is asked about. One that is over stays so, even if the message that it was given up
     * for is not heard of again. With a new message, a batch is only continued for what was approved: a model that is asked
     * anyway is not asked about settled results first.
     *
     * @param unfinished an answered batch
     * @param newMessage whether the input goes on with something new
     * @return the step
     */
    static Step completing(Batch unfinished, boolean newMessage) {
        return unfinished.isOver() || newMessage && (unfinished.isSettled() || unfinished.givenUp())
                ? new Settle(unfinished)
                : new Continue(unfinished);
    }

    /** Can do every kind of step. */
    interface Steps {

        /**
         * Goes on from a batch that is answered: what was decided runs, then the model continues.
         *
         * @param step the step
         */
        void continueBatch(Continue step);

        /**
         * Takes results that the client has sent, and goes on as far as that leads.
         *
         * @param step the step
         */
        void takeClientResults(ClientResults step);

        /**
         * Writes the results of a batch of which nothing more runs, without calling the AI Service.
         *
         * @param step the step
         */
        void settleBatch(Settle step);

        /**
         * Starts a turn.
         *
         * @param step the step
         */
        void beginTurn(Begin step);

        /**
         * Runs a turn again that failed before it had a batch.
         *
         * @param step the step
         */
        void rerunTurn(Rerun step);

        /**
         * Takes over a conversation that needs no answer, and presents it.
         *
         * @param step the step
         */
        void seedThread(Seed step);
    }

    /**
     * Goes on from a batch.
     *
     * @param batch an answered batch that is not finished
     */
    record Continue(Batch batch) implements Step {

        @Override
        public void take(Steps steps) {
            steps.continueBatch(this);
        }
    }

    /**
     * Takes results of calls that were left to the client.
     *
     * @param batch an open or answered batch
     * @param results the client's messages, one for a call, at least one
     * @param newMessage whether the input goes on with something new
     */
    record ClientResults(Batch batch, List<Message.Tool> results, boolean newMessage) implements Step {

        /** Copies the list. */
        public ClientResults {
            results = List.copyOf(results);
        }

        @Override
        public void take(Steps steps) {
            steps.takeClientResults(this);
        }
    }

    /**
     * Gives a batch up, or finishes it.
     *
     * @param batch an answered batch that is not finished
     */
    record Settle(Batch batch) implements Step {

        @Override
        public void take(Steps steps) {
            steps.settleBatch(this);
        }
    }

    /**
     * Starts a turn.
     *
     * @param turn the turn
     * @param transcript messages that are new to the transcript, the turn's own last
     * @param memory messages for the chat memory that come before the turn's own
     * @param skipped parts of the messages that the model does not get
     */
    record Begin(TurnRecord turn, List<Message> transcript, List<ChatMessage> memory, List<SkippedPart> skipped)
            implements Step {

        /** Copies the lists. */
        public Begin {
            transcript = List.copyOf(transcript);
            memory = List.copyOf(memory);
            skipped = List.copyOf(skipped);
        }

        @Override
        public void take(Steps steps) {
            steps.beginTurn(this);
        }
    }

    /**
     * Runs a turn again.
     *
     * @param turn the unfinished turn
     */
    record Rerun(TurnRecord turn) implements Step {

        @Override
        public void take(Steps steps) {
            steps.rerunTurn(this);
        }
    }

    /**
     * Takes over a conversation of a thread that was not known, the last message of which needs no answer.
     *
     * @param transcript the messages
     * @param memory the same messages for the chat memory
     * @param skipped parts of the messages that the model does not get
     */
    record Seed(List<Message> transcript, List<ChatMessage> memory, List<SkippedPart> skipped) implements Step {

        /** Copies the lists. */
        public Seed {
            transcript = List.copyOf(transcript);
            memory = List.copyOf(memory);
            skipped = List.copyOf(skipped);
        }

        @Override
        public void take(Steps steps) {
            steps.seedThread(this);
        }
    }
}
