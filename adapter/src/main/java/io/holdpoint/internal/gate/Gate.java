package io.holdpoint.internal.gate;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import io.holdpoint.Limits;
import io.holdpoint.ProposedCall;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.internal.Ids;
import io.holdpoint.internal.gate.Approvals.Asking;
import io.holdpoint.internal.schema.JsonSchemas;
import io.holdpoint.internal.schema.ParameterConstraints;
import io.holdpoint.store.Question;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

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
     */
    public record Verdict(GateDecision decision, String arguments) {}

    /**
     * Decides about a call of a known tool, which the model has just proposed.
     *
     * @param request the call, with its final id
     * @param tool the tool
     * @param scope the run
     * @return the decision
     */
    public Verdict decide(ToolExecutionRequest request, GatedTool tool, CallScope scope) {
        return decide(request, tool, scope, this::withPreview);
    }

    /**
     * Decides about a call of which nobody will be asked any more, whatever the decision: no preview is computed.
     *
     * @param request the call, with its final id
     * @param tool the tool
     * @param scope the run
     * @return the decision
     */
    public Verdict decideAgain(ToolExecutionRequest request, GatedTool tool, CallScope scope) {
        return decide(request, tool, scope, this::ask);
    }

    /** Makes the question about a call. */
    private interface Asker {
        Question ask(ProposedCall call, Asking asking, String canonical);
    }

    private Verdict decide(ToolExecutionRequest request, GatedTool tool, CallScope scope, Asker asker) {
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
        Optional<GateDecision> invalid = invalid(tool, arguments);
        if (invalid.isPresent()) {
            return new Verdict(invalid.get(), canonical);
        }
        ProposedCall call = proposed(request.id(), tool, arguments, scope);
        Function<Asking, GateDecision> ask = asking -> new GateDecision.Ask(asker.ask(call, asking, canonical));
        GateDecision decision = tool.approvals()
                .decide(
                        call,
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

    /** What no person could approve, no person is asked about. */
    private Optional<GateDecision> invalid(GatedTool tool, ObjectNode arguments) {
        ParameterConstraints constraints = tool.arguments().constraints();
        if (constraints.isEmpty()) {
            return Optional.empty();
        }
        List<String> violations = schemas.violations(constraints.schema(), arguments);
        return violations.isEmpty()
                ? Optional.empty()
                : Optional.of(new GateDecision.Refuse(NotExecuted.invalid(tool.name(), violations)));
    }

    private Question withPreview(ProposedCall call, Asking asking, String canonical) {
        Question question = ask(call, asking, canonical);
        asking.preview().ifPresent(preview -> {
            ObjectNode metadata = Objects.requireNonNull(question.interrupt().metadata());
            Preview.addTo(metadata.withObject("/langchain4j"), preview, Approvals.copy(call));
        });
        return question;
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
