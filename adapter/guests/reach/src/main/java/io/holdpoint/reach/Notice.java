package io.holdpoint.reach;

import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.AskedQuestion;
import io.holdpoint.Audience;
import io.holdpoint.hook.RunObserver.Decision;
import io.holdpoint.store.Call;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/**
 * The news for people about the questions of one message of the model, as they stand when it is sent. Immutable.
 *
 * @param id the same whenever the notice comes again, and of no other notice: what a receiver has seen it may leave out
 * @param agent name of the agent that asks; empty if it has none
 * @param questions those that are open, and for {@link Kind#SETTLED} those that were asked, in the order of the model's calls; at least one
 */
public record Notice(String id, String agent, Kind kind, List<Question> questions) {

    /** Copies the list. */
    public Notice {
        questions = List.copyOf(questions);
    }

    /** The reason of a notice. */
    public enum Kind {
        /** Somebody is asked. */
        ASKED,
        /** The question has had no answer for a while, see {@link io.holdpoint.Timeline#remind}. */
        REMINDED,
        /** The question expires soon, see {@link io.holdpoint.Timeline#warn}. */
        WARNED,
        /** Others are asked as well, see {@link io.holdpoint.Timeline#escalate}. */
        ESCALATED,
        /** Somebody has handed the question to another person, {@link Question#handedTo}, or to a group, {@link Question#audiences}, who alone are told of it. */
        HANDED,
        /** All calls of the message have ended. */
        SETTLED
    }

    /**
     * A question, and whom it is for.
     *
     * @param item the question, with everything that would run, whatever the audit trail keeps of it; as a caller other than the owner
     *     knows it, whose thread id may be longer than the owner's
     * @param audiences those whom the tool's policy names, never the model or an argument; of {@link Kind#ESCALATED} those who are asked
     *     from now on, of {@link Kind#HANDED} the group that got it, none if a person did. Otherwise empty: the policy names nobody, so the {@link ApprovalAuthorizer} alone says who may decide, which is the
     *     thread's owner unless the application has its own
     * @param outcome what came of it; empty as long as it is open
     */
    public record Question(
            AskedQuestion item,
            List<Audience> audiences,
            Optional<Outcome> outcome,
            Function<String, Optional<URI>> links) {

        /** Copies the list. */
        public Question {
            audiences = List.copyOf(audiences);
        }

        /** The id of the person to whom somebody has handed the question last; empty for nobody, and for a group. */
        public Optional<String> handedTo() {
            return Optional.ofNullable(item.interrupt().interrupt().metadata())
                    .map(metadata -> metadata.at("/langchain4j/handed/to").textValue());
        }

        /** The link to the question for one person, see {@link Reach#link}. */
        public Optional<URI> link(String person) {
            return links.apply(person);
        }
    }

    /**
     * The end of a question and of its call.
     *
     * @param by ids of the callers who decided, the one who decided last at the end; empty if time did
     * @param result the end of the call: {@code EXECUTED}, {@code FAILED} or {@code NOT_EXECUTED}
     */
    public record Outcome(Decision decision, List<String> by, Call.State result) {

        /** Copies the list. */
        public Outcome {
            by = List.copyOf(by);
        }

        /** Says it to a person, in {@link PlainText}: {@code approved by grace, executed}. */
        public String sentence() {
            String names = by.isEmpty() ? "" : " by " + PlainText.of(String.join(", ", by));
            return word(decision) + names + ", " + word(result);
        }

        private static String word(Enum<?> value) {
            return value.name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    /** The id of the thread, as callers other than the owner know it. */
    public String threadId() {
        return questions.get(0).item().threadId();
    }

    /** The id of the caller who owns the thread. */
    public String owner() {
        return questions.get(0).item().owner();
    }
}
