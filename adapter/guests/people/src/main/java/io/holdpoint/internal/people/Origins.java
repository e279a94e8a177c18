package io.holdpoint.internal.people;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.internal.gate.ModelTexts;
import io.holdpoint.people.Provenance.Source;
import io.holdpoint.rule.Read;
import java.math.BigDecimal;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Where the values of a call's arguments stand first in what its conversation has read: a search for texts, bounded in time and in size, which
 * says where it stopped. It keeps places, and no copies. Immutable.
 */
public record Origins(Map<String, ObjectNode> found, Map<String, Source> sources, boolean stopped) {

    /** So many characters are searched however long it takes: a conversation is not judged by how busy its server is. */
    static final int ALWAYS_SEARCHED = 20_000;

    /** The longest time of a search beyond these. */
    private static final long MOST_NANOS = 2_000_000;

    /** The most characters that are searched, of all texts together. */
    static final int MOST_CHARACTERS = 1_000_000;

    private static final int MOST_VALUES = 50;
    private static final int SHORTEST = 5;
    private static final int LONGEST_NAME = 60;
    private static final int GROUP = 3;
    private static final String SEPARATORS = ".,'\u2019";
    private static final String SIGNS = "-\u2212";
    private static final List<String> NAMES = List.of("fileName", "file_name", "name", "title", "url");
    private static final List<DateTimeFormatter> DATES = List.of(
            DateTimeFormatter.ofPattern("dd.MM.uuuu", Locale.ROOT),
            DateTimeFormatter.ofPattern("d.M.uuuu", Locale.ROOT),
            DateTimeFormatter.ofPattern("MM/dd/uuuu", Locale.ROOT),
            DateTimeFormatter.ofPattern("dd/MM/uuuu", Locale.ROOT),
            DateTimeFormatter.ofPattern("d MMMM uuuu", Locale.ENGLISH),
            DateTimeFormatter.ofPattern("MMMM d, uuuu", Locale.ENGLISH));

    /** Searches for each value that can be told from others: texts of five characters and more, numbers, dates. */
    public static Origins of(ObjectNode arguments, List<Read> conversation, Function<Read, Source> source) {
        return of(arguments, conversation, source, System::nanoTime);
    }

    static Origins of(
            ObjectNode arguments, List<Read> conversation, Function<Read, Source> source, LongSupplier nanoTime) {
        Map<String, Set<String>> spellings = new LinkedHashMap<>();
        values(arguments, "", spellings);
        Map<String, ObjectNode> found = new LinkedHashMap<>();
        Map<String, Source> sources = new HashMap<>();
        long began = nanoTime.getAsLong();
        int left = MOST_CHARACTERS;
        for (Read read : conversation) {
            String text = read.text().substring(0, Math.min(left, read.text().length()));
            for (Map.Entry<String, Set<String>> value : spellings.entrySet()) {
                if (left <= MOST_CHARACTERS - ALWAYS_SEARCHED && nanoTime.getAsLong() - began > MOST_NANOS) {
                    return new Origins(found, sources, true);
                }
                if (!found.containsKey(value.getKey())) {
                    int at = first(text, value.getValue());
                    if (at >= 0) {
                        sources.put(value.getKey(), source.apply(read));
                        found.put(value.getKey(), place(read, at, source.apply(read) == Source.UNTRUSTED));
                    }
                }
            }
            left -= text.length();
            if (text.length() < read.text().length()) {
                return new Origins(found, sources, true);
            }
        }
        spellings
                .keySet()
                .forEach(path -> found.computeIfAbsent(
                        path, none -> JsonNodeFactory.instance.objectNode().put("from", "model")));
        return new Origins(found, sources, false);
    }

    /** Adds what was found to what a question says. */
    public void addTo(ObjectNode section) {
        if (!found.isEmpty()) {
            ObjectNode arguments = section.putObject("arguments");
            found.forEach(arguments::set);
        }
        if (stopped) {
            section.put("stopped", true);
        }
    }

    private static ObjectNode place(Read read, int at, boolean isUntrusted) {
        ObjectNode place = JsonNodeFactory.instance.objectNode();
        switch (read.kind()) {
            case MESSAGE -> place.put("from", "user");
            case TASK -> place.put("from", "task");
            case RETRIEVED -> place.put("from", "retrieved");
            case RESULT ->
                place.put("from", "tool").put("toolName", read.toolName()).put("toolCallId", read.toolCallId());
        }
        place.put("at", at);
        return isUntrusted ? place.put("untrusted", true) : place;
    }

    private static void values(JsonNode value, String path, Map<String, Set<String>> spellings) {
        if (spellings.size() >= MOST_VALUES) {
            return;
        }
        if (value.isNumber()) {
            spellings.put(path, numbers(value.decimalValue()));
        } else if (value.isTextual()) {
            Set<String> texts = texts(value.textValue().strip());
            if (!texts.isEmpty()) {
                spellings.put(path, texts);
            }
        }
        value.properties()
                .forEach(field -> values(
                        field.getValue(),
                        path + "/" + field.getKey().replace("~", "~0").replace("/", "~1"),
                        spellings));
        for (int i = 0; value.isArray() && i < value.size(); i++) {
            values(value.get(i), path + "/" + i, spellings);
        }
    }

