package io.holdpoint.internal.servlet;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.holdpoint.agui.AguiCodec;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * All arguments of a call, and what it would do, as markup, by the rules of the card ({@code subject.js}), so that both say the same of it: labels, money, days and times in
 * the reader's language, records by their labels, and nothing shortened or rounded. Immutable.
 */
record ArgumentList(PageTexts texts) {

    /** Deeper than this nobody finds the way by labels. */
    private static final int MAX_LEVELS = 6;

    private static final Pattern AMOUNT = Pattern.compile("-?\\d+(\\.\\d{1,20})?");
    private static final Pattern BLANK = Pattern.compile("(\"(?:[^\"\\\\]|\\\\.)*+\")|\\s");

    /** The words of descriptions for a currency. */
    private static final Pattern EUROS = Pattern.compile("(?i:\\beuros?\\b|\u20ac)|\\bEUR\\b");

    private static final Pattern DOLLARS = Pattern.compile("(?i:\\bus dollars?\\b)|\\bUSD\\b");
    private static final Pattern POUNDS = Pattern.compile("\u00a3|\\bGBP\\b");

    /** A value, of arguments by their names, each with what there is {@code more} of it; the schema may be missing. */
    String html(JsonNode value, JsonNode schema, UnaryOperator<String> more) {
        return value.isObject() && !value.isEmpty()
                ? byName(value, schema, 0, more)
                : "<div>" + shown(value, schema, 0) + "</div>";
    }

    private String byName(JsonNode values, JsonNode schema, int level, UnaryOperator<String> more) {
        return Stream.of(schema.path("properties"), values)
                .flatMap(each -> each.properties().stream())
                .map(Map.Entry::getKey)
                .filter(values::has)
                .distinct()
                .map(name ->
                        row(name, values, schema.path("properties").path(name), level) + more.apply(name) + "</dd>")
                .collect(Collectors.joining("", "<dl>", "</dl>"));
    }

    private String row(String name, JsonNode values, JsonNode schema, int level) {
        return "<dt>" + isolated(label(name, schema)) + "</dt><dd>" + argument(name, values, schema, level);
    }

    private String argument(String name, JsonNode values, JsonNode schema, int level) {
        JsonNode value = name.equals("arguments") ? inText(values.path(name)) : values.path(name);
        if (value.isNumber()) {
            return "<bdi>" + amount(value, values, schema) + "</bdi>";
        }
        String text = text(value);
        return texts.dateInWords(text, schema.path("format").asText(text.contains("T") ? "date-time" : "date"))
                .map(words -> "<bdi>" + LinkPage.markup(words) + "</bdi> <small>" + isolated(text) + "</small>")
                .orElseGet(() -> shown(value, schema, level));
    }

    /** The arguments of a call that are given as a text, where it says just what they do, and nothing twice. */
    private static JsonNode inText(JsonNode value) {
        try {
            JsonNode args = AguiCodec.mapper().readTree(text(value));
            boolean isAll = args.toString().equals(BLANK.matcher(text(value)).replaceAll("$1"));
            return args.isObject() && isAll ? args : value;
        } catch (JsonProcessingException e) {
            return value;
        }
    }

    /** A number with its unit, as money where that is a currency, where the schema, an argument beside it or its description names one. */
    private String amount(JsonNode value, JsonNode values, JsonNode schema) {
        String token = value.toString();
        JsonNode named = schema.hasNonNull("x-unit") ? schema.path("x-unit") : values.path("currency");
        String unit =
                named.isMissingNode() || named.isNull() ? currency(text(schema.path("description"))) : text(named);
        boolean isAmount = AMOUNT.matcher(token).matches() && !unit.isEmpty();
        if (isAmount && unit.matches("[A-Z]{3}")) {
            return LinkPage.markup(texts.money(value.decimalValue(), unit));
        }
        return texts.number(token) + (isAmount && schema.has("x-unit") ? " " + LinkPage.escaped(unit) : "");
    }

    private static String currency(String description) {
        boolean isEuros = EUROS.matcher(description).find();
        boolean isDollars = DOLLARS.matcher(description).find();
        return isEuros ? "EUR" : isDollars ? "USD" : POUNDS.matcher(description).find() ? "GBP" : "";
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
                        .map(each -> "<li>" + shown(each, schema.path("items"), level + 1) + "</li>")
                        .collect(Collectors.joining("", "<ol>", "</ol>"));
    }

    private static String isolated(String text) {
        return "<bdi>" + LinkPage.escaped(text) + "</bdi>";
    }

    /** The title of the schema, a short description such as “the amount in euros”, or the name in words. */
    private static String label(String name, JsonNode schema) {
        String title = text(schema.path("title"));
        String described = text(schema.path("description"));
        boolean isShort = described.matches("[^.\n]{1,48}");
        String words =
                isShort ? described.replaceFirst("^(?i:the|an?) (?=.)", "") : inWords(name.isEmpty() ? "\"\"" : name);
        return title.isEmpty() ? words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1) : title;
    }

    private static String text(JsonNode value) {
        return value.isTextual() ? value.textValue() : "";
    }

    private static String inWords(String name) {
        String words = Pattern.compile("([a-z\\d])([A-Z])")
                .matcher(name.replaceAll("[_-]+", " "))
                .replaceAll(found -> found.group(1) + " " + found.group(2).toLowerCase(Locale.ROOT))
                .strip();
        return words.isEmpty() ? name : words;
    }
}
