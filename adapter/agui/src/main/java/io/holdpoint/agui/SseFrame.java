package io.holdpoint.agui;

import java.nio.charset.StandardCharsets;

/**
 * Server-sent-event frames as AG-UI clients expect them: one event per frame, LF only, UTF-8. Stateless, so
 * thread-safe.
 */
public final class SseFrame {

    private static final byte[] DATA = "data: ".getBytes(StandardCharsets.UTF_8);
    private static final byte[] END = "\n\n".getBytes(StandardCharsets.UTF_8);

    private SseFrame() {}

    /** Makes the frame of an event: {@code data: {json}\n\n}. JSON as written here holds no line break. */
    public static byte[] of(Event event) {
        return AguiCodec.write(DATA, event, END);
    }

    /** Makes the frame of an event in a dialect. */
    public static byte[] of(Event event, Dialect dialect) {
        return AguiCodec.write(DATA, dialect.form(event), END);
    }

    /**
     * Makes the frame of a comment, which clients ignore: {@code : text\n\n}. Keeps idle connections open.
     *
     * @throws IllegalArgumentException if the text has a line break
     */
    public static byte[] comment(String text) {
        if (text.indexOf('\n') >= 0 || text.indexOf('\r') >= 0) {
            throw new IllegalArgumentException("a comment is one line");
        }
        return (": " + text + "\n\n").getBytes(StandardCharsets.UTF_8);
    }
}
