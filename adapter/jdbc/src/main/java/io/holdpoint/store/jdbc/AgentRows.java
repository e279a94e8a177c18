package io.holdpoint.store.jdbc;

import io.holdpoint.store.Store;
import io.holdpoint.store.Store.Old;
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

/** The rows of one agent, which are found by the text of their threads' ids. */
final class AgentRows {

    private static final String END = StoredText.write(String.valueOf(Store.AGENT_END));

    private static final String WORKED_ON =
            "holdpoint_batch h JOIN holdpoint_thread t ON t.thread_id = h.thread_id AND t.batch_id = h.batch_id";

    /** Rows with a time, ordered by all columns of an index, so that the database need not sort them. */
    private record Rows(String from, String condition, String order, String row, String time) {

        static Rows of(Wanted what) {
            return switch (what) {
                case UNFINISHED -> new Rows(WORKED_ON, "h.finished = FALSE", "h.finished, ", "h", "changed_at");
                case IDLE -> new Rows("holdpoint_thread t", "t.batch_id IS NULL", "", "t", "changed_at");
                case DUE -> new Rows(WORKED_ON, "h.due_at IS NOT NULL", "", "h", "due_at");
                case DESERTED ->
                    new Rows(
                            "holdpoint_lease h JOIN holdpoint_thread t ON t.thread_id = h.thread_id",
                            "(t.batch_id IS NOT NULL OR t.turn IS NOT NULL)",
                            "",
                            "h",
                            "ends_at");
            };
        }
    }

    private final Sql sql;
    private final String prefix;

    AgentRows(Sql sql, String agent) {
        this.sql = sql;
        this.prefix = agent.isEmpty() ? "" : StoredText.write(Store.threadOf(agent, ""));
    }

    /** A condition on an id as it is written, with one parameter. A written backslash is two, of which the second could begin what looks like the end. */
    String condition(String idText) {
        return prefix.isEmpty()
                ? "REPLACE(" + idText + ", '\\\\', '') NOT LIKE ? ESCAPE '!'"
                : "SUBSTR(" + idText + ", 1, " + prefix.length() + ") = ?";
    }

    String parameter() {
        return prefix.isEmpty() ? "%" + END + "%" : prefix;
    }

    List<Place> threads(Wanted what, Place after, Instant before, int limit) throws SQLException {
        Rows rows = Rows.of(what);
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
                ? new Rows(WORKED_ON, "h.owner = ?", "h.owner, ", "h", "asked_at")
                : new Rows(WORKED_ON, "TRUE", "", "h", "asked_at");
        String columns = "h.owner, h.asked_at, " + Batches.COLUMNS;
        List<String> whose = owner.map(StoredText::write).stream().toList();
        return page(rows, columns, whose, after, Long.MAX_VALUE, limit, AgentRows::openBatch);
    }

    private static OpenBatch openBatch(ResultSet row) throws SQLException {
        String threadId = StoredText.read(row.getString(1));
        return new OpenBatch(
                threadId,
                StoredText.read(row.getString(2)),
                Sql.instant(row.getLong(3)),
                Batches.read(threadId, row, 4));
    }

    private <T> List<T> page(
            Rows rows, String columns, List<String> values, Place after, long before, int limit, Sql.Row<T> reader)
            throws SQLException {
        long from = Sql.micros(after.at());
        List<@Nullable Object> parameters = new ArrayList<>(List.of(parameter()));
        parameters.addAll(values);
        parameters.addAll(List.of(before, from, from, StoredText.key(after.threadId()), limit));
        return sql.list(
                ("SELECT t.id_text, %1$s FROM %2$s WHERE %3$s AND %4$s AND %6$s.%7$s < ? AND %6$s.%7$s >= ?"
                                + " AND (%6$s.%7$s > ? OR %6$s.thread_id > ?) ORDER BY %5$s%6$s.%7$s, %6$s.thread_id LIMIT ?")
                        .formatted(
                                columns,
                                rows.from,
                                condition("t.id_text"),
                                rows.condition,
                                rows.order,
                                rows.row,
                                rows.time),
                reader,
                parameters.toArray());
    }

    /** Looks for finished batches or grants first, so that every statement is answered from an index. */
    int remove(Old what, Instant before, int limit) throws SQLException {
        boolean batches = what == Old.BATCH;
        String table = batches ? "batch" : "grant";
        String order = batches ? "x.finished, x.changed_at" : "x.expires_at";
        List<@Nullable Object[]> old = sql.list(
                "SELECT x.thread_id, x." + table + "_id FROM holdpoint_" + table
                        + " x JOIN holdpoint_thread t ON t.thread_id = x.thread_id WHERE " + condition("t.id_text")
                        + (batches ? " AND x.finished = TRUE AND x.changed_at" : " AND x.expires_at")
                        + " < ? ORDER BY " + order + ", x.thread_id LIMIT ?",
                row -> new Object[] {row.getString(1), row.getString(2)},
                parameter(),
                Sql.micros(before),
                limit);
        sql.writeAll("DELETE FROM holdpoint_" + table + " WHERE thread_id = ? AND " + table + "_id = ?", old);
        if (batches) {
            sql.writeAll("DELETE FROM holdpoint_call WHERE thread_id = ? AND batch_id = ?", old);
        }
        return old.size();
    }
}
