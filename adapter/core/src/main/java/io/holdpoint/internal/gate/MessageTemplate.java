package io.holdpoint.internal.gate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The sentence that a person reads, into which the values of the call's arguments are put safely. Immutable. */
public final class MessageTemplate {

    /** Longest value shown, in characters; the complete arguments are in the interrupt's metadata. */
    static final int MAX_VALUE_LENGTH = 200;

    /** Longest text shown at the end of a question, in characters. */
    static final int MAX_QUESTION_LENGTH = 1_000;

    private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\{\\s*([^{}]+?)\\s*}}");
    private static final Pattern PLAIN_NAME = Pattern.compile("[\\w.$-]{1,64}");
    /** All that is shown as nothing, turns the text around, or looks like a blank and is none. */
    public static final Pattern UNSAFE =
            Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Co}\\p{Cs}\\p{Cn}\\x{34f}\\x{115f}\\x{1160}"
                    + "\\x{17b4}\\x{17b5}\\x{180b}-\\x{180f}\\x{2800}\\x{3164}\\x{fe00}-\\x{fe0f}\\x{ffa0}\\x{e0000}-\\x{e0fff}"
                    + "[\\p{Zs}&&[^ ]]]");

    private static final Pattern WHITE_SPACE = Pattern.compile("\\s+");

    private static final String NONE = "(none)";

    private final String source;
    private final List<Part> parts;

    private MessageTemplate(String source, List<Part> parts) {
        this.source = source;
        this.parts = parts;
    }

    /** A text and the value after it; the last part of a template has no value. */
    private record Part(String text, Shown shown, String parameter) {}

    private enum Shown {
        NOTHING,
        WHO_ASKS,
        VALUE,
        VALUE_IN_QUOTES,
        TEXT_AT_THE_END,
        ALL_ARGUMENTS
    }

    static MessageTemplate standard(String toolName) {
        return new MessageTemplate("", List.of(new Part("Run " + name(toolName) + "?", Shown.ALL_ARGUMENTS, "")));
    }

    /** For a tool that asks the user something and has no message. */
    public static MessageTemplate standardQuestion(String toolName) {
        return new MessageTemplate(
                "",
                List.of(
                        new Part("", Shown.WHO_ASKS, ""),
                        new Part(" asks you for " + name(toolName), Shown.ALL_ARGUMENTS, ""),
                        new Part(".", Shown.NOTHING, "")));
    }

    /** For one that has a single text among its parameters, which is the question. */
    public static MessageTemplate standardQuestionOf(String parameter) {
        return new MessageTemplate(
                "", List.of(new Part("", Shown.WHO_ASKS, ""), new Part(" asks: ", Shown.TEXT_AT_THE_END, parameter)));
    }

    static MessageTemplate parse(String template) {
        return parse(template, Shown.VALUE);
    }

    /** A template in which a text at the very end is shown unquoted on one line, because nothing follows it. */
    public static MessageTemplate parseQuestion(String template) {
        return parse(template, Shown.TEXT_AT_THE_END);
    }

    private static MessageTemplate parse(String template, Shown atTheEnd) {
        List<Part> parts = new ArrayList<>();
        Matcher matcher = PLACEHOLDER.matcher(template);
        int end = 0;
        while (matcher.find()) {
            String text = template.substring(end, matcher.start());
            end = matcher.end();
            Shown shown = end == template.length() ? atTheEnd : Shown.VALUE;
            if (quotedByTemplate(template, matcher.start(), end)) {
                shown = Shown.VALUE_IN_QUOTES;
            }
            parts.add(new Part(text, shown, matcher.group(1)));
        }
        parts.add(new Part(template.substring(end), Shown.NOTHING, ""));
        return new MessageTemplate(template, List.copyOf(parts));
    }

    /** The text that the application wrote; empty if the sentence is the library's. */
    String source() {
        return source;
    }

    /** Fills the template in with the call's arguments, and the caller who asks if no model does; values stay on one line. */
    String render(ObjectNode arguments, Optional<String> proposer) {
        StringBuilder sentence = new StringBuilder();
        for (Part part : parts) {
            JsonNode value = ArgumentPath.get(arguments, part.parameter());
            sentence.append(part.text())
                    .append(
                            switch (part.shown()) {
                                case NOTHING -> "";
                                case WHO_ASKS ->
                                    proposer.map(MessageTemplate::name).orElse("The assistant");
                                case VALUE -> value(value);
                                case VALUE_IN_QUOTES -> valueInQuotes(value);
                                case TEXT_AT_THE_END -> atTheEnd(value);
                                case ALL_ARGUMENTS -> describe(arguments);
                            });
        }
        return sentence.toString();
    }

    Set<String> placeholders() {
        Set<String> names = new LinkedHashSet<>();
        for (Part part : parts) {
            if (!part.parameter().isEmpty()) {
                names.add(part.parameter());
            }
        }
        return names;
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

    /** Quotes a name that could be more than a name: names come from the model as well. */
    static String name(String name) {
        return PLAIN_NAME.matcher(name).matches() ? name : quoted(name);
    }

    static String value(JsonNode value) {
        if (value.isNull() || value.isMissingNode()) {
            return NONE;
        }
        return value.isTextual() ? quoted(value.textValue()) : visible(cut(value.toString()));
    }

    /** Shows a value between quotes of the template, which it cannot end. */
    private static String valueInQuotes(JsonNode value) {
        if (value.isNull() || value.isMissingNode()) {
            return NONE;
        }
        return escaped(value.isTextual() ? value.textValue() : value.toString()).replace("'", "\\'");
    }

    private static String atTheEnd(JsonNode value) {
        return value.isTextual()
                ? visible(cut(WHITE_SPACE.matcher(value.textValue().strip()).replaceAll(" "), MAX_QUESTION_LENGTH))
                : value(value);
    }

    static String quoted(String text) {
        return '"' + escaped(text) + '"';
    }

    private static String escaped(String text) {
        return visible(cut(text).replace("\\", "\\\\")).replace("\"", "\\\"");
    }

    private static String cut(String text) {
        return cut(text, MAX_VALUE_LENGTH);
    }

    /** Cuts a text after so many characters, none of which is half a pair. */
    public static String cut(String text, int length) {
        return text.codePointCount(0, text.length()) <= length
                ? text
                : text.substring(0, text.offsetByCodePoints(0, length)) + "…";
    }

    /** Shows control, formatting (bidirectional, zero-width), line separator and other invisible characters as escapes. */
    public static String visible(String text) {
        return isAscii(text)
                ? text
                : UNSAFE.matcher(text).replaceAll(match -> Matcher.quoteReplacement(escape(match.group())));
    }

    /** Tells whether there are letters, digits and signs only, and plain blanks. */
    private static boolean isAscii(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < ' ' || text.charAt(i) > '~') {
                return false;
            }
        }
        return true;
    }

    private static String escape(String unsafe) {
        return unsafe.chars().mapToObj(c -> String.format("\\u%04x", c)).collect(Collectors.joining());
    }
}
