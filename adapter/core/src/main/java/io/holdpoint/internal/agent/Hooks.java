package io.holdpoint.internal.agent;

import io.holdpoint.Caller;
import io.holdpoint.RunRejectedException;
import io.holdpoint.ToolCallContext;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.hook.EventInterceptor;
import io.holdpoint.hook.InputHook;
import io.holdpoint.hook.ObservedWork;
import io.holdpoint.hook.RunCustomizer;
import io.holdpoint.hook.RunListener;
import io.holdpoint.hook.ToolScope;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hooks of an agent, each list in the order of calls. Written like {@link AgentConfig}, of which it is a part.
 */
public final class Hooks<A> {

    private static final Logger LOG = LoggerFactory.getLogger(Hooks.class);

    public List<InputHook> inputs = new ArrayList<>();
    public List<RunCustomizer<A>> customizers = new ArrayList<>();
    public List<EventInterceptor> interceptors = new ArrayList<>();
    public List<RunListener> listeners = new ArrayList<>();
    public Set<String> storedForwardedProps = Set.of();
    public List<ToolScope> scopes = new ArrayList<>();

    Hooks<A> copy() {
        Hooks<A> copy = new Hooks<>();
        copy.inputs = List.copyOf(inputs);
        copy.customizers = List.copyOf(customizers);
        copy.interceptors = List.copyOf(interceptors);
        copy.listeners = List.copyOf(listeners);
        copy.storedForwardedProps = storedForwardedProps;
        copy.scopes = List.copyOf(scopes);
        return copy;
    }

    /**
     * Shows an input to the hooks.
     *
     * @throws RunRejectedException if a hook refuses it
     * @throws HookFailedException if a hook fails
     */
    public RunAgentInput take(Caller caller, RunAgentInput given) {
        RunAgentInput input = given;
        for (InputHook hook : inputs) {
            input = taken(hook, caller, input);
        }
        return input;
    }

    @SuppressWarnings("ConstantConditions") // null: nobody checks what an application's hook returns
    private static RunAgentInput taken(InputHook hook, Caller caller, RunAgentInput before) {
        String name = name("input hook", hook);
        RunAgentInput after;
        try {
            after = hook.take(caller, before);
        } catch (RunRejectedException e) {
            throw e;
        } catch (Throwable e) { // checked ones too: not every hook is written in Java
            throw new HookFailedException(name, e);
        }
        if (after == null) {
            throw new HookFailedException(name + " returned null");
        }
        if (!after.threadId().equals(before.threadId()) || !after.runId().equals(before.runId())) {
            throw new HookFailedException(name + " changed the thread or the run of an input");
        }
        return after;
    }

    /** Opens what surrounds the body of a tool; if one fails, those before it are closed. */
    public ObservedWork.Scope enter(ToolCallContext call) {
        List<ObservedWork.Scope> open = new ArrayList<>();
        try {
            for (ToolScope scope : scopes) {
                open.add(scope.open(call));
            }
        } catch (Throwable e) { // checked ones too: not every hook is written in Java
            close(open);
            throw e;
        }
        return () -> close(open);
    }

    private static void close(List<ObservedWork.Scope> open) {
        for (int last = open.size() - 1; last >= 0; last--) {
            try {
                open.get(last).close();
            } catch (Throwable e) { // the tool has done its work
                LOG.warn("A tool's scope failed to close", e);
            }
        }
    }

    /** The hooks of one run. */
    public RunHooks<A> of(Caller caller, String ownerId, RunAgentInput input) {
        return new RunHooks<>(this, caller, ownerId, input);
    }

    static String name(String kind, Object hook) {
        return "The " + kind + " " + hook.getClass().getName();
    }
}
