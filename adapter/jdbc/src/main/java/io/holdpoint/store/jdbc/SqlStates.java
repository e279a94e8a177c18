package io.holdpoint.store.jdbc;

import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The meaning of a failure's code: PostgreSQL gives an SQL state, SQLite's driver a number of its own and no state. */
final class SqlStates {

    /** Serialization failure, deadlock, lock not available. */
    private static final Set<String> ROLLED_BACK_FOR_OTHERS = Set.of("40001", "40P01", "55P03");

    private static final String SERIALIZATION_FAILURE = "40001";
    private static final String READ_ONLY_TRANSACTION = "25006";
    private static final String LOCK_NOT_AVAILABLE = "55P03";
    private static final String UNDEFINED_TABLE = "42P01";
    private static final String INSUFFICIENT_PRIVILEGE = "42501";

    /** Disk full, and out of memory or space in general. */
    private static final Set<String> NO_ROOM = Set.of("53100", "53000");

    /** Data or index corrupted, an internal error such as a missing part of a value, bytes that are no text, input or output. */
    private static final Set<String> DAMAGED = Set.of("XX000", "XX001", "XX002", "22021", "58030");

    private static final Set<String> CORRUPT = Set.of("XX001", "XX002", "22021");

    private static final int SQLITE_ERROR = 1;
    private static final int SQLITE_BUSY = 5;
    private static final int SQLITE_IOERR = 10;
    private static final int SQLITE_CORRUPT = 11;
    private static final int SQLITE_FULL = 13;

    private SqlStates() {}

    static boolean isNoSuchTable(SQLException e) {
        return UNDEFINED_TABLE.equals(e.getSQLState())
                || (sqliteCode(e) == SQLITE_ERROR
                        && String.valueOf(e.getMessage()).contains("no such table"));
    }

    /** Says whether the statement was given up because of other transactions, so that it may be tried again. */
    static boolean isRolledBackForOthers(SQLException e) {
        return isAny(ROLLED_BACK_FOR_OTHERS, e) || sqliteCode(e) == SQLITE_BUSY;
    }

    /** Says whether the transaction was stricter than {@code READ COMMITTED}. */
    static boolean isSerializationFailure(SQLException e) {
        return isAny(Set.of(SERIALIZATION_FAILURE), e);
    }

    /** Says whether the server, or the connection, lets nobody write. */
    static boolean isReadOnly(SQLException e) {
        return isAny(Set.of(READ_ONLY_TRANSACTION), e);
    }

    /** Says whether this login may not do it. */
    static boolean isForbidden(SQLException e) {
        return isAny(Set.of(INSUFFICIENT_PRIVILEGE), e);
    }

    /** Says whether a lock was waited for as long as one may. */
    static boolean isLockTimeout(SQLException e) {
        return isAny(Set.of(LOCK_NOT_AVAILABLE), e) || sqliteCode(e) == SQLITE_BUSY;
    }

    /** Says whether there is no room on the disk. */
    static boolean isFull(SQLException e) {
        return isAny(NO_ROOM, e) || sqliteCode(e) == SQLITE_FULL;
    }

    /** Says whether what was asked for is there and cannot be read. */
    static boolean isDamaged(SQLException e) {
        int code = sqliteCode(e) & 0xff; // without what extends it
        return isAny(DAMAGED, e) || code == SQLITE_CORRUPT || code == SQLITE_IOERR;
    }

    /** Says whether it will never be read: a page, an index, a value or a text is none. */
    static boolean isCorrupt(SQLException e) {
        return isAny(CORRUPT, e) || (sqliteCode(e) & 0xff) == SQLITE_CORRUPT;
    }

    /** Says whether a row did not fit: a constraint, or a value. */
    static boolean isOfData(SQLException e) {
        String state = e.getSQLState();
        return state != null && (state.startsWith("22") || state.startsWith("23"));
    }

    private static int sqliteCode(SQLException e) {
        return e.getSQLState() == null ? e.getErrorCode() : 0;
    }

    private static boolean isAny(Set<String> states, SQLException e) {
        for (SQLException each = e; each != null; each = each.getNextException()) {
            @Nullable String state = each.getSQLState();
            if (state != null && states.contains(state)) {
                return true;
            }
        }
        return false;
    }
}
