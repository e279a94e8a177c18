package io.holdpoint;

/**
 * The reason why a run did not start, or did not end well. The constants' names are the codes on the wire.
 *
 * <p>A run that did not start has left the thread unchanged and sent no event. {@link Holdpoint#run} throws a
 * {@link RunRejectedException} then, with {@link #INPUT_INVALID}, {@link #INPUT_REJECTED}, {@link #THREAD_NOT_FOUND},
 * {@link #RUN_IN_PROGRESS}, {@link #AGENT_HALTED} or {@link #SHUTTING_DOWN}; an {@link io.holdpoint.hook.Interceptor} may choose any code.
 * {@link Holdpoint#send} and {@link Holdpoint#resume} have no stream whose start would be refused, so they do not throw: they return a
 * {@link RunResult.Failed} with the same code.
 *
 * <p>Every other run that did not end well gives a {@link RunResult.Failed}, whichever method started it, and its stream ends
 * with a {@code RUN_ERROR} of the same code.
 */
public enum ErrorCode {
    /** A new user message without answers, while interrupts are open. */
    INTERRUPT_PENDING(
            400,
            "A question is still open. Answer or cancel it first. Your message is kept and sent with your answer."),
    /** An answer to an interrupt that this thread never issued. */
    INTERRUPT_UNKNOWN(400, "This question is not open in this conversation."),
    /** A different answer to an interrupt that is settled. */
    INTERRUPT_ALREADY_RESOLVED(400, "This question is settled already. That decision stands."),
    /** Two answers to one interrupt in one list. */
    INTERRUPT_DUPLICATE(400, "Two answers to one question arrived, and none was taken. Answer it again."),
    /** Not every open interrupt has an answer. */
    INTERRUPT_PARTIAL_RESUME(
            400, "Several questions are open, and none of the answers was taken. Answer all of them together."),
    /** The caller may access the thread, but may not give this answer, or may not say something on it. */
    INTERRUPT_FORBIDDEN(400, "You may not decide this. Somebody else has to answer, or the question can be cancelled."),
    /** An answer other than a denial or a cancellation, after the interrupt expired. */
    INTERRUPT_EXPIRED(400, "This question has expired, so the answer was not taken. Deny or cancel it to continue."),
    /** An answer to an interrupt that is not as it was when the person saw it; of a list of {@link Decision}s only. */
    INTERRUPT_CHANGED(
            400, "This question has changed since you saw it, so the answer was not taken. Look at it again."),
    /** An answer that does not match the interrupt's {@code responseSchema}. */
    INTERRUPT_PAYLOAD_INVALID(400, "The answer does not fit the question, and was not taken."),
    /** The thread has an active run; over HTTP this is status 409. */
    RUN_IN_PROGRESS(409, "The assistant is still at work in this conversation. Wait, then say it again."),
    /**
     * An answer on a thread that does not exist, or anything but a look at its history on a thread of another caller; over HTTP
     * this is status 404.
     */
    THREAD_NOT_FOUND(404, "This conversation does not exist, or you may not see it."),
    /** The HTTP request is no {@code RunAgentInput}, or an input exceeds a limit; status 400. */
    INPUT_INVALID(400),
    /** The application refuses the input; its message gives the reason. From an {@link io.holdpoint.hook.Interceptor}, over HTTP status 400. */
    INPUT_REJECTED(400),
    /** The caller did not authenticate, or is not known; over HTTP only, status 401. */
    UNAUTHENTICATED(401),
    /** The caller is known, and may not use the agent at all; over HTTP only, status 403. */
    FORBIDDEN(403),
    /** A page of another site, or a name that is not the server's; over HTTP only, status 403. */
    SITE_REFUSED(403),
    /** The server cannot read the HTTP request, or takes none of this size; over HTTP only, statuses 400, 414, 431 and others. */
    REQUEST_INVALID(400),
    /** The path is not served; over HTTP only, status 404. */
    PATH_NOT_FOUND(404),
    /** No agent of this id is served; over HTTP only, status 404. */
    AGENT_NOT_FOUND(404),
    /** The path is served, but not for this method; over HTTP only, status 405. */
    METHOD_NOT_ALLOWED(405),
    /** The body is not {@code application/json}; over HTTP only, status 415. */
    MEDIA_TYPE_UNSUPPORTED(415),
    /** The body is longer than is taken; over HTTP only, status 413. */
    BODY_TOO_LARGE(413),
    /** The body did not arrive in time; over HTTP only, status 408. */
    BODY_TIMEOUT(408),
    /** The bodies that are arriving at this moment are too long together, or the caller has too many streams open; status 503. */
    SERVER_BUSY(503),
    /** The caller asks for this more often than the server does it; over HTTP only, status 429. */
    TOO_MANY_REQUESTS(429),
    /** The store, or what the application looks up, such as its directory of people, failed outside of a run; over HTTP only, status 503. */
    SERVER_UNAVAILABLE(503),
    /** The thread has neither a run nor a hold, or it is another caller's; over HTTP only, status 404. */
    NOTHING_TO_CANCEL(404),
    /** The run took longer than {@link HoldpointBuilder#runTimeout} allows. */
    RUN_TIMEOUT(
            400,
            "This took too long and was stopped. What was done is kept. Try again.",
            "The run took too long and was stopped." + Text.KEPT + "."),
    /** The agent is shutting down: a run is not started (over HTTP status 503), or was stopped after the time of grace. */
    SHUTTING_DOWN(
            503,
            "The server is restarting. What was done is kept. Try again in a moment.",
            "The server is shutting down." + Text.KEPT + ", to the server that takes its place."),
    /** Somebody has halted the agent ({@link Holdpoint#halt}): a run is not started (over HTTP status 503), or was stopped. */
    AGENT_HALTED(
            503,
            "The assistant was halted by those who run this site. What was done is kept, and open questions stay open.",
            "The agent is halted." + Text.KEPT + " when it is released."),
    /** The model did not answer in the time that it is given. */
    MODEL_TIMEOUT(
            400,
            "The assistant did not answer in time. Try again.",
            "The model did not answer in time." + Text.KEPT + "."),
    /** The model's provider does not accept the server's credentials. */
    MODEL_UNAUTHORIZED(
            400,
            Text.OUT_OF_ORDER,
            "The model's provider does not accept this server's credentials." + Text.KEPT + " when that is fixed."),
    /** The model's provider gets too many requests. */
    MODEL_RATE_LIMITED(
            400,
            "The assistant has too much to do at the moment. Try again in a while.",
            "The model's provider gets too many requests." + Text.KEPT + " after a while."),
    /** The model could not be reached, has failed, or broke off its answer. */
    MODEL_UNAVAILABLE(400, Text.BROKEN_OFF, "The model could not be reached, or broke off." + Text.KEPT + "."),
    /** The model or its provider refused to answer because of the content. */
    MODEL_REFUSED(
            400,
            Text.REFUSED,
            "The model's provider refused to answer. What was decided and done is kept. Say something else."),
    /** The model's provider did not accept the request: too long a conversation, for instance, or no such model. */
    MODEL_REQUEST_INVALID(
            400,
            "The assistant could not take this conversation: it may be too long, or hold a file of a kind that the"
                    + " assistant cannot read. Say something else, begin a new one, or tell those who run this site.",
            "The model's provider did not accept the request. What was decided and done is kept. If a tool gave media, send"
                    + " the same input again: they are left out now. If a user gave some, send a new message: they are left"
                    + " out then. Otherwise the conversation may be too long, or the model may not exist: nothing helps"
                    + " before that is fixed."),
    /** The model answered with neither text nor tool calls. */
    MODEL_ANSWER_EMPTY(400, Text.BROKEN_OFF, "The model answered with nothing." + Text.KEPT + "."),
    /** The model's answer ended in its middle: a stream without a finish reason, or tool calls cut at the token limit. */
    MODEL_ANSWER_INCOMPLETE(
            400,
            "The assistant's answer was cut off in the middle, and was not used. Try again, or ask for"
                    + " less at a time.",
            "The model's answer ended in its middle, and nothing of it counts." + Text.KEPT
                    + ". If the model's token limit has cut it, raise that limit, or ask for less at a time."),
    /** The model made the same tool calls several times in a row, of which none can run. */
    MODEL_REPEATS_ITSELF(
            400,
            Text.STOPPED,
            "The model kept proposing tool calls that cannot run, so the turn was stopped. Completed work"
                    + " is kept. Tell it how to continue."),
    /** The model called tools more often than LangChain4j's {@code maxToolCallingRoundTrips} allows in a turn. */
    TOO_MANY_ROUNDS(
            400,
            Text.STOPPED,
            "The model exceeded the limit of tool calling rounds, so the turn was stopped. Completed work"
                    + " is kept. Tell it how to continue."),
    /** The turn has used as many tokens as {@link Limits#tokensPerTurn} allows. */
    TOO_MANY_TOKENS(
            400,
            Text.STOPPED,
            "The turn has used all tokens that a turn may use, so it was stopped. Completed work is kept. Ask for less at a"
                    + " time, in a new message."),
    /** The caller that the thread belongs to has used as many tokens today as {@link Limits#tokensPerDay} allows. */
    TOKENS_USED_UP(
            400,
            "The assistant has done as much for you as it may in a day. What was done is kept. Try again tomorrow.",
            "The caller that this conversation belongs to has used all tokens of the day." + Text.KEPT
                    + " on the next day."),
    /** An input guardrail refused the user message: the same message is refused again. */
    INPUT_GUARDRAIL(400, Text.REFUSED, "A guardrail refused the message. Say something else."),
    /** An output guardrail accepted none of the model's answers. */
    OUTPUT_GUARDRAIL(
            400,
            Text.REFUSED,
            "A guardrail accepted none of the model's answers." + Text.KEPT + ", or say something else."),
    /** Moderation flagged the conversation: the same message is flagged again. */
    MODERATION(400, Text.REFUSED, "The message was flagged by moderation. Say something else."),
    /**
     * The application uses the agent wrongly, in a way that could not be seen when the agent was built: a template without its
     * variable, a method that the AI Service does not have. Sending again does not help.
     */
    APPLICATION_FAULT(
            400,
            Text.OUT_OF_ORDER,
            "This server's application has a fault, which its log names. What was decided and done is"
                    + " kept, but sending it again does not help before that is fixed."),
    /** A hook of the application threw, or did what it may not. */
    HOOK_FAILED(500, Text.OUT_OF_ORDER, "An extension of this server failed." + Text.KEPT + " when that is fixed."),
    /** The run failed while it ran, for another reason: the store, or the application's own code. */
    RUN_FAILED(500, Text.WRONG, "The run failed." + Text.KEPT + ".");

