package io.holdpoint.internal.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.langchain4j.service.AiServices;
import io.holdpoint.Caller;
import io.holdpoint.RunResult;
import io.holdpoint.agui.Event;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.hook.EventInterceptor;
import io.holdpoint.hook.RunCustomizer;
import io.holdpoint.hook.RunInfo;
import io.holdpoint.hook.RunListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hooks of one run. An interceptor that fails is remembered, so that the run can end for it: what is being said when it
 * fails is said from within tools, callbacks of the model, and the end of the run itself, none of which may break off there.
 * Thread-safe, but {@link #intercepted} must not be called twice at a time.
 *
 * @param <A> the AI Service
 */
public final class RunHooks<A> {

    private static final Logger LOG = LoggerFactory.getLogger(RunHooks.class);

    private final Hooks<A> hooks;
    private final RunInfo run;
    private volatile Optional<HookFailedException> failure = Optional.empty();
    private volatile Runnable whenFailed = () -> {};

    RunHooks(Hooks<A> hooks, Caller caller, String ownerId, RunAgentInput input) {
        this.hooks = hooks;
        JsonNode forwarded = input.forwardedProps();
        this.run = new RunInfo(
                caller,
                ownerId,
                input.threadId(),
                input.runId(),
                forwarded == null ? MissingNode.getInstance() : forwarded);
    }

    /** What the client passes through, of this run's own input; {@code null} if it does not. */
    public @Nullable JsonNode forwardedProps() {
        return run.forwardedProps().isMissingNode() ? null : run.forwardedProps();
    }

    /**
     * Changes the AI Service.
     *
     * @param service as the agent has it
     * @throws HookFailedException if a customizer throws
     */
    public void customize(AiServices<A> service) {
        for (RunCustomizer<A> customizer : hooks.customizers) {
            try {
                customizer.customize(service, run);
            } catch (Throwable e) { // checked ones too: not every hook is written in Java
                throw new HookFailedException(Hooks.name("run customizer", customizer), e);
            }
        }
    }

    /**
     * What to do when an interceptor has failed; called once at most, from within {@link #intercepted}.
     *
     * @param stops the run, without waiting for it
     */
    public void whenFailed(Runnable stops) {
        whenFailed = stops;
    }

    /**
     * What an interceptor has failed of.
     *
     * @return empty if none has
     */
    public Optional<HookFailedException> failure() {
        return failure;
    }

    /**
     * What to send in place of an event. When an interceptor has failed, none is asked any more, and what they might change is
     * not sent.
     *
     * @param event neither the first nor the last of the run
     * @return in order; never what the interceptors may not do
     */
    public List<Event> intercepted(Event event) {
        if (hooks.interceptors.isEmpty()) {
            return List.of(event);
        }
        if (failure.isEmpty()) {
            try {
                return throughAll(event);
            } catch (HookFailedException e) {
                LOG.error("Run {} on thread {} is stopped", run.runId(), run.threadId(), e);
                failure = Optional.of(e);
                whenFailed.run();
            }
        }
        return Interception.isFree(event) ? List.of() : List.of(event);
    }

    private List<Event> throughAll(Event event) {
        List<Event> events = List.of(event);
        for (EventInterceptor interceptor : hooks.interceptors) {
            List<Event> next = new ArrayList<>();
            for (Event each : events) {
                next.addAll(through(interceptor, each));
            }
            events = next;
        }
        return events;
    }

    private List<Event> through(EventInterceptor interceptor, Event event) {
        String name = Hooks.name("event interceptor", interceptor);
        List<Event> made;
        try {
            made = List.copyOf(interceptor.intercept(run, event));
        } catch (Throwable e) { // checked ones too; a null is found here as well
            throw new HookFailedException(name, e);
        }
        if (!Interception.isAllowed(event, made)) {
            throw new HookFailedException(name + " may not make " + types(made) + " of a " + event.type());
        }
        return made;
    }

    /** Without what is in them: the log is not for what users say. */
    private static List<String> types(List<Event> events) {
        return events.stream().map(Event::type).toList();
    }

    /** Tells the listeners that the run has its thread. */
    public void started() {
        tell(listener -> listener.started(run));
    }

    /**
     * Tells the listeners that the run has ended.
     *
     * @param result how
     */
    public void ended(RunResult result) {
        tell(listener -> listener.ended(run, result));
    }

    private void tell(Consumer<RunListener> news) {
        for (RunListener listener : hooks.listeners) {
            try {
                news.accept(listener);
            } catch (Throwable e) { // a listener changes nothing
                LOG.warn("{} threw; the run goes on", Hooks.name("run listener", listener), e);
            }
        }
    }
}
