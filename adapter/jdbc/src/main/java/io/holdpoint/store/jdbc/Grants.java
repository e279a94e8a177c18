package io.holdpoint.store.jdbc;

import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Change;
import io.holdpoint.store.Grant;
import io.holdpoint.store.RecordJson;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The table of remembered decisions. Added to by whoever has locked the thread's lease; removed from without it. */
final class Grants {

    private final Sql sql;

    Grants(Sql sql) {
        this.sql = sql;
    }

    void append(String threadId, List<Grant> grants) throws SQLException {
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (Grant grant : grants) {
            rows.add(new Object[] {
                sql.agent,
                place(threadId, grant.id()),
                StoredText.key(grant.id()),
                Sql.microsUp(grant.expiresAt()),
                RecordJson.write(grant)
            });
        }
        sql.insert("INSERT INTO holdpoint_grant (agent, thread_id, grant_id, expires_at, body)", rows, "");
    }

    private static String place(String threadId, String grantId) {
        return StoredText.key(Grant.placeOf(threadId, grantId));
    }

    /** A grant that cannot be read allows no call. */
    List<Grant> list(String threadId) throws SQLException {
        return Grant.oldestFirst(sql.known(
                "SELECT body FROM holdpoint_grant WHERE agent = ? AND thread_id = ?",
                row -> Sql.record("a grant", threadId, row.getString(1), Grant.class),
                sql.agent,
                StoredText.key(threadId)));
    }

    /**
     * Locks the decisions by which calls start, so that whoever revokes one comes before the start or after it, and so that what they
     * have let run is added up by one transaction at a time.
     */
    void require(String threadId, List<Batch> batches, Instant now) throws SQLException {
        for (Batch batch : batches) {
            for (Change change : batch.changes()) {
                if (change instanceof Change.Claimed claimed && claimed.grant().isPresent()) {
                    require(threadId, claimed, claimed.grant().get(), now);
                }
            }
        }
    }

    private void require(String threadId, Change.Claimed claimed, String grantId, Instant now) throws SQLException {
        Optional<Grant> grant = sql
                .known(
                        "SELECT body FROM holdpoint_grant WHERE agent = ? AND thread_id = ? AND grant_id = ?"
                                + sql.dialect.lockRow(),
                        row -> Sql.record("a grant", threadId, row.getString(1), Grant.class),
                        sql.agent,
                        place(threadId, grantId),
                        StoredText.key(grantId))
                .stream()
                .findFirst();
        boolean isBounded = grant.filter(found -> found.within() != null).isPresent();
        claimed.requireAllowed(grant, isBounded ? uses(threadId, grantId) : List.of(), now);
        List<@Nullable Object[]> rows = grant.flatMap(found -> claimed.use(found, now)).stream()
                .map(use -> new @Nullable Object[] {
                    sql.agent,
                    place(threadId, grantId),
                    StoredText.key(grantId),
                    StoredText.key(use.toolCallId()),
                    Sql.micros(use.at()),
                    use.amount()
                })
                .toList();
        sql.insert(
                "INSERT INTO holdpoint_grant_use (agent, thread_id, grant_id, tool_call_id, at, amount)",
                rows,
                " ON CONFLICT DO NOTHING");
    }

    /** The ids of calls that are replaced by their hash are not those of the calls, which nobody minds: they are counted once. */
    List<Grant.Use> uses(String threadId, String grantId) throws SQLException {
        return sql.list(
                "SELECT tool_call_id, at, amount FROM holdpoint_grant_use WHERE agent = ? AND thread_id = ? AND grant_id = ?",
                row -> new Grant.Use(
                        StoredText.read(row.getString(1)),
                        Sql.instant(row.getLong(2)),
                        new BigDecimal(row.getString(3))),
                sql.agent,
                place(threadId, grantId),
                StoredText.key(grantId));
    }

    /** Removes decisions, with what they have let run. */
    void remove(String threadId, List<Grant> revoked) throws SQLException {
        List<@Nullable Object[]> rows = new ArrayList<>();
        revoked.forEach(
                grant -> rows.add(new Object[] {sql.agent, place(threadId, grant.id()), StoredText.key(grant.id())}));
        sql.writeAll("DELETE FROM holdpoint_grant WHERE agent = ? AND thread_id = ? AND grant_id = ?", rows);
    }

    boolean revoke(String threadId, String grantId, AuditEvent event) throws SQLException {
        boolean revoked = sql.update(
                        "DELETE FROM holdpoint_grant WHERE agent = ? AND thread_id = ? AND grant_id = ?",
                        sql.agent,
                        place(threadId, grantId),
                        StoredText.key(grantId))
                == 1;
        if (revoked) {
            new AuditRows(sql).append(List.of(event));
        }
        return revoked;
    }
}
