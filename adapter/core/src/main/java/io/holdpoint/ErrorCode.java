package io.holdpoint;

import io.holdpoint.hook.InputHook;

/**
 * The reason why a run did not start, or did not end well. The constants' names are the codes on the wire.
 *
 * <p>A run that did not start has left the thread unchanged and sent no event. {@link Holdpoint#run} throws a
 * {@link RunRejectedException} then, with {@link #INPUT_INVALID}, {@link #INPUT_REJECTED}, {@link #THREAD_NOT_FOUND},
 * {@link #RUN_IN_PROGRESS} or {@link #SHUTTING_DOWN}; an {@link InputHook} may choose any code. {@link Holdpoint#send} and
 * {@link Holdpoint#resume} have no stream whose start would be refused, so they do not throw: they return a
 * {@link RunResult.Failed} with the same code.
 *
 * <p>Every other run that did not end well gives a {@link RunResult.Failed}, whichever method started it, and its stream ends
 * with a {@code RUN_ERROR} of the same code.
 */
public enum ErrorCode {
    /** A new user message without answers, while interrupts are open. */
    INTERRUPT_PENDING,
    /** An answer to an interrupt that this thread never issued. */
    INTERRUPT_UNKNOWN,
    /** A different answer to an interrupt that is settled. */
    INTERRUPT_ALREADY_RESOLVED,
    /** Two answers to one interrupt in one list. */
    INTERRUPT_DUPLICATE,
    /** Not every open interrupt has an answer. */
    INTERRUPT_PARTIAL_RESUME,
    /** The caller may access the thread, but may not give this answer, or may not say something on it. */
    INTERRUPT_FORBIDDEN,
    /** An answer other than a denial or letting go, after the interrupt expired. */
    INTERRUPT_EXPIRED,
    /** An answer that does not match the interrupt's {@code responseSchema}. */
    INTERRUPT_PAYLOAD_INVALID,
    /** The thread has an active run; over HTTP this is status 409. */
    RUN_IN_PROGRESS,
    /**
     * An answer on a thread that does not exist, or anything but a look at its history on a thread of another caller; over HTTP
     * this is status 404.
     */
    THREAD_NOT_FOUND,
    /** The HTTP request is no {@code RunAgentInput}, or an input exceeds a limit; status 400. */
    INPUT_INVALID,
    /** The application refuses the input; its message gives the reason. From an {@link InputHook}, over HTTP status 400. */
    INPUT_REJECTED,
    /** The caller did not authenticate, or is not known; over HTTP only, status 401. */
    UNAUTHENTICATED,
    /** The caller is known, and may not use the agent at all; over HTTP only, status 403. */
    FORBIDDEN,
    /** A page of another site, or a name that is not the server's; over HTTP only, status 403. */
    SITE_REFUSED,
    /** The server cannot read the HTTP request, or takes none of this size; over HTTP only, statuses 400, 414, 431 and others. */
    REQUEST_INVALID,
    /** The path is not served; over HTTP only, status 404. */
    PATH_NOT_FOUND,
    /** No agent of this id is served; over HTTP only, status 404. */
    AGENT_NOT_FOUND,
    /** The path is served, but not for this method; over HTTP only, status 405. */
    METHOD_NOT_ALLOWED,
    /** The body is not {@code application/json}; over HTTP only, status 415. */
    MEDIA_TYPE_UNSUPPORTED,
    /** The body is longer than is taken; over HTTP only, status 413. */
    BODY_TOO_LARGE,
    /** The body did not arrive in time; over HTTP only, status 408. */
    BODY_TIMEOUT,
    /** The bodies that are arriving at this moment are too long together; over HTTP only, status 503. */
    SERVER_BUSY,
    /** The thread has neither a run nor a hold, or it is another caller's; over HTTP only, status 404. */
    NOTHING_TO_CANCEL,
    /** The run took longer than {@link HoldpointBuilder#runTimeout} allows. */
    RUN_TIMEOUT,
    /** The agent is shutting down: a run is not started (over HTTP status 503), or was stopped after the time of grace. */
    SHUTTING_DOWN,
    /** The model did not answer in the time that it is given. */
    MODEL_TIMEOUT,
    /** The model's provider does not accept the server's credentials. */
    MODEL_UNAUTHORIZED,
    /** The model's provider gets too many requests. */
    MODEL_RATE_LIMITED,
    /** The model could not be reached, has failed, or broke off its answer. */
    MODEL_UNAVAILABLE,
    /** The model or its provider refused to answer because of the content. */
    MODEL_REFUSED,
    /** The model's provider did not accept the request: too long a conversation, for instance, or no such model. */
    MODEL_REQUEST_INVALID,
    /** The model answered with neither text nor tool calls. */
    MODEL_ANSWER_EMPTY,
    /** The model's answer ended in its middle: a stream without a finish reason, or tool calls cut at the token limit. */
    MODEL_ANSWER_INCOMPLETE,
    /** The model made the same tool calls several times in a row, of which none can run. */
    MODEL_REPEATS_ITSELF,
    /** The model called tools more often than LangChain4j's {@code maxToolCallingRoundTrips} allows in a turn. */
    TOO_MANY_ROUNDS,
    /** An input guardrail refused the user message: the same message is refused again. */
    INPUT_GUARDRAIL,
    /** An output guardrail accepted none of the model's answers. */
    OUTPUT_GUARDRAIL,
    /** Moderation flagged the conversation: the same message is flagged again. */
    MODERATION,
    /**
     * The application uses the agent wrongly, in a way that could not be seen when the agent was built: a wrong memory id, a
     * template without its variable, a turn function that does not call the AI Service. Sending again does not help.
     */
    APPLICATION_FAULT,
    /** A hook of the application threw, or did what it may not. */
    HOOK_FAILED,
    /** The run failed while it ran, for another reason: the store, or the application's own code. */
    RUN_FAILED
}
