package io.holdpoint.internal.question;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.ToolInterrupt;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.internal.Ids;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.agent.InnerAgent;
import io.holdpoint.internal.gate.ApprovalForm;
import io.holdpoint.internal.gate.Gate;
import io.holdpoint.internal.gate.MethodArguments;
import io.holdpoint.internal.gate.ModelTexts;
import io.holdpoint.internal.gate.ToolArguments;
import io.holdpoint.internal.gate.Voices;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call;
import io.holdpoint.store.Call.Answer;
import io.holdpoint.store.Call.Question;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.ThreadRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A question that the tool asked while it ran: the tool is executed again, with the same arguments, and is given the
 * answer. If the question says so, a person may give the call's result instead: {@code {"response": ...}}.
 */
public record Restart() implements QuestionKind {

    static final Restart KIND = new Restart();

    private static final String ASKED_AS = "interruptId";

    /** Says that a person may give the result: the schema is the tool's own or that of a response. */
    static final String RESPOND = "respond";

    /** Asks the question that the tool of a claimed call has raised. */
    public static Question ask(Call call, ToolInterrupt interrupt, Instant now) {
        ObjectNode metadata = interrupt.clientMetadata();
        ObjectNode described =
                Payloads.describe(metadata, call, NextStep.again(call).arguments());
        ObjectNode schema = interrupt.responseSchema();
        if (interrupt.takesResponse()) {
            described.put(RESPOND, true);
            schema = orResponse(schema);
        }
        return new Question(
                interrupt.isAnsweredWithResult() ? Question.Kind.RESPONSE : Question.Kind.RESTART,
                new Interrupt(
                        Ids.interrupt(),
                        interrupt.reason(),
                        interrupt.message(),
                        call.toolCallId(),
                        schema,
                        interrupt.expiry().map(now::plus).orElse(null),
                        metadata),
                now,
                interrupt.keptValue().orElse(null),
                List.of());
    }

    /**
     * Asks the question of another agent, which works in the claimed call: about what that agent would run. Its time is that of the
     * other question; a remark follows the message.
     */
    public static Question delegate(Call call, Question question, String remark, Instant now) {
        Interrupt inner = question.interrupt();
        ObjectNode metadata = inner.metadata() == null
                ? AguiCodec.mapper().createObjectNode()
                : inner.metadata().deepCopy();
        String arguments = NextStep.again(call).arguments();
        metadata.withObject("/langchain4j")
                .putObject(Voices.DELEGATED_BY)
                .put("toolName", call.toolName())
                .put("argsSha256", ToolArguments.sha256(arguments))
                .put(ASKED_AS, inner.id());
        Interrupt asked = new Interrupt(
                Ids.interrupt(),
                inner.reason(),
                Objects.requireNonNullElse(inner.message(), "") + remark,
                call.toolCallId(),
                inner.responseSchema(),
                inner.expiresAt(),
                metadata);
        return new Question(Question.Kind.RESTART, asked, now, null, question.timeline());
    }

    /**
     * Asks what the agents ask that work in the calls which a run has started and not finished; empty if they ask nothing, or nothing that was
     * not answered here: the next run of the call brings an answer there.
     */
    public static Optional<Batch> askInside(AgentConfig<?> config, Batch batch, Instant now) {
        Map<String, Question> questions = new HashMap<>();
        for (Call call : batch.claimed()) {
            config.inner(call.toolName())
                    .flatMap(inner -> inner.thread(config.name, batch.threadId(), call.toolCallId()))
                    .flatMap(ThreadRecord::batch)
                    .flatMap(inside -> inside.calls().stream()
                            .filter(there -> there.openQuestion().isPresent() && !isOnItsWay(call, there))
                            .findFirst())
                    .flatMap(Call::openQuestion)
                    .ifPresent(asked -> questions.put(call.toolCallId(), delegate(call, asked, "", now)));
        }
        return questions.isEmpty() ? Optional.empty() : Optional.of(batch.askedAgain(questions));
    }

