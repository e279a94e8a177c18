package io.holdpoint.internal.gate;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.internal.JsonSchemaElementUtils;
import io.holdpoint.ProposedCall;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.internal.Ids;
import io.holdpoint.store.Call.Question;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A tool as the gate knows it. Immutable.
 */
public record GatedTool(
        ToolSpecification specification,
        ToolPolicies policies,
        MethodArguments arguments,
        boolean idempotent,
        boolean asksOnFailure,
        Optional<QuestionTemplate> question,
        boolean ofClient,
        String sha256) {

    static GatedTool of(ToolPolicies policies, MethodArguments arguments, boolean idempotent, boolean asksOnFailure) {
        ToolSpecification tool = policies.tool();
        return new GatedTool(
                tool,
                policies,
                arguments,
                idempotent || policies.idempotent(),
                asksOnFailure,
                Optional.empty(),
                false,
                hash(tool, arguments));
    }

    /** Leaves the tool's own description out, and counts constraints: a check against other constraints is none. */
    static String hash(ToolSpecification tool, MethodArguments arguments) {
        ObjectNode signature = AguiCodec.mapper().createObjectNode();
        signature.put("name", tool.name());
        if (tool.parameters() != null) {
            signature.set(
                    "parameters", AguiCodec.mapper().valueToTree(JsonSchemaElementUtils.toMap(tool.parameters())));
        }
        if (!arguments.defaults().isEmpty()) {
            signature.set("defaults", ToolArguments.canonical(arguments.defaults()));
        }
        if (!arguments.constraints().isEmpty()) {
            signature.set(
                    "constraints",
                    ToolArguments.canonical(arguments.constraints().schema()));
        }
        return ToolArguments.sha256(ToolArguments.write(signature));
    }

    /** The same tool without a body. Its hash differs: an approval of the tool with a body does not count for it. */
    GatedTool asking(QuestionTemplate asked) {
        String other = ToolArguments.sha256("asks the user: " + sha256);
        return new GatedTool(
                specification, policies, arguments, idempotent, asksOnFailure, Optional.of(asked), ofClient, other);
    }

    /** The same tool, which may be executed again without asking. */
    GatedTool repeatable() {
        return new GatedTool(specification, policies, arguments, true, asksOnFailure, question, ofClient, sha256);
    }

    /** The same tool, executed by the client with the arguments that the model proposed. */
    GatedTool leftToClient() {
        return new GatedTool(specification, policies.withoutEdits(), arguments, false, false, question, true, sha256);
    }

    /** This tool with the policies of another tool of the same name as well. */
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

    /** The name that the model sees. */
    public String name() {
        return specification.name();
    }

    /** The schema of edited arguments for questions other than approvals; empty if the arguments cannot be edited. */
    public Optional<ObjectNode> editedArgs() {
        return policies.editedArgs();
    }

    /** Checks whether a call may be asked about or denied. */
    public boolean isGuarded() {
        return question.isPresent() || !policies.isEmpty();
    }

    /**
     * The question about any call of a tool. Immutable, except for the schema, which callers do not change.
     */
    record QuestionTemplate(
            Question.Kind kind,
            String reason,
            MessageTemplate message,
            ObjectNode responseSchema,
            Optional<Preview> preview,
            Optional<Duration> expiresAfter) {

        /** The question about one call, without the preview. */
        Question about(ProposedCall call, String canonicalArguments, Instant now) {
            ObjectNode metadata = AguiCodec.mapper().createObjectNode();
            ObjectNode langchain4j = metadata.putObject("langchain4j");
            langchain4j.put("toolName", call.toolName());
            langchain4j.set("args", call.arguments());
            langchain4j.put("argsSha256", ToolArguments.sha256(canonicalArguments));
            Interrupt interrupt = new Interrupt(
                    Ids.interrupt(),
                    reason,
                    message.render(call.arguments()),
                    call.toolCallId(),
                    responseSchema,
                    expiresAfter.map(now::plus).orElse(null),
                    metadata);
            return new Question(kind, interrupt, now);
        }
    }
}
