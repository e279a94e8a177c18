package io.holdpoint.internal.servlet;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.agui.AguiCodec;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * All arguments of a call as markup, by the rules of the card ({@code subject.js}), so that both say the same of it: labels, money, days and times in
 * the reader's language, records by their labels, and nothing shortened or rounded. Immutable.
 */
final class ArgumentList {

    private static final int LONGEST_LABEL = 48;
    /** Deeper than this nobody finds the way by labels. */
    private static final int MAX_LEVELS = 6;

    private static final Pattern AMOUNT = Pattern.compile("-?\\d+(\\.\\d{1,20})?");
    private static final Pattern BLANK = Pattern.compile("(\"(?:[^\"\\\\]|\\\\.)*+\")|\\s");

    /** How descriptions name a currency. */
    private static final List<Map.Entry<String, Pattern>> CURRENCIES = List.of(
            Map.entry("EUR", Pattern.compile("(?i:\\beuros?\\b|\u20ac)|\\bEUR\\b")),
            Map.entry("USD", Pattern.compile("(?i:\\bus dollars?\\b)|\\bUSD\\b")),
            Map.entry("GBP", Pattern.compile("\u00a3|\\bGBP\\b")));

    private final PageTexts texts;

    ArgumentList(PageTexts texts) {
        this.texts = texts;
    }

    /**
     * The list, by the names of the arguments.
     *
     * @param schema of the arguments, if there is one
     * @param more gives the markup behind the value of a name
     */
    String html(JsonNode args, JsonNode schema, UnaryOperator<String> more) {
        return args.isEmpty()
                ? "<p class=\"hint\">" + texts.say("Without arguments.") + "</p>"
                : byName(args, schema, 0, more);
    }

    private String byName(JsonNode values, JsonNode schema, int level, UnaryOperator<String> more) {
        Set<String> names = new LinkedHashSet<>();
        schema.path("properties").fieldNames().forEachRemaining(names::add);
        names.removeIf(name -> !values.has(name));
        values.fieldNames().forEachRemaining(names::add);
        return names.stream()
                .map(name -> {
                    JsonNode of = whole(schema.path("properties").path(name));
                    return "<dt><bdi>" + LinkPage.escaped(label(name, of)) + "</bdi></dt><dd>"
                            + argument(name, values, of, level) + more.apply(name) + "</dd>";
                })
                .collect(Collectors.joining("", "<dl>", "</dl>"));
    }

    /** A schema with what its only {@code allOf} has, as many servers write it. */
    private static JsonNode whole(JsonNode schema) {
        return schema instanceof ObjectNode own
                        && own.path("allOf").size() == 1
                        && own.at("/allOf/0") instanceof ObjectNode one
                ? one.deepCopy().setAll(own)
                : schema;
    }

    private String argument(String name, JsonNode values, JsonNode schema, int level) {
        JsonNode value = name.equals("arguments") ? inText(values.path(name)) : values.path(name);
        if (value.isNumber()) {
            return "<bdi>" + amount(value, values, schema) + "</bdi>";
        }
        String text = value.asText();
        return texts.dateInWords(text, schema.path("format").asText(text.contains("T") ? "date-time" : "date"))
                .filter(words -> value.isTextual())
                .map(words -> isolated(words) + " <small>" + isolated(text) + "</small>")
                .orElseGet(() -> shown(value, schema, level));
    }

    /** The arguments of a call that are given as a text, where it says just what they do, and nothing twice. */
    private static JsonNode inText(JsonNode value) {
        try {
            JsonNode args = AguiCodec.mapper().readTree(value.asText());
            String plain = BLANK.matcher(value.asText()).replaceAll("$1");
            return args.isObject() && args.toString().equals(plain) ? args : value;
        } catch (JsonProcessingException e) {
            return value;
        }
    }

    /** A number with its unit, as money where that is a currency, where the schema, an argument beside it or its description names one. */
    private String amount(JsonNode value, JsonNode values, JsonNode schema) {
        String token = value.toString();
        String said = schema.path("description").asText();
        Stream<String> hints = CURRENCIES.stream()
                .filter(each -> each.getValue().matcher(said).find())
                .map(Map.Entry::getKey);
        String unit = Stream.of(schema.path("x-unit"), values.path("currency"))
                .filter(each -> !each.isMissingNode() && !each.isNull())
                .findFirst()
                .map(each -> each.isTextual() ? each.textValue() : "")
                .orElseGet(() -> hints.findFirst().orElse(""));
        if (!unit.isEmpty() && AMOUNT.matcher(token).matches()) {
            if (unit.matches("[A-Z]{3}")) {
                return LinkPage.markup(texts.money(value.decimalValue(), unit));
            }
            if (schema.has("x-unit")) {
                return texts.number(token) + " " + LinkPage.escaped(unit);
            }
        }
        return texts.number(token);
    }

    /** A value as a person reads it: records by their labels in the order of the schema, lists entry by entry. */
    private String shown(JsonNode value, JsonNode schema, int level) {
        if (value.isValueNode()) {
            String text = value.isNumber() ? texts.number(value.toString()) : value.asText();
            return text.isEmpty() ? "<em>" + texts.say("empty") + "</em>" : isolated(text);
        }
        if (level >= MAX_LEVELS) {
            return "<pre>" + LinkPage.escaped(value.toPrettyString()) + "</pre>";
        }
        if (value.isEmpty()) {
            return "<em>" + texts.say(value.isArray() ? "no entries" : "nothing in it") + "</em>";
        }
        return value.isObject()
                ? byName(value, schema, level + 1, name -> "")
                : StreamSupport.stream(value.spliterator(), false)
                        .map(each -> "<li>" + shown(each, whole(schema.path("items")), level + 1) + "</li>")
                        .collect(Collectors.joining("", "<ol>", "</ol>"));
    }

    private static String isolated(String text) {
        return "<bdi>" + LinkPage.escaped(text) + "</bdi>";
    }

    /** The title of the schema, a short description such as “the amount in euros”, or the name in words. */
    private static String label(String name, JsonNode schema) {
        JsonNode title = said(schema, "title");
        String described = said(schema, "description").asText();
        if (title.isTextual() && !title.asText().isEmpty()) {
            return title.asText();
        }
        boolean isShort = !described.isEmpty() && described.length() <= LONGEST_LABEL && !described.matches("(?s).*[.\n].*");
        return capital(isShort ? described.replaceFirst("^(?i:the|an?) ", "") : inWords(name));
    }

    /** What a schema says, or one beside {@code null} in its place. */
    private static JsonNode said(JsonNode schema, String keyword) {
        JsonNode either = schema.path(schema.has("anyOf") ? "anyOf" : "oneOf");
        List<JsonNode> others = StreamSupport.stream(either.spliterator(), false)
                .filter(each -> !each.path("type").asText().equals("null"))
                .toList();
        boolean isOrNull = either.size() == 2 && others.size() == 1;
        return schema.has(keyword) || schema.has("type") || !isOrNull
                ? schema.path(keyword)
                : whole(others.get(0)).path(keyword);
    }

    private static String inWords(String name) {
        String words = Pattern.compile("([a-z\\d])([A-Z])")
                .matcher(name.replaceAll("[_-]+", " "))
                .replaceAll(found -> found.group(1) + " " + found.group(2).toLowerCase(Locale.ROOT))
                .strip();
        return words.isEmpty() ? name : words;
    }

    private static String capital(String text) {
        return text.isEmpty() ? text : text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }
}
