package io.holdpoint;

import static dev.langchain4j.service.IllegalConfigurationException.illegalConfiguration;

import dev.langchain4j.memory.chat.ChatMemoryProvider;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.tool.AiServiceTool;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolService;
import io.holdpoint.hook.ArgumentRedactor;
import io.holdpoint.hook.AuditListener;
import io.holdpoint.hook.EventInterceptor;
import io.holdpoint.hook.InputHook;
import io.holdpoint.hook.RunCustomizer;
import io.holdpoint.hook.RunListener;
import io.holdpoint.hook.RunObserver;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.aiservice.PlainServiceGuard;
import io.holdpoint.internal.gate.PolicyReader;
import io.holdpoint.internal.gate.UserQuestion;
import io.holdpoint.internal.lease.BeatTimer;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Store;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link Holdpoint}. Not thread-safe. Settings that LangChain4j's {@code AiServices} has too have the same names here.
 *
 * <p>A turn calls the only abstract method of the AI Service, whatever its shape, with an argument for every parameter:
 *
 * <ul>
 *   <li>a {@code String} gets the text of what the user said, a {@code @UserMessage List<Content>} all of it. Media that have no
 *       such parameter are added to the user message. The text is never read as a template, but the method's own
 *       {@code @UserMessage("... {{text}} ...")} and {@code @SystemMessage} are.
 *   <li>{@code @MemoryId} gets the thread's id as a {@code String}, {@code Long}, {@code Integer} or {@code UUID}, or what
 *       {@link #memoryId} makes of it.
 *   <li>{@code @V("name")} gets the value of {@link #variable}.
 *   <li>{@code InvocationParameters} get what {@link UserTurn} has, {@code @UserName} the id of the caller.
 * </ul>
 *
 * <p>Of several abstract methods, one is named ({@link #method}). What cannot be filled is found by {@link #build}; a function
 * can always call the AI Service instead ({@link #turn}).
 *
 * @param <A> the AI Service
 */
public final class HoldpointBuilder<A> {

    /** How many messages the default chat memory keeps. */
    public static final int DEFAULT_MAX_MESSAGES = 100;

    /** How long a run that died keeps its thread. */
    public static final Duration DEFAULT_LEASE_DURATION = Duration.ofSeconds(30);

    /** How long a run may take. */
    public static final Duration DEFAULT_RUN_TIMEOUT = Duration.ofHours(1);

    private final AgentConfig<A> config;

    HoldpointBuilder(Class<A> aiService) {
        config = new AgentConfig<>(aiService);
    }

    /**
     * Names the method of the AI Service that takes the turns, if the interface has several.
     *
     * @param name of one abstract method
     * @return this builder
     */
    public HoldpointBuilder<A> method(String name) {
        config.methodName = Optional.of(name);
        return this;
    }

    /**
     * Gives the value of a variable of the AI Service's templates: of the method's parameter {@code @V("name")}.
     *
     * @param name of the variable
     * @param value asked in every turn, and again when a turn is resumed
     * @return this builder
     */
    public HoldpointBuilder<A> variable(String name, Function<UserTurn, ?> value) {
        config.variables.put(name, value);
        return this;
    }

    /**
     * Calls the AI Service by a function instead of the method that was found: for a turn that reaches one method or another,
     * or whose parameters cannot be filled otherwise.
     *
     * @param calls for instance {@code (assistant, turn) -> assistant.chat(turn.contents())}
     * @return this builder
     */
    public HoldpointBuilder<A> turn(BiFunction<A, UserTurn, @Nullable Object> calls) {
        config.turnFunction = Optional.of(calls);
        return this;
    }

    /**
     * Makes the chat memory's id of a thread's id: what the {@link #chatMemoryProvider} gets, the method's {@code @MemoryId}
     * and the tools' {@code @ToolMemoryId}. A method whose {@code @MemoryId} is a {@code Long}, an {@code Integer} or a
     * {@code UUID} needs none: thread ids are read as that. Two threads must not have the same.
     *
     * @param converts by default the thread's id is the memory's
     * @return this builder
     */
    public HoldpointBuilder<A> memoryId(Function<String, Object> converts) {
        config.memoryId = Optional.of(converts);
        return this;
    }

    /**
     * The model for AI Service methods that return a value.
     *
     * @param model any LangChain4j model
     * @return this builder
     */
    public HoldpointBuilder<A> chatModel(ChatModel model) {
        config.chatModel = Optional.of(model);
        return this;
    }

    /**
     * The model for AI Service methods that return a {@code TokenStream}.
     *
     * @param model any LangChain4j model
     * @return this builder
     */
    public HoldpointBuilder<A> streamingChatModel(StreamingChatModel model) {
        config.streamingChatModel = Optional.of(model);
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
            config.tools.addAll(found);
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
    public HoldpointBuilder<A> questions(Class<?>... interfaces) {
        for (Class<?> each : interfaces) {
            config.tools.addAll(UserQuestion.toolsOf(each));
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
        config.toolProviders.addAll(Arrays.asList(providers));
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
        config.chatMemoryProvider = provider;
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
        config.adoptsChatMemories = adopts;
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
    public HoldpointBuilder<A> aiService(Consumer<AiServices<A>> custom) {
        config.customizer = custom;
        return this;
    }

    /**
     * Adds what changes the AI Service for one run: {@code aiServicePerRun((service, run) -> service.streamingChatModel(...))}.
     * Called after the {@link #aiService}, for every call of the AI Service: when a hold is resumed too, with what was
     * forwarded with the answer. Models and tools set here are gated like all others; the tools of a hold have to be there again when
     * it is resumed. Not for guardrails: those are the agent's, and any that are added here are not used. The agent itself needs
     * its models anyway.
     *
     * @param custom changes LangChain4j's builder; must not set the chat memory
     * @return this builder
     */
    public HoldpointBuilder<A> aiServicePerRun(RunCustomizer<A> custom) {
        config.hooks.customizers.add(custom);
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
        config.store = threads;
        return this;
    }

    /**
     * What tells the time.
     * @param time by default the system's clock
     * @return this builder
     */
    public HoldpointBuilder<A> clock(Clock time) {
        config.clock = time;
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
        config.executor = threads;
        return this;
    }

    /**
     * Adds policies of tools, annotated or not: which need approval, when and how, which may be repeated, of which a failure
     * is asked about.
     *
     * @param policies {@code ToolPolicy.named("transfer").when(call -> ...)}
     * @return this builder
     */
    public HoldpointBuilder<A> toolPolicies(ToolPolicy... policies) {
        for (ToolPolicy policy : policies) {
            config.policies.add(policy.settings);
        }
        return this;
    }

    /**
     * Adds instances of the classes that {@link RequiresApproval#when()} and {@link RequiresApproval#preview()} name, for
     * conditions and previews that need something.
     *
     * @param instances an {@link ApprovalCondition} or {@link ApprovalPreview} each, one per class
     * @return this builder
     * @throws IllegalArgumentException if one is neither
     */
    public HoldpointBuilder<A> instances(Object... instances) {
        for (Object instance : instances) {
            if (!(instance instanceof ApprovalCondition || instance instanceof ApprovalPreview)) {
                throw new IllegalArgumentException(
                        instance.getClass().getName() + " is neither an ApprovalCondition nor an ApprovalPreview");
            }
            config.instances.add(instance);
        }
        return this;
    }

    /**
     * Who may decide.
     *
     * @param decides by default {@link ApprovalAuthorizer#OWNER}
     * @return this builder
     */
    public HoldpointBuilder<A> approvalAuthorizer(ApprovalAuthorizer decides) {
        config.authorizer = decides;
        return this;
    }

    /**
     * What the audit trail keeps of arguments.
     *
     * @param redacts by default {@link ArgumentRedactor#NONE}
     * @return this builder
     */
    public HoldpointBuilder<A> argumentRedactor(ArgumentRedactor redacts) {
        config.redactor = redacts;
        return this;
    }

    /**
     * Who hears of everything that happens to gated calls. The store keeps it anyway, see
     * {@link Store#auditTrail}.
     *
     * @param listener by default nobody
     * @return this builder
     */
    public HoldpointBuilder<A> auditListener(AuditListener listener) {
        config.auditListener = listener;
        return this;
    }

    /**
     * How long a run that died keeps its thread. A run that lives renews its lease three times in that time. Nodes on one
     * store should use the same duration, and clocks that differ by much less.
     *
     * @param duration {@link #DEFAULT_LEASE_DURATION} by default; at least one second
     * @return this builder
     * @throws IllegalArgumentException if it is shorter
     */
    public HoldpointBuilder<A> leaseDuration(Duration duration) {
        if (duration.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException("leaseDuration must be at least one second: " + duration);
        }
        config.leaseDuration = duration;
        return this;
    }

    /**
     * How long a run may take, from its input to its last event. A run that takes longer ends with
     * {@link ErrorCode#RUN_TIMEOUT}; the time that a person takes to answer is no part of a run. What was decided and done is
     * kept. A tool that is running then is not waited for, and a person is asked what came of it when the thread goes on.
     *
     * @param most {@link #DEFAULT_RUN_TIMEOUT} by default; zero for as long as it likes
     * @return this builder
     * @throws IllegalArgumentException if it is negative
     */
    public HoldpointBuilder<A> runTimeout(Duration most) {
        if (most.isNegative()) {
            throw new IllegalArgumentException("runTimeout must not be negative: " + most);
        }
        config.runTimeout = most.isZero() ? Optional.empty() : Optional.of(most);
        return this;
    }

    /**
     * How long finished and abandoned batches are kept.
     *
     * @param kept by default {@link Retention#DEFAULT}
     * @return this builder
     */
    public HoldpointBuilder<A> retention(Retention kept) {
        config.retention = kept;
        return this;
    }

    /**
     * How much the agent takes in and keeps.
     * @param most by default {@link Limits#DEFAULT}
     * @return this builder
     */
    public HoldpointBuilder<A> limits(Limits most) {
        config.limits = most;
        return this;
    }

    /**
     * What happens to the other calls of a model message when somebody has to be asked about one of them.
     *
     * @param mode by default {@link BatchMode#HOLD}: nothing of the message runs
     * @return this builder
     */
    public HoldpointBuilder<A> batchMode(BatchMode mode) {
        config.batchMode = mode;
        return this;
    }

    /**
     * Which media of user messages the model gets besides text. Say what your model takes: what it does not take fails the
     * run, and is left out when the thread goes on with another message.
     *
     * @param media by default {@link InputMedia#ALL}
     * @return this builder
     */
    public HoldpointBuilder<A> inputMedia(InputMedia media) {
        config.inputMedia = media;
        return this;
    }

    /**
     * Whether clients get what the model says of its thinking: as {@code REASONING_*} events, and as messages of the role
     * {@code reasoning} in the transcript. There is something to get only from models that are told to return it
     * ({@code returnThinking(true)}, mostly), and nothing of it from AI Service methods with output guardrails, which do not
     * see it.
     *
     * @param exposed {@code true} by default
     * @return this builder
     */
    public HoldpointBuilder<A> exposeReasoning(boolean exposed) {
        config.reasoning = exposed;
        return this;
    }

    /**
     * Whether clients are told when something works: {@code STEP_STARTED} and {@code STEP_FINISHED} around the execution of
     * each tool, by its name, and around retrieval, as {@code retrieval}. Of two calls of a tool that run at the same time, the
     * second is a step of the name and the id of its call.
     *
     * @param told {@code false} by default
     * @return this builder
     */
    public HoldpointBuilder<A> steps(boolean told) {
        config.steps = told;
        return this;
    }

    /**
     * Whether clients are shown what works, as activity messages: {@code ACTIVITY_SNAPSHOT} and {@code ACTIVITY_DELTA}, and
     * messages of the role {@code activity} in the transcript. The execution of a tool is
     * {@code {"activityType": "tool_execution", "content": {"toolName", "toolCallId", "status"}}}, the status being
     * {@code running}, then {@code executed}, {@code failed} or {@code asking}; retrieval is
     * {@code {"activityType": "retrieval", "content": {"status"}}}, {@code running}, then {@code done} or {@code failed}.
     *
     * @param told {@code false} by default
     * @return this builder
     */
    public HoldpointBuilder<A> activities(boolean told) {
        config.activities = told;
        return this;
    }

    /**
     * How active runs are followed, see {@link Holdpoint#follow}.
     * @param how by default {@link FollowSettings#DEFAULT}
     * @return this builder
     */
    public HoldpointBuilder<A> following(FollowSettings how) {
        config.following = how;
        return this;
    }

    /**
     * Adds what sees each input first, and may change or refuse it. Of several, each gets what the one before has made.
     *
     * @param hook by default there is none
     * @return this builder
     */
    public HoldpointBuilder<A> inputHook(InputHook hook) {
        config.hooks.inputs.add(hook);
        return this;
    }

    /**
     * Adds what sees events before they are sent, and may change, drop and add some. Of several, each gets what the one before
     * has made.
     *
     * @param interceptor by default there is none
     * @return this builder
     */
    public HoldpointBuilder<A> eventInterceptor(EventInterceptor interceptor) {
        config.hooks.interceptors.add(interceptor);
        return this;
    }

    /**
     * Adds who hears when runs start and end.
     * @param listener by default nobody
     * @return this builder
     */
    public HoldpointBuilder<A> runListener(RunListener listener) {
        config.hooks.listeners.add(listener);
        return this;
    }

    /**
     * Adds observers, which hear what runs work on: meters and spans, see the package {@code io.holdpoint.micrometer}.
     *
     * @param hear in the order in which they are told; by default there are none
     * @return this builder
     */
    public HoldpointBuilder<A> observers(RunObserver... hear) {
        config.observers = config.observers.and(hear);
        return this;
    }

    /** What the heartbeat of active runs goes by; for tests. */
    HoldpointBuilder<A> timer(BeatTimer beats) {
        config.timer = beats;
        return this;
    }

    /**
     * Builds the agent.
     *
     * @return the agent
     * @throws dev.langchain4j.service.IllegalConfigurationException if something cannot work: a misused annotation, an AI
     *     Service method without its model or with an adapted stream, {@code compensateOnToolErrors}, a chat memory set in
     *     {@link #aiService}, an AI Service method that cannot be found or filled
     */
    public Holdpoint build() {
        if (config.chatModel.isEmpty() && config.streamingChatModel.isEmpty()) {
            throw illegalConfiguration(
                    "Set a model for %s: chatModel(...), streamingChatModel(...), or both.",
                    config.serviceClass.getName());
        }
        PlainServiceGuard.warnIfNotInUse();
        return Holdpoint.of(config.copy());
    }
}