    private static Set<String> texts(String text) {
        Set<String> spellings = new LinkedHashSet<>();
        if (text.length() >= SHORTEST) {
            spellings.add(text);
        }
        try {
            LocalDate date = LocalDate.parse(text);
            DATES.forEach(format -> spellings.add(format.format(date)));
        } catch (DateTimeParseException e) {
            return spellings; // it is no date
        }
        return spellings;
    }

    private static Set<String> numbers(BigDecimal number) {
        Set<String> spellings = new LinkedHashSet<>();
        if (number.precision() - number.scale() > 40 || number.scale() > 40) {
            return spellings;
        }
        BigDecimal plain = number.stripTrailingZeros();
        BigDecimal cents = plain.scale() < 2 ? plain.setScale(2) : plain;
        for (BigDecimal each : List.of(plain.scale() < 0 ? plain.setScale(0) : plain, cents)) {
            for (String pattern : List.of("0", "#,##0")) {
                for (String separators : List.of(".,", ",.", ". ", ", ", ".'")) {
                    DecimalFormatSymbols symbols = DecimalFormatSymbols.getInstance(Locale.ROOT);
                    symbols.setDecimalSeparator(separators.charAt(0));
                    symbols.setGroupingSeparator(separators.charAt(1));
                    DecimalFormat format = new DecimalFormat(pattern, symbols);
                    format.setMinimumFractionDigits(Math.max(0, each.scale()));
                    format.setMaximumFractionDigits(Math.max(0, each.scale()));
                    spellings.add(format.format(each));
                }
            }
        }
        return spellings;
    }

    /** The first place that belongs to nothing longer: 50 is not found in 1.50. */
    private static int first(String text, Set<String> spellings) {
        int first = -1;
        for (String spelling : spellings) {
            int at = text.indexOf(spelling);
            while (at >= 0 && (first < 0 || at < first)) {
                if (isWhole(text, at, at + spelling.length())) {
                    first = at;
                }
                at = text.indexOf(spelling, at + 1);
            }
        }
        return first;
    }

    private static boolean isWhole(String text, int start, int end) {
        int number = SIGNS.indexOf(charAt(text, start)) < 0 ? start : start + 1;
        return !belongTogether(text, start - 1)
                && !belongTogether(text, end - 1)
                && !isWithinNumber(text, start - 1)
                && !isWithinNumber(text, end)
                && isSigned(text, number) == number > start;
    }

    /** Tells whether a number begins there that has a sign before it, which stands behind no word or number. */
    private static boolean isSigned(String text, int place) {
        return Character.isDigit(charAt(text, place))
                && SIGNS.indexOf(charAt(text, place - 1)) >= 0
                && !Character.isLetterOrDigit(charAt(text, place - 2));
    }

    private static boolean belongTogether(String text, int first) {
        return Character.isLetterOrDigit(charAt(text, first)) && Character.isLetterOrDigit(charAt(text, first + 1));
    }

    /** Tells whether the digits before a place and behind it are of one number: there is a separator, or a blank between groups. */
    private static boolean isWithinNumber(String text, int place) {
        if (digits(text, place - 1, -1) == 0 || digits(text, place + 1, 1) == 0) {
            return false;
        }
        boolean areGroups = digits(text, place - 1, -1) <= GROUP && digits(text, place + 1, 1) == GROUP;
        char between = charAt(text, place);
        return SEPARATORS.indexOf(between) >= 0 || areGroups && Character.isSpaceChar(between);
    }

    /** Counts the digits from a place on, up to one more than a group has. */
    private static int digits(String text, int place, int step) {
        int found = 0;
        while (found <= GROUP && Character.isDigit(charAt(text, place + found * step))) {
            found++;
        }
        return found;
    }

    private static char charAt(String text, int place) {
        return place < 0 || place >= text.length() ? ' ' : text.charAt(place);
    }

    /** The name of the document that a text says it is, quoted: it is as little vouched for as the text. */
    public static String nameOf(Read read) {
        JsonNode json = json(read.text());
        for (JsonNode holder : List.of(json, json.path("metadata"))) {
            for (String member : NAMES) {
                String name = holder.path(member).asText("").strip();
                if (!name.isEmpty()) {
                    String shown = name.length() <= LONGEST_NAME ? name : name.substring(0, LONGEST_NAME) + "…";
                    return "\u201c" + ModelTexts.shown(shown.replaceAll("[\"\u201c\u201d\\s]+", " ")) + "\u201d";
                }
            }
        }
        return "";
    }

    private static JsonNode json(String text) {
        if (!text.startsWith("{") || text.length() > 100_000) {
            return MissingNode.getInstance();
        }
        try {
            return AguiCodec.mapper().readTree(text);
        } catch (JsonProcessingException e) {
            return MissingNode.getInstance(); // a text that begins so
        }
    }
}
