package io.holdpoint.store.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Counts what a database is asked to do: connections taken, statements executed, transactions that may write (commits, and
 * writing statements that commit themselves), characters sent, rows read.
 */
final class CountingDataSource {

    private static final String COMMIT = Sql.NEXT + "COMMIT";

    /** Every statement, in order; a batch of rows is one. */
    final List<String> statements = new ArrayList<>();

    int connections;
    /** How often something was sent: statements may go together, and with their commit. */
    int roundTrips;

    int transactions;
    long characters;
    /** Rows that were read. */
    long rows;

    private final DataSource real;

    CountingDataSource(DataSource real) {
        this.real = real;
    }

    DataSource dataSource() {
        return ConnectionSource.of(this::connection);
    }

    synchronized void reset() {
        statements.clear();
        connections = 0;
        roundTrips = 0;
        transactions = 0;
        characters = 0;
        rows = 0;
    }

    private synchronized Connection connection() throws SQLException {
        connections++;
        Connection connection = real.getConnection();
        AtomicBoolean begun = new AtomicBoolean(); // by a statement, as on SQLite
        AtomicBoolean sent = new AtomicBoolean(); // the commit, with the last statements
        return proxy(Connection.class, (proxy, method, arguments) -> {
            if (method.getName().equals("commit")) {
                transactions++;
                roundTrips += sent.getAndSet(false) ? 0 : 1;
            }
            Object result = invoke(connection, method, arguments);
            return result instanceof PreparedStatement statement
                    ? statement(connection, statement, (String) arguments[0], begun, sent)
                    : result;
        });
    }

    private PreparedStatement statement(
            Connection connection, PreparedStatement statement, String all, AtomicBoolean begun, AtomicBoolean sent) {
        boolean commits = all.endsWith(COMMIT);
        String sql = commits ? all.substring(0, all.length() - COMMIT.length()) : all;
        return proxy(PreparedStatement.class, (proxy, method, arguments) -> {
            if (method.getName().startsWith("set") && arguments[1] instanceof String text) {
                characters += text.length();
            }
            if (method.getName().startsWith("execute") && sql.startsWith("BEGIN")) {
                begun.set(true);
            } else if (method.getName().startsWith("execute") && (sql.equals("COMMIT") || sql.equals("ROLLBACK"))) {
                begun.set(false);
                transactions++;
            } else if (method.getName().startsWith("execute")) {
                statements.addAll(List.of(sql.split(Sql.NEXT)));
                roundTrips++;
                sent.set(commits);
                boolean reads = sql.toUpperCase(Locale.ROOT).startsWith("SELECT");
                transactions += connection.getAutoCommit() && !begun.get() && !reads ? 1 : 0;
            }
            Object result = invoke(statement, method, arguments);
            return result instanceof ResultSet found ? rows(found) : result;
        });
    }

    private ResultSet rows(ResultSet found) {
        return proxy(ResultSet.class, (proxy, method, arguments) -> {
            Object result = invoke(found, method, arguments);
            rows += method.getName().equals("next") && Boolean.TRUE.equals(result) ? 1 : 0;
            return result;
        });
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(
                Proxy.newProxyInstance(CountingDataSource.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private static @Nullable Object invoke(Object target, Method method, Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    @Override
    public String toString() {
        return statements.size() + " statements, " + transactions + " transactions, " + connections + " connections, "
                + characters + " characters, " + rows + " rows:\n" + String.join("\n", statements);
    }
}
