package io.holdpoint.demo.e2e;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** A child process whose output is read line by line while it runs. Ends with {@link #close()} at the latest. */
final class ChildProcess implements AutoCloseable {

    /** Bounds a wait on something that hangs; no test depends on its length. */
    static final long HANG_GUARD_SECONDS = 600;

    private final Process process;
    private final List<String> output = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Void> outputRead;

    private ChildProcess(Process process, Consumer<String> onLine) {
        this.process = process;
        this.outputRead = CompletableFuture.runAsync(() -> read(onLine), task -> {
            Thread reader = new Thread(task, "output of " + process.pid());
            reader.setDaemon(true);
            reader.start();
        });
    }

    /** Starts the process, its error output merged into its output; {@code onLine} sees each line as it is written. */
    static ChildProcess start(ProcessBuilder builder, Consumer<String> onLine) throws IOException {
        Process process = builder.redirectErrorStream(true).start();
        process.getOutputStream().close();
        return new ChildProcess(process, onLine);
    }

    long pid() {
        return process.pid();
    }

    /** Everything written so far. */
    String output() {
        return String.join("\n", output);
    }

    /** Completes when the process has closed its output. */
    CompletableFuture<Void> outputRead() {
        return outputRead;
    }

    /** Waits for the process to end by itself and returns its exit status. */
    int waitFor() throws InterruptedException, ExecutionException, TimeoutException {
        if (!process.waitFor(HANG_GUARD_SECONDS, TimeUnit.SECONDS)) {
            throw new TimeoutException("still running; it wrote:\n" + output());
        }
        outputRead.get(HANG_GUARD_SECONDS, TimeUnit.SECONDS);
        return process.exitValue();
    }

    /**
     * Asks the process to end and waits for it.
     *
     * @throws IllegalStateException if it had to be killed
     */
    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroy);
        process.destroy();
        try {
            if (!process.waitFor(HANG_GUARD_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException("did not end when asked to; it wrote:\n" + output());
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /** Ends the process at once, whatever it is doing, and waits until it is gone. */
    void kill() throws InterruptedException, TimeoutException {
        process.destroyForcibly();
        if (!process.waitFor(HANG_GUARD_SECONDS, TimeUnit.SECONDS)) {
            throw new TimeoutException("killed and still running; it wrote:\n" + output());
        }
    }

    private void read(Consumer<String> onLine) {
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                output.add(line);
                onLine.accept(line);
            }
        } catch (IOException e) {
            if (process.isAlive()) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
