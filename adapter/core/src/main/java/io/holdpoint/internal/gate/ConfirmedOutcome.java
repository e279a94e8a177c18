package io.holdpoint.internal.gate;

import org.jspecify.annotations.Nullable;

/** What is said about a call of unknown outcome: to the person who has to find out, and to the model afterwards. */
public final class ConfirmedOutcome {

    private ConfirmedOutcome() {}

    /**
     * What the person is asked. Nothing in it was written by the model, except for the name of a tool that exists.
     *
     * @param toolName the tool
     * @return the sentences
     */
    public static String question(String toolName) {
        return "The server stopped while " + ModelTexts.quoted(toolName)
                + " was running. It is not known whether it took effect.";
    }

    /**
     * A person found that it took effect.
     *
     * @param toolName the tool
     * @param note what they said about it, if anything
     * @return the text for the model
     */
    public static String done(String toolName, @Nullable String note) {
        return "The call of " + ModelTexts.quoted(toolName) + " took effect, as a person has confirmed."
                + " Its own result was lost; what you read here was supplied by that person. " + noted(note)
                + " Do not repeat this call unless the user asks for it.";
    }

    /**
     * A person found that it had no effect.
     *
     * @param toolName the tool
     * @param note what they said about it, if anything
     * @return the text for the model
     */
    public static String notDone(String toolName, @Nullable String note) {
        return "The call of " + ModelTexts.quoted(toolName) + " had no effect, as a person has confirmed:"
                + " it was interrupted, and it was not started again. " + noted(note)
                + " Do not repeat this call unless the user asks for it.";
    }

    private static String noted(@Nullable String note) {
        return note == null || note.isBlank() ? "They left no note." : "Their note: " + ModelTexts.quoted(note) + ".";
    }
}
