package io.holdpoint;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes a question of a LangChain4j {@link dev.langchain4j.agent.tool.Tool @Tool} method of an interface, one without a
 * body: when the model calls it, a person is asked, and their answer is the call's result. No code is executed. Genkit
 * calls such a tool an interrupt.
 *
 * <pre>{@code
 * interface Questions {
 *     @Tool("Ask the user a question")
 *     @AsksUser
 *     String askUser(@P("the question") String question);
 * }
 *
 * Holdpoint.builder(...).questions(Questions.class)
 * }</pre>
 *
 * <p>The model gives the parameters. The return type describes an answer, and becomes the interrupt's
 * {@code responseSchema}: a boolean, a number, a {@code String}, an enum, a record or class, or a collection or array of
 * those. All fields of a record must be answered, except those with {@code @JsonProperty(required = false)}. The answer is the
 * plain value, {@code false} or {@code "Q3"} or an object; {@code false}, {@code 0}, {@code ""} and an empty object are
 * answers like others. The model gets a text as it is, everything else as JSON.
 *
 * <p>The interrupt's reason is {@code input_required}, or {@code confirmation} if the method returns a boolean. If the question
 * is cancelled, expires, or the user writes another message instead, the model is told that there is no answer.
 *
 * <p>A misuse is a {@link dev.langchain4j.service.IllegalConfigurationException} when the agent is built, naming class and
 * method: a method with a body, without {@code @Tool} or with {@link RequiresApproval}, a return type that is none of the
 * above or contains itself, a bad {@code responseSchema}, a tool object that implements such a method.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface AsksUser {

    /**
     * The sentence that the person reads, with {@code {{parameter}}} for the value of a parameter. Values are shown on a single
     * line, quoted, and cut at 200 characters, as in {@link RequiresApproval#message()}. A text at the very end is shown
     * without quotes, and up to 1,000 characters of it: {@code "The assistant asks: {{question}}"}. No words of yours follow
     * that it could be taken for. Say before it whose words they are.
     *
     * @return the template; by default {@code The assistant asks: }, or the id of the caller who has {@linkplain Holdpoint#propose proposed}
     *     it, and the value of the only parameter that is a text, or the tool's name and all arguments if there is not exactly one
     */
    String message() default "";

    /**
     * Constraints on the answer that the return type cannot express, as JSON Schema (draft 2020-12), merged into the schema of
     * the return type: <code>{"properties": {"year": {"minimum": 2000}}}</code>. A field that the return type does not have is
     * a misuse. If the method returns {@code Object}, {@code JsonNode} or a {@code Map}, this is the whole schema, and must be
     * given.
     *
     * @return a JSON object; by default there are no further constraints
     */
    String responseSchema() default "";

    /**
     * The time within which the question may be answered, as an ISO-8601 duration such as {@code "PT15M"} or {@code "P7D"}.
     * After it, an answer is refused; cancelling is always accepted. Empty, the default, for a question that does not expire.
     */
    String expiresAfter() default "";
}
