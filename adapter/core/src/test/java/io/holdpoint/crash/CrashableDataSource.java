package io.holdpoint.crash;

import io.holdpoint.testing.SeparateCommit;
import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.logging.Logger;
import javax.sql.DataSource;

/** A database with a point after every statement that writes, and one before and after every commit. */
final class CrashableDataSource implements DataSource {

    private static final Set<String> WRITES = Set.of("executeUpdate", "executeBatch", "execute");

    private final DataSource database;
    private final CrashPoints points;

    CrashableDataSource(DataSource database, CrashPoints points) {
        this.database = database;
        this.points = points;
    }

    @Override
    public Connection getConnection() throws SQLException {
        return watched(Connection.class, database.getConnection());
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        return watched(Connection.class, database.getConnection(user, password));
    }

    private <T> T watched(Class<T> type, T target) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> call(target, method, arguments)));
    }

    private Object call(Object target, Method method, Object[] arguments) throws Throwable {
        boolean commits = target instanceof Connection && method.getName().equals("commit");
        if (commits) {
            points.passDetail("before the transaction is committed");
        }
        Object result;
        try {
            result = method.invoke(target, SeparateCommit.of(method, arguments));
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
        if (commits) {
            points.passDetail("after the transaction is committed");
        } else if (target instanceof Statement && WRITES.contains(method.getName())) {
            points.passDetail("within a transaction");
        }
        return statement(result);
    }

    private Object statement(Object result) {
        if (result instanceof CallableStatement) {
            return result;
        }
        if (result instanceof PreparedStatement prepared) {
            return watched(PreparedStatement.class, prepared);
        }
        return result instanceof Statement statement ? watched(Statement.class, statement) : result;
    }

    @Override
    public PrintWriter getLogWriter() throws SQLException {
        return database.getLogWriter();
    }

    @Override
    public void setLogWriter(PrintWriter out) throws SQLException {
        database.setLogWriter(out);
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        database.setLoginTimeout(seconds);
    }

    @Override
    public int getLoginTimeout() throws SQLException {
        return database.getLoginTimeout();
    }

    @Override
    public Logger getParentLogger() {
        return Logger.getGlobal();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return database.unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return database.isWrapperFor(type);
    }
}
