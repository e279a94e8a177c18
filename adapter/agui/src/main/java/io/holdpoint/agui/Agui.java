package io.holdpoint.agui;

/** Constants of the AG-UI protocol. */
public final class Agui {

    /** The protocol version this implementation speaks, as carried by {@code RUN_STARTED}. */
    public static final String PROTOCOL_VERSION = "1.0";

    /** The longest id of a thread, a run, a message, an interrupt or a tool call, in UTF-16 characters. */
    public static final int MAX_ID_LENGTH = 255;

    /** The beginning of ids that {@link AguiCodec} makes. */
    static final String MADE_ID = "made_";

    private Agui() {}

    /**
     * Checks whether {@link AguiCodec} has made an id, for a message that came without one. Two messages that say the same
     * may get the same id, unless they come in one input.
     */
    public static boolean isMadeId(String id) {
        return id.startsWith(MADE_ID);
    }

    /**
     * Checks whether a text can be an id: 1 to {@value #MAX_ID_LENGTH} characters, no control characters and no unpaired
     * surrogates. AG-UI's ids are opaque; but every database must be able to keep them, and every log to show them.
     */
    public static boolean isId(String text) {
        if (text.isEmpty() || text.length() > MAX_ID_LENGTH) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (Character.isISOControl(text.charAt(i))) {
                return false;
            }
        }
        return JsonValues.isText(text);
    }

    /**
     * Refuses a text that cannot be an id.
     *
     * @param field the field with the text, for the message
     * @throws IllegalArgumentException unless {@link #isId}
     */
    static void requireId(String field, String text) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException(field + ": required, a string that is not empty");
        }
        if (!isId(text)) {
            throw new IllegalArgumentException(field + ": must have 1 to " + MAX_ID_LENGTH
                    + " characters, no control characters and no unpaired surrogates");
        }
    }
}
