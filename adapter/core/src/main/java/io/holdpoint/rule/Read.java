package io.holdpoint.rule;

/**
 * A text that a conversation has taken in, and that its model has not written itself. Immutable.
 *
 * @param kind what it is
 * @param toolName the tool whose result it is, as the model sees it; empty if it is none, or if the call is not known
 * @param toolCallId its call; empty if it is no result
 * @param text as the conversation keeps it, the text parts one after the other; a content that retrieval has found is LangChain4j's JSON
 */
public record Read(Kind kind, String toolName, String toolCallId, String text) {

    /** The kind of a text. */
    public enum Kind {
        /** The words of the user, in this turn or an earlier one. */
        MESSAGE,
        /** The task that another agent gives to one that works as its tool. */
        TASK,
        /** The result of a call, whatever became of it, in this turn or an earlier one. */
        RESULT,
        /** A content that retrieval has found for the message of this turn. */
        RETRIEVED
    }
}
