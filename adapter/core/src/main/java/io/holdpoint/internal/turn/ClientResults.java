package io.holdpoint.internal.turn;

import dev.langchain4j.service.tool.ToolExecutionResult;
import io.holdpoint.agui.Agui;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.internal.input.Plan.Step;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call;
import io.holdpoint.store.Commit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The results that the client has sent for calls that were left to it: the batch with them, and the messages of the transcript,
 * which keep the client's own ids if they are free.
 */
public record ClientResults(Batch batch, List<Message.Tool> transcript) {

    /** The {@code heard} messages are those of the same input, which keep their ids. */
    public static ClientResults of(Run run, Step.ClientResults step, List<Message> heard, int longest) {
        List<String> ids =
                step.results().stream().map(Message.Tool::id).filter(Agui::isId).toList();
        Set<String> taken = new HashSet<>(run.store.known(run.threadId, ids).keySet());
        heard.stream().map(Message::id).forEach(taken::add);
        Map<String, Call.ClientResult> results = new LinkedHashMap<>();
        List<Message.Tool> transcript = new ArrayList<>();
        for (Message.Tool sent : step.results()) {
            Call call = step.batch().call(sent.toolCallId()).orElseThrow();
            String id = Agui.isId(sent.id()) && taken.add(sent.id()) ? sent.id() : call.resultMessageId();
            boolean failed = sent.error() != null;
            Call.Result result = result(call, sent, failed, longest);
            results.put(
                    call.toolCallId(),
                    new Call.ClientResult(id, failed ? Call.State.FAILED : Call.State.EXECUTED, result));
            transcript.add(new Message.Tool(
                    id,
                    call.toolCallId(),
                    MessageContent.text(result.clientText()),
                    failed ? result.clientText() : null));
        }
        return new ClientResults(step.batch().suppliedByClient(results), transcript);
    }

    public Commit commit() {
        return Commit.of(batch).append(List.copyOf(transcript));
    }

    private static Call.Result result(Call call, Message.Tool sent, boolean failed, int longest) {
        String text = sent.content().asText();
        String told = text.isEmpty() && failed ? String.valueOf(sent.error()) : text;
        ToolExecutionResult own =
                ToolExecutionResult.builder().resultText(told).isError(failed).build();
        return ToolResult.of(call, ToolResult.storable(own, longest)).stored();
    }
}
