package io.holdpoint.store.jdbc;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.logging.Logger;
import javax.sql.DataSource;

/** A data source of a test's own connections. */
final class ConnectionSource implements DataSource {

    /** Gives a connection. */
    @FunctionalInterface
    interface Source {
        Connection get() throws SQLException;
    }

    private final Source source;

    private ConnectionSource(Source source) {
        this.source = source;
    }

    static DataSource of(Source source) {
        return new ConnectionSource(source);
    }

    @Override
    public Connection getConnection() throws SQLException {
        return source.get();
    }

    @Override
    public Connection getConnection(String user, String password) {
        throw new UnsupportedOperationException();
    }

    @Override
    public PrintWriter getLogWriter() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setLogWriter(PrintWriter out) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setLoginTimeout(int seconds) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int getLoginTimeout() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Logger getParentLogger() {
        throw new UnsupportedOperationException();
    }

    @Override
    public <T> T unwrap(Class<T> type) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return false;
    }
}
