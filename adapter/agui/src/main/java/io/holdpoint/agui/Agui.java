package io.holdpoint.agui;

/** Constants of the AG-UI protocol. */
public final class Agui {

    /** The protocol version this implementation speaks, as carried by {@code RUN_STARTED}. */
    public static final String PROTOCOL_VERSION = "1.0";

    /** Longest id of a thread, a run, a message, an interrupt or a tool call that is taken, in UTF-16 characters. */
    public static final int MAX_ID_LENGTH = 255;

    private Agui() {}

    /**
     * Whether a text can be an id. AG-UI's ids are opaque; but every database must be able to keep them, and every log to
     * show them.
     *
     * @param text the text
     * @return whether it has 1 to {@value #MAX_ID_LENGTH} characters, no control characters and no unpaired surrogates
     */
    public static boolean isId(String text) {
        return !text.isEmpty()
                && text.length() <= MAX_ID_LENGTH
                && text.codePoints().noneMatch(Agui::isUnfit);
    }

    /**
     * Refuses a text that cannot be an id.
     *
     * @param field what it is the value of, for the message
     * @param text the text
     * @throws IllegalArgumentException unless {@link #isId}
     */
    static void requireId(String field, String text) {
        if (!isId(text)) {
            throw new IllegalArgumentException(notAnId(field));
        }
    }

    static String notAnId(String field) {
        return field + ": must have 1 to " + MAX_ID_LENGTH
                + " characters, no control characters and no unpaired surrogates";
    }

    private static boolean isUnfit(int codePoint) {
        return Character.isISOControl(codePoint)
                || (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE);
    }
}
