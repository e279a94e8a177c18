package io.holdpoint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.ToolSpecification;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.internal.gate.ArgumentPath;
import java.util.Optional;

/**
 * A tool call that the model proposes, for an {@link ApprovalCondition} or a {@link io.holdpoint.rule.Rule}. Immutable, as long as
 * the JSON tree is not changed.
 *
 * @param tool the tool as the model sees it
 * @param arguments the complete arguments that would run, in canonical form with the defaults; a copy. Numbers and constants are
 *     as the parameters of a method have them: {@code "500"} for a number is a number, {@code "admin"} is {@code "ADMIN"}
 * @param caller the owner of the thread, also if somebody else has answered an interrupt of it. Their roles are then those
 *     that they had when they said what the call comes from
 * @param toolCallId the call, unique in its thread
 */
public record ProposedCall(
        ToolSpecification tool, ObjectNode arguments, Caller caller, String threadId, String runId, String toolCallId) {

    /** Returns the tool's name as the model sees it. */
    public String toolName() {
        return tool.name();
    }

    /**
     * Reads one argument, by its name as the model sees it, or a part of one, by its path: {@code "payment.amount"}, {@code
     * "lines.0.item"}; empty if it is absent or JSON {@code null}. A value that is not one of the type is an
     * {@link IllegalArgumentException}.
     */
    public <T> Optional<T> argument(String name, Class<T> type) {
        JsonNode value = ArgumentPath.get(arguments, name);
        return value.isMissingNode() || value.isNull()
                ? Optional.empty()
                : Optional.of(AguiCodec.mapper().convertValue(value, type));
    }

    /** Reads all arguments into a record or class with the parameters' names; {@link IllegalArgumentException} if they do not fit. */
    public <T> T argumentsAs(Class<T> type) {
        return AguiCodec.mapper().convertValue(arguments, type);
    }
}
