package io.holdpoint.bench;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The way to full speed over HTTP, of the agent and of the minimal gate, each in a JVM of its own: processor time, and what the JVM compiles. */
final class WarmUp {

    private static final int[] CYCLES = {2_000, 6_000, 20_000, 54_000, 95_000};

    /** The cycles at the end of a stage whose processor time is counted. */
    private static final int COUNTED = 1_000;

    private static final Pattern COUNTER = Pattern.compile("(?:java|sun)\\.ci\\.(\\w+)=(\\d+)");

    private WarmUp() {}

    static void measure() throws IOException, InterruptedException {
        for (String which : new String[] {"agent", "minimal gate"}) {
            ProcessBuilder jvm = Benchmarks.java("warm-up", which, System.getProperty("scale", "1"));
            jvm.command().add(1, "-XX:+UsePerfData");
            jvm.inheritIO().start().waitFor();
        }
    }

    static void inThisJvm(String which, double scale) throws Exception {
        Pair.Cycles cycles = Http.ofEight(which.equals("agent"));
        int done = 0;
        for (int stage : CYCLES) {
            int until = (int) (stage * scale);
            int counted = Math.min(COUNTED, until / 4);
            cycles.run(until - done - counted);
            long before = Pair.SYSTEM.getProcessCpuTime();
            cycles.run(counted);
            double each = (Pair.SYSTEM.getProcessCpuTime() - before) / 1e3 / counted;
            done = until;
            Map<String, Long> compiler = compiler();
            System.out.printf(
                    Locale.ROOT,
                    "| %s, 8 bare clients, after %,d cycles | | %,.0f | | | | | %,d compilations, %,.1f s of the compilers,"
                            + " %,.1f MB of code; %,.1f s of processor in all |%n",
                    which,
                    done,
                    each,
                    compiler.getOrDefault("standardCompiles", 0L) + compiler.getOrDefault("osrCompiles", 0L),
                    ManagementFactory.getCompilationMXBean().getTotalCompilationTime() / 1e3,
                    compiler.getOrDefault("nmethodCodeSize", 0L) / 1e6,
                    Pair.SYSTEM.getProcessCpuTime() / 1e9);
        }
    }

    private static Map<String, Long> compiler() throws IOException {
        Process jcmd = new ProcessBuilder(
                        System.getProperty("java.home") + "/bin/jcmd",
                        String.valueOf(ProcessHandle.current().pid()),
                        "PerfCounter.print")
                .redirectError(Redirect.DISCARD)
                .start();
        Map<String, Long> counters = new TreeMap<>();
        Matcher counter = COUNTER.matcher(new String(jcmd.getInputStream().readAllBytes()));
        while (counter.find()) {
            counters.put(counter.group(1), Long.parseLong(counter.group(2)));
        }
        return counters;
    }
}
