package io.holdpoint.bench;

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
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import javax.sql.DataSource;

/**
 * The statements of one cycle as a store has sent them, which bare JDBC sends again for other threads: the same texts, parameters,
 * connections and commits, with the thread's id and the epochs of its leases replaced. Recorded by one thread at a time.
 */
final class Replay {

    private static final String LEASE = "INSERT INTO holdpoint_lease";

    private final DataSource source;
    private final String recordedThread;
    private final List<List<Step>> connections = new ArrayList<>();
    private final List<Long> recordedEpochs = new ArrayList<>();

    /** What was done with a connection. */
    private interface Step {
        void again(Connection connection, Names names) throws SQLException;
    }

    /** What stands for what was recorded. */
    private record Names(String thread, List<Long> epochs) {}

    /** A parameter that is null, of a type. */
    private record Null(int type) {}

    Replay(DataSource source, String recordedThread) {
        this.source = source;
        this.recordedThread = recordedThread;
    }

    // --- recording

    DataSource recording() {
        return proxy(DataSource.class, source, (method, arguments, result) -> {
            if (!(result instanceof Connection connection)) {
                return result;
            }
            List<Step> steps = new ArrayList<>();
            connections.add(steps);
            return recording(connection, steps);
        });
    }

    /** Forgets what was done before the cycle. */
    void begin() {
        connections.clear();
        recordedEpochs.clear();
    }

    private Connection recording(Connection real, List<Step> steps) {
        return proxy(Connection.class, real, (method, arguments, result) -> {
            switch (method.getName()) {
                case "setAutoCommit" -> {
                    boolean autoCommit = (boolean) arguments[0];
                    steps.add((connection, names) -> connection.setAutoCommit(autoCommit));
                }
                case "commit" -> steps.add((connection, names) -> connection.commit());
                case "rollback" -> steps.add((connection, names) -> connection.rollback());
                default -> {}
            }
            return result instanceof PreparedStatement statement
                    ? recording(statement, (String) arguments[0], steps)
                    : result;
        });
    }

    private PreparedStatement recording(PreparedStatement real, String text, List<Step> steps) {
        SortedMap<Integer, Object> parameters = new TreeMap<>();
        return proxy(PreparedStatement.class, real, (method, arguments, result) -> {
            String name = method.getName();
            if (name.equals("setNull")) {
                parameters.put((Integer) arguments[0], new Null((Integer) arguments[1]));
            } else if (name.startsWith("set") && arguments.length == 2) {
                parameters.put((Integer) arguments[0], arguments[1]);
            } else if (name.equals("addBatch")) {
                throw new UnsupportedOperationException("a cycle with rows in a batch");
            } else if (name.startsWith("execute")) {
                List<Object> bound = List.copyOf(parameters.values());
                steps.add((connection, names) -> send(connection, text, bound, names));
            }
            return result instanceof ResultSet rows && text.contains(LEASE) ? recording(rows) : result;
        });
    }

    private ResultSet recording(ResultSet real) {
        return proxy(ResultSet.class, real, (method, arguments, result) -> {
            if (method.getName().equals("getLong") && result instanceof Long epoch && isEpoch(real)) {
                recordedEpochs.add(epoch);
            }
            return result;
        });
    }

    private static boolean isEpoch(ResultSet rows) throws SQLException {
        return rows.getMetaData().getColumnName(1).equals("epoch");
    }

    // --- sending again

    void again(String thread) throws SQLException {
        Names names = new Names(thread, new ArrayList<>());
        for (List<Step> steps : connections) {
            try (Connection connection = source.getConnection()) {
                for (Step step : steps) {
                    step.again(connection, names);
                }
            }
        }
    }

    private void send(Connection connection, String text, List<Object> parameters, Names names) throws SQLException {
        boolean takesLease = text.contains(LEASE);
        try (PreparedStatement statement = connection.prepareStatement(text)) {
            for (int i = 0; i < parameters.size(); i++) {
                bind(statement, i + 1, parameters.get(i), names);
            }
            boolean hasRows = statement.execute();
            while (hasRows || statement.getUpdateCount() != -1) {
                if (hasRows) {
                    try (ResultSet rows = statement.getResultSet()) {
                        read(rows, takesLease ? Optional.of(names.epochs()) : Optional.empty());
                    }
                }
                hasRows = statement.getMoreResults();
            }
        }
    }

    private static void read(ResultSet rows, Optional<List<Long>> epochs) throws SQLException {
        boolean isLease = epochs.isPresent() && isEpoch(rows);
        while (rows.next()) {
            if (isLease) {
                epochs.get().add(rows.getLong(1));
            }
        }
    }

    private void bind(PreparedStatement statement, int at, Object parameter, Names names) throws SQLException {
        if (parameter instanceof Null absent) {
            statement.setNull(at, absent.type());
        } else if (parameter instanceof String text) {
            statement.setObject(at, text.replace(recordedThread, names.thread()));
        } else if (parameter instanceof Long number && recordedEpochs.contains(number)) {
            statement.setObject(at, names.epochs().get(recordedEpochs.indexOf(number)));
        } else {
            statement.setObject(at, parameter);
        }
    }

    /** Looks at what a call has come to, and may replace it. */
    private interface Look {
        Object at(Method method, Object[] arguments, Object result) throws SQLException;
    }

    private static <T> T proxy(Class<T> type, T real, Look look) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            try {
                return look.at(method, arguments, method.invoke(real, arguments));
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
