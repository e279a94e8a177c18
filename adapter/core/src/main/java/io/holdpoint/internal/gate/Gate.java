package io.holdpoint.internal.gate;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import io.holdpoint.Limits;
import io.holdpoint.ProposedCall;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.internal.Ids;
import io.holdpoint.internal.gate.ToolPolicies.Asking;
import io.holdpoint.internal.schema.JsonSchemas;
import io.holdpoint.internal.schema.ParameterConstraints;
import io.holdpoint.store.Question;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Decides about one call. Knows nothing of what was decided before; stateless apart from its clock and its limits, so
 * thread-safe. */
public final class Gate {

    private final Clock clock;
    private final Limits limits;
    private final JsonSchemas schemas = new JsonSchemas();

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
     * @param withPreview computes the preview, if there is one, and adds it to a question; for who is really asked
     */
    public record Verdict(GateDecision decision, String arguments, UnaryOperator<Question> withPreview) {

        Verdict(GateDecision decision, String arguments) {
            this(decision, arguments, UnaryOperator.identity());
        }
    }

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
            return new Verdict(new GateDecision.Refuse(ModelTexts.malformed(tool.name(), e.getMessage())), proposed);
        }
        String canonical = ToolArguments.write(arguments);
        if (canonical.length() > limits.argumentsLength()) {
            return tooLong(tool, canonical);
        }
        Optional<GateDecision> invalid = invalid(tool, arguments);
        if (invalid.isPresent()) {
            return new Verdict(invalid.get(), canonical);
        }
        ProposedCall call = proposed(request.id(), tool, arguments, scope);
        Function<Asking, Verdict> ask = asking -> new Verdict(
                new GateDecision.Ask(ask(call, asking, canonical)),
                canonical,
                question -> withPreview(question, asking, call));
        return tool.approvals()
                .decide(
                        call,
                        () -> tool.question().map(ask).orElseGet(() -> new Verdict(new GateDecision.Run(), canonical)),
                        approval -> ask.apply(tool.question().orElse(approval)),
                        reason -> new Verdict(
                                new GateDecision.Refuse(ModelTexts.denied(tool.name(), reason)), canonical));
    }

    private static ProposedCall proposed(String toolCallId, GatedTool tool, ObjectNode arguments, CallScope scope) {
        return new ProposedCall(
                tool.specification(), arguments, scope.caller(), scope.threadId(), scope.runId(), toolCallId);
    }

    private Verdict tooLong(GatedTool tool, String arguments) {
        int limit = limits.argumentsLength();
        return new Verdict(
                new GateDecision.Refuse(ModelTexts.tooLong(tool.name(), limit)), arguments.substring(0, limit));
    }

    /** What no person could approve, no person is asked about. */
    private Optional<GateDecision> invalid(GatedTool tool, ObjectNode arguments) {
        ParameterConstraints constraints = tool.arguments().constraints();
        if (constraints.isEmpty()) {
            return Optional.empty();
        }
        List<String> violations = schemas.violations(constraints.schema(), arguments);
        return violations.isEmpty()
                ? Optional.empty()
                : Optional.of(new GateDecision.Refuse(ModelTexts.invalid(tool.name(), violations)));
    }

    private static Question withPreview(Question question, Asking asking, ProposedCall call) {
        if (asking.preview().isEmpty()) {
            return question;
        }
        Interrupt interrupt = question.interrupt().copy();
        ObjectNode metadata = Objects.requireNonNull(interrupt.metadata());
        Preview.addTo(metadata.withObject("/langchain4j"), asking.preview().get(), ToolPolicies.copy(call));
        return new Question(question.kind(), interrupt, question.askedAt());
    }

    private Question ask(ProposedCall call, Asking asking, String canonical) {
        Instant now = clock.instant();
        ObjectNode metadata = AguiCodec.mapper().createObjectNode();
        ObjectNode langchain4j = metadata.putObject("langchain4j");
        langchain4j.put("toolName", call.toolName());
        langchain4j.set("args", call.arguments());
        langchain4j.put("argsSha256", ToolArguments.sha256(canonical));
        Interrupt interrupt = new Interrupt(
                Ids.interrupt(),
                asking.reason(),
                asking.message().render(call.arguments()),
                call.toolCallId(),
                asking.responseSchema(),
                asking.expiresAfter().map(now::plus).orElse(null),
                metadata);
        return new Question(asking.kind(), interrupt, now);
    }
}
