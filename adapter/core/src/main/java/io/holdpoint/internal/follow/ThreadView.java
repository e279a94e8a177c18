package io.holdpoint.internal.follow;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.RunFinishedOutcome;
import io.holdpoint.internal.input.Plan;
import io.holdpoint.internal.turn.Run;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call.Question;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A thread as a run shows it to its client. Interrupts and state are copied, so that a client in Java cannot change what the
 * store has.
 */
public final class ThreadView {

    private final Run run;

    public ThreadView(Run run) {
        this.run = run;
    }

    /** Sends the state, then the messages. */
    public void snapshot(List<Message> heard) {
        run.events.state(run.state.get());
        messages(heard);
    }

    /**
     * Sends the transcript, and after it the input's messages that are not stored: the client must not lose them. Reasoning
     * of this run is left out, since some clients show it twice otherwise; that of earlier runs is there, since the same lose it.
     */
    public void messages(List<Message> heard) {
        sent(run.journal.transcript(), heard);
    }

    private void sent(List<Message> transcript, List<Message> heard) {
        Set<String> known = heard.isEmpty()
                ? Set.of()
                : transcript.stream().map(Message::id).collect(Collectors.toSet());
        List<Message> messages = new ArrayList<>();
        for (Message message : transcript) {
            if (!(message instanceof Message.Reasoning && run.events.hasReasoned(message.id()))) {
                messages.add(message);
            }
        }
        heard.stream().filter(message -> !known.contains(message.id())).forEach(messages::add);
        run.events.messages(messages);
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
            sent(
                    transcript.subList(0, start),
                    List.of()); // a client keeps the order of what it knows: the new comes last
        }
        sent(transcript.subList(0, start), heard);
        transcript.subList(start, transcript.size()).forEach(run.events::again);
    }

    /** The questions again, with the reason why the answer was not taken in words and in {@code metadata.langchain4j.refused}. */
    public static RunFinishedOutcome outcome(List<Question> open, Plan.Rejected rejected) {
        return RunFinishedOutcome.interrupt(open.stream()
                .map(question -> complained(question.interrupt().copy(), rejected))
                .toList());
    }

    private static Interrupt complained(Interrupt asked, Plan.Rejected rejected) {
        ObjectNode metadata = asked.metadata() == null ? AguiCodec.mapper().createObjectNode() : asked.metadata();
        metadata.withObjectProperty("langchain4j")
                .putObject("refused")
                .put("code", rejected.code().name())
                .put("message", rejected.message());
        return new Interrupt(
                asked.id(),
                asked.reason(),
                asked.message() == null ? rejected.complaint() : rejected.complaint() + "\n\n" + asked.message(),
                asked.toolCallId(),
                asked.responseSchema(),
                asked.expiresAt(),
                metadata);
    }

    public static RunFinishedOutcome outcome(List<Question> open) {
        return RunFinishedOutcome.interrupt(
                open.stream().map(question -> question.interrupt().copy()).toList());
    }

    public static List<PendingInterrupt> pending(List<Question> open) {
        return open.stream()
                .map(question -> PendingInterrupt.of(question.interrupt().copy()))
                .toList();
    }
}
