package io.holdpoint.test;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import io.holdpoint.Caller;
import io.holdpoint.Decided;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RunResult;
import io.holdpoint.agui.Event;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.hook.Guest;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.Store;
import io.holdpoint.store.jdbc.JdbcChatMemoryStore;
import io.holdpoint.store.jdbc.JdbcStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.sqlite.SQLiteDataSource;

/**
 * An agent in a test of your application: your AI Service, your tools and your policies, with a {@link ScriptedModel}, a
 * {@link VirtualClock} and a database of its own, on a thread with the id {@value #THREAD} unless
 * {@link #on} names another. A field with
 * {@code @RegisterExtension} has an agent of its own for each test:
 *
 * <pre>{@code
 * @RegisterExtension
 * final TestAgent<Assistant> agent = TestAgent.of(Assistant.class, builder -> builder.tools(new BookingTools()));
 *
 * @Test
 * void cancellingIsAskedAbout() {
 *     agent.model().calls("cancelBooking", Map.of("number", "123")).says("It is cancelled.");
 *
 *     agent.send("Cancel my booking 123");
 *     agent.assertHeld("cancelBooking").withArguments(Map.of("number", "123"));
 *
 *     agent.restart();
 *     agent.approve();
 *     agent.assertRan("cancelBooking").once().with(Map.of("number", "123"));
 *     agent.assertAnswered("It is cancelled.");
 * }
 * }</pre>
 *
 * <p>Threads and chat memory are in an SQLite file that is removed after the test, so {@link #restart} is what a new process
 * would find. Assertions throw an {@link AssertionError} that says what happened instead. A test fails at its end if the
 * script of the model has lines left. Not thread-safe.
 */
public final class TestAgent<A> implements BeforeEachCallback, AfterEachCallback {

    /** The id of the thread on which a test begins. */
    public static final String THREAD = "thread-1";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int PAGE = 1000;

    private final Class<A> assistant;
    private final UnaryOperator<HoldpointBuilder<A>> configuration;
    private ScriptedModel model = new ScriptedModel();
    private VirtualClock clock = new VirtualClock();
    private Caller caller = Caller.ANONYMOUS;
    private String thread = THREAD;
    private @Nullable Path directory;
    private @Nullable Holdpoint agent;
    private @Nullable RunResult result;
    /** The runs that have begun since time was moved, until each of them has ended. */
    private final List<CompletableFuture<Void>> runs = new CopyOnWriteArrayList<>();

    private TestAgent(Class<A> assistant, UnaryOperator<HoldpointBuilder<A>> configuration) {
        this.assistant = assistant;
        this.configuration = configuration;
    }

    /**
     * Describes the agent. The model, the clock, the store and the chat memory are set already; what the configuration sets
     * counts instead.
     */
    public static <A> TestAgent<A> of(Class<A> assistant, UnaryOperator<HoldpointBuilder<A>> configuration) {
        return new TestAgent<>(assistant, configuration);
    }

    @Override
    public void beforeEach(ExtensionContext context) throws IOException {
        model = new ScriptedModel();
        clock = new VirtualClock();
        caller = Caller.ANONYMOUS;
        thread = THREAD;
        result = null;
        directory = Files.createTempDirectory("holdpoint-test");
        agent = build(directory);
    }

    @Override
    public void afterEach(ExtensionContext context) throws IOException {
        agent().close();
        try (Stream<Path> files = Files.walk(started(directory))) {
            for (Path file : files.sorted((one, other) -> other.compareTo(one)).toList()) {
                Files.delete(file);
            }
        }
        if (context.getExecutionException().isEmpty() && model.left() > 0) {
            throw new AssertionError("the model was asked less often than its script expects: " + model.left()
                    + " line(s) of it are left");
        }
    }

    private Holdpoint build(Path files) {
        SQLiteDataSource database = new SQLiteDataSource();
        database.setUrl("jdbc:sqlite:" + files.resolve("test.db"));
        JdbcChatMemoryStore memories = JdbcChatMemoryStore.create(database);
        return configuration
                .apply(Holdpoint.builder(assistant)
                        .chatModel(model)
                        .streamingChatModel(model)
                        .clock(clock)
                        .with(agent -> new RunsOf(runs))
                        .store(JdbcStore.create(database))
                        .chatMemoryProvider(id -> MessageWindowChatMemory.builder()
                                .id(id)
                                .maxMessages(HoldpointBuilder.DEFAULT_MAX_MESSAGES)
                                .chatMemoryStore(memories)
                                .build()))
                .build();
    }

    /** Ends the agent and makes a new one of the same description on the same database, as a new process would. */
    public void restart() {
        agent().close();
        agent = build(started(directory));
    }

