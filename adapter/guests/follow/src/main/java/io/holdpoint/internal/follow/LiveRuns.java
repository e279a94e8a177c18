package io.holdpoint.internal.follow;

import io.holdpoint.agui.Event;
import io.holdpoint.agui.EventBase;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.client.Transcript;
import io.holdpoint.follow.FollowSettings;
import io.holdpoint.hook.Guest;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.store.Store.Lease;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The active runs of an agent in this process, by thread. Thread-safe. */
final class LiveRuns {

    private final AgentConfig<?> config;
    private final FollowSettings settings;
    private final Map<String, LiveRun> active = new ConcurrentHashMap<>();

    LiveRuns(AgentConfig<?> config, FollowSettings settings) {
        this.config = config;
        this.settings = settings;
    }

    /** Lets followers find a run, in the place of an earlier run of its thread; other nodes see what it is writing if that is flushed. */
    Guest.Follower begin(Lease lease) {
        LiveRun run = new LiveRun(lease.threadId());
        if (!settings.flushInterval().isZero()) {
            run.followers = List.of(new RunningText(config, settings.flushInterval(), lease));
        }
        active.put(run.threadId, run);
        return run;
    }

    /** Finds the run that is active on the thread in this process, or has just ended. */
    Optional<LiveRun> find(String threadId) {
        return Optional.ofNullable(active.get(threadId));
    }

    /**
     * The events of one active run and its followers. A follower may join at any time: it gets all that was sent, with the
     * fragments of a text joined, and then every further event. Thread-safe.
     */
    final class LiveRun implements Guest.Follower {

        /** The most followers of a run at a time. */
        private static final int MAX_FOLLOWERS = 100;

        private final String threadId;
        private final RunLog log = new RunLog();
        private volatile List<Guest.Follower> followers = List.of();

        private LiveRun(String threadId) {
            this.threadId = threadId;
        }

        @Override
        public void heard(Event event) {
            List<Guest.Follower> present;
            synchronized (this) {
                log.add(event);
                present = followers;
            }
            for (Guest.Follower follower : present) {
                follower.heard(event);
            }
        }

        @Override
        public boolean isReading() {
            for (Guest.Follower follower : followers) {
                if (follower.isReading()) {
                    return true;
                }
            }
            return false;
        }

        /** Forgets the run, unless its thread has another one by now. */
        @Override
        public void ended() {
            active.remove(threadId, this);
        }

        /** The texts that the run has begun to say, as messages; those that are complete among them. */
        synchronized List<Message> said() {
            Transcript said = new Transcript();
            log.events().orElse(List.of()).forEach(said::accept);
            List<Message> texts = new ArrayList<>();
            for (Message message : said.messages()) {
                if (message instanceof Message.Assistant assistant && assistant.content() != null) {
                    texts.add(new Message.Assistant(assistant.id(), assistant.content(), List.of()));
                }
            }
            return texts;
        }

        /**
         * Adds a follower, which gets every further event. Returns the events before. If they are too many to be kept, or the followers are
         * too many, returns empty and adds none.
         */
        synchronized Optional<List<Event>> join(Guest.Follower follower) {
            Optional<List<Event>> soFar = followers.size() < MAX_FOLLOWERS ? log.events() : Optional.empty();
            if (soFar.isPresent()) {
                List<Guest.Follower> more = new ArrayList<>(followers);
                more.add(follower);
                followers = List.copyOf(more);
            }
            return soFar;
        }

        /** Removes a follower, which may still get an event that is on its way. */
        synchronized void leave(Guest.Follower follower) {
            followers = followers.stream().filter(each -> each != follower).toList();
        }
    }

    /**
     * The events that a run has sent, with consecutive fragments of one text joined to one event. The log is bounded: a run that
     * sends more cannot be joined. Not thread-safe.
     */
    static final class RunLog {

        /** The most characters of content, see {@link Event#contentLength}. */
        static final int MAX_LENGTH = 2_000_000;

        static final int MAX_EVENTS = 10_000;

        private final List<Event> events = new ArrayList<>();
        private Optional<Growing> growing = Optional.empty();
        private long length;
        private boolean isTooLong;

        /** A text to which more fragments may come. */
        private record Growing(Event.Fragment first, StringBuilder text) {

            boolean takes(Event.Fragment next) {
                return next.continues(first)
                        && first.base().equals(EventBase.NONE)
                        && next.base().equals(EventBase.NONE);
            }

            Event whole() {
                return first.withDelta(text.toString());
            }
        }

        void add(Event event) {
            if (isTooLong) {
                return;
            }
            if (event instanceof Event.Fragment fragment) {
                if (growing.isPresent() && growing.get().takes(fragment)) {
                    growing.get().text().append(fragment.delta());
                } else {
                    growing.ifPresent(text -> events.add(text.whole()));
                    growing = Optional.of(new Growing(fragment, new StringBuilder(fragment.delta())));
                }
            } else {
                growing.ifPresent(text -> events.add(text.whole()));
                growing = Optional.empty();
                events.add(event);
            }
            length += event.contentLength();
            if (length > MAX_LENGTH || events.size() > MAX_EVENTS) {
                isTooLong = true;
                events.clear();
                growing = Optional.empty();
            }
        }

        /** Returns all events, or empty if they were too many or too long. */
        Optional<List<Event>> events() {
            if (isTooLong) {
                return Optional.empty();
            }
            List<Event> all = new ArrayList<>(events);
            growing.map(Growing::whole).ifPresent(all::add);
            return Optional.of(all);
        }
    }
}
