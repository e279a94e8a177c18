package io.holdpoint.internal.question;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.Caller;
import io.holdpoint.internal.Ids;
import io.holdpoint.internal.gate.ApprovalForm;
import io.holdpoint.internal.gate.Gate;
import io.holdpoint.internal.gate.MethodArguments;
import io.holdpoint.internal.gate.ModelTexts;
import io.holdpoint.internal.gate.PolicyReader;
import io.holdpoint.internal.gate.ToolArguments;
import io.holdpoint.store.Bounds;
import io.holdpoint.store.Call;
import io.holdpoint.store.Call.Answer;
import io.holdpoint.store.Call.Question;
import io.holdpoint.store.Grant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * May this call run? Only {@code resolved} with JSON {@code approved: true} executes; {@code editedArgs} is read only with it.
 * With {@code approved: false}, a {@code response} is the call's result, if the question takes one: to who does not know of
 * it, the call was denied.
 */
public record ToolApproval() implements QuestionKind {

    static final ToolApproval KIND = new ToolApproval();

    @Override
    public List<String> violations(Question question, Optional<JsonNode> payload, SchemaCheck check) {
        if (!(payload.orElse(null) instanceof ObjectNode answer)) {
            return List.of(": must be a JSON object such as {\"approved\": true}");
        }
        ApprovalForm form = ApprovalForm.of(question);
        if (form.isPlainVerdict(answer)) {
            return form.violations(answer);
        }
        Optional<String> excess = ApprovalForm.approves(answer) ? ApprovalForm.excess(answer) : Optional.empty();
        if (excess.isPresent()) {
            return List.of(excess.get());
        }
        List<String> violations = ApprovalForm.undeclared(form.schema(), answer);
        violations.addAll(check.violations(form.schemaOf(answer), form.relevant(answer)));
        violations.addAll(form.violations(answer));
        return violations;
    }

    @Override
    public Optional<ObjectNode> wouldRun(Question question, JsonNode payload) {
        return ApprovalForm.approves(payload)
                ? Optional.of(ApprovalForm.of(question).wouldRun(payload))
                : Optional.empty();
    }

    @Override
    public boolean declines(Question question, JsonNode payload) {
        return ApprovalForm.declines(payload);
    }

    /** The grant by which an answer allows more than its own call, if it does. */
    public static Optional<Grant> remembered(
            Call call, Question question, Answer answer, PolicyReader tools, Caller granter, String owner) {
        JsonNode payload = answer.payload();
        if (question.kind() != Question.Kind.APPROVAL || payload == null) {
            return Optional.empty();
        }
        ApprovalForm form = ApprovalForm.of(question);
        Optional<Grant.Scope> scope = form.remembers(payload);
        if (scope.isEmpty() || !ApprovalForm.approves(payload)) {
            return Optional.empty();
        }
        ObjectNode approved = tools.arguments(call.proposal().toolSha256())
                .edited(form.wouldRun(payload)); // somebody may have edited what was shown
        Optional<Grant.Within> within =
                scope.get() == Grant.Scope.WITHIN ? form.within(payload, approved) : Optional.empty();
        boolean isOfOwner =
                within.filter(known -> known.bounds().perOwner()).isPresent() && !owner.equals(Caller.ANONYMOUS.id());
        return Optional.of(new Grant(
                isOfOwner ? Grant.idOfOwner(owner, Ids.grant()) : Ids.grant(),
                scope.get(),
                new Grant.Approved(
                        call.toolCallId(),
                        question.interrupt().id(),
                        call.toolName(),
                        call.proposal().toolSha256(),
                        ToolArguments.sha256(ToolArguments.write(approved)),
                        answer.via()),
                granter.id(),
                granter.roles(),
                answer.answeredAt(),
                answer.answeredAt().plus(form.rememberedFor(payload)),
                within.orElse(null)));
    }

    /** The grant for a later call that the approval of a call is an approval of as well, so often. */
    public static Grant intended(Call call, Call.Asked approved, Gate.Verdict later, String toolSha256, int times) {
        Answer answer = approved.answer().orElseThrow();
        return new Grant(
                Ids.grant(),
                Grant.Scope.SAME_CALL,
                new Grant.Approved(
                        call.toolCallId(),
                        approved.question().interrupt().id(),
                        later.call().toolName(),
                        toolSha256,
                        ToolArguments.sha256(later.arguments()),
                        answer.via()),
                answer.answeredBy(),
                answer.roles(),
                answer.answeredAt(),
                answer.answeredAt().plus(later.remembering().longest()),
                new Grant.Within(
                        new Bounds(List.of(), Optional.empty(), Optional.of(times), false),
                        JsonNodeFactory.instance.objectNode(),
                        null));
    }

