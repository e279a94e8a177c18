package io.holdpoint.store;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdpoint.agui.TokenUsage;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One call of the AI Service: what the user said, and how it was prepared for the model, so that a later run does not
 * prepare it again. Immutable. Messages are LangChain4j's own JSON.
 *
 * @param userMessageId the transcript's id of the user message
 * @param userMessage the user message as it came in
 * @param roles of the caller who said it, at that time: a later run may work for another caller
 * @param forwardedProps what the client passed through with the message, as far as the application wants that stored;
 *     {@code null} if there is none
 * @param prepared how the message was prepared for the model
 * @param declined the calls that were asked about in the turn and not allowed, each as {@link #key}
 * @param declinedInARow how many calls in a row were not allowed, up to now
 * @param questions how many calls people were asked about when the model proposed them, up to now
 */
public record TurnRecord(
        String userMessageId,
        String userMessage,
        Set<String> roles,
        @Nullable JsonNode forwardedProps,
        Prepared prepared,
        int rounds,
        List<String> declined,
        int declinedInARow,
        int questions) {

    /**
     * The preparation of a user message for the model. Everything is absent until the AI Service has come so far.
     *
     * @param method the AI Service method that takes the turn ({@code name(parameter types)})
     * @param message the user message after augmentation and input guardrails; empty if that is as it came in
     * @param remembered the user message as it entered the chat memory; empty if that is as it came in
     * @param memoryBefore tells whether the chat memory is still as it was right before {@code remembered} entered it
     * @param retrieved what retrieval found, as JSON texts
     * @param usage the tokens of the answers with tool calls that the model has given so far, in all runs of the turn;
     *     {@code null} if it has told of none
     * @param spent all tokens of the turn so far, also of answers that came to nothing, of rules, and of agents that work in its
     *     tools
     */
    public record Prepared(
            @Nullable String method,
            @Nullable String message,
            @Nullable String remembered,
            @Nullable String memoryBefore,
            List<String> retrieved,
            @Nullable TokenUsage usage,
            long spent) {

        private static final Prepared NOT_YET = new Prepared(null, null, null, null, List.of(), null, 0);

        /** Copies the list. */
        public Prepared {
            retrieved = List.copyOf(retrieved);
        }
    }

    /** Copies the list and the roles. */
    public TurnRecord {
        roles = roles == null ? Set.of() : Set.copyOf(roles);
        declined = List.copyOf(declined);
    }

    /** Makes a turn that has just come in, with LangChain4j's JSON of its message. */
    public TurnRecord(String userMessageId, String userMessage, Set<String> roles, @Nullable JsonNode forwardedProps) {
        this(userMessageId, userMessage, roles, forwardedProps, Prepared.NOT_YET, 0, List.of(), 0, 0);
    }

    /** Tells one call from another in a turn: the same for calls of one tool with the same arguments. */
    public static String key(Call call) {
        return call.toolName() + ":" + call.proposal().argumentsSha256();
    }

    /** Notes the method that takes the turn. */
    public TurnRecord withMethod(String method) {
        Prepared was = prepared;
        return with(method, was.message(), was.remembered(), was.memoryBefore(), was.retrieved(), was.usage());
    }

    /** Notes the prepared user message, as LangChain4j's JSON. */
    public TurnRecord withPrepared(String message) {
        Prepared was = prepared;
        return with(was.method(), change(message), was.remembered(), was.memoryBefore(), was.retrieved(), was.usage());
    }

    /**
     * Notes the user message as the chat memory holds it.
     *
     * @param message LangChain4j's JSON
     * @param before what the memory was like before
     */
    public TurnRecord withRemembered(String message, String before) {
        Prepared was = prepared;
        return with(was.method(), was.message(), change(message), before, was.retrieved(), was.usage());
    }

    private String change(String message) {
        return message.equals(userMessage) ? "" : message;
    }

    /** The user message as the preparation has it: {@link Prepared#message} or {@link Prepared#remembered}. */
    public String messageOf(String change) {
        return change.isEmpty() ? userMessage : change;
    }

    /** Notes what retrieval found, as JSON texts. */
    public TurnRecord withRetrieved(List<String> contents) {
        Prepared was = prepared;
        return with(was.method(), was.message(), was.remembered(), was.memoryBefore(), contents, was.usage());
    }

    /** Notes the tokens of all answers with tool calls so far. */
    public TurnRecord withUsage(@Nullable TokenUsage usage) {
        Prepared was = prepared;
        return with(was.method(), was.message(), was.remembered(), was.memoryBefore(), was.retrieved(), usage);
    }

    /** Notes all tokens so far. */
    public TurnRecord withSpent(long spent) {
        Prepared was = prepared;
        return with(new Prepared(
                was.method(),
                was.message(),
                was.remembered(),
                was.memoryBefore(),
                was.retrieved(),
                was.usage(),
                spent));
    }

    private TurnRecord with(
            @Nullable String method,
            @Nullable String message,
            @Nullable String remembered,
            @Nullable String memoryBefore,
            List<String> retrieved,
            @Nullable TokenUsage usage) {
        return with(new Prepared(method, message, remembered, memoryBefore, retrieved, usage, prepared.spent()));
    }

    private TurnRecord with(Prepared next) {
        return with(next, rounds, declined, declinedInARow, questions);
    }

    /** Counts a round of tool calls. */
    public TurnRecord withNextRound() {
        return with(prepared, rounds + 1, declined, declinedInARow, questions);
    }

    /**
     * Notes what was not allowed.
     *
     * @param keys of all such calls of the turn
     * @param inARow how many of them since one was allowed
     */
    public TurnRecord withDeclined(List<String> keys, int inARow) {
        return with(prepared, rounds, keys, inARow, questions);
    }

    /** Counts calls that people are asked about. */
    public TurnRecord withQuestions(int more) {
        return with(prepared, rounds, declined, declinedInARow, questions + more);
    }

    private TurnRecord with(Prepared next, int inRounds, List<String> keys, int inARow, int asked) {
        return new TurnRecord(userMessageId, userMessage, roles, forwardedProps, next, inRounds, keys, inARow, asked);
    }
}
