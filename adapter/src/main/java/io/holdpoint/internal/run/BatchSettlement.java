package io.holdpoint.internal.run;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ChatMessageDeserializer;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.memory.ChatMemory;
import dev.langchain4j.service.tool.ToolExecutionResult;
import io.holdpoint.internal.gate.MethodArguments;
import io.holdpoint.internal.gate.NotExecuted;
import io.holdpoint.store.Call;
import io.holdpoint.store.CallState;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Hold;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Brings a batch to its end without the AI Service: nothing of it runs any more, every call gets its result, and the chat
 * memory gets the batch.
 */
final class BatchSettlement {

    private final RunContext run;
    private final ChatMemory memory;

    BatchSettlement(RunContext run, ChatMemory memory) {
        this.run = run;
        this.memory = memory;
    }

    void settle(Hold hold) {
        Batch batch = new Batch(run, hold);
        batch.announceSettled();
        for (Call call : hold.calls()) {
            if (!call.state().isSettled()) {
                ToolExecutionResult result = ToolResults.error(explain(call));
                CallState outcome = call.state() == CallState.CLAIMED ? CallState.FAILED : CallState.NOT_EXECUTED;
                batch.settle(call.toolCallId(), outcome, ToolResults.store(call, result));
            }
        }
        remember(batch.hold());
        batch.remembered();
        run.commit(batch.finishedIn(Commit.empty()).turnFinished());
    }

    private static String explain(Call call) {
        return switch (call.state()) {
            case CLAIMED -> NotExecuted.unknownOutcome(call.toolName());
            case DECIDED ->
                Decision.of(call, MethodArguments.NONE)
                        .match(approved -> NotExecuted.abandoned(call.toolName()), refusal -> refusal);
            case PENDING, EXECUTED, FAILED, NOT_EXECUTED -> NotExecuted.superseded(call.toolName());
        };
    }

    private void remember(Hold settled) {
        String remembered = settled.turn().remembered();
        if (remembered != null) {
            UserMessage userMessage = Json.readUserMessage(remembered);
            if (!BatchChatMemory.isIn(memory.messages(), userMessage)) {
                memory.add(userMessage);
            }
        }
        AiMessage message = (AiMessage) ChatMessageDeserializer.messageFromJson(settled.assistantMessage());
        List<ChatMessage> messages = new ArrayList<>();
        messages.add(message);
        settled.calls().stream()
                .map(call -> ToolResults.readMessage(Objects.requireNonNull(call.result())))
                .forEach(messages::add);
        BatchChatMemory.write(memory, messages);
    }
}
