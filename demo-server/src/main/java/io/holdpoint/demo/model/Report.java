package io.holdpoint.demo.model;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Puts the end of a tool call into words. */
final class Report {

    private static final int QUOTE_LIMIT = 300;

    /** A reason in quotation marks, which advice for the model may follow, or without. */
    private static final Pattern REASON =
            Pattern.compile("reason[^:]*:\\s*(\"(?:[^\"\\\\]|\\\\.)*+\"|.+)", Pattern.CASE_INSENSITIVE);

    private Report() {}

    /** For a call whose task is not known any more. */
    static String of(Outcome outcome) {
        String tool = outcome.request().name();
        return of(new Call(tool, Call.noArgs(), "call " + tool, "called " + tool, "call of " + tool), outcome);
    }

    static String of(Call call, Outcome outcome) {
        String noun = call.noun();
        return switch (outcome.kind()) {
            case EXECUTED -> "I " + call.done() + ": " + quoted(outcome.toolText());
            case EDITED -> "Done, with your change: " + quoted(outcome.toolText());
            case SUPPLIED -> "The " + noun + " was answered by a person instead: " + quoted(outcome.toolText());
            case FAILED -> "The " + noun + " failed: " + quoted(outcome.toolText());
            case DECLINED -> "The " + noun + " was declined" + reason(outcome) + ", so I left it.";
            case CANCELLED -> "The " + noun + " was cancelled, so I left it.";
            case UNANSWERED -> "Nobody answered about the " + noun + ", so I left it.";
            case NOT_EXECUTED -> "The " + noun + " was not executed: " + quoted(outcome.text());
        };
    }

    private static String reason(Outcome outcome) {
        Matcher reason = REASON.matcher(outcome.text());
        return reason.find() ? " (" + cut(reason.group(1).strip()) + ")" : "";
    }

    private static String quoted(String text) {
        return "\u201c" + cut(text.strip()) + "\u201d";
    }

    private static String cut(String text) {
        return text.length() <= QUOTE_LIMIT ? text : text.substring(0, QUOTE_LIMIT) + "\u2026";
    }
}
