package io.holdpoint.internal.input;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.UserMessage;
import io.holdpoint.ErrorCode;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.hook.RunObserver.Decision;
import io.holdpoint.internal.gate.ModelTexts;
import io.holdpoint.internal.input.UserContents.SkippedPart;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call.Answer;
import io.holdpoint.store.Commit;
import io.holdpoint.store.TimeStep;
import io.holdpoint.store.TurnRecord;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The outcome of the preflight: an input is refused, or accepted with the steps that follow from it. */
public sealed interface Plan {

    /** Tells whether a run goes on from the input. */
    default boolean hasSteps() {
        return this instanceof Accepted accepted && !accepted.steps().isEmpty();
    }

    /**
     * The input is refused, and changes nothing. The message tells a developer what is wrong and what to do, the complaint the
     * person. The messages in {@code heard} came with it; its client must not lose them. The questions in {@code settled} are those
     * that it answers otherwise than they were answered.
     */
    record Rejected(ErrorCode code, String message, String complaint, List<Message> heard, List<Settled> settled)
            implements Plan {

        Rejected(ErrorCode code, String message) {
            this(code, message, code.sentence());
        }

        Rejected(ErrorCode code, String message, String complaint) {
            this(code, message, complaint, List.of(), List.of());
        }

        Rejected hearing(List<Message> messages) {
            return new Rejected(code, message, complaint, messages, settled);
        }

        /** Says of the first question, in words, how it was settled. */
        static Rejected settled(List<Settled> settled) {
            ErrorCode code = ErrorCode.INTERRUPT_ALREADY_RESOLVED;
            Settled first = settled.get(0);
            return new Rejected(
                    code,
                    "The interrupt \"" + first.interruptId() + "\" is settled: " + first.inWords() + ".",
                    "The question that you answered is settled already: " + first.inWords() + ". That decision stands.",
                    List.of(),
                    settled);
        }

        /** A question that is no longer open, with its answer and the decision; both are empty if they are no longer kept. */
        public record Settled(String interruptId, Optional<Answer> answer, Optional<Decision> decision) {

            private String inWords() {
                if (answer.isEmpty() || decision.isEmpty()) {
                    return "its answer is no longer kept";
                }
                String by = ModelTexts.shown(answer.get().answeredBy());
                return decision.get() == Decision.EXPIRED
                        ? "no answer came in time"
                        : word(decision.get()) + " by " + by + " at "
                                + answer.get().answeredAt().truncatedTo(ChronoUnit.SECONDS);
            }

            private static String word(Decision decision) {
                return decision.name().toLowerCase(Locale.ROOT).replace('_', ' ');
            }

            /** For programs: {@code {"interruptId", "decision", "by", "at"}}. */
            public ObjectNode toJson() {
                ObjectNode json = AguiCodec.mapper().createObjectNode().put("interruptId", interruptId);
                decision.ifPresent(end -> json.put("decision", end.name().toLowerCase(Locale.ROOT)));
                answer.ifPresent(given -> json.put("by", TimeStep.nameOf(given.answeredBy()))
                        .put("at", given.answeredAt().toString()));
                return json;
            }
        }
    }

    /**
     * The input is accepted: the commit comes before the first step, and a plan without steps presents the thread as it
     * is. The messages in {@code heard} are new; a run that is held before it comes to them must leave them with the
     * client, and they count as new when they are sent again. The answers are those of the input, each with the id of its
     * interrupt.
     */
    record Accepted(Commit commit, List<Step> steps, List<Message> heard, List<ResumeEntry> answers) implements Plan {

        public Accepted {
            steps = List.copyOf(steps);
            heard = List.copyOf(heard);
            answers = List.copyOf(answers);
        }
    }

    sealed interface Step {

        /**
         * The step that completes an answered batch. A batch that is over stays so, even if the message that it was given up for is
         * not sent again. With a new message, a batch is continued only for approved calls that have not run: the model is going to
         * be asked anyway, so it is not asked about settled results first.
         */
        static Step completing(Batch unfinished, boolean newMessage) {
            return unfinished.isOver() || newMessage && (unfinished.isSettled() || unfinished.givenUp())
                    ? new Settle(unfinished)
                    : new Continue(unfinished);
        }

        /** Goes on from an answered batch: approved calls run, then the model continues. */
        record Continue(Batch batch) implements Step {}

        /** Takes the client's results of calls that were left to it, one for a call, and goes on as far as they lead. */
        record ClientResults(Batch batch, List<Message.Tool> results, boolean newMessage) implements Step {

            public ClientResults {
                results = List.copyOf(results);
            }
        }

        /** Gives an answered batch up, or finishes it: no further call of it runs, and the AI Service is not called. */
        record Settle(Batch batch) implements Step {}

        /**
         * Starts a turn. The transcript gets the new messages, the turn's own last; the memory gets those before the turn's own, and
         * the client hears of the parts that the model does not get. With {@code shows}, the client's own list of messages is not
         * what the thread has afterwards.
         */
        record Begin(
                UserMessage message,
                List<Message> transcript,
                List<ChatMessage> memory,
                List<SkippedPart> skipped,
                Optional<Replaced> replaced,
                boolean shows)
                implements Step {

            public Begin {
                transcript = List.copyOf(transcript);
                memory = List.copyOf(memory);
                skipped = List.copyOf(skipped);
            }
        }

        /**
         * The end of a thread, which a turn takes the place of. So many {@code turns} of the memory belong to it, {@code last} is
         * their last message in the transcript, {@code before} the one before them, and the {@code texts} that were said before are for a memory without them.
         */
        record Replaced(Commit.Cut end, int turns, Message last, Optional<Message> before, List<ChatMessage> texts) {}

        /** Runs a turn again that failed before it had a batch. */
        record Rerun(TurnRecord turn) implements Step {}

        /** Makes the call that a caller has proposed. */
        record Propose(ToolExecutionRequest call) implements Step {}

        /** Takes over a conversation of a new thread, the last message of which needs no answer. */
        record Seed(List<Message> transcript, List<ChatMessage> memory, List<SkippedPart> skipped) implements Step {

            public Seed {
                transcript = List.copyOf(transcript);
                memory = List.copyOf(memory);
                skipped = List.copyOf(skipped);
            }
        }
    }
}
