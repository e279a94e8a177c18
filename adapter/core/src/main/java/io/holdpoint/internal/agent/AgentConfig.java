package io.holdpoint.internal.agent;

import static dev.langchain4j.service.IllegalConfigurationException.illegalConfiguration;

import dev.langchain4j.memory.chat.ChatMemoryProvider;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.tool.AiServiceTool;
import dev.langchain4j.service.tool.ToolProvider;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Caller;
import io.holdpoint.InputMedia;
import io.holdpoint.Limits;
import io.holdpoint.Retention;
import io.holdpoint.SnapshotSettings;
import io.holdpoint.UserTurn;
import io.holdpoint.hook.ArgumentRedactor;
import io.holdpoint.hook.RunInfo;
import io.holdpoint.internal.gate.Gate;
import io.holdpoint.internal.gate.PolicyReader;
import io.holdpoint.internal.gate.PolicySettings;
import io.holdpoint.internal.gate.Rules;
import io.holdpoint.internal.lease.Heartbeat;
import io.holdpoint.internal.lease.Scheduler;
import io.holdpoint.internal.memory.ChatMemories;
import io.holdpoint.rule.Rule;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Store;
import java.lang.reflect.Method;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Every option of an agent with its default, each written down here once and explained where {@link io.holdpoint.HoldpointBuilder} sets it.
 * The builder writes into an instance of its own and gives the agent a copy; no other class writes any field, which an
 * architecture test checks, so rooms treat what they get as immutable.
 */
public final class AgentConfig<A> implements Cloneable {

    /** The threads of all agents without an executor of their own: virtual ones, or a growing pool where the JDK has none. */
    public static final Executor THREADS = threads();

    /** Ends the name of an agent that works as a tool; no other agent can have such a name. */
    private static final String TOOL = "~tool";

    // Defaults that applications may name
    public static final int MAX_MESSAGES = 100;
    public static final Duration LEASE_DURATION = Duration.ofSeconds(30);
    public static final Duration RUN_TIMEOUT = Duration.ofHours(1);

    // The AI Service
    public final Class<A> serviceClass;
    public Optional<String> methodName = Optional.empty();
    public Optional<Function<UserTurn, String>> chosenMethod = Optional.empty();
    private List<AiServiceMethod> methods = List.of();
    public Map<String, Function<UserTurn, ?>> variables = new LinkedHashMap<>();
    public Optional<Function<RunInfo, ChatModel>> chatModel = Optional.empty();
    public Optional<Function<RunInfo, StreamingChatModel>> streamingChatModel = Optional.empty();
    public List<AiServiceTool> tools = new ArrayList<>();
    public List<ToolProvider> toolProviders = new ArrayList<>();
    public Consumer<AiServices<A>> customizer = service -> {};

    // Approval
    public List<PolicySettings> policies = new ArrayList<>();
    public List<Object> instances = new ArrayList<>();
    public ApprovalAuthorizer authorizer = ApprovalAuthorizer.OWNER;
    public Optional<Function<String, Optional<Caller>>> people = Optional.empty();
    public List<Rule> rules = new ArrayList<>();
    public Retention retention = Retention.DEFAULT;
    public PolicyReader policyReader = policyReader();
    public Gate gate = new Gate(Clock.systemUTC());

    // Threads
    public String name = "";
    public ThreadIds threadIds = new ThreadIds(false);
    public Store store = new InMemoryStore();
    public ChatMemoryProvider chatMemoryProvider = id -> MessageWindowChatMemory.builder()
            .id(id)
            .maxMessages(MAX_MESSAGES)
            .alwaysKeepSystemMessageFirst(true) // methods have system messages of their own
            .build();
    public boolean editsByHistory = true;
    public ChatMemories memories = new ChatMemories(chatMemoryProvider, "", AiServiceMethod.SAME);
    public Limits limits = Limits.DEFAULT;

    // Runs
    public Clock clock = Clock.systemUTC();
    public Executor executor = THREADS;
    public Scheduler timer = new Scheduler.Daemon();
    public Duration leaseDuration = LEASE_DURATION;
    public Heartbeat heartbeat = new Heartbeat(timer, leaseDuration);
    public Optional<Duration> runTimeout = Optional.of(RUN_TIMEOUT);

    /** The run in whose tool the agent works, by the thread on which it does. */
    public final Map<String, OuterRun> outerRuns = new ConcurrentHashMap<>();

    // Between client and model
    public Optional<InputMedia> inputMedia = Optional.empty();
    public Optional<Boolean> reasoning = Optional.empty();
    public boolean steps;
    public boolean activities;
    public SnapshotSettings snapshots = SnapshotSettings.DEFAULT;

    // The application takes part
    public Hooks hooks = new Hooks();
    public ArgumentRedactor redactor = ArgumentRedactor.NONE;
    public Observers observers = new Observers();

    public record SameModel<M>(M model) implements Function<RunInfo, M> {

        @Override
        public M apply(RunInfo run) {
            return model;
        }
    }

    public AgentConfig(Class<A> serviceClass) {
        this.serviceClass = serviceClass;
    }

