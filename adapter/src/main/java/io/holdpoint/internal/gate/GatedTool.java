package io.holdpoint.internal.gate;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.ToolSpecification;
import java.util.Optional;

/**
 * What the gate knows of a tool. Immutable.
 *
 * @param name as the model sees it
 * @param approval who must be asked, if anybody
 * @param arguments how it takes its arguments
 * @param idempotent whether it may be executed again after an attempt of unknown outcome
 * @param sha256 of its name, its parameters and their defaults, hexadecimal: tells whether it is still the tool that a call was proposed to
 */
public record GatedTool(
        String name, Optional<Approval> approval, MethodArguments arguments, boolean idempotent, String sha256) {

    /**
     * An approval policy and the schema of its answers.
     *
     * @param policy what the annotation says
     * @param responseSchema what an answer must look like; shared, not to be changed
     */
    public record Approval(ApprovalPolicy policy, ObjectNode responseSchema) {}

    /**
     * Prepares a tool.
     *
     * @param specification as the model sees it
     * @param policy who must be asked, if anybody
     * @param arguments how it takes its arguments
     * @param idempotent whether the application says so
     * @return the tool
     */
    static GatedTool of(
            ToolSpecification specification,
            Optional<ApprovalPolicy> policy,
            MethodArguments arguments,
            boolean idempotent) {
        ObjectNode defaults = arguments.defaults();
        return new GatedTool(
                specification.name(),
                policy.map(
                        found -> new Approval(found, ToolSchemas.approval(specification, defaults, found.editable()))),
                arguments,
                idempotent || policy.filter(ApprovalPolicy::idempotent).isPresent(),
                ToolSchemas.sha256(specification, defaults));
    }
}
