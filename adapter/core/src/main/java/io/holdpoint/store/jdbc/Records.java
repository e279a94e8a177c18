package io.holdpoint.store.jdbc;

import io.holdpoint.store.RecordJson;
import io.holdpoint.store.StoreException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads stored records, of which one that has become unreadable must not hide the others of its thread. */
final class Records {

    private static final Logger LOG = LoggerFactory.getLogger(Records.class);

    private Records() {}

    /** The record; empty if it is unreadable, which the log tells, or of a kind that a later version has added. */
    static <T> Optional<T> read(String what, String threadId, String json, Class<T> type) {
        try {
            return RecordJson.readKnown(json, type);
        } catch (StoreException e) {
            LOG.error("{} of thread {} cannot be read and counts as absent", what, StoredText.write(threadId), e);
            return Optional.empty();
        }
    }
}
