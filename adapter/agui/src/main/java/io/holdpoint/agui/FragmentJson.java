package io.holdpoint.agui;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes fragments as Jackson does, without setting it up for each of them: a model's answer has thousands. */
final class FragmentJson {

    private static final Map<String, byte[]> BEGINNINGS = Map.of(
            "TEXT_MESSAGE_CONTENT", bytes("{\"type\":\"TEXT_MESSAGE_CONTENT\",\"messageId\":\""),
            "TOOL_CALL_ARGS", bytes("{\"type\":\"TOOL_CALL_ARGS\",\"toolCallId\":\""),
            "REASONING_MESSAGE_CONTENT", bytes("{\"type\":\"REASONING_MESSAGE_CONTENT\",\"messageId\":\""));
    private static final byte[] DELTA = bytes("\",\"delta\":\"");
    private static final byte[] END = bytes("\"}");

    private FragmentJson() {}

    private static byte[] bytes(String ascii) {
        return ascii.getBytes(StandardCharsets.US_ASCII);
    }

    /** Returns the JSON, or {@code null} for what Jackson writes in ways of its own: base fields, and surrogates, which may be halves. */
    static byte @Nullable [] write(Event.Fragment fragment) {
        String messageId = fragment.messageId();
        String id = messageId == null ? fragment.toolCallId() : messageId;
        String delta = fragment.delta();
        if (id == null || !fragment.base().equals(EventBase.NONE) || hasSurrogates(id) || hasSurrogates(delta)) {
            return null;
        }
        JsonStringEncoder encoder = JsonStringEncoder.getInstance();
        byte[] beginning = BEGINNINGS.get(fragment.type());
        byte[] quotedId = encoder.quoteAsUTF8(id);
        byte[] quotedDelta = encoder.quoteAsUTF8(delta);
        int length = beginning.length + quotedId.length + DELTA.length + quotedDelta.length + END.length;
        byte[] json = Arrays.copyOf(beginning, length);
        int end = append(json, beginning.length, quotedId);
        end = append(json, end, DELTA);
        end = append(json, end, quotedDelta);
        append(json, end, END);
        return json;
    }

    private static int append(byte[] json, int start, byte[] part) {
        System.arraycopy(part, 0, json, start, part.length);
        return start + part.length;
    }

    private static boolean hasSurrogates(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                return true;
            }
        }
        return false;
    }
}
