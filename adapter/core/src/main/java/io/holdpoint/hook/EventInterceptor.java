package io.holdpoint.hook;

import io.holdpoint.ErrorCode;
import io.holdpoint.RunRejectedException;
import io.holdpoint.agui.Event;
import java.util.List;

/**
 * Sees the events of a run before the client and each {@link Guest.Follower} get them, one at a time and in order, and returns the
 * events to send instead. {@code RUN_STARTED}, {@code RUN_FINISHED} and {@code RUN_ERROR} are sent without asking.
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
 * <p>It changes the events that are sent, not the record: the transcript stays as it was, and whoever is shown the
 * thread without its run sees that. So it cannot keep a secret; an output guardrail can.
 *
 * <p>An interceptor that throws, or returns events that it may not, ends the run with {@link ErrorCode#HOOK_FAILED}, or with
 * the code and message of its {@link RunRejectedException}: events that it might have changed are not sent, a tool that is
 * running ends first, and decisions and results are kept. It is called while the run waits, on the thread that is at work; must
 * be quick and thread-safe, and must not call the agent.
 */
@FunctionalInterface
public interface EventInterceptor {

    /**
     * Replaces an event.
     *
     * @return the events to send instead, in order: {@code List.of(event)} to leave it alone, an empty list to drop it; must
     *     not be {@code null}
     */
    List<Event> intercept(RunInfo run, Event event);
}
