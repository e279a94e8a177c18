package io.holdpoint.internal.validation;

import io.holdpoint.internal.schema.JsonSchemas;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A Java regular expression on its way into a schema, whose patterns are JavaScript's. Most expressions mean the same in both.
 * Others are enforced here as well, but a form that checks patterns in a browser may fail on them. Immutable.
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

    /** The flags that a single group can have. */
    private static final Map<String, String> INLINE =
            Map.of("CASE_INSENSITIVE", "i", "DOTALL", "s", "UNICODE_CASE", "u");

    /** Constructs in which a dollar sign, which means something else in a schema, is hard to recognise. */
    private static final Pattern NOT_TO_BE_MOVED =
            Pattern.compile("\\\\Q|\\(\\?[a-zA-Z]*[dmx]|&&|(?<!\\\\)\\[(?:[^\\]\\\\]|\\\\.)*\\[");

    private static final Pattern JAVA_ONLY = Pattern.compile(
            "\\(\\?[a-zA-Z-]+[):]|\\(\\?>|[*+?}]\\+|\\\\[AZzGhHRXN]|\\\\x\\{|\\\\p\\{(?:Alpha|Lower|Upper|ASCII|Alnum|Digit"
                    + "|Punct|Graph|Print|Blank|Cntrl|XDigit|Space|java|Is|In)");

    /** Reads an expression. */
    static JavaPattern of(String regexp, List<String> flags) {
        Pattern.compile(regexp, flags.stream().mapToInt(FLAGS::get).sum());
        JavaPattern pattern = new JavaPattern(regexp, Set.copyOf(flags));
        if (pattern.isExpressible()) {
            JsonSchemas.requireUsable(pattern.inSchema());
        }
        return pattern;
    }

    /** Tells whether a schema can say the same. */
    boolean isExpressible() {
        return INLINE.keySet().containsAll(flags)
                && !NOT_TO_BE_MOVED.matcher(regexp).find();
    }

    /** Tells whether JavaScript reads the expression as Java does. */
    boolean isPortable() {
        return flags.isEmpty() && !JAVA_ONLY.matcher(regexp).find();
    }

    /** The schema's pattern, anchored because a schema looks for a match anywhere. */
    String inSchema() {
        StringBuilder inline = new StringBuilder();
        flags.stream().map(INLINE::get).sorted().forEach(inline::append);
        return "^(?" + inline + ":" + regexp + ")$";
    }
}
