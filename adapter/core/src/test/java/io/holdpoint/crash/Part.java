package io.holdpoint.crash;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Which points of a conversation a build tries: every so-manieth, from another one on in each build. All tests that kill processes share
 * one budget: {@code -Dholdpoint.kills=3} takes three times as many points in each of them, {@code -Dholdpoint.kills=all} takes them all. The
 * seed is printed: {@code -Dholdpoint.kills.seed} takes the same points again.
 */
final class Part {

    /** Whether no point is left out. */
    static final boolean ALL = "all".equals(System.getProperty("holdpoint.kills"));

    private static final int BUDGET = ALL ? 1 : Integer.getInteger("holdpoint.kills", 1);
    private static final long SEED = Long.getLong("holdpoint.kills.seed", System.nanoTime());

    static {
        System.out.println(ALL ? "-Dholdpoint.kills=all" : "-Dholdpoint.kills.seed=" + SEED);
    }

    private Part() {}

    private static Random random(Object subject) {
        return new Random(SEED ^ subject.toString().hashCode());
    }

    /** How often a test kills that takes its points by chance. */
    static int times(int kills) {
        return kills * BUDGET;
    }

    /** The points from 1 to the last one. */
    static List<Integer> ofPoints(Object subject, int last, int strideOfOneBudget) {
        int stride = Math.max(1, strideOfOneBudget / BUDGET);
        int from = ALL ? 1 : 1 + random(subject).nextInt(Math.min(stride, last));
        return IntStream.iterate(from, point -> point <= last, point -> point + (ALL ? 1 : stride))
                .boxed()
                .toList();
    }

    /** One of so many of a list. */
    static <T> List<T> of(List<T> all, int stride) {
        return ofPoints(all, all.size(), stride).stream()
                .map(number -> all.get(number - 1))
                .toList();
    }
}
