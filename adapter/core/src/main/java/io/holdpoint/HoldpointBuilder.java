package io.holdpoint;

import static dev.langchain4j.service.IllegalConfigurationException.illegalConfiguration;

import dev.langchain4j.internal.DefaultExecutorProvider;
import dev.langchain4j.memory.chat.ChatMemoryProvider;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.tool.AiServiceTool;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolService;
import io.holdpoint.hook.RunCustomizer;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.aiservice.PlainServiceGuard;
import io.holdpoint.internal.gate.PolicyReader;
import io.holdpoint.internal.gate.UserQuestions;
import io.holdpoint.internal.lease.BeatTimer;
import io.holdpoint.internal.lease.DaemonTimer;
import io.holdpoint.internal.memory.ChatMemories;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Store;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Builds a {@link Holdpoint}. Not thread-safe.
 *
 * @param <A> the AI Service
 */
public final class HoldpointBuilder<A> extends RunOptions<HoldpointBuilder<A>> {

    /** How many messages the default chat memory keeps. */
    public static final int DEFAULT_MAX_MESSAGES = 100;

    private final Class<A> aiService;
    private final TurnFunction<A> turnFunction;
    private final List<ToolPolicy> policies = new ArrayList<>();
    private final List<ApprovalCondition> conditions = new ArrayList<>();
    private final List<ApprovalPreview> previews = new ArrayList<>();
    private final Set<String> idempotentTools = new HashSet<>();
    private Predicate<String> askOnFailure = toolName -> false;
    private final List<AiServiceTool> tools = new ArrayList<>();
    private final List<ToolProvider> toolProviders = new ArrayList<>();
    private Optional<ChatModel> chatModel = Optional.empty();
    private Optional<StreamingChatModel> streamingChatModel = Optional.empty();
    private Consumer<AiServices<A>> customizer = service -> {};
    private final List<RunCustomizer<A>> runCustomizers = new ArrayList<>();
    private ChatMemoryProvider chatMemoryProvider = id -> MessageWindowChatMemory.builder()
            .id(id)
            .maxMessages(DEFAULT_MAX_MESSAGES)
            .build();
    private boolean adoptsChatMemories;
    private Store store = new InMemoryStore();
    private Clock clock = Clock.systemUTC();
    private Optional<Executor> executor = Optional.empty();
    private ApprovalAuthorizer authorizer = ApprovalAuthorizer.OWNER;
    private BeatTimer timer = new DaemonTimer();

    HoldpointBuilder(Class<A> aiService, TurnFunction<A> turnFunction) {
        this.aiService = aiService;
        this.turnFunction = turnFunction;
    }

    /**
     * The model for AI Service methods that return a value.
     *
     * @param model any LangChain4j model
     * @return this builder
     */
    public HoldpointBuilder<A> chatModel(ChatModel model) {
        chatModel = Optional.of(model);
        return this;
    }

    /**
     * The model for AI Service methods that return a {@code TokenStream}.
     *
     * @param model any LangChain4j model
     * @return this builder
     */
    public HoldpointBuilder<A> streamingChatModel(StreamingChatModel model) {
        streamingChatModel = Optional.of(model);
        return this;
    }

    /**
     * Adds objects with {@code @Tool} methods, gated ones and others.
     *
     * @param toolObjects the objects; not classes, not JDK proxies
     * @return this builder
     * @throws dev.langchain4j.service.IllegalConfigurationException if a {@link RequiresApproval} is misused; a condition
     *     that cannot be created is found by {@link #build}
     */
    public HoldpointBuilder<A> tools(Object... toolObjects) {
        for (Object toolObject : toolObjects) {
            PolicyReader.check(toolObject);
            List<AiServiceTool> found = ToolService.findTools(toolObject);
            found.forEach(tool -> PolicyReader.check(tool.toolSpecification(), tool.toolExecutor()));
            tools.addAll(found);
        }
        return this;
    }

    /**
     * Adds tools without a body: when the model calls one, a person is asked, and the answer is the call's result.
     *
     * @param interfaces all of whose methods carry {@code @Tool} and {@link AsksUser}
     * @return this builder
     * @throws dev.langchain4j.service.IllegalConfigurationException if {@link AsksUser} is misused
     */
    public HoldpointBuilder<A> asksUser(Class<?>... interfaces) {
        for (Class<?> questions : interfaces) {
            tools.addAll(UserQuestions.of(questions));
        }
        return this;
    }

