package io.holdpoint.store;

import io.holdpoint.agui.Message;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The transcript of one thread, and what was cut off it. Not thread-safe. */
final class InMemoryTranscript {

    private final Map<String, Message> messages = new LinkedHashMap<>();
    private final Map<String, Message> cut = new LinkedHashMap<>();
    private final Set<String> runs = new HashSet<>();

    List<Message> messages() {
        return new ArrayList<>(messages.values());
    }

    List<Message> after(String messageId) {
        return from(messageId).stream().skip(1).toList();
    }

    private List<Message> from(String messageId) {
        return messages.values().stream()
                .dropWhile(message -> !message.id().equals(messageId))
                .toList();
    }

    List<Message> cutMessages() {
        return new ArrayList<>(cut.values());
    }

    int count() {
        return messages.size() + cut.size();
    }

    Map<String, Boolean> known(Collection<String> messageIds) {
        Map<String, Boolean> known = new HashMap<>();
        for (String id : messageIds) {
            if (messages.containsKey(id) || cut.containsKey(id)) {
                known.put(id, cut.containsKey(id));
            }
        }
        return known;
    }

    boolean hasRun(String runId) {
        return runs.contains(runId);
    }

    void write(Commit commit, String runId) {
        int before = count();
        List<Message> end =
                commit.cut().map(Commit.Cut::fromMessageId).map(this::from).orElse(List.of());
        end.forEach(message -> cut.put(message.id(), messages.remove(message.id())));
        for (Message message : commit.messages()) {
            if (!cut.containsKey(message.id())) {
                messages.putIfAbsent(message.id(), message);
            }
        }
        if (!end.isEmpty() || count() > before) {
            runs.add(runId);
        }
    }

    void clear() {
        messages.clear();
        cut.clear();
        runs.clear();
    }
}
