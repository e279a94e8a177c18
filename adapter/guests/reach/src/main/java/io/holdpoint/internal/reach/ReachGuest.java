package io.holdpoint.internal.reach;

import io.holdpoint.Caller;
import io.holdpoint.EventSink;
import io.holdpoint.Holdpoint;
import io.holdpoint.hook.Guest;
import io.holdpoint.hook.ReaderStatus;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.run.AgentRuns;
import io.holdpoint.internal.run.Inside;
import io.holdpoint.reach.ApprovalNotifier;
import io.holdpoint.reach.Links;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The links of an agent, and the readers for its notifiers. Thread-safe. */
public final class ReachGuest implements Guest {

    public final LinkDesk links;

    private final AgentConfig<?> config;
    private final OpenStreams streams;
    private final List<NoticeReader> readers = new CopyOnWriteArrayList<>();

    private ReachGuest(AgentConfig<?> config) {
        this.config = config;
        this.links = new LinkDesk(config);
        this.streams = new OpenStreams(config);
    }

    /** The guest of an agent, which has neither links nor notifiers as long as no extension has brought them. */
    public static ReachGuest of(Holdpoint agent) {
        AgentRuns<?> runs = Inside.of(agent).runs();
        return runs.guests.joined(ReachGuest.class, () -> new ReachGuest(runs.config));
    }

    public ReachGuest add(String name, ApprovalNotifier notifier) {
        if (readers.stream().anyMatch(reader -> reader.status().name().equals(name))) {
            throw refused(name);
        }
        readers.add(new NoticeReader(config, name, notifier, new Notices(config, streams, links)));
        return this;
    }

    public ReachGuest use(Links made) {
        links.use(made);
        return this;
    }

    public static IllegalArgumentException refused(String name) {
        return new IllegalArgumentException("notifier(\"" + name
                + "\"): must have 1 to 64 letters, digits, '-', '_' and" + " '.', and another name than the others");
    }

    public List<ReaderStatus> notifiers() {
        return readers.stream().map(NoticeReader::status).toList();
    }

    @Override
    public void begin() {
        readers.forEach(NoticeReader::looksFromNowOn);
    }

    @Override
    public EventSink noticing(EventSink sink, Caller caller, String threadId) {
        return readers.isEmpty() ? sink : streams.noticing(sink, caller, threadId);
    }

    @Override
    public void actOnTime() {
        for (NoticeReader reader : readers) {
            if (!reader.looksByItself()) {
                reader.look();
            }
        }
    }

    @Override
    public void close() {
        readers.forEach(NoticeReader::close);
    }

    @Override
    public void awaitEnd(long deadline) {
        readers.forEach(reader -> reader.awaitEnd(deadline));
    }
}
