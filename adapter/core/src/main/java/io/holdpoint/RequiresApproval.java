package io.holdpoint;

import io.holdpoint.rule.Rule;
import io.holdpoint.store.Grant;
import io.holdpoint.store.Reversibility;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Puts a human in front of a LangChain4j {@link dev.langchain4j.agent.tool.Tool @Tool} method: when the model calls it, the
 * method does not run. The run ends with an AG-UI interrupt of reason {@code tool_call}; a later run on the same thread
 * executes the call once a person approved it, or tells the model that it was not executed.
 *
 * <p>The annotation counts on the tool method itself and on every method that it overrides or implements. A misuse (no
 * {@code @Tool}, an unknown placeholder or parameter, a bad duration) is a
 * {@link dev.langchain4j.service.IllegalConfigurationException} when the agent is built, naming class and method.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface RequiresApproval {

    /**
     * Decides per call whether a person is asked; by default every call needs approval. A class with a constructor without parameters,
     * public or not, or one of which the builder was given an instance ({@link HoldpointBuilder#beans}).
     */
    Class<? extends ApprovalCondition> when() default ApprovalCondition.Always.class;

    /**
     * The sentence that the person reads, with {@code {{parameter}}} for the value of a parameter: {@code "Send email to
     * {{to}}?"}. Values are shown on a single line, quoted, and cut at 200 characters, so that the model cannot write the
     * sentence. Every placeholder must be a parameter of the tool as the model sees it, or the path to a part of one.
     *
     * @return the template; by default {@code Run <tool>?} followed by the arguments
     */
    String message() default "";

    /** All arguments, for {@link #editable()}. */
    String ALL = "*";

    /**
     * The arguments that the person may change before approving: {@code {}} for none, so that the call is approved as it is or
     * not at all. If some may be changed, the interrupt's {@code responseSchema} has a property {@code editedArgs} that carries
     * the tool's own parameter schema. The others are shown, are {@code readOnly} in it, and may be left out of an answer; an
     * answer that changes one of them is refused, and the interrupt stays open. A tool with a recursive parameter is not
     * editable, whatever is said here.
     *
     * @return names of parameters as the model sees them; {@link #ALL} by default
     */
    String[] editable() default ALL;

    /**
     * Names an argument whose value an approval has to repeat, after edits: {@code {"approved": true, "confirm": "DE89..."}}, so that nobody
     * approves without having read it. For the irreversible few: clients with only an approve button show the form instead. An
     * approval that repeats another value, or none, is refused, and the interrupt stays open. Such approvals are not remembered.
     *
     * @return empty, the default, for none; the name as the model sees it, of an argument that is a text, a number or a boolean,
     *     or the path to such a part of one, {@code "payment.iban"}; every call must have it
     */
    String confirm() default "";

    /**
     * Lets the person answer in place of the tool: {@code {"approved": false, "response": ...}}. Then the tool does not run;
     * the response, any JSON but {@code null}, is the call's result. The model is told that a person supplied it, the client by
     * {@code metadata.langchain4j.suppliedBy}. {@code false} by default.
     */
    boolean respond() default false;

    /**
     * Names rules about the tool, as {@link ToolPolicy#rules} does; by default there are none. Classes with a constructor without parameters,
     * public or not, or ones of which the builder was given an instance ({@link HoldpointBuilder#beans}).
     */
    Class<? extends Rule>[] rules() default {};

    /**
     * The time within which the interrupt may be answered, as an ISO-8601 duration such as {@code "PT15M"} or {@code "P7D"}.
     * After it, an approval is refused; cancelling is always accepted. Empty, the default, for an interrupt that does not expire.
     */
    String expiresAfter() default "";

    /**
     * The time after asking when the people who may decide are reminded, as an ISO-8601 duration such as {@code "PT4H"}; empty, the
     * default, for no reminder. For more than one, see {@link ToolPolicy#timeline}.
     */
    String remind() default "";

    /** The time before the end when they are warned, as an ISO-8601 duration such as {@code "PT2H"}; empty, the default, for no warning. */
    String warn() default "";

    /**
     * The time after asking when the callers with the role {@link #escalateTo} are asked as well, as an ISO-8601 duration such as
     * {@code "P1D"}; empty, the default, to ask nobody else.
     */
    String escalate() default "";

    /** The role of the callers who are asked as well; empty by default, needed by {@link #escalate}. */
    String escalateTo() default "";

    /** Says how a question ends that has expired; by default, it waits. Anything else needs {@link #expiresAfter}. */
    WhenExpired whenExpired() default WhenExpired.WAIT;

    /**
     * Lets the tool be executed again when the server stopped while it ran, so that its outcome is unknown. Otherwise, and by default,
     * a person is asked again (an interrupt of reason {@code langchain4j:outcome_unknown}). Say {@code true} only if a
     * second execution with the same arguments has no further effect, for instance because the tool passes on
     * {@link ToolCallContext#idempotencyKey()}.
     */
    boolean idempotent() default false;

    /**
     * The longest time that a body of the tool may take, as an ISO-8601 duration such as {@code "PT30S"}; the time for an answer is
     * {@link #expiresAfter}. When it is over the body's thread is interrupted, nobody waits for it any longer, and a person is asked what
     * came of the call ({@link PendingInterrupt.UnknownOutcome}). Where a second execution does no harm, because the tool is
     * {@link #idempotent} or {@link Reversibility#READ_ONLY}, nobody is asked: the call has failed, and the model is told that it may have
     * had its effect. A tool with a limit runs on a thread of its own, inside the agent's {@link io.holdpoint.hook.Interceptor}s.
     *
     * @return the duration; empty, the default, for no limit of its own
     */
    String timeLimit() default "";

    /**
     * Lets the person who approves a call say that calls like it need no approval for a while, and names the calls that those
     * may be. If so, the interrupt's {@code responseSchema} has the properties {@code remember} and {@code rememberMinutes}.
     *
     * <p>The remembered decision is a {@link Grant}: it is kept in the store, counts in its own thread only, ends after
     * {@link #rememberFor()} at the latest, and can be taken back ({@link Holdpoint#revoke}). Calls are allowed by it only
     * as long as the person who gave it could still approve them, as the {@link ApprovalAuthorizer} says. A condition that denies
     * a call is not asked any less, and a changed tool is asked about again.
     *
     * @return by default, none: every call is asked about. Not together with {@link Reversibility#IRREVERSIBLE}
     */
    Grant.Scope[] remember() default {};

    /**
     * The longest time that an approval is remembered, as an ISO-8601 duration of whole minutes, at least one minute and at most
     * 30 days; 15 minutes by default. The person may choose a shorter one.
     */
    String rememberFor() default "PT15M";

    /**
     * The number of different people who have to approve a call, see {@link Approvals}. {@link ToolPolicy#approvals} can also say who.
     * More than one need an {@link ApprovalAuthorizer} that lets others than the owner decide.
     *
     * @return 1 by default; not more together with {@link #remember()} or {@link #respond()}
     */
    int approvals() default 1;

    /**
     * Lets a link in a message decide: whoever opens it is the person that it was made for, without signing in. By default a link leads
     * to the page, and only its person, signed in, decides there.
     *
     * @return {@code false} by default; not together with {@link Reversibility#IRREVERSIBLE}
     */
    boolean decideByLink() default false;

    /**
     * Says whether what the tool does can be taken back. The class is on the card, and {@link ToolPolicy#classed} finds the tool by it. A
     * {@link ToolPolicy} can only tighten it. Approvals of a tool that is {@link Reversibility#IRREVERSIBLE} are never remembered; one whose
     * metadata has {@code "destructiveHint": true}, as MCP servers say it, is.
     *
     * @return by default, none is said; at most one
     */
    Reversibility[] reversibility() default {};
}
