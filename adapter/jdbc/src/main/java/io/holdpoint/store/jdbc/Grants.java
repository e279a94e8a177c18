package io.holdpoint.store.jdbc;

import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Change;
import io.holdpoint.store.Grant;
import io.holdpoint.store.RecordJson;
import io.holdpoint.store.StoreConflictException;
import java.sql.SQLException;
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
                StoredText.key(threadId),
                StoredText.key(grant.id()),
                Sql.microsUp(grant.expiresAt()),
                RecordJson.write(grant)
            });
        }
        sql.insert("INSERT INTO holdpoint_grant (thread_id, grant_id, expires_at, body)", rows, "");
    }

    /** A grant that cannot be read allows no call. */
    List<Grant> list(String threadId) throws SQLException {
        return Grant.oldestFirst(sql.known(
                "SELECT body FROM holdpoint_grant WHERE thread_id = ?",
                row -> Sql.record("a grant", threadId, row.getString(1), Grant.class),
                StoredText.key(threadId)));
    }

    /** Locks the decisions by which calls start, so that whoever revokes one comes before the start or after it. */
    void require(String threadId, List<Batch> batches) throws SQLException {
        for (Batch batch : batches) {
            for (Change change : batch.changes()) {
                Optional<String> grant = change instanceof Change.Claimed claimed ? claimed.grant() : Optional.empty();
                if (grant.isPresent()
                        && !sql.exists(
                                "SELECT 1 FROM holdpoint_grant WHERE thread_id = ? AND grant_id = ?"
                                        + sql.dialect.lockRow(),
                                StoredText.key(threadId),
                                StoredText.key(grant.get()))) {
                    throw new StoreConflictException("the decision " + grant.get() + " by which "
                            + change.call().toolCallId() + " starts is revoked");
                }
            }
        }
    }

    boolean revoke(String threadId, String grantId, AuditEvent event) throws SQLException {
        boolean revoked = sql.update(
                        "DELETE FROM holdpoint_grant WHERE thread_id = ? AND grant_id = ?",
                        StoredText.key(threadId),
                        StoredText.key(grantId))
                == 1;
        if (revoked) {
            new AuditRows(sql).append(List.of(event));
        }
        return revoked;
    }
}
