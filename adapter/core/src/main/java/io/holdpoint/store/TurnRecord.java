package io.holdpoint.store;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One call of the AI Service: what the user said, and how it was prepared for the model, so that a later run does not
 * prepare it again. Immutable. Messages are LangChain4j's own JSON.
 *
 * @param userMessageId the transcript's id of the user message
 * @param userMessage the user message as it came in
 * @param method the AI Service method that takes the turn ({@code name(parameter types)}), once it was called
 * @param prepared the user message after augmentation and input guardrails
 * @param remembered the user message as it entered the chat memory
 * @param memoryBefore tells whether the chat memory is still as it was right before {@code remembered} entered it
 * @param retrieved what retrieval found, as JSON texts
 * @param rounds tool calling rounds used so far
 * @param declined the calls that were asked about in the turn and not allowed, each as {@link #key}
 * @param declinedInARow how many calls that need somebody's word were not allowed since one was
 * @param roles of the caller who said it, at that time: a later run may work for somebody else
 */
public record TurnRecord(
        String userMessageId,
        String userMessage,
        @Nullable String method,
        @Nullable String prepared,
        @Nullable String remembered,
        @Nullable String memoryBefore,
        List<String> retrieved,
        int rounds,
        List<String> declined,
        int declinedInARow,
        Set<String> roles) {

    /** Copies the lists and the roles; a record of an earlier version has none. */
    public TurnRecord {
        retrieved = List.copyOf(retrieved);
        declined = List.copyOf(declined);
        roles = roles == null ? Set.of() : Set.copyOf(roles);
    }

    /**
     * A turn nothing has been done for.
     *
     * @param userMessageId the transcript's id
     * @param userMessage LangChain4j's JSON
     */
    public TurnRecord(String userMessageId, String userMessage) {
        this(userMessageId, userMessage, null, null, null, null, List.of(), 0, List.of(), 0, Set.of());
    }

    /**
     * What tells one call from another in a turn.
     *
     * @param call any
     * @return the same for calls of one tool with the same arguments
     */
    public static String key(Call call) {
        return call.toolName() + ":" + call.argumentsSha256();
    }

    /**
     * Notes who said it.
     *
     * @param callerRoles roles of the caller
     * @return the turn with them
     */
    public TurnRecord withRoles(Set<String> callerRoles) {
        return new TurnRecord(
                userMessageId,
                userMessage,
                method,
                prepared,
                remembered,
                memoryBefore,
                retrieved,
                rounds,
                declined,
                declinedInARow,
                callerRoles);
    }

    /**
     * Notes the method that takes the turn.
     *
     * @param taker the method
     * @return the turn with it
     */
    public TurnRecord withMethod(String taker) {
        return with(taker, prepared, remembered, memoryBefore, retrieved, rounds, declined, declinedInARow);
    }

    /**
     * Notes the prepared user message.
     *
     * @param message LangChain4j's JSON
     * @return the turn with it
     */
    public TurnRecord withPrepared(String message) {
        return with(method, message, remembered, memoryBefore, retrieved, rounds, declined, declinedInARow);
    }

    /**
     * Notes the user message as the chat memory holds it.
     *
     * @param message LangChain4j's JSON
     * @param before what the memory was like before
     * @return the turn with both
     */
    public TurnRecord withRemembered(String message, String before) {
        return with(method, prepared, message, before, retrieved, rounds, declined, declinedInARow);
    }

    /**
     * Notes what retrieval found.
     *
     * @param contents JSON texts
     * @return the turn with them
     */
    public TurnRecord withRetrieved(List<String> contents) {
        return with(method, prepared, remembered, memoryBefore, contents, rounds, declined, declinedInARow);
    }

    /**
     * Counts a round of tool calls.
     *
     * @return the turn with one more round used
     */
    public TurnRecord withNextRound() {
        return with(method, prepared, remembered, memoryBefore, retrieved, rounds + 1, declined, declinedInARow);
    }

    /**
     * Notes what was not allowed.
     *
     * @param keys of all such calls of the turn
     * @param inARow how many of them since one was allowed
     * @return the turn with both
     */
    public TurnRecord withDeclined(List<String> keys, int inARow) {
        return with(method, prepared, remembered, memoryBefore, retrieved, rounds, keys, inARow);
    }

    private TurnRecord with(
            @Nullable String taker,
            @Nullable String preparedMessage,
            @Nullable String rememberedMessage,
            @Nullable String before,
            List<String> contents,
            int roundsUsed,
            List<String> declinedCalls,
            int inARow) {
        return new TurnRecord(
                userMessageId,
                userMessage,
                taker,
                preparedMessage,
                rememberedMessage,
                before,
                contents,
                roundsUsed,
                declinedCalls,
                inARow,
                roles);
    }
}
