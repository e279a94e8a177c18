package io.holdpoint.internal.reach;

import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Caller;
import io.holdpoint.EventSink;
import io.holdpoint.agui.Event;
import io.holdpoint.internal.agent.AgentConfig;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The callers who have just been sent events of a thread by this node. Thread-safe. */
final class OpenStreams {

    /** The time for which somebody who has read an event of a thread need not be told what it has asked. */
    static final Duration QUIET = Duration.ofMinutes(1);

    private final Map<Seat, Instant> seen = new ConcurrentHashMap<>();
    private final AgentConfig<?> config;

    private record Seat(String threadId, String caller) {}

    OpenStreams(AgentConfig<?> config) {
        this.config = config;
    }

    /** The sink of a client, whose caller is there as long as it gets events, if that keeps anything from being told. */
    EventSink noticing(EventSink sink, Caller caller, String threadId) {
        if (config.authorizer != ApprovalAuthorizer.OWNER) {
            return sink;
        }
        forget();
        Seat seat = new Seat(threadId, caller.id());
        return new EventSink() {

            @Override
            public void send(Event event) {
                sink.send(event);
                seen.put(seat, config.clock.instant());
            }

            @Override
            public boolean isRead() {
                return sink.isRead();
            }
        };
    }

    private void forget() {
        Instant since = config.clock.instant().minus(QUIET);
        seen.values().removeIf(at -> !at.isAfter(since));
    }

    boolean isThere(String caller, String threadId) {
        forget();
        return seen.containsKey(new Seat(threadId, caller));
    }
}
