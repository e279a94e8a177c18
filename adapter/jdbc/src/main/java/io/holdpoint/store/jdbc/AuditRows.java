package io.holdpoint.store.jdbc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.RecordJson;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The table of audit trails. Rows are added and read; the oldest are removed if the application wants that. */
final class AuditRows {

    private static final Logger LOG = LoggerFactory.getLogger(AuditRows.class);

    /** The index of an agent's events. */
    static final String OF_AGENT = "holdpoint_audit_agent";

    static final String COLUMNS = "at, run_id, caller, kind, tool_call_id, tool_name, interrupt_id, detail";

    /** The kinds that are known here. */
    private static final String KNOWN = Arrays.stream(AuditEvent.Kind.values())
            .map(kind -> "'" + kind.name() + "'")
            .collect(Collectors.joining(", ", "(", ")"));

    private final Sql sql;

    AuditRows(Sql sql) {
        this.sql = sql;
    }

    void append(List<AuditEvent> events) throws SQLException {
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (AuditEvent event : events) {
            rows.add(new @Nullable Object[] {
                Sql.micros(event.at()),
                sql.agent,
                StoredText.key(event.threadId()),
                StoredText.write(event.runId()),
                StoredText.write(event.caller()),
                event.kind().name(),
                event.toolCallId().map(StoredText::write).orElse(null),
                event.toolName().map(StoredText::write).orElse(null),
                event.interruptId().map(StoredText::write).orElse(null),
                RecordJson.write(event.detail())
            });
        }
        sql.insert(
                "INSERT INTO holdpoint_audit (at, agent, thread_id, run_id, caller, kind, tool_call_id, tool_name, interrupt_id, detail)",
                rows,
                "");
    }

    /** Adds what is not there already, and says what that was. */
    List<AuditEvent> appendNew(List<AuditEvent> events) throws SQLException {
        Map<String, List<AuditEvent>> repeatable = new HashMap<>();
        List<AuditEvent> added = new ArrayList<>();
        for (AuditEvent event : events) {
            List<AuditEvent> known = repeatable.get(event.threadId());
            if (known == null) {
                known = new ArrayList<>(repeatable(event.threadId()));
                repeatable.put(event.threadId(), known);
            }
            if (known.stream().noneMatch(event::repeats)) {
                known.add(event);
                added.add(event);
            }
        }
        append(added);
        return added;
    }

    private List<AuditEvent> repeatable(String threadId) throws SQLException {
        return sql.known(
                "SELECT " + COLUMNS
                        + " FROM holdpoint_audit WHERE agent = ? AND thread_id = ? AND kind IN ('PRESENTED', 'REPLAYED')",
                row -> event(threadId, row),
                sql.agent,
                StoredText.key(threadId));
    }

    /**
     * Events of a later version are not counted. Reads on behind damaged ones, which are: a page that is not full is taken for the last
     * one.
     */
    List<AuditEvent> read(String threadId, long offset, int limit) throws SQLException {
        List<AuditEvent> read = new ArrayList<>();
        long from = offset;
        int most;
        List<Optional<AuditEvent>> rows;
        do {
            most = limit - read.size();
            rows = sql.list(
                    "SELECT " + COLUMNS + " FROM holdpoint_audit WHERE agent = ? AND thread_id = ? AND kind IN " + KNOWN
                            + " ORDER BY agent, thread_id, id LIMIT ? OFFSET ?",
                    row -> event(threadId, row),
                    sql.agent,
                    StoredText.key(threadId),
                    most,
                    from);
            rows.forEach(row -> row.ifPresent(read::add));
            from += rows.size();
        } while (rows.size() == most && read.size() < limit);
        return read;
    }

    /** Removes the events of the agent that were added first, up to one that is not old or that a reader still needs: those up to {@code done} are not. */
    int removeOldest(Instant before, long done, int limit) throws SQLException {
        record Place(long id, long at) {}
        List<Place> oldest = sql.list(
                "SELECT id, at FROM holdpoint_audit" + sql.dialect.indexedBy(OF_AGENT)
                        + " WHERE agent = ? AND id <= ? ORDER BY agent, id LIMIT ?",
                row -> new Place(row.getLong(1), row.getLong(2)),
                sql.agent,
                done,
                limit);
        List<@Nullable Object[]> rows = new ArrayList<>();
        oldest.stream()
                .takeWhile(event -> event.at() < Sql.micros(before))
                .forEach(event -> rows.add(new Object[] {event.id()}));
        sql.writeAll("DELETE FROM holdpoint_audit WHERE id = ?", rows);
        return rows.size();
    }

    /** Empty, which the log tells, if it is damaged or of a kind that is not known here: the others are read. */
    static Optional<AuditEvent> event(String threadId, ResultSet row) throws SQLException {
        Optional<AuditEvent.Kind> kind = Sql.constant(row.getString(4), AuditEvent.Kind.class);
        Optional<JsonNode> detail = Sql.record("an audit event", threadId, row.getString(8), JsonNode.class);
        if (kind.isEmpty()) {
            LOG.warn(
                    "An audit event of thread {} is of a kind that is not known here, and is left out: {}",
                    StoredText.write(threadId),
                    row.getString(4));
        }
        if (kind.isEmpty() || !(detail.orElse(null) instanceof ObjectNode object)) {
            return Optional.empty();
        }
        return Optional.of(new AuditEvent(
                Sql.instant(row.getLong(1)),
                threadId,
                StoredText.read(row.getString(2)),
                StoredText.read(row.getString(3)),
                kind.get(),
                new AuditEvent.Subject(text(row, 5), text(row, 6), text(row, 7)),
                object));
    }

    private static Optional<String> text(ResultSet row, int column) throws SQLException {
        return Optional.ofNullable(row.getString(column)).map(StoredText::read);
    }
}