    /** Lets somebody else speak from now on; everybody is {@link Caller#ANONYMOUS} in the beginning. */
    public TestAgent<A> as(Caller speaks) {
        caller = speaks;
        return this;
    }

    /** Goes to another thread from now on: for several conversations, or for a memory id that is a number, {@code on("7")}. */
    public TestAgent<A> on(String threadId) {
        thread = threadId;
        return this;
    }

    /** Returns the model, to write its script and to see what it was asked. */
    public ScriptedModel model() {
        return model;
    }

    /** Returns the agent's clock, by which questions expire. */
    public VirtualClock clock() {
        return clock;
    }

    /** Returns the agent itself, for what is not here. */
    public Holdpoint agent() {
        return started(agent).as(caller);
    }

    /** Says something, and returns when the run has ended. */
    public RunResult send(String text) {
        return ended(agent().send(thread, text));
    }

    /** Approves each held call as it was proposed. */
    public RunResult approve() {
        return resume(
                some(held()).stream().map(call -> call.asApproval().approve()).toList());
    }

    /** Approves each held call, once for each of these people, in their own name and in this order. */
    public void approveAs(Caller... people) {
        for (Caller person : people) {
            Holdpoint theirs = started(agent).as(person);
            for (PendingInterrupt call : some(theirs.pending(thread))) {
                Decided decided = theirs.decide(thread, call.asApproval().approve());
                if (decided instanceof Decided.Refused refused) {
                    throw failure(person.id() + " may not approve: " + refused.code() + ": " + refused.message());
                } else if (decided instanceof Decided.Runs runs) {
                    ended(runs.result().join());
                }
            }
        }
    }

    /** Moves the clock on, and does what time has to do then. A turn that goes on by itself has ended afterwards. */
    public void advance(Duration duration) {
        clock.advance(duration);
        runs.clear();
        agent().actOnTime();
        runs.forEach(CompletableFuture::join);
    }

    /** Approves the only held call, with other arguments; they replace the proposed ones completely. */
    public RunResult approveWith(Map<String, ?> arguments) {
        return resume(List.of(only(held()).asApproval().approveWith(arguments)));
    }

    /** Denies each held call. */
    public RunResult deny(String reason) {
        return resume(some(held()).stream()
                .map(call -> call.asApproval().deny(reason))
                .toList());
    }

    /** Answers the only question of a tool, see {@link PendingInterrupt.Input#answer}. */
    public RunResult answer(Object value) {
        return resume(List.of(only(held()).asInput().answer(value)));
    }

    /** Cancels everything that is held. */
    public RunResult cancel() {
        return resume(some(held()).stream().map(PendingInterrupt::cancel).toList());
    }

    /** Answers by hand. */
    public RunResult resume(List<ResumeEntry> answers) {
        return ended(agent().resume(thread, answers));
    }

    /** Returns how the last run ended. */
    public RunResult result() {
        return started(result);
    }

    /** Returns what waits for an answer, in the model's order. */
    public List<PendingInterrupt> held() {
        return agent().pending(thread);
    }

    /** Asserts that a call of this tool waits for a person. */
    public HeldCall assertHeld(String tool) {
        return held().stream()
                .filter(call -> tool.equals(call.toolName()))
                .findFirst()
                .map(HeldCall::new)
                .orElseThrow(() -> failure(tool + " is not held"));
    }

    /** Asserts that no call waits for a person. */
    public void assertNothingHeld() {
        if (!held().isEmpty()) {
            throw failure("something is held");
        }
    }

    /** Asserts that the body of this tool was entered. */
    public RunCalls assertRan(String tool) {
        List<JsonNode> arguments = entered(tool);
        if (arguments.isEmpty()) {
            throw failure(tool + " did not run");
        }
        return new RunCalls(tool, arguments);
    }

    /** Asserts that the body of this tool was never entered. */
    public void assertDidNotRun(String tool) {
        if (!entered(tool).isEmpty()) {
            throw failure(tool + " ran");
        }
    }

    /** Asserts that the model has read this in a result of the tool, in its last request. */
    public void assertModelWasTold(String tool, String part) {
        List<String> results = new ArrayList<>();
        for (ChatMessage message : model.lastMessages()) {
            if (message instanceof ToolExecutionResultMessage told && tool.equals(told.toolName())) {
                results.add(told.text());
            }
        }
        if (results.stream().noneMatch(text -> text.contains(part))) {
            throw failure("the model was not told \"" + part + "\" by " + tool + ", but " + results);
        }
    }

