package io.holdpoint.internal.gate;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.internal.Ids;
import io.holdpoint.internal.gate.GatedTool.Approval;
import io.holdpoint.store.Question;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;

/** Decides about one call. Knows nothing of what was decided before; stateless apart from its clock. */
public final class Gate {

    private final Clock clock;

    /**
     * Creates a gate.
     *
     * @param clock tells when a question is asked and when it expires
     */
    public Gate(Clock clock) {
        this.clock = clock;
    }

    /**
     * What the gate found.
     *
     * @param decision what may happen
     * @param arguments canonical text of the arguments; as proposed if they are malformed
     */
    public record Verdict(GateDecision decision, String arguments) {}

    /**
     * Decides about a call of a known tool.
     *
     * @param request the call, with its final id
     * @param tool the tool
     * @return the decision
     */
    public Verdict decide(ToolExecutionRequest request, GatedTool tool) {
        ObjectNode arguments;
        try {
            arguments = tool.arguments().complete(ToolArguments.parse(request.arguments()));
        } catch (MalformedArgumentsException e) {
            String proposed = Optional.ofNullable(request.arguments()).orElse("");
            return new Verdict(new GateDecision.Refuse(NotExecuted.malformed(tool.name(), e.getMessage())), proposed);
        }
        String canonical = ToolArguments.write(arguments);
        GateDecision decision = tool.approval()
                .<GateDecision>map(approval -> new GateDecision.Ask(ask(request, tool, approval, arguments, canonical)))
                .orElseGet(GateDecision.Run::new);
        return new Verdict(decision, canonical);
    }

    private Question ask(
            ToolExecutionRequest request, GatedTool tool, Approval approval, ObjectNode arguments, String canonical) {
        Instant now = clock.instant();
        ObjectNode metadata = AguiCodec.mapper().createObjectNode();
        ObjectNode langchain4j = metadata.putObject("langchain4j");
        langchain4j.put("toolName", tool.name());
        langchain4j.set("args", arguments);
        langchain4j.put("argsSha256", ToolArguments.sha256(canonical));
        Interrupt interrupt = new Interrupt(
                Ids.interrupt(),
                "tool_call",
                approval.policy().message().render(arguments),
                request.id(),
                approval.responseSchema(),
                approval.policy().expiresAfter().map(now::plus).orElse(null),
                metadata);
        return new Question(interrupt, now);
    }
}
