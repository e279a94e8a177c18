package io.holdpoint.demo.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The {@code console} blocks of a Markdown file: commands after {@code $}, each up to a line break
 * outside of single quotes, with what it printed. Ids and times are those
 * of the run that was written down; another run has others, but has them in the same places. A line {@code …} stands for
 * any number of lines, a {@code …} in a line for any text. Not thread-safe.
 */
final class Transcript {

    private static final Pattern BLOCK = Pattern.compile("(?m)^```console\\n(?s:(.*?))^```$");
    private static final Pattern COMMAND = Pattern.compile("(?m)^\\$ ((?:[^'\\n]|'[^']*')*)\\n");
    private static final Pattern VARIES = Pattern.compile("(?<id>(?:int|msg|call)_[0-9a-f-]{20,})"
            + "|(?<time>\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?Z)"
            + "|(?<lines>(?<=\\n)…\\n)"
            + "|(?<text>…)");

    private final List<Exchange> exchanges;
    private final Map<String, String> ids = new HashMap<>();

    /**
     * A command and its answer.
     *
     * @param command as typed
     * @param answer as printed, with cuts
     */
    record Exchange(String command, String answer) {}

    private Transcript(List<Exchange> exchanges) {
        this.exchanges = exchanges;
    }

    static Transcript read(Path markdown) throws IOException {
        List<Exchange> exchanges = new ArrayList<>();
        Matcher block = BLOCK.matcher(Files.readString(markdown));
        while (block.find()) {
            String text = block.group(1);
            Matcher command = COMMAND.matcher(text);
            boolean more = command.find();
            while (more) {
                String typed = command.group(1);
                int start = command.end();
                more = command.find();
                exchanges.add(new Exchange(typed, text.substring(start, more ? command.start() : text.length())));
            }
        }
        return new Transcript(exchanges);
    }

    List<Exchange> exchanges() {
        return exchanges;
    }

    /** Replaces the ids that earlier answers showed; there must be no other one. */
    String withIdsOfThisRun(String command) {
        return VARIES.matcher(command).replaceAll(found -> {
            assertThat(ids).containsKey(found.group());
            return ids.get(found.group());
        });
    }

    /** Compares, and learns which ids stand for which. */
    void compare(Exchange exchange, String answer) {
        List<String> written = new ArrayList<>();
        String expected = "\n" + exchange.answer().strip() + "\n";
        Matcher actual = Pattern.compile(regex(expected, written)).matcher("\n" + answer.strip() + "\n");
        assertThat(actual.matches())
                .as("%s%nwas to answer%n%s%nbut answered%n%s", exchange.command(), exchange.answer(), answer)
                .isTrue();
        for (int i = 0; i < written.size(); i++) {
            String id = actual.group(i + 1);
            assertThat(ids.merge(written.get(i), id, (known, same) -> known))
                    .as("%s in the answer of %s", written.get(i), exchange.command())
                    .isEqualTo(id);
        }
    }

    private static String regex(String expected, List<String> written) {
        StringBuilder regex = new StringBuilder();
        Matcher varies = VARIES.matcher(expected);
        int end = 0;
        while (varies.find()) {
            regex.append(Pattern.quote(expected.substring(end, varies.start())));
            if (varies.group("id") != null) {
                written.add(varies.group());
                regex.append("([\\w-]+)");
            } else if (varies.group("time") != null) {
                regex.append("[0-9T:.Z-]+");
            } else if (varies.group("lines") != null) {
                regex.append("(?:.*\\n)*");
            } else {
                regex.append(".*");
            }
            end = varies.end();
        }
        return regex.append(Pattern.quote(expected.substring(end))).toString();
    }
}
