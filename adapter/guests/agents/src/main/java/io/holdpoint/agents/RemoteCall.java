package io.holdpoint.agents;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.ErrorCode;
import io.holdpoint.ToolCallContext;
import io.holdpoint.ToolInterrupt;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Event;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.agui.RunEvent;
import io.holdpoint.agui.RunFinishedOutcome;
import io.holdpoint.agui.client.AguiClientException;
import io.holdpoint.internal.gate.ModelTexts;
import io.holdpoint.internal.turn.Failures;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One execution of a {@link RemoteAgent}'s call, from a start or an answer to the end or the next question. Not thread-safe. */
final class RemoteCall extends RemoteRun {

    private static final Logger LOG = LoggerFactory.getLogger(RemoteCall.class);

    /** The failures after which the question is open there as before. */
    private static final Set<ErrorCode> REFUSED =
            Set.of(ErrorCode.INTERRUPT_PAYLOAD_INVALID, ErrorCode.INTERRUPT_FORBIDDEN, ErrorCode.INTERRUPT_EXPIRED);

    /**
     * Kept until the answers are there: the open interrupts, the answers to the first of them that are given already, the number
     * of the call's answers before the next ones, and the conversation.
     */
    private record Kept(
            List<Interrupt> interrupts,
            @JsonSetter(nulls = Nulls.AS_EMPTY) List<JsonNode> given,
            int before,
            List<Message> messages) {}

    private final ToolCallContext call;
    private final Optional<Kept> kept;
    private boolean forwards = true;

    RemoteCall(Remote agent, ToolCallContext call) {
        super(agent, "remote-" + hash(call.threadId(), call.toolCallId(), call.idempotencyKey()));
        this.call = call;
        this.kept = call.kept().map(json -> AguiCodec.mapper().convertValue(json, Kept.class));
    }

    String execute(String task) {
        List<JsonNode> answers = kept.map(this::answers).orElse(List.of());
        if (kept.isPresent() && answers.size() < kept.get().interrupts().size()) {
            throw ask(kept.get(), answers.size(), agent + " asks: ");
        }
        String messageId = "task-" + hash(threadId, task);
        List<Message> messages = kept.map(Kept::messages)
                .orElseGet(() -> List.of(new Message.User(messageId, MessageContent.text(task))));
        RunAgentInput input =
                input(messages, kept.map(asked -> entries(asked, answers)).orElse(List.of()));
        try {
            return result(agent.hasRoutes() ? takenUpOrStarted(input, messageId) : start(input));
        } catch (AguiClientException e) {
            if (kept.isPresent() && isAway(e)) {
                throw askAgain(kept.get(), answers, e);
            }
            // without a cause: LangChain4j would tell the model the cause's message in place of this one
            IllegalStateException told = new IllegalStateException(agent + " could not be asked: " + e.getMessage()
                    + (mayHaveWorked(e) ? " The outcome of its work is not known." : ""));
            told.addSuppressed(e);
            throw told;
        }
    }

    private List<JsonNode> answers(Kept asked) {
        List<JsonNode> answers = new ArrayList<>(asked.given());
        answers.addAll(call.answers().subList(asked.before(), call.answers().size()));
        return answers;
    }

    private static List<ResumeEntry> entries(Kept asked, List<JsonNode> answers) {
        List<ResumeEntry> entries = new ArrayList<>();
        for (int i = 0; i < answers.size(); i++) {
            entries.add(ResumeEntry.resolved(asked.interrupts().get(i), answers.get(i)));
        }
        return entries;
    }

    /** Checks whether the agent has certainly not got the answers, and may get them another time. */
    private boolean isAway(AguiClientException e) {
        return !mayHaveArrived && (!isRefusal(e) || NOT_NOW.contains(e.status()));
    }

    /** Checks whether the agent may have begun to work, or to go on: a server that says what is wrong with a request takes nothing of it. */
    private boolean mayHaveWorked(AguiClientException e) {
        return mayHaveArrived && e.status() / 100 != 4;
    }

    private ToolInterrupt.Raised askAgain(Kept asked, List<JsonNode> answers, AguiClientException e) {
        LOG.warn("The answer to the agent \"{}\" did not arrive; its last question is asked again", agent.name(), e);
        String why =
                isRefusal(e) ? " takes no answer at the moment (status " + e.status() + ")" : " could not be reached";
        throw askAgain(asked, answers, why + ", so your answer has not arrived there");
    }

    /** Asks the last question once more, so that no answer is used up; those before it stay. */
    private ToolInterrupt.Raised askAgain(Kept asked, List<JsonNode> answers, String why) {
        int last = answers.size() - 1;
        Kept again = new Kept(
                asked.interrupts(), answers.subList(0, last), call.answers().size(), asked.messages());
        throw ask(again, last, agent + why + ". It asks again: ");
    }

    // --- runs

