package io.holdpoint.reach;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.agui.AguiCodec;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.util.List;

/**
 * Posts notices to an <a href="https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks">incoming webhook</a> of Slack: what would
 * run, or what came of it, as plain text, in which nothing that a model wrote is a link or a mention; and the address of the page where people
 * decide:
 *
 * <pre>{@code
 * {"text": "Somebody has to decide.", "blocks": [
 *   {"type": "section", "text": {"type": "plain_text", "emoji": false, "text": "Pay 5 euros?\n{...}"}},
 *   {"type": "section", "text": {"type": "mrkdwn", "text": "<https://agents.example.com/|Decide>"}}]}
 * }</pre>
 *
 * <p>A text is cut after 2,900 characters, and of more than 49 questions the others are counted. Any status from 200 to 299 is a success; an
 * attempt takes at most ten seconds. A notice that comes again is a message that comes again. Immutable, thread-safe.
 */
public final class SlackWebhook implements ApprovalNotifier {

    private static final int LONGEST = 2_900; // Slack takes 3,000 characters
    private static final int LONGEST_END = 1_000;
    private static final int MOST = 49; // Slack takes 50 blocks

    private final Webhook hook;
    private final URI page;

    private SlackWebhook(Webhook hook, URI page) {
        this.hook = hook;
        this.page = page;
    }

    /**
     * A channel of Slack.
     *
     * @param hook the address that Slack gave, which is a secret: failures tell scheme, host and port only
     * @param page where people decide
     * @throws IllegalArgumentException if one of them is no address
     */
    public static SlackWebhook to(URI hook, URI page) {
        if (!page.isAbsolute()) {
            throw new IllegalArgumentException("SlackWebhook.to(...): the page must be an address like"
                    + " https://agents.example.com/, but is " + page);
        }
        return new SlackWebhook(new Webhook(hook, List.of(), Clock.systemUTC(), Webhook.TIME_LIMIT), page);
    }

    @Override
    public void tell(Notice notice) throws IOException, InterruptedException {
        boolean isOver = notice.kind() == Notice.Kind.SETTLED;
        String begins = isOver ? "It is decided." : "Somebody has to decide.";
        ObjectNode message = AguiCodec.mapper().createObjectNode().put("text", begins);
        int more = Math.max(0, notice.questions().size() - MOST);
        for (Notice.Question question :
                notice.questions().subList(0, notice.questions().size() - more)) {
            PendingInterrupt asked = question.item().interrupt();
            String end = cut(question.outcome().map(Notice.Outcome::sentence).orElse(""), LONGEST_END);
            String text = (PlainText.of(asked.message()) + "\n" + PlainText.ofArguments(asked)).strip();
            section(message, "plain_text", (cut(text, LONGEST - end.length()) + "\n" + end).strip())
                    .put("emoji", false);
        }
        String rest = more == 0 ? "" : "And " + more + " more. ";
        String last = rest + (isOver ? "" : "<" + page.toASCIIString() + "|Decide>");
        if (!last.isEmpty()) {
            section(message, "mrkdwn", last);
        }
        hook.post(message.toString(), "content-type", "application/json; charset=utf-8");
    }

    private static String cut(String text, int most) {
        return text.length() > most ? text.substring(0, most) + " ..." : text;
    }

    private static ObjectNode section(ObjectNode message, String type, String text) {
        return message.withArray("blocks")
                .addObject()
                .put("type", "section")
                .putObject("text")
                .put("type", type)
                .put("text", text);
    }
}
