package io.holdpoint.internal.gate;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import io.holdpoint.Limits;
import io.holdpoint.ProposedCall;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.internal.Ids;
import io.holdpoint.internal.gate.Approvals.Asking;
import io.holdpoint.store.Question;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/** Decides about one call. Knows nothing of what was decided before; stateless apart from its clock and its limits. */
public final class Gate {

    private final Clock clock;
    private final Limits limits;

    /**
     * Creates a gate.
     *
     * @param clock tells when a question is asked and when it expires
     * @param limits how much of a call is taken
     */
    public Gate(Clock clock, Limits limits) {
        this.clock = clock;
        this.limits = limits;
    }

    /**
     * How much of a call is taken, and of its result.
     *
     * @return the agent's limits
     */
    public Limits limits() {
        return limits;
    }

    /**
     * What the gate found.
     *
     * @param decision what may happen
     * @param arguments canonical text of the arguments; as proposed if they are malformed, and cut if they are too long
     */
    public record Verdict(GateDecision decision, String arguments) {}

    /**
     * Decides about a call of a known tool.
     *
     * @param request the call, with its final id
     * @param tool the tool
     * @param scope the run
     * @return the decision
     */
    public Verdict decide(ToolExecutionRequest request, GatedTool tool, CallScope scope) {
        String proposed = Optional.ofNullable(request.arguments()).orElse("");
        if (proposed.length() > limits.argumentsLength()) {
            return tooLong(tool, proposed);
        }
        ObjectNode arguments;
        try {
            arguments = tool.arguments().complete(ToolArguments.parse(proposed));
        } catch (MalformedArgumentsException e) {
            return new Verdict(new GateDecision.Refuse(NotExecuted.malformed(tool.name(), e.getMessage())), proposed);
        }
        String canonical = ToolArguments.write(arguments);
        if (canonical.length() > limits.argumentsLength()) {
            return tooLong(tool, canonical);
        }
        Function<Asking, GateDecision> ask =
                asking -> new GateDecision.Ask(ask(request, tool, asking, arguments, canonical));
        GateDecision decision = tool.approvals()
                .decide(
                        proposed(request.id(), tool, arguments, scope),
                        () -> tool.question().map(ask).orElseGet(GateDecision.Run::new),
                        approval -> ask.apply(tool.question().orElse(approval)),
                        reason -> new GateDecision.Refuse(NotExecuted.denied(tool.name(), reason)));
        return new Verdict(decision, canonical);
    }

    private static ProposedCall proposed(String toolCallId, GatedTool tool, ObjectNode arguments, CallScope scope) {
        return new ProposedCall(
                tool.specification(), arguments, scope.caller(), scope.threadId(), scope.runId(), toolCallId);
    }

    private Verdict tooLong(GatedTool tool, String arguments) {
        int limit = limits.argumentsLength();
        return new Verdict(
                new GateDecision.Refuse(NotExecuted.tooLong(tool.name(), limit)), arguments.substring(0, limit));
    }

    private Question ask(
            ToolExecutionRequest request, GatedTool tool, Asking asking, ObjectNode arguments, String canonical) {
        Instant now = clock.instant();
        ObjectNode metadata = AguiCodec.mapper().createObjectNode();
        ObjectNode langchain4j = metadata.putObject("langchain4j");
        langchain4j.put("toolName", tool.name());
        langchain4j.set("args", arguments);
        langchain4j.put("argsSha256", ToolArguments.sha256(canonical));
        Interrupt interrupt = new Interrupt(
                Ids.interrupt(),
                asking.reason(),
                asking.message().render(arguments),
                request.id(),
                asking.responseSchema(),
                asking.expiresAfter().map(now::plus).orElse(null),
                metadata);
        return new Question(asking.kind(), interrupt, now);
    }
}
