package io.holdpoint.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * Something measured beside its baseline, in turn, so that both have the same machine: after so many cycles of each that are
 * not counted, {@value #PASSES} passes of each are. The ratio is taken pass by pass. Processor time is that of the whole
 * process, so it has compiler and garbage collector in it; a busy machine disturbs it less than the rate.
 */
record Pair(Cycles measured, Cycles baseline, LongSupplier cpu) {

    static final String HEAD = """
        | measure | a second | CPU us each | baseline | a second | CPU us each | ratio of rates min - median - max | note |
        |---|---|---|---|---|---|---|---|\
        """;

    static final int PASSES = 5;
    static final OperatingSystemMXBean SYSTEM = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    Pair(Cycles measured, Cycles baseline) {
        this(measured, baseline, SYSTEM::getProcessCpuTime);
    }

    /** Does so many cycles, and returns when the last has ended. */
    interface Cycles {
        void run(int count) throws Exception;
    }

    /** What so many cycles came to, of both. */
    private record Pass(double rate, double cpu, double baselineRate, double baselineCpu) {

        double ratio() {
            return rate / baselineRate;
        }
    }

    /** Measures hot; returns a row of the table. */
    String row(String name, String ofBaseline, int warm, int count, String note) throws Exception {
        return row(name, ofBaseline, warm, count, () -> note);
    }

    /** The same, with a note that is asked for afterwards. */
    String row(String name, String ofBaseline, int warm, int count, Supplier<String> note) throws Exception {
        measured.run(Scale.of(warm));
        baseline.run(Scale.of(warm));
        List<Pass> passes = new ArrayList<>();
        for (int i = 0; i < PASSES; i++) {
            passes.add(pass(Scale.of(count)));
        }
        return row(name, ofBaseline, passes, note.get());
    }

    /** Measures one pass without warming up. */
    String cold(String name, String ofBaseline, int count, String note) throws Exception {
        return row(name, ofBaseline, List.of(pass(count)), note);
    }

    private Pass pass(int count) throws Exception {
        long cpuBefore = cpu.getAsLong();
        long time = System.nanoTime();
        measured.run(count);
        long betweenCpu = cpu.getAsLong();
        long between = System.nanoTime();
        baseline.run(count);
        double end = System.nanoTime();
        double endCpu = cpu.getAsLong();
        return new Pass(
                count * 1e9 / (between - time),
                (betweenCpu - cpuBefore) / 1e3 / count,
                count * 1e9 / (end - between),
                (endCpu - betweenCpu) / 1e3 / count);
    }

    private static String row(String name, String ofBaseline, List<Pass> passes, String note) {
        double[] ratios = passes.stream().mapToDouble(Pass::ratio).sorted().toArray();
        return String.format(
                Locale.ROOT,
                "| %s | %,.0f | %,.1f | %s | %,.0f | %,.1f | %.3f - **%.3f** - %.3f | %s |",
                name,
                median(passes, Pass::rate),
                median(passes, Pass::cpu),
                ofBaseline,
                median(passes, Pass::baselineRate),
                median(passes, Pass::baselineCpu),
                ratios[0],
                ratios[ratios.length / 2],
                ratios[ratios.length - 1],
                note);
    }

    private static double median(List<Pass> passes, ToDoubleFunction<Pass> figure) {
        return passes.stream().mapToDouble(figure).sorted().toArray()[passes.size() / 2];
    }
}
