package io.holdpoint.tutorials.t15;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.reach.ApprovalNotifier;
import io.holdpoint.reach.Notice;
import io.holdpoint.reach.PlainText;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Set;

/**
 * Posts a card to a channel of Teams, which leads to the page.
 *
 * @param webhook the address that the workflow "Send webhook alerts to a channel" gave
 * @param sent the ids of the notices that were sent; in your application, a table
 */
record TeamsCard(URI webhook, URI page, HttpClient http, Set<String> sent) implements ApprovalNotifier {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int LONGEST = 4_000; // Teams takes 28 KB

    // readme
    @Override
    public void tell(Notice notice) throws IOException, InterruptedException {
        if (sent.contains(notice.id())) { // a notice that comes again has the same id
            return;
        }
        ObjectNode message = JSON.createObjectNode().put("type", "message");
        ObjectNode attachment = message.putArray("attachments").addObject();
        attachment.put("contentType", "application/vnd.microsoft.card.adaptive");
        ObjectNode card =
                attachment.putObject("content").put("type", "AdaptiveCard").put("version", "1.4");
        for (Notice.Question question : notice.questions()) {
            PendingInterrupt asked = question.item().interrupt();
            text(card, PlainText.of(asked.message())).put("weight", "Bolder");
            text(card, PlainText.ofArguments(asked)).put("fontType", "Monospace");
            question.outcome().ifPresent(outcome -> text(card, outcome.sentence()));
        }
        ObjectNode open = card.putArray("actions").addObject();
        open.put("type", "Action.OpenUrl").put("title", "Open the page").put("url", page.toString());
        HttpRequest request = HttpRequest.newBuilder(webhook)
                .timeout(Duration.ofSeconds(10))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(message.toString()))
                .build();
        int status = http.send(request, BodyHandlers.discarding()).statusCode();
        if (status / 100 != 2) {
            throw new IOException("Teams answered " + status);
        }
        sent.add(notice.id());
    }

    /** A run of text, in which Markdown is no link. */
    private static ObjectNode text(ObjectNode card, String text) {
        ObjectNode block = card.withArray("body").addObject().put("type", "RichTextBlock");
        String shown = text.length() < LONGEST ? text : text.substring(0, LONGEST) + " ...";
        return block.putArray("inlines").addObject().put("type", "TextRun").put("text", shown);
    }
    // end
}