    /**
     * Adds tool providers. Their {@code @Tool} methods are gated as well; a misused annotation is found at their first use.
     *
     * @param providers LangChain4j's, dynamic ones included
     * @return this builder
     */
    public HoldpointBuilder<A> toolProviders(ToolProvider... providers) {
        toolProviders.addAll(Arrays.asList(providers));
        return this;
    }

    /**
     * The chat memory of each thread. Asked once per thread and process; the 10,000 most recently used memories are kept,
     * so a memory that must outlive that, or the process, needs a {@code ChatMemoryStore}.
     *
     * @param provider gets the thread's id; by default a window of {@value #DEFAULT_MAX_MESSAGES} messages without a store
     * @return this builder
     */
    public HoldpointBuilder<A> chatMemoryProvider(ChatMemoryProvider provider) {
        chatMemoryProvider = provider;
        return this;
    }

    /**
     * Whether a thread that the store does not know may go on from what its chat memory holds already. The store knows whose
     * a thread is; the memory does not. So, by default, such a thread exists for nobody: every input is
     * {@link ErrorCode#THREAD_NOT_FOUND}, nothing of the memory is read to anybody, and nothing is removed from it. System
     * messages alone do not count.
     *
     * <p>It happens if memories outlive the store, such as a persistent {@code ChatMemoryStore} next to an
     * {@link InMemoryStore}, if they were there before Holdpoint was, or if the provider fills them.
     *
     * @param adopts {@code true} if whoever comes first owns the thread, with all that its memory holds: only where thread
     *     ids cannot be guessed, or all callers may see all threads. {@code false} by default
     * @return this builder
     */
    public HoldpointBuilder<A> adoptChatMemories(boolean adopts) {
        adoptsChatMemories = adopts;
        return this;
    }

    /**
     * The rest of the AI Service: system message, retrieval, guardrails, listeners, concurrent tools. Called once when the
     * agent is built, and once for every call of the AI Service; guardrails are taken from the first call and shared. Models set here are
     * gated too.
     *
     * @param custom changes LangChain4j's builder; must not set the chat memory
     * @return this builder
     */
    public HoldpointBuilder<A> customizer(Consumer<AiServices<A>> custom) {
        customizer = custom;
        return this;
    }

    /**
     * Adds what changes the AI Service for one run: {@code runCustomizer((service, run) -> service.streamingChatModel(...))}.
     * Called after the {@link #customizer}, for every call of the AI Service: when a hold is resumed too, with what was
     * forwarded with the answer. Models and tools set here are gated like all others; the tools of a hold have to be there again when
     * it is resumed. Not for guardrails: those are the agent's, and any that are added here are not used. The agent itself needs
     * its models anyway.
     *
     * @param custom changes LangChain4j's builder; must not set the chat memory
     * @return this builder
     */
    public HoldpointBuilder<A> runCustomizer(RunCustomizer<A> custom) {
        runCustomizers.add(custom);
        return this;
    }

    /**
     * Where threads and holds are kept. A store belongs to one agent, and all its nodes: it does not say which agent a thread
     * is of, so that another one would settle its abandoned batches into chat memories of its own.
     *
     * @param threads the store; by default an {@link InMemoryStore}, which a restart empties
     * @return this builder
     */
    public HoldpointBuilder<A> store(Store threads) {
        store = threads;
        return this;
    }

    /**
     * What tells the time.
     *
     * @param time by default the system's clock
     * @return this builder
     */
    public HoldpointBuilder<A> clock(Clock time) {
        clock = time;
        return this;
    }

    /**
     * Where the runs of {@link Holdpoint#run} work. Should not be bounded by a queue: a run may hold its thread until its
     * model has answered.
     *
     * @param threads by default LangChain4j's: virtual threads if the JDK has them, else a growing pool
     * @return this builder
     */
    public HoldpointBuilder<A> executor(Executor threads) {
        executor = Optional.of(threads);
        return this;
    }

    /**
     * Tools that may be executed again when the server stopped while they ran, as
     * {@link RequiresApproval#idempotent()} says for annotated ones: for tools that nobody is asked about.
     *
     * @param toolNames as the model sees them
     * @return this builder
     */
    public HoldpointBuilder<A> idempotentTools(String... toolNames) {
        idempotentTools.addAll(Arrays.asList(toolNames));
        return this;
    }

