package io.holdpoint;

import io.holdpoint.hook.ArgumentRedactor;
import io.holdpoint.hook.AuditListener;
import io.holdpoint.hook.EventInterceptor;
import io.holdpoint.hook.InputHook;
import io.holdpoint.hook.RunCustomizer;
import io.holdpoint.hook.RunListener;
import io.holdpoint.hook.RunObserver;
import io.holdpoint.internal.agent.Exchange;
import io.holdpoint.internal.agent.Governance;
import io.holdpoint.internal.agent.Hooks;
import io.holdpoint.internal.journal.Observers;
import io.holdpoint.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What an agent's builder knows of its runs: how long they may take, what they take in and tell, what is kept of them. Not
 * thread-safe.
 *
 * @param <B> the builder
 */
public abstract sealed class RunOptions<B> permits HoldpointBuilder {

    /** How long a run that died keeps its thread. */
    public static final Duration DEFAULT_LEASE_DURATION = Duration.ofSeconds(30);

    /** How long a run may take. */
    public static final Duration DEFAULT_RUN_TIMEOUT = Duration.ofHours(1);

    private AuditListener auditListener = event -> {};
    private ArgumentRedactor redactor = ArgumentRedactor.NONE;
    private Duration leaseDuration = DEFAULT_LEASE_DURATION;
    private Retention retention = Retention.DEFAULT;
    private Limits limits = Limits.DEFAULT;
    private BatchMode batchMode = BatchMode.HOLD;
    private Optional<Duration> runTimeout = Optional.of(DEFAULT_RUN_TIMEOUT);
    private InputMedia inputMedia = InputMedia.ALL;
    private boolean reasoning = true;
    private boolean steps;
    private boolean activities;
    private FollowSettings following = FollowSettings.DEFAULT;
    private final List<RunObserver> observers = new ArrayList<>();

    private final List<InputHook> inputHooks = new ArrayList<>();
    private final List<EventInterceptor> eventInterceptors = new ArrayList<>();
    private final List<RunListener> runListeners = new ArrayList<>();

    RunOptions() {}

    abstract B self();

    /**
     * What the audit trail keeps of arguments.
     *
     * @param redacts by default {@link ArgumentRedactor#NONE}
     * @return this builder
     */
    public B argumentRedactor(ArgumentRedactor redacts) {
        redactor = redacts;
        return self();
    }

    /**
     * Who hears of everything that happens to gated calls. The store keeps it anyway, see
     * {@link Store#auditTrail}.
     *
     * @param listener by default nobody
     * @return this builder
     */
    public B auditListener(AuditListener listener) {
        auditListener = listener;
        return self();
    }

    /**
     * How long a run that died keeps its thread. A run that lives renews its lease three times in that time. Nodes on one
     * store should use the same duration, and clocks that differ by much less.
     *
     * @param duration {@link #DEFAULT_LEASE_DURATION} by default; at least one second
     * @return this builder
     * @throws IllegalArgumentException if it is shorter
     */
    public B leaseDuration(Duration duration) {
        if (duration.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException("leaseDuration must be at least one second: " + duration);
        }
        leaseDuration = duration;
        return self();
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
    public B runTimeout(Duration most) {
        if (most.isNegative()) {
            throw new IllegalArgumentException("runTimeout must not be negative: " + most);
        }
        runTimeout = most.isZero() ? Optional.empty() : Optional.of(most);
        return self();
    }

    /**
     * How long finished and abandoned batches are kept.
     *
     * @param kept by default {@link Retention#DEFAULT}
     * @return this builder
     */
    public B retention(Retention kept) {
        retention = kept;
        return self();
    }

    /**
     * How much the agent takes in and keeps.
     *
     * @param most by default {@link Limits#DEFAULT}
     * @return this builder
     */
    public B limits(Limits most) {
        limits = most;
        return self();
    }

    /**
     * What happens to the other calls of a model message when somebody has to be asked about one of them.
     *
     * @param mode by default {@link BatchMode#HOLD}: nothing of the message runs
     * @return this builder
     */
    public B batchMode(BatchMode mode) {
        batchMode = mode;
        return self();
    }

    /**
     * Which media of user messages the model gets besides text. Say what your model takes: what it does not take fails the
     * run, and is left out when the thread goes on with another message.
     *
     * @param media by default {@link InputMedia#ALL}
     * @return this builder
     */
    public B inputMedia(InputMedia media) {
        inputMedia = media;
        return self();
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
    public B exposeReasoning(boolean exposed) {
        reasoning = exposed;
        return self();
    }

    /**
     * Whether clients are told when something works: {@code STEP_STARTED} and {@code STEP_FINISHED} around the execution of
     * each tool, by its name, and around retrieval, as {@code retrieval}. Of two calls of a tool that run at the same time, the
     * second is a step of the name and the id of its call.
     *
     * @param told {@code false} by default
     * @return this builder
     */
    public B steps(boolean told) {
        steps = told;
        return self();
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
    public B activities(boolean told) {
        activities = told;
        return self();
    }

    /**
     * How active runs are followed, see {@link Holdpoint#follow}.
     *
     * @param how by default {@link FollowSettings#DEFAULT}
     * @return this builder
     */
    public B following(FollowSettings how) {
        following = how;
        return self();
    }

    /**
     * Adds what sees each input first, and may change or refuse it. Of several, each gets what the one before has made.
     *
     * @param hook by default there is none
     * @return this builder
     */
    public B inputHook(InputHook hook) {
        inputHooks.add(hook);
        return self();
    }

    /**
     * Adds what sees events before they are sent, and may change, drop and add some. Of several, each gets what the one before
     * has made.
     *
     * @param interceptor by default there is none
     * @return this builder
     */
    public B eventInterceptor(EventInterceptor interceptor) {
        eventInterceptors.add(interceptor);
        return self();
    }

    /**
     * Adds who hears when runs start and end.
     *
     * @param listener by default nobody
     * @return this builder
     */
    public B runListener(RunListener listener) {
        runListeners.add(listener);
        return self();
    }

    <A> Hooks<A> hooks(List<RunCustomizer<A>> customizers) {
        return new Hooks<>(inputHooks, customizers, eventInterceptors, runListeners);
    }

    /**
     * Adds observers, which hear what runs work on: meters and spans, see the package {@code io.holdpoint.micrometer}.
     *
     * @param hear in the order in which they are told; by default there are none
     * @return this builder
     */
    public B observers(RunObserver... hear) {
        observers.addAll(Arrays.asList(hear));
        return self();
    }

    Governance governance(ApprovalAuthorizer authorizer) {
        return new Governance(
                authorizer,
                auditListener,
                redactor,
                leaseDuration,
                retention,
                limits,
                batchMode,
                runTimeout,
                following,
                new Observers(observers));
    }

    Exchange exchange() {
        return new Exchange(inputMedia, reasoning, steps, activities);
    }
}
