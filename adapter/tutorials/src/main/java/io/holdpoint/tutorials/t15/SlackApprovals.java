package io.holdpoint.tutorials.t15;

import static com.slack.api.model.block.Blocks.actions;
import static com.slack.api.model.block.Blocks.context;
import static com.slack.api.model.block.Blocks.section;
import static com.slack.api.model.block.composition.BlockCompositions.plainText;
import static com.slack.api.model.block.element.BlockElements.asElements;
import static com.slack.api.model.block.element.BlockElements.button;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.slack.api.app_backend.SlackSignature;
import com.slack.api.app_backend.SlackSignature.HeaderNames;
import com.slack.api.app_backend.interactive_components.payload.BlockActionPayload;
import com.slack.api.methods.MethodsClient;
import com.slack.api.methods.SlackApiException;
import com.slack.api.methods.SlackApiTextResponse;
import com.slack.api.model.block.ActionsBlock;
import com.slack.api.model.block.ContextBlock;
import com.slack.api.model.block.LayoutBlock;
import com.slack.api.util.json.GsonFactory;
import io.holdpoint.Caller;
import io.holdpoint.Decided;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.reach.ApprovalNotifier;
import io.holdpoint.reach.Notice;
import io.holdpoint.reach.PlainText;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * Asks in a channel of Slack, takes the answers of its buttons, and writes into the message what came of it.
 *
 * @param people the callers, by the ids of their Slack users
 * @param cards the times that Slack gave its messages, by which it finds them; in your application, a table
 */
record SlackApprovals(
        MethodsClient slack,
        SlackSignature.Verifier signature,
        String channel,
        Map<String, Caller> people,
        Map<Card, String> cards,
        Executor aside)
        implements ApprovalNotifier {

    private static final int LONGEST = 2_900; // Slack takes 3,000 characters
    private static final Decided NOBODY = new Decided.Refused(ErrorCode.INTERRUPT_FORBIDDEN, "no caller");

    /** The message of a notice about a question. */
    record Card(String interruptId, String noticeId) {}

    // readme
    @Override
    public synchronized void tell(Notice notice) throws IOException, SlackApiException {
        for (Notice.Question question : notice.questions()) {
            PendingInterrupt asked = question.item().interrupt();
            Card card = new Card(asked.id(), notice.id());
            if (question.outcome().isPresent()) {
                settle(asked, question.outcome().get().sentence());
            } else if (!cards.containsKey(card)) { // a notice that comes again has the same id
                List<LayoutBlock> blocks = blocks(asked, buttons(asked, notice.threadId()));
                cards.put(
                        card,
                        ok(slack.chatPostMessage(message -> message.channel(channel)
                                        .text("Somebody has to decide.")
                                        .blocks(blocks)))
                                .getTs());
            }
        }
    }
    // end

    private void settle(PendingInterrupt asked, String sentence) throws IOException, SlackApiException {
        for (Map.Entry<Card, String> shown : cards.entrySet()) {
            if (shown.getKey().interruptId().equals(asked.id())) {
                show(shown.getValue(), blocks(asked, note(sentence)));
            }
        }
        cards.keySet().removeIf(card -> card.interruptId().equals(asked.id()));
    }

    // readme
    /** Plain text, and nothing hidden: what the model wrote makes no link, no mention and no emoji. */
    private static List<LayoutBlock> blocks(PendingInterrupt asked, LayoutBlock last) {
        return List.of(
                section(text -> text.text(plainText(cut(PlainText.of(asked.message())), false))),
                section(text -> text.text(plainText(cut(PlainText.ofArguments(asked)), false))),
                last);
    }

    private static LayoutBlock buttons(PendingInterrupt asked, String threadId) {
        boolean isWhole = PlainText.ofArguments(asked).length() < LONGEST
                && PlainText.of(asked.message()).length() < LONGEST;
        String question = asked.id() + " " + threadId;
        return asked instanceof PendingInterrupt.Approval && isWhole
                ? actions(asElements(
                        button(approve -> approve.actionId("approve")
                                .text(plainText("Approve"))
                                .style("primary")
                                .value(question)),
                        button(deny ->
                                deny.actionId("deny").text(plainText("Deny")).value(question))))
                : note("It needs more than a yes or no here: answer it on the page.");
    }
    // end

    private static String cut(String text) {
        return text.length() < LONGEST ? text : text.substring(0, LONGEST) + " ...";
    }

    private static LayoutBlock note(String text) {
        return context(List.of(plainText(text, false)));
    }

    // readme
    /** Slack posts what was pressed, and wants to hear within three seconds that it has come. */
    void pressed(Context request, Holdpoint agent) {
        boolean isSlack = signature.isValid( // of the last five minutes
                request.header(HeaderNames.X_SLACK_REQUEST_TIMESTAMP),
                request.body(),
                request.header(HeaderNames.X_SLACK_SIGNATURE));
        if (!isSlack) {
            request.status(401);
            return;
        }
        BlockActionPayload press =
                GsonFactory.createSnakeCase().fromJson(request.formParam("payload"), BlockActionPayload.class);
        aside.execute(() -> answer(press, agent));
    }

    private synchronized void answer(BlockActionPayload press, Holdpoint agent) {
        BlockActionPayload.Action button = press.getActions().get(0);
        String[] question = button.getValue().split(" ", 2); // the button says what was asked, never who answers
        ResumeEntry answer = ResumeEntry.resolved(
                question[0],
                JsonNodeFactory.instance
                        .objectNode()
                        .put("approved", button.getActionId().equals("approve")));
        Optional<Caller> caller = Optional.ofNullable(people.get(press.getUser().getId()));
        Decided decided =
                caller.map(who -> agent.as(who).decide(question[1], answer)).orElse(NOBODY);
        try {
            if (decided instanceof Decided.Refused refused) {
                ok(slack.chatPostEphemeral(only -> only.channel(channel)
                        .user(press.getUser().getId())
                        .text(refused.code().sentence())));
            } else if (cards.containsValue(press.getMessage().getTs())) { // else it says already what came of it
                taken(press, caller.orElseThrow(), decided, question[0]);
            }
        } catch (IOException | SlackApiException e) {
            throw new IllegalStateException("The answer is stored or refused, and Slack was not told", e);
        }
    }

    /** Takes the buttons away, unless the question needs further approvals. */
    private void taken(BlockActionPayload press, Caller caller, Decided decided, String interruptId)
            throws IOException, SlackApiException {
        boolean isOpen = decided instanceof Decided.Waits waits
                && waits.open().stream().anyMatch(open -> open.id().equals(interruptId));
        List<LayoutBlock> blocks = new ArrayList<>(press.getMessage().getBlocks());
        blocks.removeIf(block -> block instanceof ContextBlock || !isOpen && block instanceof ActionsBlock);
        blocks.add(
                note(caller.id() + " has pressed " + press.getActions().get(0).getActionId()));
        show(press.getMessage().getTs(), blocks);
    }
    // end

    private void show(String card, List<LayoutBlock> blocks) throws IOException, SlackApiException {
        ok(slack.chatUpdate(
                message -> message.channel(channel).ts(card).text("Updated").blocks(blocks)));
    }

    private static <R extends SlackApiTextResponse> R ok(R response) throws IOException {
        if (!response.isOk()) {
            throw new IOException("Slack: " + response.getError());
        }
        return response;
    }
}
