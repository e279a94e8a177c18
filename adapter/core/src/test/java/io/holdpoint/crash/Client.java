package io.holdpoint.crash;

import io.holdpoint.agui.Event;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.MessagesSnapshotEvent;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.agui.RunEvent;
import io.holdpoint.agui.RunFinishedOutcome;
import io.holdpoint.agui.TextMessageEvent;
import io.holdpoint.agui.ToolCallEvent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** A browser and the person before it. Knows nothing but the events that left the server. */
final class Client {

    /** What it does when a stream breaks off. */
    enum Habit {
        /** Sends the very same input again. */
        SENDS_AGAIN,
        /** Runs again with the messages as it sees them now, and the same answers. */
        RUNS_AGAIN,
        /** Loads the page again, and looks what is there. */
        RELOADS
    }

    private final String threadId;
    private final Habit habit;
    private final Person person;
    private final Deque<Scenario.Utterance> unsaid;
    private final List<Message.User> spoken = new ArrayList<>();
    private List<Message> view = new ArrayList<>();
    private List<Interrupt> pending = List.of();
    private Optional<Scenario.Utterance> last = Optional.empty();
    private RunAgentInput sent;
    private boolean cut;
    private boolean reloaded;
    private int runs;

    Client(String threadId, Scenario scenario, Habit habit, Person person) {
        this.threadId = threadId;
        this.habit = habit;
        this.person = person;
        this.unsaid = new ArrayDeque<>(scenario.utterances());
        this.sent = input();
    }

    /** What the person has said, oldest first, in the order of the first time. */
    List<Message.User> spoken() {
        return spoken;
    }

    /** The stream broke off. */
    void lost() {
        cut = true;
    }

    /** What it sends now; empty if the conversation is over. */
    Optional<RunAgentInput> next() {
        if (cut) {
            cut = false;
            sent = afterTheCut();
            return Optional.of(sent);
        }
        if (reloaded) {
            reloaded = false;
            last.filter(utterance -> !isInView(utterance)).ifPresent(unsaid::addFirst);
        }
        if (pending.isEmpty() && unsaid.isEmpty()) {
            return Optional.empty();
        }
        sent = pending.isEmpty() ? say(List.of()) : answers();
        return Optional.of(sent);
    }

    private RunAgentInput afterTheCut() {
        return switch (habit) {
            case SENDS_AGAIN -> sent;
            case RUNS_AGAIN -> input().withResume(sent.resume());
            case RELOADS -> {
                view = new ArrayList<>();
                pending = List.of();
                reloaded = true;
                yield input();
            }
        };
    }

    private RunAgentInput answers() {
        boolean steers = !unsaid.isEmpty() && unsaid.peek().steers();
        if (steers) {
            return say(pending.stream()
                    .map(interrupt -> ResumeEntry.cancelled(interrupt.id()))
                    .toList());
        }
        return input().withResume(pending.stream().map(person::answer).toList());
    }

    private RunAgentInput say(List<ResumeEntry> resume) {
        Scenario.Utterance utterance = unsaid.remove();
        last = Optional.of(utterance);
        Message.User message = new Message.User(id(utterance), MessageContent.text(utterance.text()));
        view.add(message);
        if (!spoken.contains(message)) {
            spoken.add(message);
        }
        return input().withResume(resume);
    }

    private static String id(Scenario.Utterance utterance) {
        return "said " + utterance.text();
    }

    private boolean isInView(Scenario.Utterance utterance) {
        return view.stream().anyMatch(message -> message.id().equals(id(utterance)));
    }

    private RunAgentInput input() {
        return RunAgentInput.of(threadId, threadId + "-run-" + ++runs, view);
    }

    /** An event arrived. */
    void saw(Event event) {
        if (event instanceof MessagesSnapshotEvent snapshot) {
            view = new ArrayList<>(snapshot.messages());
        } else if (event instanceof TextMessageEvent.Content text) {
            addText(text);
        } else if (event instanceof ToolCallEvent.Start call) {
            addAssistant(call.parentMessageId() == null ? call.toolCallId() : call.parentMessageId());
        } else if (event instanceof ToolCallEvent.Result result) {
            view.add(new Message.Tool(result.messageId(), result.toolCallId(), result.content(), null));
        } else if (event instanceof RunEvent.Finished finished) {
            pending = finished.outcome() instanceof RunFinishedOutcome.Interrupted interrupted
                    ? interrupted.interrupts()
                    : List.of();
        }
    }

    private void addText(TextMessageEvent.Content text) {
        for (int i = 0; i < view.size(); i++) {
            if (view.get(i) instanceof Message.Assistant message && message.id().equals(text.messageId())) {
                view.set(i, new Message.Assistant(message.id(), message.content() + text.delta(), message.toolCalls()));
                return;
            }
        }
        view.add(new Message.Assistant(text.messageId(), text.delta(), List.of()));
    }

    private void addAssistant(String messageId) {
        if (view.stream().noneMatch(message -> message.id().equals(messageId))) {
            view.add(new Message.Assistant(messageId, "", List.of()));
        }
    }
}
