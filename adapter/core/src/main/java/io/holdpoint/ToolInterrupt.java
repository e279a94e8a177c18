package io.holdpoint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.agui.AguiCodec;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * A question that a tool asks a person while it runs; see {@link ToolCallContext#interrupt}. It becomes an AG-UI interrupt with
 * the call's {@code toolCallId}. Where certain people or several had to approve the call, one of them answers. Immutable: every
 * change gives another one.
 */
public final class ToolInterrupt {

    /** AG-UI's reason of an interrupt that wants data. */
    public static final String INPUT_REQUIRED = "input_required";

    /** AG-UI's reason of an interrupt that wants a yes or no. */
    public static final String CONFIRMATION = "confirmation";

    private static final Pattern OWN_REASON =
            Pattern.compile("(?!core:)([A-Za-z][A-Za-z0-9_.-]{0,49}:)?[A-Za-z0-9_.-]{1,100}");
    private static final Set<String> RESERVED =
            new TreeSet<>(Set.of("tool_call", "langchain4j:outcome_unknown", "langchain4j:tool_error"));
    private static final Duration LONGEST = Duration.ofDays(36_525);
    private static final String METADATA = "langchain4j";

    /** The purpose of an answer. */
    private enum Answering {
        STARTS_AGAIN,
        IS_RESULT,
        IS_EITHER
    }

    private final String reason;
    private final String message;
    private final ObjectNode schema;
    private final ObjectNode metadata;
    private final Optional<Duration> expiresAfter;
    private final Answering answering;
    private final Optional<JsonNode> kept;

    private ToolInterrupt(
            String reason,
            String message,
            ObjectNode schema,
            ObjectNode metadata,
            Optional<Duration> expiresAfter,
            Answering answering,
            Optional<JsonNode> kept) {
        this.reason = reason;
        this.message = message;
        this.schema = schema;
        this.metadata = metadata;
        this.expiresAfter = expiresAfter;
        this.answering = answering;
        this.kept = kept;
    }

    /**
     * Reports a question that the tool may not ask: a mistake in the program. It reaches the program, not the model: if the
     * tool lets it pass, the run fails with it as its cause.
     */
    public static final class MisuseException extends IllegalArgumentException {

        private static final long serialVersionUID = 1L;

        MisuseException(String message) {
            super(message);
        }
    }

    /**
     * Leaves the body of a tool that asks a person, see {@link ToolCallContext#interrupt}. It reports no error and has no stack
     * trace. The tool lets it pass.
     */
    public static final class Raised extends RuntimeException {

        private static final long serialVersionUID = 1L;

        /** Creates the exception; {@link ToolCallContext#interrupt} does so for tools. */
        public Raised() {
            super("the tool has interrupted itself and waits for an answer", null, false, false);
        }
    }

    /**
     * Asks for an answer of any form.
     *
     * @param reason {@value #INPUT_REQUIRED}, {@value #CONFIRMATION}, or a reason of the application's own, best in a namespace:
     *     {@code acme:policy_hold}, or {@code policy_hold}. A namespace begins with a letter, and is not {@code core}, which
     *     belongs to AG-UI; both parts consist of ASCII letters, digits, {@code _}, {@code .} and {@code -}, 50 and 100 at most
     * @return an interrupt that takes any JSON as its answer, or a boolean if it asks for a confirmation. Without a schema,
     *     {@code {"approved": false}} is no answer: it declines, so that the tool does not run again
     * @throws MisuseException if the reason is none of these, or one of Holdpoint's own
     */
    public static ToolInterrupt of(String reason, String message) {
        if (RESERVED.contains(reason) || !OWN_REASON.matcher(reason).matches()) {
            throw new MisuseException("The reason of an interrupt must be \"" + INPUT_REQUIRED + "\", \"" + CONFIRMATION
                    + "\", \"<namespace>:<name>\" or a name of letters, digits, _, . and -, such as \"acme:policy_hold\","
                    + " in another namespace than AG-UI's \"core\", and none of Holdpoint's own " + RESERVED
                    + ", but is \"" + reason + "\".");
        }
        ObjectNode schema = object();
        if (reason.equals(CONFIRMATION)) {
            schema.put("type", "boolean");
        }
        return new ToolInterrupt(
                reason,
                Objects.requireNonNull(message),
                schema,
                object(),
                Optional.empty(),
                Answering.STARTS_AGAIN,
                Optional.empty());
    }

    /** Asks for data, with the reason {@value #INPUT_REQUIRED}. The JSON Schema (2020-12) of the answer is copied. */
    public static ToolInterrupt inputRequired(String message, ObjectNode schema) {
        return of(INPUT_REQUIRED, message).schema(schema);
    }

    /**
     * Asks for a yes or no, with the reason {@value #CONFIRMATION}; the answer is a JSON boolean. A no is an answer too: the tool has to
     * look at it.
     */
    public static ToolInterrupt confirmation(String message) {
        return of(CONFIRMATION, message);
    }

    /** Replaces the JSON Schema (2020-12) of the answer by a copy of this one. */
    public ToolInterrupt schema(ObjectNode responseSchema) {
        return new ToolInterrupt(reason, message, responseSchema.deepCopy(), metadata, expiresAfter, answering, kept);
    }

    /**
     * Replaces the metadata for the client.
     *
     * @param values the interrupt's {@code metadata}; copied. Holdpoint adds {@code langchain4j}: {@code toolName},
     *     {@code args}, {@code argsSha256}
     * @throws MisuseException if it has a field {@code langchain4j}
     */
    public ToolInterrupt metadata(ObjectNode values) {
        if (values.has(METADATA)) {
            throw new MisuseException("metadata." + METADATA + " is Holdpoint's own. Use another name.");
        }
        return new ToolInterrupt(reason, message, schema, values.deepCopy(), expiresAfter, answering, kept);
    }

    /**
     * Replaces the metadata for the client, like {@link #metadata(ObjectNode)}, by values that are written as JSON.
     *
     * @throws IllegalArgumentException if a value cannot be written as JSON
     */
    public ToolInterrupt metadata(Map<String, ?> values) {
        return metadata(AguiCodec.mapper().<ObjectNode>valueToTree(values));
    }

    /**
     * Sets the time after which the interrupt can only be cancelled; by default it does not expire. A time that is not longer than zero,
     * or is longer than 100 years, is a {@link MisuseException}.
     */
    public ToolInterrupt expiresAfter(Duration duration) {
        if (duration.isNegative() || duration.isZero() || duration.compareTo(LONGEST) > 0) {
            throw new MisuseException("expiresAfter must be longer than zero and at most 100 years: " + duration);
        }
        return new ToolInterrupt(reason, message, schema, metadata, Optional.of(duration), answering, kept);
    }

    /** Makes the answer the result of the call: the tool is not executed again. */
    public ToolInterrupt answerIsResult() {
        return new ToolInterrupt(reason, message, schema, metadata, expiresAfter, Answering.IS_RESULT, kept);
    }

    /**
     * Lets the person choose: an answer starts the tool again, or {@code {"response": ...}} is the result of the call in place of the
     * tool's, which is not executed again ({@link PendingInterrupt.Input#respond}). The {@code responseSchema} offers both by
     * {@code anyOf}, and {@code metadata.langchain4j.respond} is {@code true}. An answer with a field {@code response} is always a
     * response.
     */
    public ToolInterrupt respond() {
        return new ToolInterrupt(reason, message, schema, metadata, expiresAfter, Answering.IS_EITHER, kept);
    }

    /**
     * Keeps something for the tool until it is executed again: {@link ToolCallContext#kept()} gives it back then, also after a
     * restart of the server. It is stored with the question; no client is told.
     *
     * @param value any JSON; copied. It counts for the length of the question, see {@link ToolCallContext#interrupt}
     */
    public ToolInterrupt keeping(JsonNode value) {
        return new ToolInterrupt(
                reason, message, schema, metadata, expiresAfter, answering, Optional.of(value.deepCopy()));
    }

    /** The reason of the interrupt: {@value #INPUT_REQUIRED}, {@value #CONFIRMATION} or the application's own. */
    public String reason() {
        return reason;
    }

    /** The sentence that the person is asked. */
    public String message() {
        return message;
    }

    /** A copy of the schema that the answer must match. */
    public ObjectNode responseSchema() {
        return schema.deepCopy();
    }

    /** A copy of the metadata for the client. */
    public ObjectNode clientMetadata() {
        return metadata.deepCopy();
    }

    /** The time in which the interrupt may be answered; empty if it does not expire. */
    public Optional<Duration> expiry() {
        return expiresAfter;
    }

    /** Tells whether the answer is the result of the call, so that the tool is not executed again. */
    public boolean isAnsweredWithResult() {
        return answering == Answering.IS_RESULT;
    }

    /** Tells whether the person may answer in place of the tool, see {@link #respond()}. */
    public boolean takesResponse() {
        return answering == Answering.IS_EITHER;
    }

    /** A copy of the value that is kept for the tool; empty if there is none. */
    public Optional<JsonNode> keptValue() {
        return kept.map(JsonNode::deepCopy);
    }

    private static ObjectNode object() {
        return AguiCodec.mapper().createObjectNode();
    }

    /** For error messages. */
    @Override
    public String toString() {
        JsonNode shown = metadata.isEmpty() ? schema : metadata;
        return reason + ": " + message + " " + shown;
    }
}
