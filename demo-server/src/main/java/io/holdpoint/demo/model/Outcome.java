package io.holdpoint.demo.model;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import java.util.List;
import java.util.Locale;

/**
 * A tool call of this turn and how it ended.
 *
 * @param request the call
 * @param kind how it ended
 * @param texts the texts of its result, in order
 */
record Outcome(ToolExecutionRequest request, Kind kind, List<String> texts) {

    private static final String PARAGRAPH = "\n\n";

    enum Kind {
        EXECUTED,
        EDITED,
        SUPPLIED,
        FAILED,
        DECLINED,
        UNANSWERED,
        CANCELLED,
        NOT_EXECUTED
    }

    static Outcome of(ToolExecutionRequest request, ToolExecutionResultMessage result) {
        List<String> texts = result.contents().stream()
                .filter(TextContent.class::isInstance)
                .map(content -> ((TextContent) content).text())
                .toList();
        return new Outcome(request, kind(result, String.join("\n", texts).toLowerCase(Locale.ROOT)), texts);
    }

    /** The whole result. */
    String text() {
        return String.join("\n", texts);
    }

    /** The tool's own words, or a person's: a notice comes before them, as a paragraph or as a text of its own. */
    String toolText() {
        String last = texts.isEmpty() ? "" : texts.get(texts.size() - 1);
        int notice = texts.size() == 1 && last.startsWith("Note: ") ? last.indexOf(PARAGRAPH) : -1;
        return notice < 0 ? last : last.substring(notice + PARAGRAPH.length());
    }

    boolean succeeded() {
        return kind == Kind.EXECUTED || kind == Kind.EDITED || kind == Kind.SUPPLIED;
    }

    private static Kind kind(ToolExecutionResultMessage result, String text) {
        boolean supplied = succeeded(text) == Kind.SUPPLIED;
        boolean refused = !supplied && !Boolean.FALSE.equals(result.isError()) && text.contains("not executed");
        if (!refused) {
            return Boolean.TRUE.equals(result.isError()) ? Kind.FAILED : succeeded(text);
        }
        if (text.contains("declined") || text.contains("denied")) {
            return Kind.DECLINED;
        }
        if (text.contains("cancel")) {
            return Kind.CANCELLED;
        }
        return text.contains("nobody") || text.contains("gave no answer") || text.contains("expired")
                ? Kind.UNANSWERED
                : Kind.NOT_EXECUTED;
    }

    private static Kind succeeded(String text) {
        if (text.startsWith("note: ") && text.contains("a person answered in its place")) {
            return Kind.SUPPLIED;
        }
        return edited(text) ? Kind.EDITED : Kind.EXECUTED;
    }

    private static boolean edited(String text) {
        String beginning = text.substring(0, Math.min(200, text.length()));
        return beginning.contains("edited arguments")
                || beginning.contains("edited the arguments")
                || beginning.contains("edited by");
    }
}
