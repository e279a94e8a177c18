package io.holdpoint.store.jdbc;

import io.holdpoint.testing.TestDatabase;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** PgBouncer in transaction mode before a database of a test, if the machine has it; tests that want it are skipped if not. */
record PgBouncer(Process process, int port, Path directory) implements AutoCloseable {

    static PgBouncer start(TestDatabase database, int serverConnections) throws IOException {
        String program = Stream.concat(
                        Stream.of(System.getenv("PATH").split(File.pathSeparator)), Stream.of("/usr/sbin"))
                .map(folder -> Path.of(folder, "pgbouncer"))
                .filter(Files::isExecutable)
                .findFirst()
                .map(Path::toString)
                .orElse("");
        Assumptions.assumeFalse(program.isEmpty(), "PgBouncer is not installed: what is behind it is not tested");
        URI server = URI.create(database.url().substring("jdbc:".length()));
        String schema = Stream.of(server.getQuery().split("&"))
                .filter(parameter -> parameter.startsWith("currentSchema="))
                .map(parameter -> parameter.substring("currentSchema=".length()))
                .collect(Collectors.joining());
        int port = freePort();
        Path directory = Files.createTempDirectory("pgbouncer");
        Files.setPosixFilePermissions(
                directory, PosixFilePermissions.fromString("rwxr-xr-x")); // it does not run as root
        Path settings = directory.resolve("pgbouncer.ini");
        Files.writeString(settings, """
                [databases]
                postgres = host=%s port=%d user=postgres connect_query='SET search_path = %s'
                [pgbouncer]
                listen_addr = 127.0.0.1
                listen_port = %d
                unix_socket_dir =
                auth_type = any
                pool_mode = transaction
                default_pool_size = %d
                ignore_startup_parameters = extra_float_digits
                """.formatted(server.getHost(), server.getPort(), schema, port, serverConnections));
        List<String> command = new ArrayList<>(List.of(program, "-q"));
        if (System.getProperty("user.name").equals("root")) {
            command.addAll(List.of("-u", "nobody"));
        }
        command.add(settings.toString());
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
        return new PgBouncer(process, port, directory);
    }

    /** Where the pool finds it; it waits for the first connection. */
    String url() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres";
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Override
    public void close() throws IOException, InterruptedException {
        process.destroyForcibly();
        process.waitFor();
        for (String name : List.of("pgbouncer.ini", "log")) {
            Files.delete(directory.resolve(name));
        }
        Files.delete(directory);
    }
}
