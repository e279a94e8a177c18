package io.holdpoint.demo.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.demo.StuckDemo;
import java.io.File;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** What a demo leaves in its database that was killed while approved calls were running. */
final class KilledDemo {

    private static final String ENDED = "";

    private KilledDemo() {}

    /**
     * A thread with approved calls.
     *
     * @param id the thread's
     * @param text what was said on it
     * @param returned how many of its calls had returned when the demo was killed in the next one
     */
    record Story(String id, String text, int returned) {}

    /**
     * Begins each thread, approves all of its calls, and kills the process.
     *
     * @param database added to the process's environment
     * @return of each thread, the ids of the interrupts that were approved
     */
    static Map<String, List<String>> leave(Map<String, String> database, List<Story> stories) throws Exception {
        Map<String, List<String>> interrupts = new LinkedHashMap<>();
        BlockingQueue<String> lines = new LinkedBlockingQueue<>();
        try (ChildProcess child = ChildProcess.start(command(database, stories), lines::add)) {
            child.outputRead().whenComplete((end, error) -> lines.add(ENDED));
            while (interrupts.size() < stories.size()) {
                String line = lines.poll(ChildProcess.HANG_GUARD_SECONDS, TimeUnit.SECONDS);
                assertThat(line).as(child.output()).isNotNull().isNotEqualTo(ENDED);
                if (line.startsWith(StuckDemo.STUCK)) {
                    String[] words = line.substring(StuckDemo.STUCK.length()).split(" ");
                    interrupts.put(words[0], List.of(words[1].split(",")));
                }
            }
            child.kill();
        }
        return interrupts;
    }

    /**
     * Lets the leases of the killed demo end at another time than half a minute after its last sign of life.
     *
     * @param end such as {@code 2000-01-01}
     * @return how many leases there are
     */
    static int endLeases(Connection database, String end) throws SQLException {
        try (Statement statement = database.createStatement()) {
            return statement.executeUpdate("UPDATE holdpoint_lease SET ends_at = "
                    + 1_000_000 * Instant.parse(end + "T00:00:00Z").getEpochSecond());
        }
    }

    private static ProcessBuilder command(Map<String, String> database, List<Story> stories) {
        String classPath = DemoProcess.jar()
                + File.pathSeparator
                + DemoProcess.buildDirectory().resolve("test-classes");
        List<String> command = new ArrayList<>(
                List.of(DemoProcess.java(), "-XX:TieredStopAtLevel=1", "-cp", classPath, StuckDemo.class.getName()));
        stories.forEach(story -> command.addAll(List.of(story.id(), story.text(), Integer.toString(story.returned()))));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().keySet().removeIf(name -> name.startsWith("OPENAI_") || name.startsWith("JDBC_"));
        builder.environment().putAll(database);
        return builder;
    }
}
