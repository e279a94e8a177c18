package io.holdpoint.bench;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import javax.sql.DataSource;

/**
 * Counts the statements, round trips, transactions and connections that pass through it. Statements that a semicolon divides are
 * sent in one round trip, the commit among them; one that is sent alone is another one.
 */
final class CountingDataSource {

    final LongAdder statements = new LongAdder();
    final LongAdder roundTrips = new LongAdder();
    final LongAdder commits = new LongAdder();
    final LongAdder connections = new LongAdder();

    private final DataSource source;
    /** The last statements have committed; only one connection is in use. */
    private boolean committed;

    CountingDataSource(DataSource source) {
        this.source = source;
    }

    DataSource asDataSource() {
        return counted(DataSource.class, source, "");
    }

    void reset() {
        statements.reset();
        roundTrips.reset();
        commits.reset();
        connections.reset();
    }

    private <T> T counted(Class<T> type, Object target, String sql) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    count(method, arguments, sql);
                    try {
                        return wrapped(method, method.invoke(target, arguments), arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    private void count(Method method, Object[] arguments, String sql) {
        String name = method.getName();
        if (name.equals("getConnection") && method.getDeclaringClass() == DataSource.class) {
            connections.increment();
        } else if (name.equals("commit")) { // sent unless the last statements have ended the transaction
            commits.increment();
            if (!committed) {
                roundTrips.increment();
            }
            committed = false;
        } else if (name.startsWith("execute")) {
            String[] sent = sql.split(";\n");
            committed = isCommit(sent[sent.length - 1]);
            statements.add(committed ? sent.length - 1 : sent.length);
            roundTrips.increment();
            if (committed && sent.length == 1) {
                commits.increment();
            }
        }
    }

    /** SQLite's transactions are begun and ended by statements. */
    private static boolean isCommit(String sql) {
        return sql.strip().toUpperCase(Locale.ROOT).startsWith("COMMIT");
    }

    private Object wrapped(Method method, Object result, Object[] arguments) {
        Class<?> type = method.getReturnType();
        boolean counts = type == Connection.class
                || type == PreparedStatement.class
                || type == Statement.class
                || type == CallableStatement.class;
        String sql = arguments != null && arguments.length > 0 && arguments[0] instanceof String text ? text : "";
        return counts && result != null ? counted(type, result, sql) : result;
    }
}
