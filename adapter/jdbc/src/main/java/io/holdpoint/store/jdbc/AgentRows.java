package io.holdpoint.store.jdbc;

import io.holdpoint.store.Store.OpenBatch;
import io.holdpoint.store.Store.Place;
import io.holdpoint.store.Store.Wanted;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The rows of one agent in the order of a time, page by page. */
final class AgentRows {

    /** Rows with a time, ordered by all columns of an index, so that the database need not sort them. */
    private record Rows(String from, String condition, String order, String row, String time) {

        static Rows of(Wanted what, SqlDialect dialect) {
            return switch (what) {
                case UNFINISHED ->
                    new Rows(
                            dialect.workedOn("holdpoint_batch_changed"),
                            "h.finished = FALSE",
                            "h.finished, ",
                            "h",
                            "changed_at");
                case IDLE -> new Rows("holdpoint_thread t", "t.batch_id IS NULL", "", "t", "changed_at");
                case DUE ->
                    new Rows(dialect.workedOn("holdpoint_batch_due"), "h.due_at IS NOT NULL", "", "h", "due_at");
                case DESERTED ->
                    new Rows(
                            "holdpoint_lease h JOIN holdpoint_thread t ON t.agent = h.agent AND t.thread_id = h.thread_id",
                            "(t.batch_id IS NOT NULL OR t.turn IS NOT NULL)",
                            "",
                            "h",
                            "ends_at");
            };
        }
    }

    private final Sql sql;

    AgentRows(Sql sql) {
        this.sql = sql;
    }

    List<Place> threads(Wanted what, Place after, Instant before, int limit) throws SQLException {
        Rows rows = Rows.of(what, sql.dialect);
        boolean isTimeIncluded = what == Wanted.DUE || what == Wanted.DESERTED;
        return page(
                rows,
                rows.row + "." + rows.time,
                List.of(),
                after,
                Sql.micros(before) + (isTimeIncluded ? 1 : 0),
                limit,
                row -> new Place(Sql.instant(row.getLong(2)), StoredText.read(row.getString(1))));
    }

    /** The batches that somebody is asked about, for one owner or for all. */
    List<OpenBatch> open(Optional<String> owner, Place after, int limit) throws SQLException {
        Rows rows = owner.isPresent()
                ? new Rows(sql.dialect.workedOn("holdpoint_batch_owner"), "h.owner = ?", "h.owner, ", "h", "asked_at")
                : new Rows(sql.dialect.workedOn("holdpoint_batch_asked"), "TRUE", "", "h", "asked_at");
        String columns = "h.owner, h.asked_at, " + StoredBatch.COLUMNS;
        List<String> whose = owner.map(StoredText::write).stream().toList();
        return page(rows, columns, whose, after, Long.MAX_VALUE, limit, AgentRows::openBatch);
    }

    private static OpenBatch openBatch(ResultSet row) throws SQLException {
        String threadId = StoredText.read(row.getString(1));
        return new OpenBatch(
                threadId,
                StoredText.read(row.getString(2)),
                Sql.instant(row.getLong(3)),
                StoredBatch.read(threadId, row, 4));
    }

    private <T> List<T> page(
            Rows rows, String columns, List<String> values, Place after, long before, int limit, Sql.Row<T> reader)
            throws SQLException {
        long from = Sql.micros(after.at());
        List<@Nullable Object> parameters = new ArrayList<>(List.of(sql.agent));
        parameters.addAll(values);
        parameters.addAll(List.of(before, from, from, StoredText.key(after.threadId()), limit));
        return sql.list(
                ("SELECT t.id_text, %1$s FROM %2$s WHERE %5$s.agent = ? AND %3$s AND %5$s.%6$s < ? AND %5$s.%6$s >= ?"
                                + " AND (%5$s.%6$s > ? OR %5$s.thread_id > ?)"
                                + " ORDER BY %5$s.agent, %4$s%5$s.%6$s, %5$s.thread_id LIMIT ?")
                        .formatted(columns, rows.from, rows.condition, rows.order, rows.row, rows.time),
                reader,
                parameters.toArray());
    }

    /** Looks for finished batches first, so that every statement is answered from an index. */
    int removeBatches(Instant before, int limit) throws SQLException {
        Rows rows = new Rows(
                "holdpoint_batch h JOIN holdpoint_thread t ON t.agent = h.agent AND t.thread_id = h.thread_id",
                "h.finished = TRUE",
                "h.finished, ",
                "h",
                "changed_at");
        List<@Nullable Object[]> old =
                page(rows, "h.thread_id, h.batch_id", List.of(), Place.FIRST, Sql.micros(before), limit, row ->
                        new Object[] {sql.agent, row.getString(2), row.getString(3)});
        for (String table : List.of("batch", "call")) {
            sql.writeAll("DELETE FROM holdpoint_" + table + " WHERE agent = ? AND thread_id = ? AND batch_id = ?", old);
        }
        return old.size();
    }
}
