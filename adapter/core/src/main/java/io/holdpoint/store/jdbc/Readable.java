package io.holdpoint.store.jdbc;

import io.holdpoint.store.StoreException;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Records that may have become unreadable: one of them must not keep all the others of its thread from being read. */
final class Readable {

    private static final Logger LOG = LoggerFactory.getLogger(Readable.class);

    private Readable() {}

    /** The record; empty, after an error in the log, if the text is none. The row stays as it is. */
    static <T> Optional<T> read(String what, String threadId, String json, Function<String, T> reader) {
        try {
            return Optional.of(reader.apply(json));
        } catch (StoreException e) {
            LOG.error("{} of thread {} cannot be read and counts as absent", what, StoredText.write(threadId), e);
            return Optional.empty();
        }
    }
}
