package io.holdpoint.testing;

import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.memory.ChatMemory;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.service.TokenStream;
import dev.langchain4j.service.UserMessage;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Store;
import io.holdpoint.store.ThreadRecord;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** An agent over AG-UI with everything around it that a test looks at. Checks every stream against {@link StreamRules}. */
public final class Bench {

    public static final String THREAD = "t";
    public static final String MAIL = "{\"to\":\"ada@example.com\",\"subject\":\"Hi\",\"body\":\"Hello\"}";

    /** The stream of a run that only shows the thread. */
    public static final List<String> PRESENTED =
            List.of("RUN_STARTED", "STATE_SNAPSHOT", "MESSAGES_SNAPSHOT", "RUN_FINISHED");

    /** The AI Service of the tests. */
    public interface Assistant {
        TokenStream chat(@UserMessage List<Content> message);
    }

    /** Everything that an input may change. */
    public record Everything(
            Optional<ThreadRecord> thread,
            List<Message> transcript,
            List<ChatMessage> memory,
            List<String> effects,
            int modelCalls) {}

    public final ScriptedModel model = new ScriptedModel();
    public final OfficeTools tools = new OfficeTools();
    public final MutableClock clock = new MutableClock();
    public final Store store = new InMemoryStore();
    private final Map<Object, ChatMemory> memories = new ConcurrentHashMap<>();
    private final AtomicInteger runs = new AtomicInteger();
    private final Holdpoint agent;

    public Bench() {
        this(builder -> builder);
    }

    public Bench(UnaryOperator<HoldpointBuilder<Assistant>> custom) {
        agent = another(custom);
    }

    /** Another agent in the same surroundings: another node, or a later version. */
    public Holdpoint another(UnaryOperator<HoldpointBuilder<Assistant>> custom) {
        return custom.apply(Holdpoint.builder(Assistant.class, (assistant, turn) -> assistant.chat(turn.contents()))
                        .streamingChatModel(model)
                        .tools(tools)
                        .store(store)
                        .clock(clock)
                        .executor(Runnable::run)
                        .chatMemoryProvider(this::memory))
                .build();
    }

    public Holdpoint agent() {
        return agent;
    }

    public static Message.User user(String id, String text) {
        return new Message.User(id, MessageContent.text(text));
    }

    public RunAgentInput input(Message... messages) {
        return RunAgentInput.of(THREAD, "run-" + runs.incrementAndGet(), List.of(messages));
    }

    public RunAgentInput answers(ResumeEntry... answers) {
        return input().withResume(Arrays.asList(answers));
    }

    public RecordingSink run(RunAgentInput input) {
        RecordingSink sink = new RecordingSink();
        agent.run(input, sink).join();
        StreamRules.check(sink.events());
        return sink;
    }

    /** A new user message whose id is its text. */
    public RecordingSink say(String text) {
        return run(input(user(text, text)));
    }

    public RecordingSink resume(ResumeEntry... answers) {
        return run(answers(answers));
    }

    /** Answers, and says something new in the same input. */
    public RecordingSink resumeAndSay(String text, ResumeEntry... answers) {
        return run(input(user(text, text)).withResume(Arrays.asList(answers)));
    }

    /** Neither an answer nor anything new. */
    public RecordingSink nothingNew() {
        return run(input());
    }

    public List<PendingInterrupt> pending() {
        return agent.pending(THREAD);
    }

    public PendingInterrupt pending(int index) {
        return pending().get(index);
    }

    public List<Message> transcript() {
        return store.transcript(THREAD);
    }

    public List<ChatMessage> memory() {
        return memory(THREAD).messages();
    }

    public Everything everything() {
        return new Everything(
                store.find(THREAD),
                transcript(),
                memory(),
                List.copyOf(tools.effects()),
                model.requests().size());
    }

    private ChatMemory memory(Object threadId) {
        return memories.computeIfAbsent(
                threadId,
                id -> MessageWindowChatMemory.builder().id(id).maxMessages(100).build());
    }
}
