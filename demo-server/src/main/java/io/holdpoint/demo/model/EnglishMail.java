package io.holdpoint.demo.model;

import io.holdpoint.demo.model.Task.WriteMail;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads a request to write mails, and drafts their subject and text. */
final class EnglishMail {

    private static final int SUBJECT_LIMIT = 60;

    private static final String PERSON = "[\\w.+-]+@[\\w.-]*\\w|(?-i:[A-Z])\\w*(?: (?-i:[A-Z])\\w*)?";
    private static final String PEOPLE =
            "((?:" + PERSON + ")(?:\\s*(?:,|&|\\band\\b)\\s*(?:and\\s+)?(?:" + PERSON + "))*)";
    private static final String TOPIC = "(?:\\s+(?:about|regarding|with (?:the )?subject)\\s+(.+?))?";
    private static final String BODY = "(?:\\s*(?::|,?\\s(?:that|saying(?: that)?|to say(?: that)?))\\s+(.+))?";

    private static final Pattern MAIL = Pattern.compile(
            English.LEAD
                    + "(?:(?:send|write)(?:\\s+(?:an?|the))?(?:\\s+(?:e-?mail|mail|message|note))?(?:\\s+to)?|e-?mail|mail)\\s+"
                    + PEOPLE + "(?:\\s+an?\\s+(?:e-?mail|mail|message|note))?" + TOPIC + BODY + "[.!]?\\s*$",
            Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private EnglishMail() {}

    /** One task for each recipient; empty if the text is no such request. */
    static List<Task> tasks(String text) {
        Matcher mail = MAIL.matcher(text);
        if (!mail.lookingAt()) {
            return List.of();
        }
        Optional<String> topic = Optional.ofNullable(mail.group(2)).map(EnglishMail::sentence);
        Optional<String> content = Optional.ofNullable(mail.group(3)).map(EnglishMail::sentence);
        String subject = topic.or(() -> content).orElse("Hello");
        String body = content.or(() -> topic.map(about -> "This is about: " + about))
                .map(said -> said + (said.matches("(?s).*[.!?]") ? "" : "."))
                .orElse("I just wanted to say hello.");
        return English.people(mail.group(1)).stream()
                .<Task>map(person -> new WriteMail(person, cut(subject), letter(person, body)))
                .toList();
    }

    private static String letter(String person, String body) {
        return "Hello " + Words.capitalised(person.split("[ @.]")[0]) + ",\n\n" + body + "\n";
    }

    private static String sentence(String text) {
        return Words.capitalised(text.strip());
    }

    private static String cut(String subject) {
        String line = subject.lines().findFirst().orElse("");
        return line.length() <= SUBJECT_LIMIT
                ? line
                : line.substring(0, SUBJECT_LIMIT).strip() + "\u2026";
    }
}
