package io.holdpoint.internal.gate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The sentence a person is asked, with the values of the call's arguments put in safely. Immutable. */
public final class MessageTemplate {

    /** Longest value shown, in characters; the complete arguments are in the interrupt's metadata. */
    static final int MAX_VALUE_LENGTH = 200;

    /** Longest text shown at the end of a question, in characters. */
    static final int MAX_QUESTION_LENGTH = 1_000;

    private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\{\\s*([^{}]+?)\\s*}}");
    private static final Pattern PLAIN_NAME = Pattern.compile("[\\w.$-]{1,64}");
    private static final Pattern UNSAFE = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Co}\\p{Cs}]");

    private static final Pattern WHITE_SPACE = Pattern.compile("\\s+");

    private static final String NONE = "(none)";

    private final Set<String> placeholders;
    private final Function<ObjectNode, String> renderer;

    private MessageTemplate(Set<String> placeholders, Function<ObjectNode, String> renderer) {
        this.placeholders = placeholders;
        this.renderer = renderer;
    }

    static MessageTemplate standard(String toolName) {
        return new MessageTemplate(Set.of(), arguments -> "Run " + toolName + "?" + describe(arguments));
    }

    /** For a tool that asks the user something and does not say how. */
    static MessageTemplate standardQuestion(String toolName) {
        return new MessageTemplate(
                Set.of(), arguments -> "The assistant asks you for " + toolName + describe(arguments) + ".");
    }

    static MessageTemplate parse(String template) {
        return parse(template, MessageTemplate::value);
    }

    /** A template in which a text at the very end is shown as it was written, on one line: nothing follows it. */
    static MessageTemplate parseQuestion(String template) {
        return parse(template, MessageTemplate::atTheEnd);
    }

    private static MessageTemplate parse(String template, Function<@Nullable JsonNode, String> atTheEnd) {
        Set<String> names = new LinkedHashSet<>();
        List<Function<ObjectNode, String>> parts = new ArrayList<>();
        Matcher matcher = PLACEHOLDER.matcher(template);
        int end = 0;
        while (matcher.find()) {
            String text = template.substring(end, matcher.start());
            String name = matcher.group(1);
            boolean quoted = quotedByTemplate(template, matcher.start(), matcher.end());
            Function<@Nullable JsonNode, String> shown = quoted
                    ? MessageTemplate::valueInQuotes
                    : matcher.end() == template.length() ? atTheEnd : MessageTemplate::value;
            names.add(name);
            parts.add(arguments -> text + shown.apply(arguments.get(name)));
            end = matcher.end();
        }
        String tail = template.substring(end);
        parts.add(arguments -> tail);
        return new MessageTemplate(
                names,
                arguments -> parts.stream().map(part -> part.apply(arguments)).collect(Collectors.joining()));
    }

    /**
     * Fills the template in.
     *
     * @param arguments the call's arguments
     * @return the sentence, a single line as far as the values are concerned
     */
    public String render(ObjectNode arguments) {
        return renderer.apply(arguments);
    }

    Set<String> placeholders() {
        return placeholders;
    }

    private static boolean quotedByTemplate(String template, int start, int end) {
        return start > 0
                && end < template.length()
                && template.charAt(start - 1) == template.charAt(end)
                && "'\"".indexOf(template.charAt(end)) >= 0;
    }

    private static String describe(ObjectNode arguments) {
        if (arguments.isEmpty()) {
            return "";
        }
        return arguments.properties().stream()
                .map(entry -> name(entry.getKey()) + ": " + value(entry.getValue()))
                .collect(Collectors.joining(", ", " (", ")"));
    }

    /** Names come from the model as well: what could be more than a name is quoted. */
    private static String name(String name) {
        return PLAIN_NAME.matcher(name).matches() ? name : quoted(name);
    }

    private static String value(@Nullable JsonNode value) {
        if (value == null || value.isNull()) {
            return NONE;
        }
        return value.isTextual() ? quoted(value.textValue()) : visible(cut(value.toString()));
    }

    /** For a value between quotes of the template: it cannot end them. */
    private static String valueInQuotes(@Nullable JsonNode value) {
        if (value == null || value.isNull()) {
            return NONE;
        }
        return escaped(value.isTextual() ? value.textValue() : value.toString()).replace("'", "\\'");
    }

    private static String atTheEnd(@Nullable JsonNode value) {
        return value != null && value.isTextual()
                ? visible(cut(WHITE_SPACE.matcher(value.textValue().strip()).replaceAll(" "), MAX_QUESTION_LENGTH))
                : value(value);
    }

    private static String quoted(String text) {
        return '"' + escaped(text) + '"';
    }

    private static String escaped(String text) {
        return visible(cut(text).replace("\\", "\\\\")).replace("\"", "\\\"");
    }

    private static String cut(String text) {
        return cut(text, MAX_VALUE_LENGTH);
    }

    private static String cut(String text, int length) {
        return text.codePointCount(0, text.length()) <= length
                ? text
                : text.substring(0, text.offsetByCodePoints(0, length)) + "…";
    }

    /** Shows control, formatting (bidirectional, zero-width) and line separator characters as escapes. */
    private static String visible(String text) {
        return UNSAFE.matcher(text).replaceAll(match -> Matcher.quoteReplacement(escape(match.group())));
    }

    private static String escape(String unsafe) {
        return unsafe.chars().mapToObj(c -> String.format("\\u%04x", c)).collect(Collectors.joining());
    }
}