    /** Asserts that the last run has ended with this text. */
    public void assertAnswered(String text) {
        if (!(result() instanceof RunResult.Completed) || !text.equals(result().text())) {
            throw failure("the answer is not \"" + text + "\"");
        }
    }

    private List<JsonNode> entered(String tool) {
        List<JsonNode> arguments = new ArrayList<>();
        Map<Optional<String>, JsonNode> proposed = new HashMap<>();
        for (AuditEvent event : trail()) {
            JsonNode its = event.detail().path("arguments");
            if (event.kind() == AuditEvent.Kind.PROPOSED) {
                proposed.put(event.toolCallId(), its);
            } else if (event.kind() == AuditEvent.Kind.CLAIMED
                    && tool.equals(event.about().toolName().orElse(null))) {
                arguments.add(its.isMissingNode() ? proposed.get(event.toolCallId()) : its);
            }
        }
        return arguments;
    }

    private List<AuditEvent> trail() {
        List<AuditEvent> trail = new ArrayList<>();
        List<AuditEvent> page;
        do {
            page = agent().auditTrail(thread, trail.size(), PAGE);
            trail.addAll(page);
        } while (page.size() == PAGE);
        return trail;
    }

    private RunResult ended(RunResult with) {
        result = with;
        return with;
    }

    private List<PendingInterrupt> some(List<PendingInterrupt> open) {
        if (open.isEmpty()) {
            throw failure("nothing is held");
        }
        return open;
    }

    private PendingInterrupt only(List<PendingInterrupt> open) {
        if (open.size() != 1) {
            throw failure("not exactly one question is open");
        }
        return open.get(0);
    }

    /** Tells the whole story besides what is wrong. */
    private AssertionError failure(String what) {
        StringBuilder story = new StringBuilder(what).append(". The last run: ").append(result);
        for (AuditEvent event : trail()) {
            story.append("\n  ").append(event.kind());
            event.about().toolName().ifPresent(tool -> story.append(' ').append(tool));
            story.append(' ').append(event.detail());
        }
        return new AssertionError(story.toString());
    }

    private static <T> T started(@Nullable T value) {
        if (value == null) {
            throw new IllegalStateException(
                    "There is none yet: annotate the field of the TestAgent with @RegisterExtension, and send something first.");
        }
        return value;
    }

    /** A call that waits for a person. */
    public final class HeldCall {

        private final PendingInterrupt interrupt;

        private HeldCall(PendingInterrupt interrupt) {
            this.interrupt = interrupt;
        }

        /** Asserts that the model proposed exactly these arguments. */
        public HeldCall withArguments(Map<String, ?> expected) {
            if (!interrupt.arguments().equals(JSON.valueToTree(expected))) {
                throw failure("the arguments are " + interrupt.arguments() + ", not " + JSON.valueToTree(expected));
            }
            return this;
        }

        /** Asserts that the person reads this. */
        public HeldCall withMessage(String expected) {
            if (!expected.equals(interrupt.message())) {
                throw failure("the message is \"" + interrupt.message() + "\", not \"" + expected + "\"");
            }
            return this;
        }

        /** Returns the question, to answer it by hand. */
        public PendingInterrupt interrupt() {
            return interrupt;
        }
    }

    /** The executions of a tool. */
    public final class RunCalls {

        private final String tool;
        private final List<JsonNode> arguments;

        private RunCalls(String tool, List<JsonNode> arguments) {
            this.tool = tool;
            this.arguments = arguments;
        }

        /** Asserts that it ran once. */
        public RunCalls once() {
            return times(1);
        }

        /** Asserts how often it ran. */
        public RunCalls times(int expected) {
            if (arguments.size() != expected) {
                throw failure(tool + " ran " + arguments.size() + " time(s), not " + expected);
            }
            return this;
        }

        /** Asserts that its last execution had exactly these arguments, after edits. */
        public RunCalls with(Map<String, ?> expected) {
            JsonNode last = arguments.get(arguments.size() - 1);
            if (!last.equals(JSON.valueToTree(expected))) {
                throw failure(tool + " ran with " + last + ", not " + JSON.valueToTree(expected));
            }
            return this;
        }
    }

    /** Notes each run that begins. */
    private record RunsOf(List<CompletableFuture<Void>> begun) implements Guest {

        @Override
        public Optional<Follower> follower(Store.Lease run) {
            CompletableFuture<Void> end = new CompletableFuture<>();
            begun.add(end);
            return Optional.of(new Follower() {

                @Override
                public void heard(Event event) {}

                @Override
                public boolean isReading() {
                    return false;
                }

                @Override
                public void ended() {
                    end.complete(null);
                }
            });
        }
    }
}
