package io.holdpoint.simulation;

import io.holdpoint.laws.History;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;

/**
 * Plays many histories and counts what happened in them; negative seeds give those of several people whose nodes' clocks differ. As
 * a program it is told the first seed, how many histories, on how many threads, and for how many minutes at most; with a fifth
 * word, the agent is halted and released all the time:
 * {@code java -Dorg.slf4j.simpleLogger.defaultLogLevel=off io.holdpoint.simulation.Simulation 1 1000000 2 60}.
 */
public final class Simulation {

    private static final int PROGRESS = 10_000;

    private final Map<String, Long> counts = new ConcurrentSkipListMap<>();
    private final Map<Long, Throwable> broken = new ConcurrentHashMap<>();
    private final AtomicLong played = new AtomicLong();

    /** How often what happened. */
    Map<String, Long> counts() {
        return new TreeMap<>(counts);
    }

    private final LongFunction<History.Told> history;

    Simulation(LongFunction<History.Told> history) {
        this.history = history;
    }

    void play(long seed) {
        played.incrementAndGet();
        history.apply(seed).counts().forEach((what, times) -> counts.merge(what, (long) times, Long::sum));
    }

    /** Prints the seeds of histories in which a law is broken, and goes on. */
    public static void main(String[] arguments) throws InterruptedException {
        long first = Long.parseLong(arguments[0]);
        long last = first + Long.parseLong(arguments[1]) - 1;
        Duration most = Duration.ofMinutes(Long.parseLong(arguments[3]));
        Simulation simulation = new Simulation(arguments.length > 4 ? History::halting : History::play);
        AtomicLong next = new AtomicLong(first);
        long start = System.nanoTime();
        List<Thread> threads = new ArrayList<>();
        for (int i = Integer.parseInt(arguments[2]); i > 0; i--) {
            threads.add(new Thread(() -> simulation.work(next, last, start + most.toNanos())));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(simulation.played + " histories from seed " + first + " in "
                + (System.nanoTime() - start) / 1_000_000_000 + " s, broken: "
                + new TreeMap<>(simulation.broken).keySet());
        simulation.counts().forEach((what, times) -> System.out.println(what + ": " + times));
        System.exit(simulation.broken.isEmpty() ? 0 : 1);
    }

    private void work(AtomicLong next, long last, long end) {
        while (System.nanoTime() < end) {
            long seed = next.getAndIncrement();
            if (seed > last) {
                return;
            }
            try {
                play(seed);
            } catch (AssertionError e) {
                broken.put(seed, e);
                System.out.println(e.getMessage());
            }
            if (seed % PROGRESS == 0) {
                System.out.println(played + " histories, seed " + seed + ": " + broken.size() + " broken so far");
            }
        }
    }
}
