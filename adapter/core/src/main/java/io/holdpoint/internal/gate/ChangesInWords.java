package io.holdpoint.internal.gate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Tells in a question's sentence what an edit has changed, for every place that has no card: each value by its path, and of a long text what
 * differs, with a few words around it.
 */
final class ChangesInWords {

    /** So many changes are named. */
    private static final int MOST = 5;

    /** So many words around a change are shown. */
    private static final int AROUND = 4;

    private static final int LONGEST_WORD = 40;

    private static final String BETWEEN_WORDS = "(?<=\\s)(?=\\S)";

    private final List<String> changes = new ArrayList<>();

    private ChangesInWords() {}

    /** Says it as {@code " (amount: 20000 → 15000)"}, and nothing if nothing differs. */
    static String between(ObjectNode before, ObjectNode after) {
        ChangesInWords words = new ChangesInWords();
        words.compare("", before, after);
        List<String> changes = words.changes;
        if (changes.isEmpty()) {
            return "";
        }
        String more = changes.size() > MOST ? "; and " + (changes.size() - MOST) + " more" : "";
        return " (" + String.join("; ", changes.subList(0, Math.min(MOST, changes.size()))) + more + ")";
    }

    private void compare(String path, JsonNode before, JsonNode after) {
        if (before.isObject() && after.isObject()) {
            Set<String> names = new LinkedHashSet<>();
            before.fieldNames().forEachRemaining(names::add);
            after.fieldNames().forEachRemaining(names::add);
            names.forEach(name -> compare(
                    path.isEmpty() ? MessageTemplate.name(name) : path + "." + MessageTemplate.name(name),
                    before.path(name),
                    after.path(name)));
        } else if (before.isArray() && after.isArray()) {
            for (int i = 0; i < Math.max(before.size(), after.size()); i++) {
                compare(path + "." + i, before.path(i), after.path(i));
            }
        } else if (!Edits.isSame(orNull(after), orNull(before))) {
            changes.add(path + ": "
                    + (before.isTextual() && after.isTextual()
                            ? texts(before.textValue(), after.textValue())
                            : MessageTemplate.value(before) + " → " + MessageTemplate.value(after)));
        }
    }

    private static JsonNode orNull(JsonNode value) {
        return value.isMissingNode() ? JsonNodeFactory.instance.nullNode() : value;
    }

    /** Leaves away what is the same at the beginning and at the end, except for some words. */
    private static String texts(String before, String after) {
        List<String> one = words(before);
        List<String> other = words(after);
        int most = Math.min(one.size(), other.size());
        int start = 0;
        while (start < most && one.get(start).equals(other.get(start))) {
            start++;
        }
        int end = 0;
        while (end < most - start && one.get(one.size() - 1 - end).equals(other.get(other.size() - 1 - end))) {
            end++;
        }
        int from = Math.max(0, start - AROUND);
        int left = Math.max(0, end - AROUND);
        return part(one, from, one.size() - left) + " → " + part(other, from, other.size() - left);
    }

    /** Words with the blanks after them; one that is too long to be a word counts character by character. */
    private static List<String> words(String text) {
        return Arrays.stream(text.split(BETWEEN_WORDS))
                .flatMap(word -> word.length() <= LONGEST_WORD
                        ? Stream.of(word)
                        : word.codePoints().mapToObj(Character::toString))
                .toList();
    }

    private static String part(List<String> words, int from, int to) {
        String text = String.join("", words.subList(from, to));
        return MessageTemplate.quoted((from > 0 ? "…" : "") + text.strip() + (to < words.size() ? "…" : ""));
    }
}
