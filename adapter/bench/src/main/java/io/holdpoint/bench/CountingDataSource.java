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

/** Counts the statements, transactions and connections that pass through it. */
final class CountingDataSource {

    final LongAdder statements = new LongAdder();
    final LongAdder commits = new LongAdder();
    final LongAdder connections = new LongAdder();

    private final DataSource source;

    CountingDataSource(DataSource source) {
        this.source = source;
    }

    DataSource asDataSource() {
        return counted(DataSource.class, source);
    }

    void reset() {
        statements.reset();
        commits.reset();
        connections.reset();
    }

    private <T> T counted(Class<T> type, Object target) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    count(method, arguments);
                    try {
                        return wrapped(method.getReturnType(), method.invoke(target, arguments));
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    private void count(Method method, Object[] arguments) {
        String name = method.getName();
        if (name.equals("getConnection") && method.getDeclaringClass() == DataSource.class) {
            connections.increment();
        } else if (name.equals("commit") || isCommit(arguments)) {
            commits.increment();
        } else if (name.startsWith("execute")) {
            statements.increment();
        }
    }

    /** SQLite's transactions are begun and ended by statements. */
    private static boolean isCommit(Object[] arguments) {
        return arguments != null
                && arguments.length > 0
                && arguments[0] instanceof String sql
                && sql.strip().toUpperCase(Locale.ROOT).startsWith("COMMIT");
    }

    private Object wrapped(Class<?> type, Object result) {
        boolean counts = type == Connection.class
                || type == PreparedStatement.class
                || type == Statement.class
                || type == CallableStatement.class;
        return counts && result != null ? counted(type, result) : result;
    }
}
