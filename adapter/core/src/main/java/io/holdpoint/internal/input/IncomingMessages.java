package io.holdpoint.internal.input;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.UserMessage;
import io.holdpoint.InputMedia;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.internal.input.Plan.Step;
import io.holdpoint.internal.input.Replacements.Part;
import io.holdpoint.internal.input.UserContents.SkippedPart;
import io.holdpoint.internal.question.NextStep;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.ThreadRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the new messages of an input. The memory is the server's: of a thread that it knows, only user messages with
 * new ids after the last known one count; a thread that it does not know, or has no message of yet, is
 * seeded with user messages and assistant texts. Tool messages are taken for calls that were left to the client only;
 * tool calls, system and developer messages never.
 */
final class IncomingMessages {

    private static final int ASKED_FIRST = 10;
    private static final int ASKED_AT_ONCE = 100;

    private final Store store;
    private final UserContents contents;
    private final Replacements replacements;

    IncomingMessages(Store store, InputMedia media, boolean editsByHistory) {
        this.store = store;
        this.contents = new UserContents(media);
        this.replacements = new Replacements(store, editsByHistory);
    }

    /** The turn that the input asks for, if it brings a new user message, or wants one to be answered again. */
    Optional<Step.Begin> newTurn(RunAgentInput input, Optional<ThreadRecord> thread) {
        Fresh fresh =
                thread.isPresent() ? afterLastKnown(input, thread.get()) : new Fresh(seeds(input.messages()), false);
        Part part = thread.isPresent()
                ? replacements
                        .of(input, thread.get(), endsWithUser(fresh.messages()))
                        .orElse(null)
                : null;
        List<Message> said = part != null && part.isAnsweredAgain() ? List.of(part.userMessage()) : fresh.messages();
        if (said.isEmpty() || !(said.get(said.size() - 1) instanceof Message.User last)) {
            return Optional.empty();
        }
        List<SkippedPart> skipped = new ArrayList<>();
        List<ChatMessage> memory = chatMessages(said.subList(0, said.size() - 1), skipped);
        UserMessage message = chatMessage(last, skipped);
        Optional<Step.Replaced> replaced = part == null ? Optional.empty() : Optional.of(replaced(part));
        return Optional.of(new Step.Begin(message, said, memory, skipped, replaced, part != null || fresh.isOld()));
    }

    /** The new messages of an input; with {@code isOld}, its client still shows messages that were replaced by others. */
    private record Fresh(List<Message> messages, boolean isOld) {}

    private Step.Replaced replaced(Part part) {
        List<Message> transcript = part.transcript();
        List<Message> before = transcript.subList(0, part.user());
        List<Message> from = transcript.subList(part.from(), transcript.size());
        long turns = transcript.subList(part.user(), transcript.size()).stream()
                .filter(message -> message instanceof Message.User)
                .count();
        Commit.Cut end = new Commit.Cut(from.get(0).id(), from.size());
        return new Step.Replaced(
                end,
                (int) turns,
                lastSaid(transcript).orElseThrow(),
                lastSaid(before),
                chatMessages(seeds(before), new ArrayList<>()));
    }

    /** The last message of a kind that a memory has. */
    private static Optional<Message> lastSaid(List<Message> transcript) {
        for (int i = transcript.size() - 1; i >= 0; i--) {
            Message message = transcript.get(i);
            if (message instanceof Message.User
                    || message instanceof Message.Assistant
                    || message instanceof Message.Tool) {
                return Optional.of(message);
            }
        }
        return Optional.empty();
    }

    /** The results of calls that were left to the client; other messages that pass for results do not count. */
    static List<Message.Tool> clientResults(Batch batch, RunAgentInput input) {
        List<Message.Tool> results = new ArrayList<>();
        for (Call call : NextStep.leftToClient(batch)) {
            for (Message message : input.messages()) {
                if (message instanceof Message.Tool tool && tool.toolCallId().equals(call.toolCallId())) {
                    results.add(tool);
                    break;
                }
            }
        }
        return results;
    }