    /**
     * Requires approval of every call of a tool, annotated or not.
     *
     * @param toolName as the model sees it
     * @return this builder
     */
    public HoldpointBuilder<A> requireApproval(String toolName) {
        return requireApproval(ToolPolicy.named(toolName));
    }

    /**
     * Decides per call of a tool whether a person is asked:
     * {@code requireApproval("transferMoney", call -> ApprovalVerdict.requireApprovalIf(call.argument("amount", BigDecimal.class).orElseThrow().signum() > 0))}.
     *
     * @param toolName as the model sees it
     * @param condition decides
     * @return this builder
     */
    public HoldpointBuilder<A> requireApproval(String toolName, ApprovalCondition condition) {
        return requireApproval(ToolPolicy.named(toolName).when(condition));
    }

    /**
     * Requires approval of tools, annotated or not. A policy can only tighten what an annotation says.
     *
     * @param policies which tools, when, and how to ask
     * @return this builder
     */
    public HoldpointBuilder<A> requireApproval(ToolPolicy... policies) {
        this.policies.addAll(Arrays.asList(policies));
        return this;
    }

    /**
     * Instances of conditions that {@link RequiresApproval#when()} names by their class, for conditions that need something.
     *
     * @param conditions one per class
     * @return this builder
     */
    public HoldpointBuilder<A> approvalConditions(ApprovalCondition... conditions) {
        this.conditions.addAll(Arrays.asList(conditions));
        return this;
    }

    /**
     * Instances of previews that {@link RequiresApproval#preview()} names by their class, for previews that need something.
     *
     * @param previews one per class
     * @return this builder
     */
    public HoldpointBuilder<A> approvalPreviews(ApprovalPreview... previews) {
        this.previews.addAll(Arrays.asList(previews));
        return this;
    }

    /**
     * Who may decide.
     *
     * @param decides by default {@link ApprovalAuthorizer#OWNER}
     * @return this builder
     */
    public HoldpointBuilder<A> approvalAuthorizer(ApprovalAuthorizer decides) {
        authorizer = decides;
        return this;
    }

    /**
     * Tools whose failure a person is asked about: the run ends with an interrupt of reason {@code langchain4j:tool_error},
     * and the answer {@code {"action": "retry" | "give_up", "editedArgs"?: {...}, "note"?: "..."}} says whether the tool is
     * tried again. Without it, the failure is the call's result, and the model is told. Whoever edits arguments approves them:
     * conditions and policies can still deny them, and do not ask again.
     *
     * @param toolNames as the model sees them
     * @return this builder
     */
    public HoldpointBuilder<A> askOnFailure(String... toolNames) {
        return askOnFailure(Arrays.asList(toolNames)::contains);
    }

    /**
     * Tools whose failure a person is asked about, see {@link #askOnFailure(String...)}.
     *
     * @param tools says which; gets the name as the model sees it
     * @return this builder
     */
    public HoldpointBuilder<A> askOnFailure(Predicate<String> tools) {
        askOnFailure = askOnFailure.or(tools);
        return this;
    }

    /** What the heartbeat of active runs goes by; for tests. */
    HoldpointBuilder<A> timer(BeatTimer beats) {
        timer = beats;
        return this;
    }

    /**
     * Builds the agent.
     *
     * @return the agent
     * @throws dev.langchain4j.service.IllegalConfigurationException if something cannot work: a misused annotation, an AI
     *     Service method without its model or with an adapted stream, {@code compensateOnToolErrors}, a chat memory set in
     *     the customizer
     */
    public Holdpoint build() {
        if (chatModel.isEmpty() && streamingChatModel.isEmpty()) {
            throw illegalConfiguration(
                    "Set a model for %s: chatModel(...), streamingChatModel(...), or both.", aiService.getName());
        }
        PlainServiceGuard.warnIfNotInUse();
        return Holdpoint.of(new AgentConfig<>(
                aiService,
                turnFunction,
                chatModel,
                streamingChatModel,
                List.copyOf(tools),
                List.copyOf(toolProviders),
                new PolicyReader(
                        new PolicyReader.Settings(policies, conditions, previews, idempotentTools, askOnFailure)),
                customizer,
                new ChatMemories(chatMemoryProvider, adoptsChatMemories),
                store,
                clock,
                executor.orElseGet(DefaultExecutorProvider::getDefaultExecutorService),
                governance(authorizer),
                timer,
                exchange(),
                hooks(runCustomizers)));
    }

    @Override
    HoldpointBuilder<A> self() {
        return this;
    }
}
