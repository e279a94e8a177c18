package io.holdpoint.crash;

import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Event;
import io.holdpoint.agui.RunAgentInput;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A {@link CrashNode} in a process of its own. Used by one thread. */
final class NodeProcess implements AutoCloseable {

    private static final long SILENCE_SECONDS = 120;

    private final Process process;
    private final Writer orders;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final List<String> violations = new ArrayList<>();
    private List<String> points = new ArrayList<>();
    private String result = "";

    private NodeProcess(Process process) {
        this.process = process;
        this.orders = process.outputWriter(StandardCharsets.UTF_8);
        Thread reader = new Thread(this::read, "lines of process " + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    static NodeProcess start() {
        return start(FastStart.options());
    }

    /**
     * @param options of {@code java}, the class path included
     */
    static NodeProcess start(List<String> options) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-Xmx256m"));
        command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=off");
        command.addAll(options);
        command.add(CrashNode.class.getName());
        try {
            return new NodeProcess(new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** How a run ended for who watched it. */
    enum End {
        /** The stream came to its end. */
        ENDED,
        /** The process stands at its point; what follows is up to the test. */
        STANDS,
        /** It goes on: it has passed as many points as were waited for. */
        GOES_ON
    }

    void open(Order.Open order) {
        points = new ArrayList<>();
        send(order);
        End end = await(event -> {});
        if (end == End.STANDS) {
            throw new AssertionError("nothing is to be written when an agent is built: " + points);
        }
    }

    End run(RunAgentInput input, Consumer<Event> client) {
        start(input);
        return await(client);
    }

    void start(RunAgentInput input) {
        start(new Order.Run(AguiCodec.toTree(input)));
    }

    void start(Order order) {
        send(order);
    }

    /** Goes on from the point where it stands. */
    void goOn() {
        send(new Order.GoOn());
    }

    void time(long minutes) {
        send(new Order.Time(minutes));
    }

    /** The points that were passed since the agent was built, the one it stands at included. */
    List<String> points() {
        return List.copyOf(points);
    }

    /** What came of the last run that ended: a {@code RunResult}, or the code of a rejection. */
    String result() {
        return result;
    }

    /** What a provider would have refused. */
    List<String> violations() {
        return List.copyOf(violations);
    }

    long pid() {
        return process.pid();
    }

    /** Closes the database; the process is ready for another one. */
    void closeDatabase() {
        send(new Order.Close());
        await(event -> {});
    }

    /** {@code SIGKILL}. */
    void kill() {
        process.destroyForcibly();
        waitForEnd();
    }

    /** Tells it to end, as an ordinary process does. */
    void end() throws IOException {
        orders.close();
        waitForEnd();
    }

    private void waitForEnd() {
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        kill();
    }

    private void send(Order order) {
        try {
            orders.write(order.write() + "\n");
            orders.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("process " + process.pid() + " has gone", e);
        }
    }

    /** Reads until the order is done, or the process stands still. */
    End await(Consumer<Event> client) {
        return await(client, Integer.MAX_VALUE);
    }

    /** Reads until the order is done, the process stands still, or it has passed so many more points. */
    End await(Consumer<Event> client, int more) {
        int passed = points.size();
        while (points.size() - passed < more) {
            Line.Read read = Line.read(next());
            switch (read.line()) {
                case EVENT -> client.accept(AguiCodec.readEvent(read.text()));
                case POINT -> points.add(read.text());
                case VIOLATION -> violations.add(read.text());
                case DONE -> {
                    result = read.text();
                    return End.ENDED;
                }
                case AT -> {
                    points.add(read.text());
                    return End.STANDS;
                }
                case FAILURE -> throw new AssertionError("process " + process.pid() + ": " + read.text());
            }
        }
        return End.GOES_ON;
    }

    private String next() {
        try {
            String line = lines.poll(SILENCE_SECONDS, TimeUnit.SECONDS);
            if (line == null) {
                throw new AssertionError("process " + process.pid() + " says nothing; it passed " + points);
            }
            return line;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void read() {
        try (BufferedReader in =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                lines.add(line);
            }
        } catch (IOException e) {
            lines.add(Line.FAILURE.with("its output broke off: " + e));
        }
        lines.add(Line.FAILURE.with("it has gone"));
    }
}
