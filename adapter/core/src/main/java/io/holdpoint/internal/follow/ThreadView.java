package io.holdpoint.internal.follow;

import io.holdpoint.PendingInterrupt;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.RunFinishedOutcome;
import io.holdpoint.internal.turn.Run;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call.Question;
import io.holdpoint.store.Store.ThreadRecord;
import java.util.ArrayList;
import java.util.List;
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

    /** Sends the transcript, and after it the input's messages that are not stored: the client must not lose them. */
    public void messages(List<Message> heard) {
        List<Message> transcript = run.journal.transcript();
        Set<String> known = heard.isEmpty()
                ? Set.of()
                : transcript.stream().map(Message::id).collect(Collectors.toSet());
        List<Message> messages = new ArrayList<>(transcript);
        heard.stream().filter(message -> !known.contains(message.id())).forEach(messages::add);
        run.events.messages(messages);
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
