package io.holdpoint.console;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Reads what the person types, and writes what they read. Whatever comes from a server is made harmless: letters that would move
 * the cursor, change the colour, turn text around, or not be seen are shown as their codes.
 */
final class Terminal {

    /** All that a terminal would obey, hide, or show as an ordinary blank. */
    private static final Pattern HIDDEN =
            Pattern.compile("(?![\\n\\t])[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Co}\\p{Cs}\\p{Cn}\\x{34f}\\x{115f}\\x{1160}"
                    + "\\x{17b4}\\x{17b5}\\x{180b}-\\x{180f}\\x{2800}\\x{3164}\\x{fe00}-\\x{fe0f}\\x{ffa0}\\x{e0000}-\\x{e0fff}"
                    + "[\\p{Zs}&&[^ ]]]");

    private final BufferedReader in;
    private final PrintStream out;
    private final boolean interactive;
    private boolean lineOpen;

    Terminal(BufferedReader in, PrintStream out, boolean interactive) {
        this.in = in;
        this.out = out;
        this.interactive = interactive;
    }

    /** Asks for a line that may be empty, where somebody types: a program that pipes lines answers no such questions. */
    Optional<String> askMore(String prompt) {
        return interactive ? ask(prompt) : Optional.empty();
    }

    /** Asks for a line; empty at the end of the input. A program that pipes lines sees no prompts. */
    Optional<String> ask(String prompt) {
        endLine();
        if (interactive) {
            out.print(visible(prompt));
            out.flush();
        }
        try {
            return Optional.ofNullable(in.readLine());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes a piece of a line. */
    void piece(String text) {
        out.print(visible(text));
        out.flush();
        lineOpen = !text.endsWith("\n");
    }

    /** Writes a line of its own. */
    void line(String text) {
        endLine();
        out.println(visible(text));
        out.flush();
    }

    void endLine() {
        if (lineOpen) {
            out.println();
            lineOpen = false;
        }
    }

    static String visible(String text) {
        return HIDDEN.matcher(text)
                .replaceAll(found -> Matcher.quoteReplacement(found.group()
                        .chars()
                        .mapToObj(letter -> String.format("\\u%04x", letter))
                        .collect(Collectors.joining())));
    }
}