    /** Looks first where the thread is: an earlier execution of this call may have started it, or answered. */
    private Event.Terminal takenUpOrStarted(RunAgentInput input, String messageId) {
        Event.Terminal present = follow();
        List<Message> there = transcript.messages();
        boolean isKnown = there.stream().anyMatch(message -> message.id().equals(messageId));
        boolean isUnanswered = isKnown && there.get(there.size() - 1).id().equals(messageId);
        boolean waitsForUs =
                isKnown && kept.isPresent() && ids(kept.get().interrupts()).equals(ids(open(present)));
        if (isKnown && !isUnanswered && !waitsForUs && !isLeft(present)) {
            return present;
        }
        try {
            return isKnown ? run(input) : start(input);
        } catch (AguiClientException e) {
            if (isRefusal(e)) {
                throw e; // there is no run to be found again
            }
            Event.Terminal now = follow();
            boolean hasArrived = transcript.messages().stream()
                    .anyMatch(message -> message.id().equals(messageId));
            boolean stillWaits = waitsForUs && ids(open(now)).equals(ids(open(present)));
            if (!hasArrived || isLeft(now) || stillWaits) {
                mayHaveArrived &= !stillWaits;
                throw e;
            }
            return now;
        }
    }

    @Override
    boolean isStopping() {
        return call.isStopping();
    }

    @Override
    void say(@Nullable String messageId, String delta) {
        if (!forwards) {
            return;
        }
        ObjectNode value = AguiCodec.mapper()
                .createObjectNode()
                .put("toolCallId", call.toolCallId())
                .put("agent", agent.name());
        if (messageId != null) {
            value.put("messageId", messageId);
        }
        try {
            call.emit(RemoteAgent.TEXT, value.put("delta", delta));
        } catch (IllegalArgumentException e) {
            forwards = false; // longer than a result may be: the result has the rest
        }
    }

    // --- the end of a run

    private String result(Event.Terminal end) {
        if (end instanceof RunEvent.Error error) {
            return failed(error);
        }
        RunEvent.Finished finished = finished(end);
        List<Interrupt> open = open(end);
        if (!open.isEmpty()) {
            List<Message> conversation = agent.hasRoutes() ? List.of() : transcript.messages();
            throw ask(new Kept(open, List.of(), call.answers().size(), conversation), 0, agent + " asks: ");
        }
        if (finished.outcome() instanceof RunFinishedOutcome.Success success
                && !success.pendingToolCallIds().isEmpty()) {
            throw new IllegalStateException(agent + " waits for tools of its client, and has none here.");
        }
        String text = lastText();
        return text.isEmpty() ? withoutWords(finished) : text;
    }

    /** The wire decides, not the code: a question is asked here, and only of a task that has ended is the model told. */
    private String failed(RunEvent.Error error) {
        Optional<ErrorCode> code = Stream.of(ErrorCode.values())
                .filter(known -> known.name().equals(error.code()))
                .findFirst();
        if (code.isPresent() && REFUSED.contains(code.get()) && kept.isPresent()) {
            throw askAgain(kept.get(), answers(kept.get()), " has not taken your answer (" + error.message() + ")");
        }
        if (agent.hasRoutes()) {
            mayHaveArrived = true;
            Event.Terminal now = follow();
            if (!open(now).isEmpty()) {
                return result(now);
            }
        }
        if (code.filter(Failures::goesOn).isPresent()) {
            throw new Failures.TurnFailedError(
                    new IllegalStateException(agent + " failed: " + error.message() + " (" + error.code() + ")"));
        }
        String said = code.isPresent()
                ? ModelTexts.taskEnded(code.get().name(), "")
                : agent + " failed: " + error.message() + (error.code() == null ? "" : " (" + error.code() + ").");
        throw new IllegalStateException(said + ModelTexts.ranBefore(ran()));
    }

    /** The calls of the agent that its messages name, with what they tell of their end. */
    private List<String> ran() {
        Map<String, Boolean> ended = new HashMap<>();
        List<String> ran = new ArrayList<>();
        for (Message message : transcript.messages()) {
            if (message instanceof Message.Tool result) {
                ended.put(result.toolCallId(), result.error() == null);
            }
        }
        for (Message message : transcript.messages()) {
            if (message instanceof Message.Assistant said) {
                said.toolCalls()
                        .forEach(asked -> ran.add(
                                ended.getOrDefault(asked.id(), false)
                                        ? asked.name()
                                        : ModelTexts.perhaps(asked.name())));
            }
        }
        return ran;
    }

    private String lastText() {
        String text = "";
        for (Message message : transcript.messages()) {
            if (message instanceof Message.User) {
                text = "";
            } else if (message instanceof Message.Assistant said
                    && said.content() != null
                    && !said.content().isBlank()) {
                text = said.content();
            }
        }
        return text;
    }

    private ToolInterrupt.Raised ask(Kept asked, int index, String beginning) {
        return call.interrupt(question(agent, asked.interrupts().get(index), beginning)
                .keeping(AguiCodec.mapper().valueToTree(asked)));
    }
}
