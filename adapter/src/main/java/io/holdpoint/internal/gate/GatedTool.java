package io.holdpoint.internal.gate;

import dev.langchain4j.agent.tool.ToolSpecification;
import java.util.List;

/**
 * What the gate knows of a tool. Immutable.
 *
 * @param specification as the model sees it
 * @param approvals who must be asked, and when
 * @param arguments how it takes its arguments
 * @param idempotent whether it may be executed again after an attempt of unknown outcome
 * @param sha256 of its name, its parameters and their defaults, hexadecimal: tells whether it is still the tool that a call was proposed to
 */
public record GatedTool(
        ToolSpecification specification,
        Approvals approvals,
        MethodArguments arguments,
        boolean idempotent,
        String sha256) {

    /**
     * Prepares a tool.
     *
     * @param specification as the model sees it
     * @param policies that apply to it
     * @param arguments how it takes its arguments
     * @param idempotent whether the application says so
     * @return the tool
     */
    static GatedTool of(
            ToolSpecification specification,
            List<ApprovalPolicy> policies,
            MethodArguments arguments,
            boolean idempotent) {
        Approvals approvals = new Approvals(specification, arguments.defaults(), policies);
        return new GatedTool(
                specification,
                approvals,
                arguments,
                idempotent || approvals.idempotent(),
                ToolSchemas.sha256(specification, arguments.defaults()));
    }

    /**
     * Adds what applies to another tool of the same name.
     *
     * @param other the other tool
     * @return this tool, with the policies of both
     */
    public GatedTool and(GatedTool other) {
        if (!other.isGuarded()) {
            return this;
        }
        return isGuarded()
                ? new GatedTool(specification, approvals.and(other.approvals), arguments, idempotent, sha256)
                : other;
    }

    /**
     * The tool's name.
     *
     * @return as the model sees it
     */
    public String name() {
        return specification.name();
    }

    /**
     * Whether a person may have to be asked, or a call may be denied.
     *
     * @return {@code false} if every call may run
     */
    public boolean isGuarded() {
        return !approvals.isEmpty();
    }
}
