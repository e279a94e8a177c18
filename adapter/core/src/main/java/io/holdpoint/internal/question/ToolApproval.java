package io.holdpoint.internal.question;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.Caller;
import io.holdpoint.internal.Ids;
import io.holdpoint.internal.gate.MethodArguments;
import io.holdpoint.internal.gate.ModelTexts;
import io.holdpoint.internal.gate.Remembering;
import io.holdpoint.internal.gate.ToolArguments;
import io.holdpoint.store.Answer;
import io.holdpoint.store.Call;
import io.holdpoint.store.Grant;
import io.holdpoint.store.Question;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * May this call run? Only {@code resolved} with JSON {@code approved: true} executes; {@code editedArgs} is read only with it.
 * With {@code approved: false}, a {@code response} is the call's result, if the question takes one: to who does not know of
 * it, the call was denied.
 */
public record ToolApproval() implements QuestionKind {

    /** AG-UI's reason for it. */
    public static final String REASON = "tool_call";

    static final ToolApproval KIND = new ToolApproval();

    @Override
    public List<String> violations(Question question, Optional<JsonNode> payload, SchemaCheck check) {
        ObjectNode schema = question.interrupt().responseSchema();
        if (schema == null) {
            return List.of();
        }
        if (!(payload.orElse(null) instanceof ObjectNode answer)) {
            return List.of(": must be a JSON object such as {\"approved\": true}");
        }
        Optional<String> excess = Edits.excess(answer).filter(any -> approves(answer));
        if (excess.isPresent()) {
            return List.of(excess.get());
        }
        List<String> violations =
                new ArrayList<>(check.violations(schema, Edits.withoutOptionalNulls(schema, relevant(answer))));
        if (approves(answer)) {
            violations.addAll(Edits.violations(question, schema, answer));
        }
        if (approves(answer)
                && answer.hasNonNull(Remembering.REMEMBER)
                && !schema.path("properties").has(Remembering.REMEMBER)) {
            violations.add("/remember: the approval of this call cannot be remembered; leave remember out");
        }
        if (answer.hasNonNull("response")) {
            if (!takesResponse(question)) {
                violations.add("/response: nobody can answer in place of this tool; leave response out");
            } else if (approves(answer)) {
                violations.add("/response: the tool either runs or is answered for; send it with approved: false");
            }
        }
        return violations;
    }

    private static boolean takesResponse(Question question) {
        ObjectNode schema = question.interrupt().responseSchema();
        return schema != null && schema.path("properties").has("response");
    }

    /** What is not read is not checked: edits without an approval, and what is absent as far as JSON goes. */
    private static ObjectNode relevant(ObjectNode answer) {
        ObjectNode relevant = Payloads.withoutNull(answer, "reason");
        if (!approves(answer)) {
            relevant.remove("editedArgs");
        }
        if (!approves(answer) || !answer.hasNonNull(Remembering.REMEMBER)) {
            relevant.remove(List.of(Remembering.REMEMBER, Remembering.MINUTES));
        }
        return Payloads.withoutNull(relevant, Remembering.MINUTES);
    }

    @Override
    public Optional<ObjectNode> wouldRun(Question question, JsonNode payload) {
        return approves(payload) ? Optional.of(Edits.wouldRun(question, payload)) : Optional.empty();
    }

