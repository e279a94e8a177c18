package io.holdpoint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.invocation.LangChain4jManaged;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;

/**
 * The call that a tool is executing. A {@code @Tool} method gets it by declaring a parameter of this type; the model does not
 * see the parameter. It is {@code null} if the tool is called by a plain AI Service.
 *
 * <p>A tool may stop in the middle and ask a person something, and is executed again with the answer:
 *
 * <pre>{@code
 * @Tool("Run a shell command")
 * String runShell(String command, ToolCallContext call) {
 *     if (isRisky(command) && call.resumed().isEmpty()) {
 *         throw call.interrupt(ToolInterrupt.confirmation("The command can modify files. Run it?"));
 *     }
 *     ...
 * }
 * }</pre>
 *
 * <p>The whole method is entered again, with the same arguments: everything that it did before it asked happens again unless
 * the tool looks at {@link #resumed()} first. So ask before you change anything. Thread-safe.
 */
public interface ToolCallContext extends LangChain4jManaged {

    /** The id of the conversation. */
    String threadId();

    /** The id of the run that executes the call. */
    String runId();

    /** The id of the call, the same in every run; unique in its thread only. */
    String toolCallId();

    /**
     * Identifies the call to other systems: globally unique, and the same if the call is executed again, after an attempt of
     * unknown outcome or after an interrupt of its own. Of a gated call it is the id of its first interrupt.
     */
    String idempotencyKey();

    /**
     * The owner of the thread, whom the call is made for, also if somebody else has approved it; with the roles that they had when they
     * said what the call comes from.
     */
    Caller owner();

    /**
     * The id of the {@link Caller} who approved the call; empty if no person was asked for an approval, because the tool needs none, or
     * because a condition or a remembered decision let the call through.
     */
    Optional<String> approverId();

    /** The words that the approver sent with the approval, at most {@link Limits#REASON_LENGTH} characters; empty if there are none. */
    Optional<String> approvalComment();

    /**
     * The answer to the last interrupt of this tool, which matches the schema of the interrupt; empty if the tool is executed for the
     * first time with its arguments.
     */
    default Optional<JsonNode> resumed() {
        List<JsonNode> all = answers();
        return all.isEmpty() ? Optional.empty() : Optional.of(all.get(all.size() - 1));
    }

    /**
     * Copies of the answers to all interrupts of this tool in this call, oldest first. After a failure, a person may edit the arguments
     * to try again: earlier answers then no longer count, because they were about other arguments.
     */
    List<JsonNode> answers();

    /** A copy of what the tool kept with its last question ({@link ToolInterrupt#keeping}); empty if there is none, or no answer. */
    default Optional<JsonNode> kept() {
        return Optional.empty();
    }

    /**
     * Tells a tool that takes long that its run is to end: a person has cancelled it, its time is over, or the agent is halted. The tool
     * may go on.
     */
    default boolean isStopping() {
        return false;
    }

    /**
     * Stops the tool and asks a person. The run ends with this interrupt; later calls of the same model message wait, earlier
     * ones keep their results. Once it is answered, the tool is executed again from its beginning, or, if the interrupt
     * {@linkplain ToolInterrupt#answerIsResult() says so}, the answer is the tool's result. If the person cancels it, the model
     * is told that the call was not finished. Anything that the tool returns or throws after this does not count. LangChain4j's
     * own listeners of tool executions are told about an error "This call waits for a person."; it reaches neither the model nor the
     * memory nor the client.
     *
     * @return never; the type lets a tool write {@code throw call.interrupt(...)}
     * @throws ToolInterrupt.Raised always, to leave the tool
     * @throws IllegalArgumentException if the question is larger than a tool's result may be ({@link Limits#resultLength()})
     * @throws IllegalStateException if no person can be asked here, in a guardrail's re-prompt for instance
     */
    ToolInterrupt.Raised interrupt(ToolInterrupt interrupt);

