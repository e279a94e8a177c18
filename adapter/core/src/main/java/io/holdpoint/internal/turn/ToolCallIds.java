package io.holdpoint.internal.turn;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import io.holdpoint.agui.Agui;
import io.holdpoint.internal.Ids;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Gives every tool call of one model message an id that is unique in the thread and that every database can keep: the model's
 * where possible. An id is decided with the first part of a call, so that streamed and complete calls agree. Used by one
 * thread at a time.
 */
public final class ToolCallIds {

    private final Predicate<String> taken;
    private final Map<Key, String> ids = new HashMap<>();
    private final Map<Integer, Integer> completed = new HashMap<>();
    private final List<Key> order = new ArrayList<>();
    private final Set<String> used = new HashSet<>();
    private final Map<String, Deque<Key>> byProposed = new HashMap<>();

    /** Providers number calls by index; some number every call 0, one after another. */
    private record Key(int index, int completedBefore) {}

    /** {@code taken} checks whether the thread has a tool call of that id already. */
    ToolCallIds(Predicate<String> taken) {
        this.taken = taken;
    }

    /** The id of a call of which a part was heard. */
    public String ofPartial(int index, @Nullable String proposed) {
        return of(key(index), proposed);
    }

    /** Takes note that a call is complete. */
    public void complete(int index, @Nullable String proposed) {
        Key key = key(index);
        of(key, proposed);
        order.add(key);
        completed.merge(index, 1, Integer::sum);
    }

    private Key key(int index) {
        return new Key(index, completed.getOrDefault(index, 0));
    }

    private String of(Key key, @Nullable String proposed) {
        String known = ids.get(key);
        if (known == null) {
            if (proposed != null) {
                byProposed.putIfAbsent(proposed, new ArrayDeque<>(2));
                byProposed.get(proposed).add(key);
            }
            known = decide(proposed);
            ids.put(key, known);
        }
        return known;
    }

    private String decide(@Nullable String proposed) {
        if (proposed != null
                && !proposed.isBlank()
                && Agui.isId(proposed)
                && !taken.test(proposed)
                && used.add(proposed)) {
            return proposed;
        }
        String replacement;
        do {
            replacement = Ids.toolCall();
        } while (taken.test(replacement) || !used.add(replacement));
        return replacement;
    }

    /** The key of a call that was never announced as complete, though parts of it may have been heard. */
    private Key unannounced(int position) {
        Key heard = new Key(position, 0);
        return ids.containsKey(heard) && !order.contains(heard) ? heard : new Key(position, -1);
    }

    /** The key of each call: that of the call heard with its id, or else of the one heard at its place, if no other has that. */
    private List<Key> keys(List<ToolExecutionRequest> requests) {
        Map<Integer, Key> byId = new HashMap<>();
        for (int position = 0; position < requests.size(); position++) {
            Deque<Key> heard = byProposed.get(requests.get(position).id());
            if (heard != null && !heard.isEmpty()) {
                byId.put(position, heard.remove());
            }
        }
        List<Key> keys = new ArrayList<>();
        for (int position = 0; position < requests.size(); position++) {
            Key there = position < order.size() ? order.get(position) : unannounced(position);
            Key other = byId.containsValue(there) ? new Key(position, -1) : there;
            keys.add(byId.getOrDefault(position, other));
        }
        return keys;
    }

    /** The message with the final ids. Attributes that are keyed by a replaced id move with it. */
    AiMessage applyTo(AiMessage message) {
        List<ToolExecutionRequest> requests = new ArrayList<>();
        Map<String, Object> attributes = new LinkedHashMap<>(message.attributes());
        List<Key> keys = keys(message.toolExecutionRequests());
        boolean changed = false;
        for (int position = 0; position < message.toolExecutionRequests().size(); position++) {
            ToolExecutionRequest request = message.toolExecutionRequests().get(position);
            String id = of(keys.get(position), request.id());
            if (Objects.equals(id, request.id())) {
                requests.add(request);
                continue;
            }
            changed = true;
            requests.add(request.toBuilder().id(id).build());
            if (request.id() != null && attributes.containsKey(request.id())) {
                attributes.put(id, attributes.remove(request.id()));
            }
        }
        return changed
                ? AiMessage.builder()
                        .text(message.text())
                        .thinking(message.thinking())
                        .toolExecutionRequests(requests)
                        .attributes(attributes)
                        .build()
                : message;
    }
}