    /**
     * What an answer allows beyond its own call.
     *
     * @param call the call
     * @param question what was asked about it
     * @param answer the answer, checked before
     * @param granter who gave it
     * @return the decision to remember; empty if none is
     */
    public static Optional<Grant> remembered(Call call, Question question, Answer answer, Caller granter) {
        JsonNode payload = answer.entry().payload();
        ObjectNode schema = question.interrupt().responseSchema();
        if (question.kind() != Question.Kind.APPROVAL
                || answer.how() != Answer.How.RESOLVED
                || payload == null
                || schema == null) {
            return Optional.empty();
        }
        Remembering offered = Remembering.offered(schema);
        return Remembering.scope(payload.path(Remembering.REMEMBER))
                .filter(offered.scopes()::contains)
                .flatMap(scope -> KIND.wouldRun(question, payload)
                        .map(arguments -> new Grant(
                                Ids.grant(),
                                scope,
                                new Grant.Approved(
                                        call.toolCallId(),
                                        question.interrupt().id(),
                                        call.toolName(),
                                        call.proposal().toolSha256(),
                                payload.has("editedArgs")
                                        ? ToolArguments.sha256(ToolArguments.write(arguments))
                                        : call.proposal().argumentsSha256()),
                                granter.id(),
                                granter.roles(),
                                answer.answeredAt(),
                                answer.answeredAt().plus(chosen(payload, offered)))));
    }

    private static Duration chosen(JsonNode payload, Remembering offered) {
        JsonNode minutes = payload.path(Remembering.MINUTES);
        return minutes.isNumber() ? Duration.ofMinutes(minutes.longValue()) : offered.longest();
    }

    @Override
    public Decision decide(Call call, Question question, Answer answer, MethodArguments tool) {
        return switch (answer.how()) {
            case CANCELLED, STEERED_AWAY -> notExecuted(ModelTexts.cancelled(call.toolName()));
            case EXPIRED -> notExecuted(ModelTexts.expired(call.toolName()));
            case RESOLVED -> resolved(call, question, answer.entry().payload(), tool);
        };
    }

    private static Decision resolved(Call call, Question question, @Nullable JsonNode payload, MethodArguments tool) {
        if (payload == null || !approves(payload)) {
            if (payload != null && payload.hasNonNull("response") && takesResponse(question)) {
                return Decision.supplied(call, SuppliedResult.text(payload.get("response")));
            }
            return notExecuted(ModelTexts.declined(
                    call.toolName(), Payloads.text(payload, "reason").orElse(null)));
        }
        if (!ToolArguments.sha256(call.arguments()).equals(call.proposal().argumentsSha256())) {
            return notExecuted(ModelTexts.argumentsChanged(call.toolName()));
        }
        return Edits.execute(call, question, payload, tool).orElseGet(() -> Decision.asProposed(call));
    }

    /**
     * Whether a call was asked about and not allowed.
     *
     * @param call a settled call
     * @return {@code false} for a call that nobody was asked about, and for one that ran or whose result was supplied
     */
    public static boolean declined(Call call) {
        return call.state() == Call.State.NOT_EXECUTED
                && asked(call)
                        .flatMap(question -> call.answerTo(question.interrupt().id()))
                        .filter(answer -> !approves(answer))
                        .isPresent();
    }

    /**
     * What somebody was asked before a call could run.
     *
     * @param call any
     * @return the question, if there was one
     */
    public static Optional<Question> asked(Call call) {
        return call.questions().stream()
                .filter(question -> question.kind() == Question.Kind.APPROVAL)
                .findFirst();
    }

    /** The answer that approved a call, if a person was asked and did. */
    public static Optional<Answer> approval(Call call) {
        return asked(call)
                .flatMap(question -> call.answerTo(question.interrupt().id()))
                .filter(ToolApproval::approves);
    }

    /** The comment of an approval; blank ones do not count. */
    public static Optional<String> comment(Answer approval) {
        return Payloads.text(approval.entry().payload(), "reason").filter(comment -> !comment.isBlank());
    }

    private static boolean approves(Answer answer) {
        JsonNode payload = answer.entry().payload();
        return answer.how() == Answer.How.RESOLVED && payload != null && approves(payload);
    }

    private static boolean approves(JsonNode answer) {
        return answer.path("approved").isBoolean() && answer.path("approved").booleanValue();
    }

    private static Decision notExecuted(String text) {
        return new Decision.Settle(Call.State.NOT_EXECUTED, text);
    }
}
