package io.holdpoint.internal.run;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.SnapshotSettings;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.ContentPart;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.RunFinishedOutcome;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.gate.Gate;
import io.holdpoint.internal.input.Plan;
import io.holdpoint.internal.question.NextStep;
import io.holdpoint.internal.turn.Run;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call;
import io.holdpoint.store.Call.Question;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.ThreadRecord;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread as a run shows it to its client. Interrupts and state are copied, so that a client in Java cannot change what the
 * store has.
 */
public final class ThreadView {

    /** The most messages at the end of the client's copy among which one that the thread knows is looked for. */
    private static final int LOOKED_AT = 10;

    private static final Logger LOG = LoggerFactory.getLogger(ThreadView.class);

    private final Run run;
    /** The client has all that the thread had when the run began, and nothing else. */
    private boolean isCurrent;
    /** The client has something else than the thread. */
    private boolean isBehind;

    public ThreadView(Run run) {
        this.run = run;
    }

    /**
     * Compares the client's copy of the messages, which came with the input, with the thread's, if that can spare a snapshot.
     * Of either the end is looked at only: a client keeps what it has.
     */
    public void compare(List<Message> sent, List<Message> heard) {
        if (!run.config.snapshots.isBounded()) {
            return;
        }
        List<Message> copy = new ArrayList<>();
        for (int i = sent.size() - 1; i >= 0 && copy.size() < LOOKED_AT; i--) {
            if (isSentBack(sent.get(i))) {
                copy.add(0, sent.get(i));
            }
        }
        Map<String, Boolean> known = run.store.known(run.threadId, ids(copy));
        int last = copy.size() - 1;
        while (last >= 0 && known.getOrDefault(copy.get(last).id(), true)) { // unknown, or cut off
            last--;
        }
        boolean isExpected = areExpected(copy.subList(last + 1, copy.size()), heard);
        if (last < 0) {
            isCurrent = isExpected && run.found.isEmpty();
            return;
        }
        List<Message> ofCopy = copy.subList(Math.max(0, last - 1), last + 1);
        List<Message> ofThread = run
                .store
                .transcript(run.threadId, Store.Range.after(ofCopy.get(0).id()))
                .stream()
                .filter(ThreadView::isSentBack)
                .toList();
        isCurrent = isExpected && isSame(ofThread, ofCopy.subList(1, ofCopy.size()));
        isBehind = !isCurrent;
    }

    private static boolean isSame(List<Message> ofThread, List<Message> ofCopy) {
        return ids(ofThread).equals(ids(ofCopy))
                && (ofThread.isEmpty() || says(ofThread.get(0)).equals(says(ofCopy.get(0))));
    }

    /** Clients keep activities to themselves, and reasoning as they like. */
    private static boolean isSentBack(Message message) {
        return message instanceof Message.User
                || message instanceof Message.Assistant
                || message instanceof Message.Tool;
    }

    /** Checks whether the thread gets all of these messages, which it does not know yet, in this run. */
    private boolean areExpected(List<Message> unknown, List<Message> heard) {
        Set<String> expected = new HashSet<>(ids(heard));
        Set<String> left = run.found.flatMap(ThreadRecord::batch).map(NextStep::leftToClient).orElse(List.of()).stream()
                .map(Call::toolCallId)
                .collect(Collectors.toSet());
        return unknown.stream()
                .allMatch(message -> expected.contains(message.id())
                        || message instanceof Message.Tool result && left.remove(result.toolCallId()));
    }

    /** The part of a message that comes in fragments. */
    private static List<Object> says(Message message) {
        if (message instanceof Message.Assistant assistant) {
            return List.of(String.valueOf(assistant.content()), assistant.toolCalls());
        }
        return message instanceof Message.Tool result ? List.of(result.content().asText()) : List.of();
    }

    private static List<String> ids(List<Message> messages) {
        return messages.stream().map(Message::id).toList();
    }

    /**
     * Reads the messages that are sent when the end of the run is stored: if they are wanted and the client does not have them
     * all, if its copy is another one, or if a result is a failure, which no event says.
     */
    public Optional<List<Message>> atEnd(List<Message> heard, boolean wanted) {
        boolean differs = isBehind || run.events.toldFailure() || (wanted && !isCurrent);
        return differs && run.events.isSeen() ? Optional.of(all(run.journal.transcript(), heard)) : Optional.empty();
    }

