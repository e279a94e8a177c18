package io.holdpoint.demo.model;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.chat.request.ChatRequest;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Decides what to say and which tools to propose. */
final class Script {

    private static final String HELP = """
            I am a small scripted model and understand only a few requests. Try one of these:

            - Find Ada's address
            - Write to Ada that the meeting moved to Friday
            - Transfer 500 to Bob
            - Pay 120 to Carol from the account
            - Pay the invoice
            - Pay my bills
            - Delete the inactive records from customers
            - Buy 10 shares of Acme
            - Book a flight to Rome
            - Add milk to my list
            - Ask me which report to send: sales, costs or staff
            - Ask me to confirm that the order is complete
            - File the VAT return
            - Send an email to ada@example.com and bob@example.com and transfer 200 to Carol

            Say "think" somewhere, and I think aloud. Of pictures and other media I can tell what kind they are.""";

    private static final Pattern THINK = Pattern.compile("\\bthink\\b", Pattern.CASE_INSENSITIVE);

    private Script() {}

    static AiMessage answer(ChatRequest request) {
        Turn turn = Turn.of(request);
        AiMessage answer = answer(turn);
        return THINK.matcher(turn.text()).find()
                ? answer.toBuilder().thinking(thinking(turn)).build()
                : answer;
    }

    private static String thinking(Turn turn) {
        return turn.outcomes().isEmpty()
                ? "What does the user want of me?"
                : "Let me see what came of " + turn.outcomes().size() + " calls.";
    }

    private static AiMessage answer(Turn turn) {
        List<Step> steps = English.tasks(turn.text()).stream()
                .map(task -> task.next(turn))
                .distinct()
                .toList();
        List<Call> proposals =
                steps.stream().flatMap(step -> step.proposal().stream()).toList();
        return proposals.isEmpty() ? AiMessage.from(closing(turn, steps)) : proposing(turn, proposals);
    }

    private static AiMessage proposing(Turn turn, List<Call> calls) {
        String todo = Words.list(calls.stream().map(Call::todo).toList());
        String text = (turn.outcomes().isEmpty() ? "I'll " : "Next I'll ") + todo + ".";
        List<ToolExecutionRequest> requests = calls.stream().map(Call::request).toList();
        return AiMessage.from(text, requests);
    }

    private static String closing(Turn turn, List<Step> steps) {
        if (!steps.isEmpty()) {
            return steps.stream().map(Step::report).collect(Collectors.joining(" "));
        }
        if (turn.outcomes().isEmpty()) {
            return turn.media().isEmpty() ? HELP : "You sent me: " + Words.list(turn.media()) + ".";
        }
        return turn.outcomes().stream().map(Report::of).collect(Collectors.joining(" "));
    }
}
