package io.holdpoint.internal.schema;

import com.networknt.schema.regex.RegularExpression;
import com.networknt.schema.regex.RegularExpressionFactory;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * A regular expression of a schema, matched within the check's {@link CheckBudget}: Java's engine may look at a character again and
 * again, and each look is a step.
 */
final class CountedPattern implements RegularExpression {

    static final RegularExpressionFactory FACTORY = CountedPattern::new;

    private static final int MAX_LENGTH = 5_000;

    /** Java carries out counted repetitions of groups even if it looks at no character. */
    private static final int MAX_REPETITIONS = 10_000;

    private static final Pattern REPEATED_GROUP = Pattern.compile("\\)\\{(\\d{1,9})(?:,(\\d{0,9}))?}");

    private final Supplier<Pattern> pattern;

    /** An unusable expression fails only the answers that are matched against it. */
    private CountedPattern(String regex) {
        pattern = compile(regex);
    }

    /** Refuses an expression that cannot be used. */
    static void requireUsable(String regex) {
        new CountedPattern(regex).pattern.get();
    }

    private static Supplier<Pattern> compile(String regex) {
        if (regex.length() > MAX_LENGTH || repetitions(regex) > MAX_REPETITIONS) {
            return unusable(new PatternSyntaxException("too large to be checked", cut(regex), -1));
        }
        try {
            Pattern compiled = Pattern.compile(inJava(regex));
            return () -> compiled;
        } catch (PatternSyntaxException e) {
            return unusable(e);
        }
    }

    private static Supplier<Pattern> unusable(PatternSyntaxException reason) {
        return () -> {
            throw CheckBudget.current().giveUp(reason);
        };
    }

    @Override
    public boolean matches(String value) {
        CheckBudget budget = CheckBudget.current();
        try {
            return pattern.get().matcher(new Counted(value, budget)).find();
        } catch (StackOverflowError e) { // the engine recurses for some loops
            throw budget.giveUp(new CheckBudget.ExceededException());
        }
    }

    /** In ECMA-262, {@code $} is the end of the text; in Java, it also matches before a last line break. */
    private static String inJava(String regex) {
        StringBuilder java = new StringBuilder();
        boolean inClass = false;
        for (int i = 0; i < regex.length(); i++) {
            char c = regex.charAt(i);
            if (c == '\\' && i + 1 < regex.length()) {
                java.append(c).append(regex.charAt(++i));
            } else {
                inClass = c == '[' || (inClass && c != ']');
                java.append(c == '$' && !inClass ? "\\z" : String.valueOf(c));
            }
        }
        return java.toString();
    }

    private static long repetitions(String regex) {
        Matcher groups = REPEATED_GROUP.matcher(regex);
        long product = 1;
        while (groups.find() && product <= MAX_REPETITIONS) {
            String most = groups.group(2) == null || groups.group(2).isEmpty() ? groups.group(1) : groups.group(2);
            product *= Math.max(1, Long.parseLong(most));
        }
        return product;
    }

    private static String cut(String regex) {
        return regex.length() <= 100 ? regex : regex.substring(0, 100) + "…";
    }

    /** A text that counts every look at a character. */
    private record Counted(String text, CheckBudget budget) implements CharSequence {

        @Override
        public char charAt(int index) {
            budget.steps(1);
            return text.charAt(index);
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return new Counted(text.substring(start, end), budget);
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
