package io.holdpoint.internal.agent;

import io.holdpoint.hook.AuditListener;
import io.holdpoint.store.AuditEvent;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Tells the readers of an agent's feed in this process that a commit of this process has added to it. Thread-safe. */
public final class FeedSignal implements AuditListener {

    private final List<Runnable> readers = new CopyOnWriteArrayList<>();

    /** Adds a reader, which must be quick; what is returned removes it. */
    public Runnable add(Runnable reader) {
        readers.add(reader);
        return () -> readers.remove(reader);
    }

    @Override
    public void happened(AuditEvent event) {
        readers.forEach(Runnable::run);
    }
}