    /** Tells whether a person denies a call: what was remembered for calls like it ends. */
    public static boolean denies(Question question, Answer answer) {
        JsonNode payload = answer.payload();
        return question.isForApproval() && payload != null && ApprovalForm.declines(payload);
    }

    /** Checks whether a person has denied a call. */
    public static boolean isDenied(Call call) {
        return asked(call)
                .filter(last -> last.answer()
                        .filter(answer -> denies(last.question(), answer))
                        .isPresent())
                .isPresent();
    }

    /** Checks whether a grant would let a call run that is denied: as the model proposed it, or as somebody has edited it. */
    public static boolean covers(Grant grant, Call denied) {
        return Stream.concat(
                        Stream.of(ToolArguments.read(denied.arguments())),
                        asked(denied).map(Call.Asked::question).filter(Payloads::isOfEdit).stream()
                                .map(edited -> ToolArguments.canonical(Payloads.shown(edited))))
                .anyMatch(arguments -> grant.covers(
                        denied.toolName(), ToolArguments.sha256(ToolArguments.write(arguments)), arguments));
    }

    @Override
    public NextStep decide(Call call, Question question, Answer answer, MethodArguments tool) {
        return switch (answer.how()) {
            case CANCELLED, STEERED_AWAY -> NextStep.notExecuted(ModelTexts.cancelled(call.toolName(), hasVotes(call)));
            case EXPIRED, UNANSWERED -> NextStep.notExecuted(ModelTexts.expired(call.toolName(), hasVotes(call)));
            case UNKNOWN -> NextStep.notExecuted(ModelTexts.notUnderstood(call.toolName()));
            case RESOLVED -> resolved(call, question, answer.payload(), tool);
        };
    }

    /** Checks whether somebody has approved or edited the call, and others had to approve it as well. */
    private static boolean hasVotes(Call call) {
        return call.asked().stream()
                .filter(asked -> asked.question().isForApproval())
                .anyMatch(asked -> !asked.votes().isEmpty()
                        || asked.answer()
                                .filter(answer -> ApprovalForm.approves(answer.payload()))
                                .isPresent());
    }

    private static NextStep resolved(Call call, Question question, @Nullable JsonNode payload, MethodArguments tool) {
        ApprovalForm form = ApprovalForm.of(question);
        if (payload == null || !ApprovalForm.approves(payload)) {
            Optional<JsonNode> response = form.response(payload);
            return response.isPresent()
                    ? NextStep.supplied(call, SuppliedResult.text(response.get()))
                    : NextStep.notExecuted(ModelTexts.declined(
                            call.toolName(), ApprovalForm.reason(payload).orElse(null)));
        }
        boolean isAsProposed =
                ToolArguments.sha256(call.arguments()).equals(call.proposal().argumentsSha256());
        Optional<NextStep.Execute> shown = NextStep.asShown(call, question, tool);
        if (!isAsProposed || shown.isEmpty()) {
            return NextStep.notExecuted(ModelTexts.argumentsChanged(call.toolName()));
        }
        Optional<ObjectNode> edits = form.edits(payload);
        return edits.isPresent() ? NextStep.edited(call, tool, edits.get()) : shown.get();
    }

    /** Checks whether a person was asked about a settled call and did not allow it; a supplied result counts as allowed. */
    public static boolean declined(Call call) {
        return call.state() == Call.State.NOT_EXECUTED
                && asked(call)
                        .flatMap(Call.Asked::answer)
                        .filter(answer -> !ApprovalForm.approves(answer.payload()))
                        .isPresent();
    }

    /** The approval question of a call that decides, with its answer, if there was one. */
    public static Optional<Call.Asked> asked(Call call) {
        Optional<Call.Asked> last = Optional.empty();
        for (Call.Asked asked : call.asked()) {
            last = asked.question().isForApproval() ? Optional.of(asked) : last;
        }
        return last;
    }

    /** The answer that approved a call, if a person was asked and did. */
    public static Optional<Answer> approval(Call call) {
        Optional<Call.Asked> asked = asked(call);
        Optional<Answer> answer = asked.isPresent() ? asked.get().answer() : Optional.empty();
        return answer.isPresent() && ApprovalForm.approves(answer.get().payload()) ? answer : Optional.empty();
    }

    /** The comment of an approval; blank ones do not count. */
    public static Optional<String> comment(Answer approval) {
        Optional<String> comment = ApprovalForm.reason(approval.payload());
        return comment.isPresent() && comment.get().isBlank() ? Optional.empty() : comment;
    }
}