    /** The options as they are now. Refuses those without a model, and those that do not say how a turn calls the AI Service. */
    public AgentConfig<A> copy() {
        if (chatModel.isEmpty() && streamingChatModel.isEmpty()) {
            throw illegalConfiguration(
                    "Set a model for %s: chatModel(...), streamingChatModel(...), or both.", serviceClass.getName());
        }
        AgentConfig<A> copy = clone();
        copy.methods = AiServiceMethod.of(this);
        copy.tools = List.copyOf(tools);
        copy.toolProviders = List.copyOf(toolProviders);
        copy.policyReader = policyReader();
        copy.gate = new Gate(clock);
        copy.heartbeat = new Heartbeat(timer, leaseDuration);
        copy.hooks = hooks.copy();
        copy.observers = observers.copy();
        copy.memories = new ChatMemories(chatMemoryProvider, name, copy.memoryId());
        copy.store = store.of(name);
        return copy;
    }

    /** The options as they are now, for another process of an agent: knows the tools that the agent has read. */
    public AgentConfig<A> restarted(AgentConfig<?> built) {
        AgentConfig<A> copy = copy();
        copy.policyReader = built.policyReader.restarted();
        return copy;
    }

    /** The options of an agent that works as a tool of another one, with threads and memories of its own. */
    public AgentConfig<A> asTool() {
        AgentConfig<A> tool = clone();
        tool.name = name + TOOL;
        tool.store = store.of(tool.name);
        tool.threadIds = new ThreadIds(false);
        tool.memories = new ChatMemories(chatMemoryProvider, tool.name, memoryId());
        return tool;
    }

    /** Checks whether the agent works as a tool of another one. */
    public boolean isTool() {
        return name.endsWith(TOOL);
    }

    public List<InnerAgent> inner() {
        List<InnerAgent> inner = new ArrayList<>();
        for (ToolProvider provider : toolProviders) {
            if (provider instanceof InnerAgent agent) {
                inner.add(agent);
            }
        }
        return inner;
    }

    public Optional<InnerAgent> inner(String toolName) {
        for (InnerAgent agent : inner()) {
            if (agent.name().equals(toolName)) {
                return Optional.of(agent);
            }
        }
        return Optional.empty();
    }

    /** Checks whether an agent that works as a tool, or one in it, has a redactor. */
    public boolean redactsInside(String toolName) {
        Optional<InnerAgent> inside = inner(toolName);
        if (inside.isEmpty()) {
            return false;
        }
        AgentConfig<?> agent = inside.get().config();
        return agent.redactor != ArgumentRedactor.NONE
                || agent.inner().stream().anyMatch(inner -> agent.redactsInside(inner.name()));
    }

    /** The method of the AI Service that takes a turn. */
    public AiServiceMethod methodOf(UserTurn turn) {
        if (chosenMethod.isEmpty()) {
            return methods.get(0);
        }
        String name = chosenMethod.get().apply(turn);
        return methods.stream()
                .filter(method -> method.method.getName().equals(name))
                .findFirst()
                .orElseThrow(() -> illegalConfiguration(
                        "method(turn -> ...) has given \"%s\": %s has no abstract method of this name.",
                        name, serviceClass.getName()));
    }

    /** Tells whether a turn may call a method of the AI Service. */
    public boolean mayCall(Method called) {
        for (AiServiceMethod each : methods) {
            if (each.method.equals(called)) {
                return true;
            }
        }
        return false;
    }

    private Function<String, Object> memoryId() {
        AiServiceMethod deciding = null;
        for (AiServiceMethod method : methods) {
            deciding = deciding == null && method.takesMemoryId() ? method : deciding;
        }
        if (deciding == null) {
            return AiServiceMethod.SAME;
        }
        if (threadIds.perUser() && deciding.convertsThreadIds()) {
            throw illegalConfiguration(
                    "userScopedThreadIds(true) makes ids of threads that only a String can hold. Let the @MemoryId of %s be a"
                            + " String.",
                    serviceClass.getName());
        }
        return deciding.memoryId();
    }

    private PolicyReader policyReader() {
        return new PolicyReader(policies, Rules.of(rules, policies), instances, authorizer, retention.abandoned());
    }

    private static Executor threads() {
        try {
            return (Executor)
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (ReflectiveOperationException e) { // before Java 21
            return pool();
        }
    }

    /**
     * Makes a growing pool. A task has the context class loader of the thread that hands it over; an idle thread has that of this
     * library, so that it does not keep a web application which has stopped. No thread inherits thread locals: the tools of the next run
     * on it would see the user, or the tenant, of this one.
     */
    static Executor pool() {
        ClassLoader idle = AgentConfig.class.getClassLoader();
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(0, Integer.MAX_VALUE, 1, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
                    Thread thread = new Thread(null, task, "holdpoint-run", 0, false);
                    thread.setContextClassLoader(idle);
                    return thread;
                });
        return task -> {
            ClassLoader loader = Thread.currentThread().getContextClassLoader();
            pool.execute(() -> {
                Thread.currentThread().setContextClassLoader(loader);
                try {
                    task.run();
                } finally {
                    Thread.currentThread().setContextClassLoader(idle);
                }
            });
        };
    }

    @Override
    @SuppressWarnings("unchecked") // a clone has the type of its original
    protected AgentConfig<A> clone() {
        try {
            return (AgentConfig<A>) super.clone();
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }
}