    /** Sentences of several codes. */
    private static final class Text {

        static final String WRONG = "Something went wrong. What was done is kept. Try again.";
        static final String BROKEN_OFF = "The assistant could not be reached, or broke off. Try again.";
        static final String REFUSED = "The assistant refused to answer this. Say it in another way.";
        static final String STOPPED = "The assistant took too many steps and was stopped. Say how to go on.";
        static final String OUT_OF_ORDER = "The assistant does not work at the moment. Tell those who run this site.";
        static final String KEPT = " What was decided and done is kept: send the same input again";
    }

    private final int status;
    private final String sentence;
    private final String message;

    ErrorCode(int status) {
        this(status, Text.WRONG);
    }

    ErrorCode(int status, String sentence) {
        this(status, sentence, "The run failed.");
    }

    ErrorCode(int status, String sentence, String message) {
        this.status = status;
        this.sentence = sentence;
        this.message = message;
    }

    /** Returns the HTTP status of an answer that refuses a request with this code; 400 where no other fits. */
    public int status() {
        return status;
    }

    /** Returns the sentence for the person in front of the page, for whom a {@link RunResult.Failed#message} is not meant. */
    public String sentence() {
        return sentence;
    }

    /** Returns the message for developers of a run that ended with this code, where nothing better is known. */
    public String message() {
        return message;
    }
}
