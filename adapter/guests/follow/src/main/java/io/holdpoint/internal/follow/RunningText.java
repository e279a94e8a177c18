package io.holdpoint.internal.follow;

import io.holdpoint.agui.Event;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.TextMessageEvent;
import io.holdpoint.hook.Guest;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.store.Store.Lease;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts the text that a run is writing into the store, beside its lease: an interval after a piece of it has come, with all that
 * came meanwhile. Thread-safe. The run does not wait for that, and goes on if it fails: it is for whoever looks from another node only.
 */
final class RunningText implements Guest.Follower {

    private static final Logger LOG = LoggerFactory.getLogger(RunningText.class);

    private final AgentConfig<?> config;
    private final Duration interval;
    private final Lease lease;
    private final StringBuilder text = new StringBuilder();
    private String messageId = "";
    private boolean isFlushComing;
    private volatile boolean isOver;

    RunningText(AgentConfig<?> config, Duration interval, Lease lease) {
        this.config = config;
        this.interval = interval;
        this.lease = lease;
    }

    @Override
    public synchronized void heard(Event event) {
        if (event instanceof TextMessageEvent.Start start) {
            messageId = start.messageId();
            text.setLength(0);
        } else if (event instanceof TextMessageEvent.Content content) {
            text.append(content.delta());
            if (!isFlushComing) {
                flushLater();
            }
        } else if (event instanceof Event.Terminal) {
            isOver = true; // and the store may be closed soon
        }
    }

    private void flushLater() {
        isFlushComing = true;
        config.timer.after(interval, () -> config.timer.aside(this::flush));
    }

    /** One at a time, however long the store takes. */
    private void flush() {
        if (isOver) {
            return;
        }
        Message.Assistant written = present();
        try {
            config.store.say(lease, written);
        } catch (RuntimeException e) {
            LOG.warn("Other nodes do not see what run {} on thread {} is writing", lease.runId(), lease.threadId(), e);
        }
        synchronized (this) {
            isFlushComing = false;
            if (!written.equals(present())) {
                flushLater();
            }
        }
    }

    private synchronized Message.Assistant present() {
        return new Message.Assistant(messageId, text.toString(), List.of());
    }

    /** Does not count as a reader: a run that nobody else hears may be taken over. */
    @Override
    public boolean isReading() {
        return false;
    }
}
