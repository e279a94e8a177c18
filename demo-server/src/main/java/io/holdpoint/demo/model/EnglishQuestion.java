package io.holdpoint.demo.model;

import io.holdpoint.demo.model.QuestionTask.AskUser;
import io.holdpoint.demo.model.QuestionTask.Confirm;
import io.holdpoint.demo.model.QuestionTask.FileTaxes;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads a request to be asked something. */
final class EnglishQuestion {

    private static final int CASE = Pattern.CASE_INSENSITIVE;

    private static final Pattern CONFIRM = Pattern.compile(
            English.LEAD + "(?:ask\\s+me\\s+(?:to\\s+confirm|for\\s+(?:a\\s+)?confirmation|whether|if)"
                    + "|(?:let\\s+me|have\\s+me)\\s+confirm|confirm\\s+with\\s+me)(?:\\s+(?:that|of|if|whether))?"
                    + "(?:\\s+(.+?))?[.?!]?\\s*$",
            CASE);

    private static final Pattern ASK =
            Pattern.compile(English.LEAD + "ask\\s+me\\s+(?:about\\s+)?(.+?)(?:\\s*:\\s*(.+?))?[.?!]?\\s*$", CASE);

    private static final Pattern FILE =
            Pattern.compile(English.LEAD + "file\\s+(?:for\\s+)?(?:my|our|the|a)\\s+(.+?)[.?!]?\\s*$", CASE);

    private static final Pattern OPTIONS = Pattern.compile("\\s*(?:,\\s*(?:or|and)\\s|,|\\bor\\b|\\band\\b)\\s*", CASE);

    private EnglishQuestion() {}

    /** The question that was asked for; none if the text is no such request. */
    static List<Task> tasks(String text) {
        Matcher confirm = CONFIRM.matcher(text);
        if (confirm.lookingAt()) {
            return List.of(new Confirm(confirm.group(1) == null ? "Shall I go on?" : question(confirm.group(1))));
        }
        Matcher ask = ASK.matcher(text);
        if (ask.lookingAt()) {
            return List.of(new AskUser(question(ask.group(1)), options(ask.group(2))));
        }
        Matcher file = FILE.matcher(text);
        return file.lookingAt() ? List.of(new FileTaxes(file.group(1))) : List.of();
    }

    private static String question(String words) {
        return Words.capitalised(words.strip()) + "?";
    }

    private static List<String> options(String words) {
        return words == null
                ? List.of()
                : OPTIONS.splitAsStream(words.strip())
                        .map(String::strip)
                        .filter(option -> !option.isEmpty())
                        .toList();
    }
}