    /** Sends the state, then the messages. */
    public void snapshot(List<Message> heard) {
        run.events.state(run.state.get());
        run.events.messages(all(run.journal.transcript(), heard));
    }

    /**
     * The transcript, and after it the input's messages that are not stored: the client must not lose them. Reasoning
     * of this run is left out, since some clients show it twice otherwise; that of earlier runs is there, since the same lose it.
     */
    private List<Message> all(List<Message> transcript, List<Message> heard) {
        Set<String> unknown = new HashSet<>(ids(heard));
        List<Message> messages = new ArrayList<>(transcript.size() + unknown.size());
        for (Message message : transcript) {
            unknown.remove(message.id());
            if (!(message instanceof Message.Reasoning && run.events.hasReasoned(message.id()))) {
                messages.add(message);
            }
        }
        for (Message message : heard) {
            if (unknown.contains(message.id())) {
                messages.add(message);
            }
        }
        return shown(run.config, messages);
    }

    /** The messages with the media that the application shows in place of those that came. */
    public static List<Message> shown(AgentConfig<?> config, List<Message> messages) {
        UnaryOperator<ContentPart> media = config.snapshots.media();
        return media == SnapshotSettings.DEFAULT.media()
                ? messages
                : messages.stream().map(message -> shown(media, message)).toList();
    }

    private static Message shown(UnaryOperator<ContentPart> media, Message message) {
        if (!(message instanceof Message.User user && user.content() instanceof MessageContent.Parts content)) {
            return message;
        }
        List<ContentPart> parts = new ArrayList<>();
        for (ContentPart part : content.parts()) {
            ContentPart shown = part;
            if (!(part instanceof ContentPart.Text)) {
                try {
                    shown = Objects.requireNonNull(media.apply(part), "the function has returned null");
                } catch (Throwable e) { // a missing class too, and not every application is written in Java
                    LOG.warn("Media of the message {} are shown as they came", user.id(), e);
                }
            }
            parts.add(shown);
        }
        return new Message.User(user.id(), new MessageContent.Parts(parts), user.extras());
    }

    /**
     * Sends the state, the messages before the open batch, and the batch's own as a stream: some clients make a card of what is
     * streamed only.
     */
    public void streamed(Optional<Batch> open, List<Message> heard) {
        List<Message> transcript = run.journal.transcript();
        int start = transcript.size();
        for (int i = 0; i < transcript.size() && open.isPresent(); i++) {
            if (transcript.get(i).id().equals(open.get().message().id())) {
                start = i;
                break;
            }
        }
        run.events.state(run.state.get());
        if (!heard.isEmpty()) {
            // a client keeps the order of what it knows: the new comes last
            run.events.messages(all(transcript.subList(0, start), List.of()));
        }
        run.events.messages(all(transcript.subList(0, start), heard));
        transcript.subList(start, transcript.size()).forEach(run.events::again);
    }

    /** The questions again, with the reason why the answer was not taken in words and in {@code metadata.langchain4j.refused}. */
    public static RunFinishedOutcome outcome(List<Question> open, Plan.Rejected rejected) {
        return RunFinishedOutcome.interrupt(open.stream()
                .map(question -> Gate.annotated(question, metadata -> metadata.setAll(refused(rejected))))
                .map(question ->
                        Gate.said(question, rejected.complaint() + "\n\n").interrupt())
                .toList());
    }

    /** The reason of a refusal for programs, and how the questions were settled that the input answers otherwise. */
    public static ObjectNode refused(Plan.Rejected rejected) {
        ObjectNode langchain4j = AguiCodec.mapper().createObjectNode();
        langchain4j.putObject("refused").put("code", rejected.code().name()).put("message", rejected.message());
        if (!rejected.settled().isEmpty()) {
            ArrayNode settled = langchain4j.putArray("settled");
            rejected.settled().forEach(question -> settled.add(question.toJson()));
        }
        return langchain4j;
    }

    public static RunFinishedOutcome.Interrupted outcome(List<Question> open) {
        List<Interrupt> interrupts = new ArrayList<>();
        for (Question question : open) {
            interrupts.add(question.interrupt().copy());
        }
        return new RunFinishedOutcome.Interrupted(interrupts);
    }

    public static List<PendingInterrupt> pending(List<Question> open) {
        List<PendingInterrupt> pending = new ArrayList<>();
        for (Question question : open) {
            pending.add(PendingInterrupt.of(question.interrupt().copy()));
        }
        return pending;
    }
}