    /** The start of a thread that has no messages yet, if the input's list does not end with a user message. */
    Optional<Step.Seed> seed(RunAgentInput input) {
        List<Message> seeds = seeds(input.messages());
        if (seeds.isEmpty() || !isUnheard(input.threadId())) {
            return Optional.empty();
        }
        List<SkippedPart> skipped = new ArrayList<>();
        return Optional.of(new Step.Seed(seeds, chatMessages(seeds, skipped), skipped));
    }

    List<ChatMessage> texts(String threadId, Optional<String> untilMessageId) {
        List<Message> said = new ArrayList<>();
        for (Message message : store.transcript(threadId)) {
            if (untilMessageId.filter(message.id()::equals).isPresent()) {
                break;
            }
            said.add(message);
        }
        return chatMessages(seeds(said), new ArrayList<>());
    }

    private boolean isUnheard(String threadId) {
        return store.count(Store.Counted.MESSAGE, threadId, 1) == 0;
    }

    /** Only user messages are looked at: what the client has put between them is its own affair. */
    private Fresh afterLastKnown(RunAgentInput input, ThreadRecord thread) {
        List<Message> messages = new ArrayList<>();
        for (Message message : input.messages()) {
            if (message instanceof Message.User) {
                messages.add(message);
            }
        }
        Map<String, Boolean> known = new HashMap<>();
        int last = lastKnown(input.threadId(), messages, known);
        if (last < 0 && thread.purged()) {
            last = messages.size()
                    - (endsWithUser(input.messages()) ? 2 : 1); // the others are the client's copy of what was purged
        } else if (last < 0) {
            List<Message> seeds = seeds(input.messages());
            if (!seeds.equals(messages) && isUnheard(input.threadId())) {
                return new Fresh(seeds, false); // its first input failed when only its owner was stored
            }
        }
        return new Fresh(seeds(messages.subList(last + 1, messages.size())), known.containsValue(true));
    }

    /** Asks from the end: a client that sends all has sent the message before the new ones as well. */
    private int lastKnown(String threadId, List<Message> messages, Map<String, Boolean> known) {
        int start;
        for (int end = messages.size(); end > 0; end = start) {
            start = Math.max(0, end - (end == messages.size() ? ASKED_FIRST : ASKED_AT_ONCE));
            List<String> ids = new ArrayList<>();
            for (Message message : messages.subList(start, end)) {
                ids.add(message.id());
            }
            known.putAll(store.known(threadId, ids));
            for (int i = end - 1; i >= start; i--) {
                if (known.containsKey(messages.get(i).id())) {
                    return i;
                }
            }
        }
        return -1;
    }

    static boolean endsWithUser(List<Message> all) {
        return !all.isEmpty() && all.get(all.size() - 1) instanceof Message.User;
    }

    /** The messages of users and the texts of the assistant; of several with one id, the first. */
    private static List<Message> seeds(List<Message> messages) {
        Set<String> seen = new HashSet<>();
        List<Message> seeds = new ArrayList<>();
        for (Message message : messages) {
            if (message instanceof Message.User && seen.add(message.id())) {
                seeds.add(message);
            } else if (message instanceof Message.Assistant assistant && hasText(assistant) && seen.add(message.id())) {
                seeds.add(new Message.Assistant(assistant.id(), assistant.content(), List.of()));
            }
        }
        return seeds;
    }

    private static boolean hasText(Message.Assistant assistant) {
        String content = assistant.content();
        return content != null && !content.isBlank();
    }

    private List<ChatMessage> chatMessages(List<Message> messages, List<SkippedPart> skipped) {
        List<ChatMessage> said = new ArrayList<>();
        for (Message message : messages) {
            said.add(chatMessage(message, skipped));
        }
        return said;
    }

    private ChatMessage chatMessage(Message message, List<SkippedPart> skipped) {
        return message instanceof Message.User user
                ? chatMessage(user, skipped)
                : AiMessage.from(((Message.Assistant) message).content());
    }

    private UserMessage chatMessage(Message.User user, List<SkippedPart> skipped) {
        return UserMessage.from(contents.of(user, skipped));
    }
}
