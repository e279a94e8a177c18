package io.holdpoint.internal.input;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdpoint.agui.Agui;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call;
import io.holdpoint.store.Call.Question;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.ThreadRecord;
import io.holdpoint.store.TurnRecord;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Finds out which part of a thread an input takes the place of: an edited message and all after it, or the answer to a message
 * that is to be answered again. The input names a message of that part, or, if the agent takes the messages of its clients for
 * the history that they show, ends before it. A thread on which something is unfinished is not cut, unless the input cancels
 * all that is open; answers that decide cut nothing.
 */
final class Replacements {

    private static final String PROPERTY = "holdpoint";
    private static final String REPLACES = "replaces";

    private final Store store;
    private final boolean byMessages;

    Replacements(Store store, boolean byMessages) {
        this.store = store;
        this.byMessages = byMessages;
    }

    /**
     * The part, as places in the transcript: {@code user} is that of the user message that the turn begins with, and {@code from}
     * that of the first message that goes, which is the user message itself unless it is answered again.
     */
    record Part(List<Message> transcript, int user, int from) {

        Message.User userMessage() {
            return (Message.User) transcript.get(user);
        }

        boolean isAnsweredAgain() {
            return from > user;
        }
    }

    /** With {@code news}, the input brings a new user message. */
    Optional<Part> of(RunAgentInput input, ThreadRecord thread, boolean news) {
        if (!isFree(input, thread)) {
            return Optional.empty();
        }
        Optional<String> named = named(input);
        if (named.isPresent()) {
            return named(transcript(thread), named.get(), news);
        }
        boolean showsEnough =
                news || input.resume().isEmpty(); // a list that only comes with an answer asks for nothing
        return byMessages && showsEnough && !namesIfAny(input) ? ofShown(input, thread, news) : Optional.empty();
    }

    /** Checks that nothing of the thread goes on once the input has cancelled the questions that are open. */
    private static boolean isFree(RunAgentInput input, ThreadRecord thread) {
        Set<String> cancelled = new HashSet<>();
        for (ResumeEntry entry : input.resume()) {
            if (entry.status() == ResumeEntry.Status.CANCELLED) {
                cancelled.add(entry.interruptId());
            }
        }
        if (thread.batch().isEmpty()) {
            return true;
        }
        List<Question> open = thread.batch().get().openQuestions();
        for (Question question : open) {
            if (!cancelled.contains(question.interrupt().id())) {
                return false;
            }
        }
        return !open.isEmpty() || thread.batch().get().isOver();
    }

    /** The transcript, with the results that the calls of an open batch get before it is cut. */
    private List<Message> transcript(ThreadRecord thread) {
        List<Message> messages = new ArrayList<>(store.transcript(thread.threadId()));
        Set<String> known = messages.stream().map(Message::id).collect(Collectors.toSet());
        for (Call call : thread.batch().map(Batch::calls).orElse(List.of())) {
            if (known.add(call.resultMessageId())) {
                messages.add(
                        new Message.Tool(call.resultMessageId(), call.toolCallId(), MessageContent.text(""), null));
            }
        }
        return messages;
    }

    /** Checks whether the client names what it replaces, also when it replaces nothing. */
    private static boolean namesIfAny(RunAgentInput input) {
        JsonNode forwarded = input.forwardedProps();
        return forwarded != null && forwarded.path(PROPERTY).has(REPLACES);
    }

    static Optional<String> named(RunAgentInput input) {
        JsonNode forwarded = input.forwardedProps();
        JsonNode named = forwarded == null ? null : forwarded.path(PROPERTY).get(REPLACES);
        return named != null && named.isTextual() ? Optional.of(named.textValue()) : Optional.empty();
    }

    /**
     * A message that no longer exists was replaced already, perhaps by this input, whose response was lost. Therefore an
     * answer is replaced by its own name, and not by that of its question.
     */
    private static Optional<Part> named(List<Message> transcript, String messageId, boolean news) {
        int named = place(transcript, messageId);
        if (named < 0 || news != transcript.get(named) instanceof Message.User) {
            return Optional.empty();
        }
        int user = named;
        while (user >= 0 && !(transcript.get(user) instanceof Message.User)) {
            user--;
        }
        return user < 0 ? Optional.empty() : Optional.of(new Part(transcript, user, news ? user : user + 1));
    }

    /**
     * The messages that a client shows are the beginning of the thread: the user messages are the same up to the last known one,
     * and the thread goes on with another one, or with an answer if the client shows none. A run that has written already is
     * repeated, and replaces nothing. Neither does a single message without an id of its own: it may say once more what the
     * first one said.
     */
    private Optional<Part> ofShown(RunAgentInput input, ThreadRecord thread, boolean news) {
        List<Message> messages = input.messages();
        if (!IncomingMessages.endsWithUser(messages)) {
            return Optional.empty();
        }
        List<String> shown = users(messages);
        if (news) {
            shown = shown.subList(0, shown.size() - 1);
        }
        if (shown.isEmpty() || (!news && isUnfinished(thread, shown.get(shown.size() - 1)))) {
            return Optional.empty();
        }
        if (!news && shown.size() == 1 && Agui.isMadeId(shown.get(0))) {
            return Optional.empty();
        }
        List<Message> behind = store.transcript(thread.threadId(), Store.Range.after(shown.get(shown.size() - 1)));
        boolean goesOn = behind.stream()
                .anyMatch(message -> news ? message instanceof Message.User : message instanceof Message.Assistant);
        if (!goesOn || !news && store.has(Store.IdOf.RUN, thread.threadId(), input.runId())) {
            return Optional.empty();
        }
        List<Message> transcript = transcript(thread);
        List<String> stored = users(transcript);
        int next = news ? shown.size() : shown.size() - 1;
        if (stored.size() <= next || !stored.subList(0, shown.size()).equals(shown)) {
            return Optional.empty();
        }
        int user = place(transcript, stored.get(next));
        return Optional.of(new Part(transcript, user, news ? user : user + 1));
    }

    private static int place(List<Message> transcript, String messageId) {
        for (int i = 0; i < transcript.size(); i++) {
            if (transcript.get(i).id().equals(messageId)) {
                return i;
            }
        }
        return -1;
    }

    private static boolean isUnfinished(ThreadRecord thread, String userMessageId) {
        return thread.turn()
                .map(TurnRecord::userMessageId)
                .filter(userMessageId::equals)
                .isPresent();
    }

    private static List<String> users(List<Message> messages) {
        return messages.stream()
                .filter(message -> message instanceof Message.User)
                .map(Message::id)
                .distinct()
                .toList();
    }
}
