package io.holdpoint.demo.e2e;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The packaged demo server, started as a user starts it: {@code java -jar}, configured by its environment. */
final class DemoProcess implements AutoCloseable {

    private static final String READY = "Holdpoint demo is running";

    private final ChildProcess child;
    private final URI url;

    private DemoProcess(ChildProcess child, URI url) {
        this.child = child;
        this.url = url;
    }

    /**
     * Starts the server on a free port of the loopback interface and returns when it is ready.
     *
     * @param environment added to the environment, from which settings of a hosted model and of a database have been
     *     removed; the database is a new file unless this says otherwise
     * @throws IllegalStateException if the server ended, or was not healthy when it said that it is running
     */
    static DemoProcess start(Map<String, String> environment) throws Exception {
        return start(command(Archive.OPTION), jar().getParent(), environment);
    }

    /** As {@link #start(Map)}, by another command in another directory. */
    static DemoProcess start(List<String> command, Path directory, Map<String, String> environment) throws Exception {
        int port = environment.containsKey("PORT") ? Integer.parseInt(environment.get("PORT")) : freePort();
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.directory(directory.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("OPENAI_") || name.startsWith("JDBC_"));
        builder.environment()
                .putAll(Map.of(
                        "HOST",
                        "127.0.0.1",
                        "PORT",
                        Integer.toString(port),
                        "JDBC_URL",
                        newDatabase(),
                        "UNDO_SECONDS",
                        "0"));
        builder.environment().putAll(environment);

        CompletableFuture<String> ready = new CompletableFuture<>();
        ChildProcess child = ChildProcess.start(builder, line -> {
            if (line.contains(READY)) {
                ready.complete(line);
            }
        });
        child.outputRead()
                .whenComplete((end, error) -> ready.completeExceptionally(new IllegalStateException("it ended")));
        DemoProcess demo = new DemoProcess(child, URI.create("http://127.0.0.1:" + port));
        try {
            ready.get(ChildProcess.HANG_GUARD_SECONDS, TimeUnit.SECONDS);
            demo.requireHealthy();
        } catch (ExecutionException | TimeoutException | IOException e) {
            demo.close();
            throw new IllegalStateException("The demo server did not start. It wrote:\n" + child.output(), e);
        }
        return demo;
    }

    /** It lives for seconds, so that compiling it well is lost work. */
    private static List<String> command(String option) {
        return List.of(java(), "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", option, "-jar", jar().toString());
    }

    /** The classes that a server loads, as the JDK archives them: the next one starts in half the time. Written once a build. */
    private static final class Archive {

        private static final Path FILE = jar().resolveSibling("demo.jsa");

        static final String OPTION = option();

        private static String option() {
            Path lock = FILE.resolveSibling("demo.jsa.lock");
            try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                channel.lock(); // test classes run in two processes
                if (!isOfThisJar()) {
                    write();
                }
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
            return "-XX:SharedArchiveFile=" + FILE;
        }

        private static boolean isOfThisJar() throws IOException {
            return Files.exists(FILE)
                    && Files.getLastModifiedTime(FILE).compareTo(Files.getLastModifiedTime(jar())) > 0;
        }

        private static void write() throws Exception {
            try (DemoProcess demo = start(command("-XX:ArchiveClassesAtExit=" + FILE), jar().getParent(), Map.of())) {
                AguiTestClient thread = new AguiTestClient(demo.url());
                thread.resume(AguiTestClient.approve(
                        Json.only(thread.say("Pay 200 euros to Bob").interrupts())));
            }
        }
    }

    /** Of the process's own, so that tests do not meet in one database. */
    private static String newDatabase() throws IOException {
        return "jdbc:sqlite:"
                + Files.createTempDirectory(buildDirectory(), "demo").resolve("demo.db");
    }

    /** The directory the build writes to. */
    static Path buildDirectory() {
        return jar().getParent();
    }

    /** Where the server answers, without a trailing slash. */
    URI url() {
        return url;
    }

    String output() {
        return child.output();
    }

    /** Its id in the operating system. */
    long pid() {
        return child.pid();
    }

    /** Ends the process as a crash does. */
    void kill() throws Exception {
        child.kill();
    }

    /** Tells the process to end, and waits until it has. */
    void terminate() {
        child.close();
    }

    @Override
    public void close() {
        child.close();
    }

    private void requireHealthy() throws IOException, InterruptedException {
        HttpRequest health = HttpRequest.newBuilder(url.resolve("/health"))
                .timeout(Duration.ofSeconds(ChildProcess.HANG_GUARD_SECONDS))
                .build();
        int status = HttpClient.newHttpClient()
                .send(health, HttpResponse.BodyHandlers.discarding())
                .statusCode();
        if (status != 200) {
            throw new IOException("GET /health answered " + status);
        }
    }

    static Path jar() {
        String path = System.getProperty("demo.jar");
        if (path == null) {
            throw new IllegalStateException("The system property demo.jar names no jar; run this test with mvn verify");
        }
        return Path.of(path).toAbsolutePath();
    }

    static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
