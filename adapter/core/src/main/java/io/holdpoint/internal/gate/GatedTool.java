package io.holdpoint.internal.gate;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.ToolSpecification;
import io.holdpoint.internal.gate.ToolPolicies.Asking;
import java.util.List;
import java.util.Optional;

/**
 * What the gate knows of a tool. Immutable.
 *
 * @param specification as the model sees it
 * @param policies who must be asked, and when
 * @param arguments how it takes its arguments
 * @param idempotent whether it may be executed again after an attempt of unknown outcome
 * @param asksOnFailure whether a person is asked when it fails
 * @param question what a call of it asks the user, if it has no body
 * @param ofClient whether the client executes it
 * @param sha256 of its name, its parameters, their defaults and constraints, hexadecimal: tells whether it is still the tool that a call was proposed to
 */
public record GatedTool(
        ToolSpecification specification,
        ToolPolicies policies,
        MethodArguments arguments,
        boolean idempotent,
        boolean asksOnFailure,
        Optional<Asking> question,
        boolean ofClient,
        String sha256) {

    /**
     * What the application says of a tool, whether annotated or not.
     *
     * @param idempotent whether it may be executed again after an attempt of unknown outcome
     * @param asksOnFailure whether a person is asked when it fails
     */
    record Traits(boolean idempotent, boolean asksOnFailure) {}

    /**
     * Prepares a tool.
     *
     * @param specification as the model sees it
     * @param policies that apply to it
     * @param arguments how it takes its arguments
     * @param traits what the application says of it
     * @return the tool
     */
    static GatedTool of(
            ToolSpecification specification, List<Policy> all, MethodArguments arguments, Traits traits) {
        ToolPolicies policies = new ToolPolicies(specification, arguments, all);
        return new GatedTool(
                specification,
                policies,
                arguments,
                traits.idempotent() || policies.idempotent(),
                traits.asksOnFailure(),
                Optional.empty(),
                false,
                ToolSchemas.sha256(specification, arguments));
    }

    /**
     * The same tool without a body.
     *
     * @param asked what its calls ask the user
     * @return a tool of which nothing that was approved for one with a body can run
     */
    GatedTool asking(Asking asked) {
        String other = ToolArguments.sha256("asks the user: " + sha256);
        return new GatedTool(
                specification, policies, arguments, idempotent, asksOnFailure, Optional.of(asked), ofClient, other);
    }

    /**
     * The same tool, executed by the client, with the arguments that the model proposed: it has no others.
     *
     * @return a tool of which nothing runs here
     */
    GatedTool leftToClient() {
        return new GatedTool(specification, policies.withoutEdits(), arguments, false, false, question, true, sha256);
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
                ? new GatedTool(
                        specification,
                        policies.and(other.policies),
                        arguments,
                        idempotent,
                        asksOnFailure,
                        question.or(other::question),
                        ofClient,
                        sha256)
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
     * The schema of edited arguments, for questions that are not about an approval.
     *
     * @return a copy; empty if they cannot be edited
     */
    public Optional<ObjectNode> editedArgs() {
        return policies.editedArgs();
    }

    /**
     * Whether a person may have to be asked, or a call may be denied.
     *
     * @return {@code false} if every call may run
     */
    public boolean isGuarded() {
        return question.isPresent() || !policies.isEmpty();
    }
}
