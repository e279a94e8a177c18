package io.holdpoint.store;

import io.holdpoint.agui.Message;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.Set;

/**
 * The transcript of one thread, and what was cut off it. Not thread-safe; the lists that it gives are immutable: they share an
 * array that is only added to behind their ends.
 */
final class InMemoryTranscript {

    private static final Message[] NONE = {};
    private static final int ROOM = 16;

    private Message[] messages = NONE;
    private int size;
    /** The places of the messages by their ids. */
    private final Map<String, Integer> places = new HashMap<>();

    private final Map<String, Message> cut = new LinkedHashMap<>();
    private final Set<String> runs = new HashSet<>();

    List<Message> messages() {
        return from(0);
    }

    List<Message> after(String messageId) {
        Integer place = places.get(messageId);
        return place == null ? List.of() : from(place + 1);
    }

    private List<Message> from(int place) {
        return new Part(messages, place, size);
    }

    List<Message> cutMessages() {
        return new ArrayList<>(cut.values());
    }

    int count() {
        return size + cut.size();
    }

    Map<String, Boolean> known(Collection<String> messageIds) {
        Map<String, Boolean> known = new HashMap<>();
        for (String id : messageIds) {
            boolean isCut = cut.containsKey(id);
            if (isCut || places.containsKey(id)) {
                known.put(id, isCut);
            }
        }
        return known;
    }

    boolean hasRun(String runId) {
        return runs.contains(runId);
    }

    void write(Commit commit, String runId) {
        boolean changes = commit.cut().isPresent() && cut(commit.cut().get().fromMessageId());
        for (Message message : commit.messages()) {
            if (!cut.containsKey(message.id()) && places.putIfAbsent(message.id(), size) == null) {
                append(message);
                changes = true;
            }
        }
        if (changes) {
            runs.add(runId);
        }
    }

    private void append(Message message) {
        if (size == messages.length) {
            messages = Arrays.copyOf(messages, Math.max(ROOM, size + size / 2));
        }
        messages[size++] = message;
    }

    /** Says whether the transcript has the message, from which on it is cut off. */
    private boolean cut(String fromMessageId) {
        Integer place = places.get(fromMessageId);
        if (place == null) {
            return false;
        }
        for (Message message : from(place)) {
            cut.put(message.id(), message);
            places.remove(message.id());
        }
        messages = Arrays.copyOf(messages, place); // what was given out keeps its array
        size = place;
        return true;
    }

    /** A part of an array that nobody changes. */
    private static final class Part extends AbstractList<Message> implements RandomAccess {

        private final Message[] all;
        private final int from;
        private final int to;

        private Part(Message[] all, int from, int to) {
            this.all = all;
            this.from = from;
            this.to = to;
        }

        @Override
        public Message get(int index) {
            return all[Objects.checkIndex(index, size()) + from];
        }

        @Override
        public int size() {
            return to - from;
        }

        /** Makes copies cheap. */
        @Override
        public Object[] toArray() {
            return Arrays.copyOfRange(all, from, to, Object[].class);
        }
    }

    void clear() {
        messages = NONE;
        size = 0;
        places.clear();
        cut.clear();
        runs.clear();
    }
}
