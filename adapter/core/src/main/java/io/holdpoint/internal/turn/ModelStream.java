package io.holdpoint.internal.turn;

import dev.langchain4j.exception.UnsupportedFeatureException;
import dev.langchain4j.model.chat.response.StreamingHandle;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a turn's model is writing at present, and how it is told to stop: LangChain4j gives the handle with each part of an
 * answer, so a model that has said nothing yet is told with its first one. Not every model can stop; then what it goes on
 * to say is dropped. Thread-safe.
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

    /**
     * Somebody waits for an answer.
     *
     * @param giveUp lets them go on; called at once if the stream is cancelled already
     */
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
