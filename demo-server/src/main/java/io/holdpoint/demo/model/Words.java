package io.holdpoint.demo.model;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.model.output.TokenUsage;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Cutting text up, joining it and counting it. */
final class Words {

    private static final int CHUNK = 12;

    private Words() {}

    /** The text word by word, each with the white space after it. */
    static List<String> pieces(String text) {
        return List.of(text.split("(?<=\\s)(?=\\S)"));
    }

    /** The text in pieces of a few characters; never cuts a surrogate pair. */
    static List<String> chunks(String text) {
        List<String> chunks = new ArrayList<>();
        int start = 0;
        while (start < text.length()) {
            int end = Math.min(start + CHUNK, text.length());
            if (end < text.length() && Character.isLowSurrogate(text.charAt(end))) {
                end--;
            }
            chunks.add(text.substring(start, end));
            start = end;
        }
        return chunks;
    }

    /** {@code a}, {@code a and b}, {@code a, b and c}. */
    static String list(List<String> items) {
        int last = items.size() - 1;
        return last < 1
                ? String.join("", items)
                : String.join(", ", items.subList(0, last)) + " and " + items.get(last);
    }

    /** The text with its first letter in upper case. */
    static String capitalised(String text) {
        return text.isEmpty() ? text : text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }

    /** A rough count: one token per word. */
    static TokenUsage usage(List<ChatMessage> in, AiMessage out) {
        String input = in.stream().map(ChatMessage::toString).collect(Collectors.joining(" "));
        return new TokenUsage(count(input), count(out.toString()));
    }

    private static int count(String text) {
        return text.strip().split("\\s+").length;
    }
}
