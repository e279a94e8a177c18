package io.holdpoint.hook;

import io.holdpoint.Caller;
import io.holdpoint.ErrorCode;
import io.holdpoint.RunRejectedException;
import io.holdpoint.ToolCallContext;
import io.holdpoint.agui.Event;
import io.holdpoint.agui.RunAgentInput;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Stands between client and agent: sees each input and each event, and surrounds the bodies of tools. Must be quick and thread-safe. */
public interface Interceptor {

    /**
     * Checks or replaces an input, which it sees first. It is called on the thread that calls {@link io.holdpoint.Holdpoint#run}, the
     * transport's over HTTP, before it is known whether the caller may access the thread. To refuse the input, throw a
     * {@link RunRejectedException} with {@link ErrorCode#INPUT_REJECTED} and a message that the client gets; the thread is unchanged
     * then. Any other exception, and an input of another thread or run, ends the run with {@link ErrorCode#HOOK_FAILED} before it has
     * started.
     *
     * <p>The returned input is checked like one of a client. Held calls cannot be approved here: resume entries that are added or
     * changed are the caller's answers, and need an open interrupt, a payload that fits and a caller who may decide.
     *
     * @param input the input of the client, within the limits; its JSON trees must not be changed
     * @return the input to go on with, of the same thread and run; must not be {@code null}
     * @throws RunRejectedException if the run is not to start
     */
    default RunAgentInput input(Caller caller, RunAgentInput input) {
        return input;
    }

    /**
     * Replaces an event before the client and each {@link Guest.Follower} get it, one at a time and in order. {@code RUN_STARTED},
     * {@code RUN_FINISHED} and {@code RUN_ERROR} are sent without asking.
     *
     * <ul>
     *   <li>{@code TEXT_MESSAGE_CONTENT} and {@code REASONING_MESSAGE_CONTENT} may be dropped, or replaced by others of the same
     *       message whose {@code delta} is not empty.
     *   <li>{@code CUSTOM} and {@code RAW} may be dropped, replaced, and added before and after any event.
     *   <li>{@code TOOL_CALL_RESULT} may be changed, except for its ids.
     *   <li>{@code MESSAGES_SNAPSHOT} may be changed, except for the order, ids, roles and tool calls of its messages.
     *   <li>Every other event stays as it is: starts and ends, proposed calls, steps, activities, state.
     * </ul>
     *
     * <p>This changes the events that are sent, not the record: the transcript stays as it was, and whoever is shown the
     * thread without its run sees that. So it cannot keep a secret; an output guardrail can.
     *
     * <p>If it throws, or returns events that it may not, the run ends with {@link ErrorCode#HOOK_FAILED}, or with
     * the code and message of its {@link RunRejectedException}: events that it might have changed are not sent, a tool that is
     * running ends first, and decisions and results are kept. It is called while the run waits, on the thread that is at work, and must
     * not call the agent.
     *
     * @return the events to send instead, in order: {@code List.of(event)} to leave it alone, an empty list to drop it; must
     *     not be {@code null}
     */
    default List<Event> event(RunInfo run, Event event) {
        return List.of(event);
    }

    /**
     * Begins what surrounds the body of a tool, right before the body is entered, on the thread that executes it, to set what the tool
     * finds there: a security context, a tenant.
     *
     * @param call the call; {@link ToolCallContext#owner()} is the caller whom the tool works for, also if another caller has
     *     approved it and works for this run
     * @return is closed on the same thread when the body has been left, whatever came of it; an exception of
     *     {@code close} is logged
     * @throws RuntimeException if the tool is not to be entered: the call fails as if the tool had thrown it
     */
    default ObservedWork.Scope tool(ToolCallContext call) {
        return () -> {};
    }

    /** Returns an interceptor of inputs only, see {@link #input}. */
    static Interceptor ofInput(BiFunction<Caller, RunAgentInput, RunAgentInput> function) {
        return new Interceptor() {
            @Override
            public RunAgentInput input(Caller caller, RunAgentInput input) {
                return function.apply(caller, input);
            }
        };
    }

    /** Returns an interceptor of events only, see {@link #event}. */
    static Interceptor ofEvents(BiFunction<RunInfo, Event, List<Event>> function) {
        return new Interceptor() {
            @Override
            public List<Event> event(RunInfo run, Event event) {
                return function.apply(run, event);
            }
        };
    }

    /** Returns an interceptor of tools only, see {@link #tool}. */
    static Interceptor ofTools(Function<ToolCallContext, ObservedWork.Scope> function) {
        return new Interceptor() {
            @Override
            public ObservedWork.Scope tool(ToolCallContext call) {
                return function.apply(call);
            }
        };
    }
}
