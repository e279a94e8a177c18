package io.holdpoint.internal.turn;

import dev.langchain4j.exception.UnsupportedFeatureException;
import dev.langchain4j.model.chat.response.StreamingHandle;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The answer that a model is writing, and the way to stop it. LangChain4j gives the handle for that with each part of an answer,
 * so a model that has not begun is stopped at its first part. Not every model can stop; later parts are dropped then.
 * Thread-safe.
 */
public final class ModelStream {

    private static final Logger LOG = LoggerFactory.getLogger(ModelStream.class);

    private Optional<StreamingHandle> handle = Optional.empty();
    private Optional<Runnable> waiting = Optional.empty();
    private boolean cancelled;

    /** A part of an answer has come. */
    public void writes(StreamingHandle given) {
        synchronized (this) {
            handle = Optional.of(given);
            if (!cancelled) {
                return;
            }
        }
        stop(given);
    }

    /** A thread waits for an answer; {@code giveUp} releases it, at once if the stream is cancelled already. */
    public void isWaitedFor(Runnable giveUp) {
        synchronized (this) {
            waiting = Optional.of(giveUp);
            if (!cancelled) {
                return;
            }
        }
        giveUp.run();
    }

    public void cancel() {
        Optional<StreamingHandle> present;
        Optional<Runnable> kept;
        synchronized (this) {
            cancelled = true;
            present = handle;
            kept = waiting;
        }
        present.ifPresent(ModelStream::stop);
        kept.ifPresent(Runnable::run);
    }

    private static void stop(StreamingHandle handle) {
        try {
            if (!handle.isCancelled()) {
                handle.cancel();
            }
        } catch (UnsupportedFeatureException e) {
            LOG.debug("The model cannot be told to stop; what it goes on to say is dropped", e);
        } catch (RuntimeException e) {
            LOG.warn("The model could not be told to stop; what it goes on to say is dropped", e);
        }
    }
}