    /**
     * Stops the tool and asks a person, like {@link #interrupt(ToolInterrupt)}; the tool is executed again with the answer.
     *
     * @param reason {@code input_required}, {@code confirmation} or one of your own, see {@link ToolInterrupt#of}
     * @param responseSchema JSON Schema (2020-12) of the answer
     * @param metadata for the client; a JSON object, empty if there is none
     * @throws ToolInterrupt.MisuseException if the reason is none of these: let it pass, and the run fails with it
     */
    default ToolInterrupt.Raised interrupt(
            String reason, String message, ObjectNode responseSchema, ObjectNode metadata) {
        return interrupt(
                ToolInterrupt.of(reason, message).schema(responseSchema).metadata(metadata));
    }

    /**
     * A copy of the thread's shared state: the state that the client sent with its input, with all changes since; an empty object if
     * there never was one.
     */
    JsonNode state();

    /**
     * Changes the thread's shared state. The client is told at once, by a {@code STATE_DELTA} (RFC 6902) or, where that is much
     * shorter or the client did not send the state, by a {@code STATE_SNAPSHOT}. The change is stored with the call's result,
     * or with the question that it asks; it stays if the tool fails afterwards, and is lost, as the call's result is, if the
     * server stops before.
     *
     * <p>Changes of tools that run at the same time come one after another: work with what the function is given, not with an
     * earlier {@link #state()}.
     *
     * @param change gets the state, a copy that it may change, and returns the new one; should be quick
     * @return the new state; a copy
     * @throws IllegalArgumentException if the new state is longer than {@link Limits#stateLength()}, nested deeper than 100
     *     levels, or no JSON; the state is unchanged then
     * @throws IllegalStateException if the call has ended
     */
    JsonNode updateState(UnaryOperator<JsonNode> change);

    /**
     * Sends the client a {@code CUSTOM} event. Unless {@link SnapshotSettings#events} names it, it is not stored:
     * a client that is not connected misses it.
     *
     * @param name of the event; yours. {@code holdpoint:} is the prefix of the library's own
     * @throws IllegalArgumentException if the name is blank, or the call's events are longer together than a result may be
     *     ({@link Limits#resultLength()})
     * @throws IllegalStateException if the call has ended
     */
    void emit(String name, JsonNode value);

    /**
     * Sends the client a {@code RAW} event: a message of another system, unchanged. It is not stored either.
     *
     * @throws IllegalArgumentException if the call's events are longer together than a result may be
     * @throws IllegalStateException if the call has ended
     */
    void emitRaw(JsonNode event, String source);

    /**
     * A context for tests of a tool, without a run.
     *
     * @param answers the answers that {@link #answers()} gives
     * @return the context; its {@link #interrupt} throws {@link ToolInterrupt.Raised}, and no person is asked. It belongs to
     *     {@link Caller#ANONYMOUS}, has no approver, begins with an empty state, and its events go nowhere
     */
    static ToolCallContext of(
            String threadId, String runId, String toolCallId, String idempotencyKey, JsonNode... answers) {
        record WithoutRun(
                String threadId,
                String runId,
                String toolCallId,
                String idempotencyKey,
                List<JsonNode> answers,
                AtomicReference<JsonNode> present)
                implements ToolCallContext {

            @Override
            public Caller owner() {
                return Caller.ANONYMOUS;
            }

            @Override
            public Optional<String> approverId() {
                return Optional.empty();
            }

            @Override
            public Optional<String> approvalComment() {
                return Optional.empty();
            }

            @Override
            public ToolInterrupt.Raised interrupt(ToolInterrupt interrupt) {
                throw new ToolInterrupt.Raised();
            }

            @Override
            public JsonNode state() {
                return present.get().deepCopy();
            }

            @Override
            public JsonNode updateState(UnaryOperator<JsonNode> change) {
                return present.updateAndGet(before -> change.apply(before.deepCopy()))
                        .deepCopy();
            }

            @Override
            public void emit(String name, JsonNode value) {}

            @Override
            public void emitRaw(JsonNode event, String source) {}
        }
        return new WithoutRun(
                threadId,
                runId,
                toolCallId,
                idempotencyKey,
                List.of(answers),
                new AtomicReference<>(JsonNodeFactory.instance.objectNode()));
    }
}
