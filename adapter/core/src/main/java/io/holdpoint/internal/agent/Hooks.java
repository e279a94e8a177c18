package io.holdpoint.internal.agent;

import io.holdpoint.Caller;
import io.holdpoint.RunRejectedException;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.hook.EventInterceptor;
import io.holdpoint.hook.InputHook;
import io.holdpoint.hook.RunCustomizer;
import io.holdpoint.hook.RunListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The hooks of an agent, each list in the order of calls. Written like {@link AgentConfig}, of which it is a part.
 */
public final class Hooks<A> {

    public List<InputHook> inputs = new ArrayList<>();
    public List<RunCustomizer<A>> customizers = new ArrayList<>();
    public List<EventInterceptor> interceptors = new ArrayList<>();
    public List<RunListener> listeners = new ArrayList<>();
    public Set<String> storedForwardedProps = Set.of();

    Hooks<A> copy() {
        Hooks<A> copy = new Hooks<>();
        copy.inputs = List.copyOf(inputs);
        copy.customizers = List.copyOf(customizers);
        copy.interceptors = List.copyOf(interceptors);
        copy.listeners = List.copyOf(listeners);
        copy.storedForwardedProps = storedForwardedProps;
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

    /** The hooks of one run. */
    public RunHooks<A> of(Caller caller, String ownerId, RunAgentInput input) {
        return new RunHooks<>(this, caller, ownerId, input);
    }

    static String name(String kind, Object hook) {
        return "The " + kind + " " + hook.getClass().getName();
    }
}
