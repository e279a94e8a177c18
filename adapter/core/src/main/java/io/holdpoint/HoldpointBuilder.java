package io.holdpoint;

import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.memory.chat.ChatMemoryProvider;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.tool.AiServiceTool;
import dev.langchain4j.service.tool.ToolProvider;
import io.holdpoint.hook.ArgumentRedactor;
import io.holdpoint.hook.Extension;
import io.holdpoint.hook.Interceptor;
import io.holdpoint.hook.RunInfo;
import io.holdpoint.hook.RunObserver;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.agent.ThreadIds;
import io.holdpoint.internal.aiservice.PlainServiceGuard;
import io.holdpoint.internal.gate.AnnotationReader;
import io.holdpoint.internal.gate.ClientTool;
import io.holdpoint.internal.gate.PolicyReader;
import io.holdpoint.internal.gate.ProxiedTool;
import io.holdpoint.internal.lease.Scheduler;
import io.holdpoint.internal.run.AgentRuns;
import io.holdpoint.rule.Rule;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Store;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Builds a {@link Holdpoint}. Not thread-safe. Settings that LangChain4j's {@code AiServices} has too have the same names here.
 *
 * <p>A turn calls the only abstract method of the AI Service, whatever its shape, with an argument for every parameter:
 *
 * <ul>
 *   <li>a {@code String} gets the text of the user message, a {@code @UserMessage List<Content>} all of it. Media that have no
 *       such parameter are added to the user message. The text is never read as a template, but the method's own
 *       {@code @UserMessage("... {{text}} ...")} and {@code @SystemMessage} are.
 *   <li>{@code @MemoryId} gets the thread's id as a {@code String}, {@code Long}, {@code Integer} or {@code UUID}.
 *   <li>{@code @V("name")} gets the value of {@link #variable}.
 *   <li>{@code InvocationParameters} get the data of {@link UserTurn}, {@code @UserName} the id of the caller.
 * </ul>
 *
 * <p>Of several abstract methods, one is named, or chosen for each turn ({@link #method}). {@link #build} refuses a parameter that cannot
 * be filled.
 */
public final class HoldpointBuilder<A> {

    /** The number of messages that the default chat memory keeps. */
    public static final int DEFAULT_MAX_MESSAGES = AgentConfig.MAX_MESSAGES;

    /** The time for which a run that died keeps its thread. A run that lives renews its lease three times in that time. */
    public static final Duration LEASE_DURATION = AgentConfig.LEASE_DURATION;

    /** The longest time that a run may take by default. */
    public static final Duration DEFAULT_RUN_TIMEOUT = AgentConfig.RUN_TIMEOUT;

    private final AgentConfig<A> config;
    private final List<Extension> joining = new ArrayList<>();

    HoldpointBuilder(Class<A> aiService) {
        config = new AgentConfig<>(aiService);
    }

    /** Names the method of the AI Service that takes the turns, if the interface has several. */
    public HoldpointBuilder<A> method(String name) {
        config.methodName = Optional.of(name);
        config.chosenMethod = Optional.empty();
        return this;
    }

    /**
     * Chooses the method of the AI Service that takes a turn, by its name: {@code turn -> isBrief(turn) ? "answer" : "discuss"}. The
     * function is called again when the turn is resumed, and must give the same method then, or the run fails before anything is executed.
     */
    public HoldpointBuilder<A> method(Function<UserTurn, String> chooses) {
        config.chosenMethod = Optional.of(chooses);
        config.methodName = Optional.empty();
        return this;
    }

    /**
     * Gives the value of a variable of the AI Service's templates, of the method's parameter {@code @V("name")}: in every turn, and again
     * when a turn is resumed. A text is not read as a template.
     */
    public HoldpointBuilder<A> variable(String name, Function<UserTurn, ?> value) {
        config.variables.put(name, value);
        return this;
    }

    /** Sets the model for AI Service methods that return a value. */
    public HoldpointBuilder<A> chatModel(ChatModel model) {
        return chatModel(new AgentConfig.SameModel<>(model));
    }

    /**
     * Chooses the model of each run for AI Service methods that return a value, by the caller for instance, or by what the client
     * forwards. The function is called for every call of the AI Service, also when a held turn is resumed, with the properties that were
     * forwarded with the answer; it must be thread-safe. A {@link RunRejectedException} ends the run with its code and its message, which
     * is for the person; any other exception ends it with {@link ErrorCode#HOOK_FAILED}.
     */
    public HoldpointBuilder<A> chatModel(Function<RunInfo, ChatModel> models) {
        config.chatModel = Optional.of(models);
        return this;
    }

    /** Sets the model for AI Service methods that return a {@code TokenStream}. */
    public HoldpointBuilder<A> streamingChatModel(StreamingChatModel model) {
        return streamingChatModel(new AgentConfig.SameModel<>(model));
    }

    /** Chooses the model of each run, as {@link #chatModel(Function)} does, for AI Service methods that return a {@code TokenStream}. */
    public HoldpointBuilder<A> streamingChatModel(Function<RunInfo, StreamingChatModel> models) {
        config.streamingChatModel = Optional.of(models);
        return this;
    }

    /**
     * Adds objects with {@code @Tool} methods, gated ones and others; not classes. A proxy that extends the class is called through; for a
     * JDK proxy: {@link #tools(Object, Class)}.
     *
     * @throws dev.langchain4j.service.IllegalConfigurationException if a {@link RequiresApproval} is misused; a condition that cannot be
     *     created is found by {@link #build}
     */
    public HoldpointBuilder<A> tools(Object... toolObjects) {
        for (Object each : toolObjects) {
            add(PolicyReader.toolsOf(each));
        }
        return this;
    }

    /**
     * Adds the {@code @Tool} methods of a class behind a proxy, JDK proxies included: annotations and parameters are those of the class,
     * and calls go through the proxy, so that its aspects (transactions, security) apply. The proxy extends the class, or implements
     * interfaces that have its {@code @Tool} methods.
     *
     * @throws dev.langchain4j.service.IllegalConfigurationException as {@link #tools(Object...)}, or if the proxy lacks a method
     */
    public HoldpointBuilder<A> tools(Object proxy, Class<?> target) {
        add(ProxiedTool.of(proxy, target));
        return this;
    }

    private void add(List<AiServiceTool> found) {
        for (AiServiceTool tool : found) {
            PolicyReader.check(tool.toolSpecification(), tool.toolExecutor());
        }
        config.tools.addAll(found);
    }

    /**
     * Adds tools without a body: when the model calls one, a person is asked, and the answer is the call's result. All methods of the
     * interfaces carry {@code @Tool} and {@link AsksUser}. The artifact {@code holdpoint-people} reads them.
     *
     * @throws dev.langchain4j.service.IllegalConfigurationException if {@link AsksUser} is misused, or that artifact is missing
     */
    public HoldpointBuilder<A> questions(Class<?>... interfaces) {
        Arrays.stream(interfaces).map(AnnotationReader.FOUND::questions).forEach(config.tools::addAll);
        return this;
    }

    /**
     * Adds tools that the client executes, whether it offers them or not: a call ends the run with its id in {@code pendingToolCallIds},
     * and its result is a {@code tool} message of the next input. {@code ToolSpecifications.toolSpecificationsFrom(PageTools.class)}
     * declares those of an interface.
     */
    public HoldpointBuilder<A> clientTools(List<ToolSpecification> declared) {
        declared.stream().map(ClientTool::of).forEach(config.tools::add);
        return this;
    }

    /**
     * Adds tool providers, dynamic ones included. Their {@code @Tool} methods are gated as well; a misused annotation is found at their
     * first use.
     */
    public HoldpointBuilder<A> toolProviders(ToolProvider... providers) {
        config.toolProviders.addAll(Arrays.asList(providers));
        return this;
    }

    /**
     * Sets the provider of each thread's chat memory, by the thread's id; by default a window of {@value #DEFAULT_MAX_MESSAGES} messages
     * without a store. It is called once per thread and process; the 10,000 most recently used memories are kept. One without a
     * {@code ChatMemoryStore} that was not kept gets the texts of the thread's transcript.
     */
    public HoldpointBuilder<A> chatMemoryProvider(ChatMemoryProvider provider) {
        config.chatMemoryProvider = provider;
        return this;
    }

    /**
     * Configures the rest of the AI Service, but not the chat memory: system message, retrieval, guardrails, listeners, concurrent tools.
     * The function is called while the agent is built, twice: all turns share the AI Service, as in LangChain4j. Models set here are gated
     * too, and used instead of those of the agent. Several functions are called in the order in which they were given. Tools that differ
     * from run to run come from a {@code ToolProvider}, which sees the {@code InvocationParameters}.
     */
    public HoldpointBuilder<A> aiService(Consumer<AiServices<A>> custom) {
        config.customizer = config.customizer.andThen(custom);
        return this;
    }

    /**
     * Names the agent, for several agents with one store: those with different names have no thread, hold or memory in common,
     * whatever ids their clients choose. Clients do not see the name.
     *
     * @param agent at most 64 letters, digits, '-', '_' and '.'; none by default. The {@link #chatMemoryProvider} gets it, with
     *     U+001F, before ids that are a {@code String}; ids of other types tell no agents apart
     * @throws IllegalArgumentException if it has other characters or is too long
     */
    public HoldpointBuilder<A> name(String agent) {
        if (!agent.matches("[A-Za-z0-9._-]{0,64}")) {
            throw new IllegalArgumentException(
                    "name(\"" + agent + "\"): must have at most 64 letters, digits, '-', '_' and '.'");
        }
        config.name = agent;
        return this;
    }

    /**
     * Gives each user thread ids of their own: two callers who choose one id have two threads. On the server (tools, hooks, memories,
     * audit trail) a thread's id is {@code @owner:id} then, with {@code %} and {@code :} of the owner as {@code %25} and {@code %3A}. Its
     * owner sends and sees the id alone; others who may access the thread send and see all of it. {@code false} by default: who comes
     * first owns an id. Not to be changed once there are threads.
     */
    public HoldpointBuilder<A> userScopedThreadIds(boolean perUser) {
        config.threadIds = new ThreadIds(perUser);
        return this;
    }

    /**
     * Sets the store, which keeps threads and held calls; by default an {@link InMemoryStore}, which a restart empties. Agents that share
     * one have different names ({@link #name}).
     */
    public HoldpointBuilder<A> store(Store threads) {
        config.store = threads;
        return this;
    }

    /** Adds policies of tools, annotated or not: {@code ToolPolicy.named("transfer").when(call -> ...)}. */
    public HoldpointBuilder<A> toolPolicies(ToolPolicy... policies) {
        Arrays.stream(policies).map(policy -> policy.settings).forEach(config.policies::add);
        return this;
    }

    /**
     * Adds the objects of the classes that {@link RequiresApproval#when()} and {@link RequiresApproval#rules()} name, one per class;
     * where there is none, the only one of a subclass is taken. One that is neither an {@link ApprovalCondition} nor a {@link Rule} is an {@link
     * IllegalArgumentException}.
     */
    public HoldpointBuilder<A> beans(Object... instances) {
        config.instances.addAll(PolicyReader.requireInstances(instances));
        return this;
    }

    /** Adds rules, which have a say in whether a call runs and can only tighten what policies and people say; their order does not matter. */
    public HoldpointBuilder<A> rules(Rule... rules) {
        config.rules.addAll(Arrays.asList(rules));
        return this;
    }

    /** Sets the authorizer, which decides which callers may answer, by default {@link ApprovalAuthorizer#OWNER}. */
    public HoldpointBuilder<A> approvalAuthorizer(ApprovalAuthorizer decides) {
        config.authorizer = decides;
        return this;
    }

    /**
     * Sets the directory that says who people are now. Where several people have to approve a call, it is asked about each
     * earlier voter when the last one approves, and about all of them before the call runs, also about one who alone approves for an
     * audience: their present roles count then, and whoever it does not know has no vote any more. So it is with a remembered approval
     * whenever it is to let a call run. Without it, the roles count that people had when they approved.
     *
     * @param directory gets the id of a caller, which the one that it gives has as well: somebody else counts as nobody. Empty if there
     *     is no such person any more. If it throws when the last one approves, the vote does not count; if it throws before the call runs,
     *     the run fails, and goes on when the same input comes again. Must be thread-safe
     */
    public HoldpointBuilder<A> people(Function<String, Optional<Caller>> directory) {
        config.people = Optional.of(directory);
        return this;
    }

    /**
     * Sets the longest time that a run may take, from its input to its last event: {@link #DEFAULT_RUN_TIMEOUT} by default, zero for no
     * limit; a negative one is an {@link IllegalArgumentException}. A run that takes longer ends with {@link ErrorCode#RUN_TIMEOUT}; the
     * time that a person takes to answer is no part of a run. Decisions and results are kept. A run does not wait for a tool that is
     * running then, and a person is asked for its outcome when the thread goes on. The thread that waits in {@link Holdpoint#send} is
     * interrupted then if it is in a model or a tool that heeds interrupts.
     */
    public HoldpointBuilder<A> runTimeout(Duration most) {
        if (most.isNegative()) {
            throw new IllegalArgumentException("runTimeout must not be negative: " + most);
        }
        config.runTimeout = most.isZero() ? Optional.empty() : Optional.of(most);
        return this;
    }

    /** Sets how long the agent keeps what it stores, by default {@link Retention#DEFAULT}. */
    public HoldpointBuilder<A> retention(Retention kept) {
        config.retention = kept;
        return this;
    }

    /** Sets the limits of the amounts that the agent takes in and keeps, by default {@link Limits#DEFAULT}. */
    public HoldpointBuilder<A> limits(Limits most) {
        config.limits = most;
        return this;
    }

    /**
     * Adds interceptors of inputs, events and tools, in the order of calls: each gets what the one before has returned. By default there are
     * none.
     */
    public HoldpointBuilder<A> interceptors(Interceptor... between) {
        config.hooks.interceptors.addAll(Arrays.asList(between));
        return this;
    }

    /**
     * Adds observers of runs, their parts and durations, and of the audit trail, in the order in which they are told. By default there are
     * none.
     */
    public HoldpointBuilder<A> observers(RunObserver... hear) {
        config.observers.add(hear);
        return this;
    }

    /**
     * Sets what clients are told and may send, such as {@code client(client -> client.steps(true))}. Several functions are called in the
     * order in which they were given, each at once.
     */
    public HoldpointBuilder<A> client(Consumer<ClientSettings> change) {
        change.accept(new ClientSettings(config));
        return this;
    }

    /**
     * Sets the clock, for tests; by default the system's. With one that stands still, or runs at less than half or more than twice the speed
     * of time, the agent does not look by itself at what is due, and its guests do not either: call {@link Holdpoint#actOnTime}.
     */
    public HoldpointBuilder<A> clock(Clock time) {
        config.clock = time;
        return this;
    }

    /**
     * Sets the executor of runs, by default virtual threads if the JDK has them, else a growing pool. It should not be bounded by a queue:
     * a run may hold its thread until its model has answered.
     */
    public HoldpointBuilder<A> executor(Executor threads) {
        config.executor = threads;
        return this;
    }

    /** Sets the redactor of the arguments that the audit trail keeps; by default {@link ArgumentRedactor#NONE}. */
    public HoldpointBuilder<A> argumentRedactor(ArgumentRedactor redacts) {
        config.redactor = redacts;
        return this;
    }

    /** Adds what modules bring, each in the order in which it joins the agent. */
    public HoldpointBuilder<A> with(Extension... extensions) {
        joining.addAll(Arrays.asList(extensions));
        return this;
    }

    /** Sets the time for which a run that died keeps its thread; for tests. */
    HoldpointBuilder<A> leaseDuration(Duration duration) {
        config.leaseDuration = duration;
        return this;
    }

    /** Sets the timer of the heartbeats of active runs; for tests. */
    HoldpointBuilder<A> timer(Scheduler beats) {
        config.timer = beats;
        return this;
    }

    /**
     * Builds the agent.
     *
     * @throws dev.langchain4j.service.IllegalConfigurationException if a setting cannot work: a misused annotation, a gated
     *     tool that no call can reach, an AI Service method without its model or with an adapted stream,
     *     {@code compensateOnToolErrors}, a chat memory set in {@link #aiService}, an AI Service method that cannot be found or
     *     filled
     */
    public Holdpoint build() {
        PlainServiceGuard.warnIfNotInUse();
        return Holdpoint.built(new AgentRuns<>(config.copy()), joining);
    }

    /** Builds the agent as another process has it: shares the AI Service and its tools with a built one, and nothing else; for tests. */
    Holdpoint restarted(Holdpoint built) {
        return Holdpoint.built(new AgentRuns<>(config.restarted(built.runs.config), built.runs.service), joining);
    }
}