    /**
     * Checks whether an answer was given here to another agent's call, which has not heard of it: to the open question, or to the one before,
     * if that agent has heard of an edit only and asks about that.
     */
    private static boolean isOnItsWay(Call call, Call there) {
        return call.asked().stream()
                .filter(asked -> there.asked(askedAs(asked.question())).isPresent())
                .reduce((earlier, later) -> later)
                .filter(asked -> asked.answer()
                        .filter(answer -> !isHeard(answer, askedAs(asked.question()), there))
                        .isPresent())
                .isPresent();
    }

    private static boolean isHeard(Answer answer, String interruptId, Call there) {
        return there.asked(interruptId)
                .flatMap(Call.Asked::answer)
                .map(heard -> heard.answeredBy().equals(answer.answeredBy()))
                .orElseGet(() -> hasArrived(answer, there));
    }

    /** Checks whether an answer has come to another agent's call before, and was not enough. */
    public static boolean hasArrived(Answer answer, Call there) {
        return there.votes().stream()
                .anyMatch(vote -> vote.answeredBy().equals(answer.answeredBy())
                        && Objects.equals(vote.payload(), answer.payload()));
    }

    /** The id of the interrupt of another agent in whose name a question is asked; empty if it is a question of this agent. */
    public static String askedAs(Question question) {
        return Gate.metadata(question).path(Voices.DELEGATED_BY).path(ASKED_AS).asText();
    }

    /** The agent in whose name a question of a thread is asked, with its thread and the id of its interrupt. */
    public record Inside(InnerAgent agent, ThreadRecord thread, String interruptId) {

        /** The question as that agent asks it, while it is open. */
        public Optional<Question> question() {
            return thread.batch().map(Batch::openQuestions).orElse(List.of()).stream()
                    .filter(open -> open.interrupt().id().equals(interruptId))
                    .findFirst();
        }

        private Optional<Call.State> state() {
            String threadId = thread.threadId();
            return agent.config()
                    .store
                    .findBatch(threadId, Store.By.INTERRUPT, interruptId)
                    .flatMap(batch -> batch.asked(interruptId))
                    .flatMap(call -> Restart.state(
                            agent.config(),
                            threadId,
                            call,
                            call.asked(interruptId).orElseThrow().question()));
        }
    }

    /** The agent that asks a question; empty if it is a question of this agent. */
    public static Optional<Inside> inside(AgentConfig<?> config, String threadId, Question question) {
        if (!Voices.isDelegated(question)) {
            return Optional.empty();
        }
        JsonNode by = Gate.metadata(question).path(Voices.DELEGATED_BY);
        String toolCallId = Objects.requireNonNullElse(question.interrupt().toolCallId(), "");
        return config.inner(by.path("toolName").asText())
                .flatMap(agent -> agent.thread(config.name, threadId, toolCallId)
                        .map(thread -> new Inside(agent, thread, askedAs(question))));
    }

    /**
     * The state of the call that a question of a call is about: of the call of the agent that asks it, if one works in this call. A call
     * that was still to be decided when the other one ended does not run any more. Empty if that agent or its record is gone.
     */
    public static Optional<Call.State> state(AgentConfig<?> config, String threadId, Call call, Question question) {
        if (!Voices.isDelegated(question)) {
            return Optional.of(call.state());
        }
        return inside(config, threadId, question).flatMap(Inside::state).map(state -> switch (state) {
            case PENDING, DECIDED -> call.state().isSettled() ? Call.State.NOT_EXECUTED : call.state();
            default -> state;
        });
    }

    /** The kind of the question that the other agent asks; empty for a question of the tool's own. */
    private static Optional<QuestionKind> delegated(Question question) {
        if (!Voices.isDelegated(question)) {
            return Optional.empty();
        }
        return switch (question.interrupt().reason()) {
            case PendingInterrupt.Approval.REASON -> Optional.of(ToolApproval.KIND);
            case PendingInterrupt.Failure.REASON -> Optional.of(ToolError.KIND);
            case PendingInterrupt.UnknownOutcome.REASON -> Optional.of(OutcomeUnknown.KIND);
            default -> Optional.empty();
        };
    }

