package io.holdpoint.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** A PostgreSQL server in a directory of its own, which can be killed, copied to a standby while it works, and promoted. */
record PostgresServer(Path data, Path programs, int port) implements AutoCloseable {

    /** What belongs to the process, and what a standby receives by itself. */
    private static final Set<String> NOT_COPIED = Set.of("postmaster.pid", "postmaster.opts", "pg_wal");

    /** Starts a new one. */
    static PostgresServer start(Path data, String settings) throws IOException, InterruptedException {
        EmbeddedPostgres.builder()
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .start()
                .close();
        Files.writeString(
                data.resolve("postgresql.conf"),
                "\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = ''\ndynamic_shared_memory_type = mmap\n"
                        + settings,
                StandardOpenOption.APPEND);
        PostgresServer server = new PostgresServer(data, programs(data), freePort());
        server.start();
        return server;
    }

    /** The programs that the server of a directory was started with. */
    static Path programs(Path data) throws IOException {
        return Path.of(Files.readString(data.resolve("postmaster.opts")).split(" ")[0])
                .getParent();
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** A copy that follows this server from now on, which waits for it at commit if the standby is a synchronous one. */
    PostgresServer standby(Path copy, int itsPort) throws IOException, InterruptedException, SQLException {
        try (Connection connection = connect();
                Statement sql = connection.createStatement()) {
            sql.execute("SELECT pg_backup_start('standby', TRUE)");
            copyTo(copy);
            try (ResultSet label = sql.executeQuery("SELECT labelfile FROM pg_backup_stop(FALSE)")) {
                label.next();
                Files.writeString(copy.resolve("backup_label"), label.getString(1));
            }
        }
        Files.createDirectories(copy.resolve("pg_wal"));
        Files.createFile(copy.resolve("standby.signal"));
        Files.writeString(
                copy.resolve("postgresql.auto.conf"),
                "primary_conninfo = 'host=127.0.0.1 port=" + port + " user=postgres'\n");
        PostgresServer standby = new PostgresServer(copy, programs, itsPort);
        standby.start();
        await("EXISTS (SELECT 1 FROM pg_stat_replication WHERE state = 'streaming')");
        return standby;
    }

    /** From now on a commit is acknowledged only when the standby has it too. */
    void waitForStandby() throws SQLException {
        execute("ALTER SYSTEM SET synchronous_standby_names = '*'");
        execute("SELECT pg_reload_conf()");
        await("EXISTS (SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync')");
    }

    /** Files that the server removes or changes meanwhile do not matter: the standby repeats what was done since. */
    private void copyTo(Path copy) throws IOException {
        Files.walkFileTree(data, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
                    throws IOException {
                if (NOT_COPIED.contains(directory.getFileName().toString())) {
                    return FileVisitResult.SKIP_SUBTREE;
                }
                Files.copy(directory, copy.resolve(data.relativize(directory)), StandardCopyOption.COPY_ATTRIBUTES);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (!NOT_COPIED.contains(file.getFileName().toString()) && Files.exists(file)) {
                    Files.copy(file, copy.resolve(data.relativize(file)), StandardCopyOption.COPY_ATTRIBUTES);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
                return FileVisitResult.CONTINUE;
            }
        });
    }

    private void start() throws IOException, InterruptedException {
        control(
                programs,
                data,
                "start",
                "-o",
                "-p " + port,
                "-l",
                data.resolveSibling(data.getFileName() + ".log").toString());
    }

    void promote() throws IOException, InterruptedException {
        control(programs, data, "promote");
    }

    /** The server and all of its processes end without time to write or to say anything. */
    void kill() throws IOException {
        long pid = Long.parseLong(
                Files.readAllLines(data.resolve("postmaster.pid")).get(0));
        ProcessHandle.of(pid).ifPresent(postmaster -> {
            List<ProcessHandle> children = postmaster.children().toList();
            postmaster.destroyForcibly();
            children.forEach(ProcessHandle::destroyForcibly);
        });
    }

    @Override
    public void close() throws IOException {
        kill();
    }

    /** Removes the directory of a server that was killed. */
    void remove() throws IOException {
        try (Stream<Path> files = Files.walk(data)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    void execute(String statement) throws SQLException {
        try (Connection connection = connect();
                Statement sql = connection.createStatement()) {
            sql.execute(statement);
        }
    }

    /** Asks until a condition holds. */
    void await(String condition) throws SQLException {
        try (Connection connection = connect();
                Statement sql = connection.createStatement()) {
            boolean holds = false;
            while (!holds) {
                try (ResultSet row = sql.executeQuery("SELECT " + condition)) {
                    row.next();
                    holds = row.getBoolean(1);
                }
            }
        }
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres");
    }

    /** Lets {@code pg_ctl} do something, and waits until it is done. */
    static void control(Path programs, Path data, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        if (System.getProperty("user.name").equals("root")) { // as whom no server starts
            command.addAll(List.of("unshare", "-U"));
        }
        command.addAll(List.of(programs.resolve("pg_ctl").toString(), "-w", "-D", data.toString()));
        command.addAll(List.of(arguments));
        Process control = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(
                        data.resolveSibling(data.getFileName() + ".pg_ctl").toFile())
                .start();
        assertThat(control.waitFor()).as(() -> String.join(" ", command)).isZero();
    }
}
