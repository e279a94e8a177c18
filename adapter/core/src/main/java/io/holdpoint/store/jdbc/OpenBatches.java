package io.holdpoint.store.jdbc;

import io.holdpoint.store.Batch;
import io.holdpoint.store.Store.OpenBatch;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The batches that somebody is asked about, found by an index: for one owner, or for all. */
final class OpenBatches {

    private OpenBatches() {}

    /** The value of the column by which they are found; {@code null} without open questions. */
    static @Nullable Long askedAt(Batch batch) {
        return batch.askedAt().map(Times::floor).orElse(null);
    }

    /** Ordered by all columns of the index, so that the database need not read and sort them all. */
    static List<OpenBatch> list(
            Connection connection, String agent, Optional<String> owner, OpenBatch.Position after, int limit)
            throws SQLException {
        OfAgent ofAgent = new OfAgent(agent);
        long from = Times.floor(after.askedAt());
        List<@Nullable Object> parameters = new ArrayList<>();
        parameters.add(ofAgent.parameter());
        owner.map(StoredText::write).ifPresent(parameters::add);
        parameters.addAll(List.of(from, from, StoredText.key(after.threadId()), limit));
        return Sql.list(
                connection,
                "SELECT t.id_text, h.owner, h.asked_at, " + Batches.COLUMNS
                        + " FROM holdpoint_batch h JOIN holdpoint_thread t"
                        + " ON t.thread_id = h.thread_id AND t.batch_id = h.batch_id"
                        + " WHERE " + ofAgent.condition() + (owner.isPresent() ? " AND h.owner = ? AND" : " AND")
                        + " h.asked_at >= ? AND (h.asked_at > ? OR h.thread_id > ?)"
                        + (owner.isPresent() ? " ORDER BY h.owner, h.asked_at" : " ORDER BY h.asked_at")
                        + ", h.thread_id LIMIT ?",
                OpenBatches::read,
                parameters.toArray());
    }

    private static OpenBatch read(ResultSet row) throws SQLException {
        String threadId = StoredText.read(row.getString(1));
        return new OpenBatch(
                threadId,
                StoredText.read(row.getString(2)),
                Times.read(row.getLong(3)),
                Batches.read(threadId, row, 4));
    }
}