    @Override
    public List<String> violations(Question question, Optional<JsonNode> payload, SchemaCheck check) {
        Optional<QuestionKind> inner = delegated(question);
        if (inner.isPresent()) {
            return inner.get().violations(question, payload, check);
        }
        if (!takesResponse(question)
                || payload.filter(answer -> answer.has(ApprovalForm.RESPONSE)).isEmpty()) {
            return Payloads.violations(question, payload, check);
        }
        return response(question, payload.get()).isPresent()
                ? List.of()
                : List.of("/" + ApprovalForm.RESPONSE
                        + ": must be the result of the call, any JSON but null, and the only field");
    }

    private static ObjectNode orResponse(ObjectNode answer) {
        ObjectNode either = AguiCodec.mapper().createObjectNode();
        ObjectNode response = either.putArray("anyOf").add(answer).addObject().put("type", "object");
        response.putObject("properties")
                .putObject(ApprovalForm.RESPONSE)
                .put(
                        "description",
                        "The result of the call, a text or JSON, in place of the tool's. The tool does not run again.");
        response.put("additionalProperties", false).putArray("required").add(ApprovalForm.RESPONSE);
        return either;
    }

    /** Another agent's question is answered there. */
    private static boolean takesResponse(Question question) {
        JsonNode metadata = Gate.metadata(question);
        return metadata.path(RESPOND).booleanValue() && !Voices.isDelegated(question);
    }

    /** The result that a person gives in place of the tool; a question that takes one reads every {@code response} as that. */
    private static Optional<JsonNode> response(Question question, @Nullable JsonNode payload) {
        return takesResponse(question)
                        && payload != null
                        && payload.size() == 1
                        && payload.hasNonNull(ApprovalForm.RESPONSE)
                ? Optional.of(payload.get(ApprovalForm.RESPONSE))
                : Optional.empty();
    }

    @Override
    public Optional<ObjectNode> wouldRun(Question question, JsonNode payload) {
        Optional<QuestionKind> inner = delegated(question);
        if (inner.isPresent()) {
            return inner.get().wouldRun(question, payload);
        }
        return Payloads.declines(question, payload)
                        || response(question, payload).isPresent()
                ? Optional.empty()
                : Optional.of(Payloads.shown(question));
    }

    @Override
    public boolean declines(Question question, JsonNode payload) {
        return delegated(question)
                .map(inner -> inner.declines(question, payload))
                .orElseGet(() -> Payloads.declines(question, payload));
    }

    @Override
    public NextStep decide(Call call, Question question, Answer answer, MethodArguments tool) {
        JsonNode payload = answer.payload();
        if (answer.how() != Answer.How.RESOLVED) {
            return new NextStep.Settle(Call.State.FAILED, ModelTexts.unfinished(call.toolName()));
        } else if (payload != null && delegated(question).isEmpty() && Payloads.declines(question, payload)) {
            return new NextStep.Settle(Call.State.FAILED, Payloads.declined(call, payload));
        }
        Optional<JsonNode> response = response(question, payload);
        if (response.isPresent()) {
            return NextStep.supplied(call, SuppliedResult.text(response.get()));
        }
        return NextStep.againAsShown(call, question);
    }

    /**
     * The answered questions of the tool, and of an agent that works in it, oldest first. An answer about other arguments, before a
     * person edited them, does not count.
     */
    public static List<Call.Asked> answered(Call call, NextStep.Execute execute) {
        List<Call.Asked> answered = new ArrayList<>();
        for (Call.Asked asked : call.asked()) {
            Question question = asked.question();
            JsonNode payload = asked.answer().map(Answer::payload).orElse(null);
            if (question.kind() == Question.Kind.RESTART && payload != null && Payloads.showed(question, execute)) {
                answered.add(asked);
            }
        }
        return answered;
    }
}
