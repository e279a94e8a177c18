package io.holdpoint.internal.gate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Tells in a question's sentence what an edit has changed, for every place that has no card: each value by its path, and of a long text what
 * differs, with a few words around it.
 */
final class ChangesInWords {

    /** So many changes are named. */
    private static final int MOST = 5;

    /** So many words around a change are shown. */
    private static final int AROUND = 4;

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
                compare(path + "[" + i + "]", before.path(i), after.path(i));
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
        String[] one = before.split(BETWEEN_WORDS);
        String[] other = after.split(BETWEEN_WORDS);
        int most = Math.min(one.length, other.length);
        int start = 0;
        while (start < most && one[start].equals(other[start])) {
            start++;
        }
        int end = 0;
        while (end < most - start && one[one.length - 1 - end].equals(other[other.length - 1 - end])) {
            end++;
        }
        int from = Math.max(0, start - AROUND);
        int left = Math.max(0, end - AROUND);
        return part(one, from, one.length - left) + " → " + part(other, from, other.length - left);
    }

    private static String part(String[] words, int from, int to) {
        String text = String.join("", List.of(words).subList(from, to));
        return MessageTemplate.quoted((from > 0 ? "…" : "") + text.strip() + (to < words.length ? "…" : ""));
    }
}
