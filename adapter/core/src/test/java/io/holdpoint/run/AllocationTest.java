package io.holdpoint.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.service.MemoryId;
import io.holdpoint.Holdpoint;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.testing.Bench;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class AllocationTest {

    /** Measured 108,100 alone and 110,400 behind all other tests, before the compiler removes what does not escape. */
    private static final long BUDGET = 113_000;

    private static final int FRAMES = 13;

    private static final int WARM = 300;
    private static final int COUNTED = 100;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    interface Assistant {
        String chat(@MemoryId String threadId, @dev.langchain4j.service.UserMessage String message);
    }

    /** Proposes a mail to each user message, and keeps nothing. */
    private static final class Model implements ChatModel {

        private int calls;

        @Override
        public ChatResponse doChat(ChatRequest request) {
            List<ChatMessage> messages = request.messages();
            AiMessage answer = messages.get(messages.size() - 1) instanceof UserMessage
                    ? AiMessage.from(ToolExecutionRequest.builder()
                            .id("c" + ++calls)
                            .name("sendEmail")
                            .arguments(Bench.MAIL)
                            .build())
                    : AiMessage.from("Sent.");
            return ChatResponse.builder().aiMessage(answer).build();
        }
    }

    /** Keeps nothing: a list of what was sent would be copied in each cycle. */
    public static final class Mails {

        private Runnable within = () -> {};

        @Tool("Send an email")
        @RequiresApproval(message = "Send email to {{to}} with subject '{{subject}}'?")
        public String sendEmail(@P("recipient") String to, @P("subject") String subject, @P("body") String body) {
            within.run();
            return "sent to " + to;
        }
    }

    private final Mails tools = new Mails();

    private final Holdpoint agent = Holdpoint.builder(Assistant.class)
            .chatModel(new Model())
            .chatMemoryProvider(id ->
                    MessageWindowChatMemory.builder().id(id).maxMessages(10).build())
            .tools(tools)
            .store(new InMemoryStore())
            .build();

    @Test
    @Tag("deep")
    void givenAWarmAgentWhenAMailIsHeldAndApprovedThenTheThreadAllocatesNoMoreThanTheBudget() {
        holdAndApprove("warm", WARM);
        long before = THREADS.getCurrentThreadAllocatedBytes();
        holdAndApprove("counted", COUNTED);
        long each = (THREADS.getCurrentThreadAllocatedBytes() - before) / COUNTED;
        assertThat(each).as("bytes that one hold and its approval allocate").isLessThan(BUDGET);
    }

    @Test
    void fewMethodsOfOursStandBelowTheBodyOfATool() {
        List<String> frames = new ArrayList<>();
        tools.within = () -> StackWalker.getInstance()
                .forEach(frame -> frames.add(frame.getClassName() + "." + frame.getMethodName()));
        holdAndApprove("frames", 1);
        frames.removeIf(name -> !name.startsWith("io.holdpoint.") || name.startsWith(AllocationTest.class.getName()));
        assertThat(frames).contains(Holdpoint.class.getName() + ".resume").hasSizeLessThanOrEqualTo(FRAMES);
    }

    private void holdAndApprove(String name, int count) {
        for (int i = 0; i < count; i++) {
            RunResult.Interrupted held = (RunResult.Interrupted) agent.send(name + i, "Write to Ada");
            RunResult done =
                    agent.resume(name + i, held.interrupts().get(0).asApproval().approve());
            assertThat(done).isInstanceOf(RunResult.Completed.class);
        }
    }
}
