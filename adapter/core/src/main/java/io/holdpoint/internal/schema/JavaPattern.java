package io.holdpoint.internal.schema;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A regular expression as Java writes it, for a schema, whose patterns are JavaScript's. Most mean the same in both. What
 * JavaScript does not know is checked here all the same, but forms that check patterns in a browser may fail on it.
 * Immutable.
 *
 * @param regexp must match the whole text
 * @param flags names of those of Jakarta's {@code Pattern.Flag}
 */
record JavaPattern(String regexp, Set<String> flags) {

    private static final Map<String, Integer> FLAGS = Map.of(
            "UNIX_LINES", Pattern.UNIX_LINES,
            "CASE_INSENSITIVE", Pattern.CASE_INSENSITIVE,
            "COMMENTS", Pattern.COMMENTS,
            "MULTILINE", Pattern.MULTILINE,
            "DOTALL", Pattern.DOTALL,
            "UNICODE_CASE", Pattern.UNICODE_CASE,
            "CANON_EQ", Pattern.CANON_EQ);

    /** Those that a group can have of its own. */
    private static final Map<String, String> INLINE =
            Map.of("CASE_INSENSITIVE", "i", "DOTALL", "s", "UNICODE_CASE", "u");

    /** In these a dollar sign, which is not the same in a schema, is not what it seems to be. */
    private static final Pattern NOT_TO_BE_MOVED =
            Pattern.compile("\\\\Q|\\(\\?[a-zA-Z]*[dmx]|&&|(?<!\\\\)\\[(?:[^\\]\\\\]|\\\\.)*\\[");

    private static final Pattern JAVA_ONLY = Pattern.compile(
            "\\(\\?[a-zA-Z-]+[):]|\\(\\?>|[*+?}]\\+|\\\\[AZzGhHRXN]|\\\\x\\{|\\\\p\\{(?:Alpha|Lower|Upper|ASCII|Alnum|Digit"
                + "|Punct|Graph|Print|Blank|Cntrl|XDigit|Space|java|Is|In)");

    /**
     * Reads an expression.
     *
     * @throws IllegalArgumentException if it is none, or one whose check might never end
     */
    static JavaPattern of(String regexp, List<String> flags) {
        Pattern.compile(regexp, flags.stream().mapToInt(FLAGS::get).sum());
        JavaPattern pattern = new JavaPattern(regexp, Set.copyOf(flags));
        if (pattern.isExpressible()) {
            CountedPattern.requireUsable(pattern.inSchema());
        }
        return pattern;
    }

    /** Whether a schema's pattern can mean the same. */
    boolean isExpressible() {
        return INLINE.keySet().containsAll(flags)
                && !NOT_TO_BE_MOVED.matcher(regexp).find();
    }

    /** Whether JavaScript reads it as well. */
    boolean isPortable() {
        return flags.isEmpty() && !JAVA_ONLY.matcher(regexp).find();
    }

    /** As the pattern of a schema, which looks for a match anywhere. */
    String inSchema() {
        StringBuilder inline = new StringBuilder();
        flags.stream().map(INLINE::get).sorted().forEach(inline::append);
        return "^(?" + inline + ":" + regexp + ")$";
    }
}
