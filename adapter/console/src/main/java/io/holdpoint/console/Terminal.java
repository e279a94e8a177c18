package io.holdpoint.console;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.Optional;

/**
 * Reads what the person types, and writes what they read. Whatever comes from a server is made harmless: letters that would move the cursor, change the
 * colour, hide or turn text around are shown as their codes.
 */
final class Terminal {

    private final BufferedReader in;
    private final PrintStream out;
    private final boolean interactive;
    private boolean lineOpen;

    Terminal(BufferedReader in, PrintStream out, boolean interactive) {
        this.in = in;
        this.out = out;
        this.interactive = interactive;
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
        StringBuilder shown = new StringBuilder(text.length());
        text.codePoints().forEach(letter -> {
            if (letter == '\n' || letter == '\t' || !isHidden(letter)) {
                shown.appendCodePoint(letter);
            } else {
                for (char each : Character.toChars(letter)) {
                    shown.append(String.format("\\u%04x", (int) each));
                }
            }
        });
        return shown.toString();
    }

    private static boolean isHidden(int letter) {
        int type = Character.getType(letter);
        return type == Character.CONTROL
                || type == Character.FORMAT
                || type == Character.SURROGATE
                || type == Character.UNASSIGNED
                || type == Character.LINE_SEPARATOR
                || type == Character.PARAGRAPH_SEPARATOR;
    }
}
