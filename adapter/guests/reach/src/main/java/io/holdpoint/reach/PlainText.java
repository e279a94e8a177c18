package io.holdpoint.reach;

import io.holdpoint.PendingInterrupt;
import io.holdpoint.internal.gate.MessageTemplate;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Text of models and people for places that show it as it is, such as a mail, a chat or a page without a script. Every character is written as its code
 * there, such as {@code \u005cu202e}, that would not be seen, turns the text around, or looks like a blank and is none; and so is a letter of another alphabet
 * among Latin ones that looks like one of them: {@code p\u005cu0430ypal}. Line feeds and tabs stay. Stateless.
 */
public final class PlainText {

    /** Letters of other alphabets that look like Latin ones, and the letters of formulas: those that the card knows. */
    static final Pattern ALIKE = Pattern.compile(
            "[\\u0391\\u0392\\u0395-\\u0397\\u0399\\u039a\\u039c\\u039d\\u039f\\u03a1\\u03a4\\u03a5\\u03a7"
                    + "\\u03b9\\u03bd\\u03bf\\u03c1\\u03c5\\u0405\\u0406\\u0408\\u0410\\u0412\\u0415\\u041a"
                    + "\\u041c-\\u041e\\u0420-\\u0423\\u0425\\u0430\\u0435\\u043e\\u0440\\u0441\\u0443\\u0445\\u0455"
                    + "\\u0456\\u0458\\u04bb\\u04cf\\u0501\\u051b\\u051d\\u0578\\u057d\\u0585\\x{1d400}-\\x{1d7ff}]");

    private static final Pattern LATIN = Pattern.compile("\\p{IsLatin}");
    private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{M}\\x{1d400}-\\x{1d7ff}]+");
    private static final Pattern JSON_TEXT = Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*+\"");

    private PlainText() {}

    /** Returns a text with such characters as their codes, {@code \u005cu0430}. */
    public static String of(String text) {
        return of(text, UnaryOperator.identity(), PlainText::code);
    }

    /** Returns the arguments of a call as indented JSON, each text in it like {@link #of(String)}, which is JSON of the same arguments. */
    public static String ofArguments(PendingInterrupt asked) {
        return JSON_TEXT
                .matcher(asked.argumentsAsText())
                .replaceAll(text -> Matcher.quoteReplacement(of(text.group())));
    }

    /**
     * Returns a text for a page.
     *
     * @param plain writes what may be shown as it is, such as an escape of markup does
     * @param odd writes one of those characters, by its code point
     */
    public static String of(String text, UnaryOperator<String> plain, IntFunction<String> odd) {
        StringBuilder shown = new StringBuilder();
        int from = 0;
        for (int place : odd(text)) {
            int character = text.codePointAt(place);
            shown.append(plain.apply(text.substring(from, place))).append(odd.apply(character));
            from = place + Character.charCount(character);
        }
        return shown.append(plain.apply(text.substring(from))).toString();
    }

    private static String code(int character) {
        return Character.toString(character)
                .chars()
                .mapToObj(unit -> String.format(Locale.ROOT, "\\u%04x", unit))
                .collect(Collectors.joining());
    }

    private static SortedSet<Integer> odd(String text) {
        SortedSet<Integer> places = new TreeSet<>();
        MessageTemplate.UNSAFE
                .matcher(text)
                .results()
                .filter(found -> !found.group().equals("\n") && !found.group().equals("\t"))
                .forEach(found -> places.add(found.start()));
        boolean isAlone = isLatin(text) && isAlone(text);
        WORD.matcher(text)
                .results()
                .filter(word -> isLatin(word.group())
                        || isAlone
                                && word.group().codePointCount(0, word.group().length()) > 1)
                .forEach(word -> ALIKE.matcher(word.group())
                        .results()
                        .forEach(letter -> places.add(word.start() + letter.start())));
        return places;
    }

    /** Tells whether words of letters that look like Latin ones stand among Latin words, with no other word of their alphabet, as the card does. */
    private static boolean isAlone(String text) {
        return WORD.matcher(text)
                .results()
                .map(MatchResult::group)
                .allMatch(word ->
                        isLatin(word) || ALIKE.matcher(word).replaceAll("").isEmpty());
    }

    private static boolean isLatin(String text) {
        return LATIN.matcher(text).find();
    }
}
