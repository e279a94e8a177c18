package io.holdpoint.crash;

import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/**
 * The points of a process at which it can be killed: counts them as they are passed, and stands still at one of them until
 * it is killed, or told to go on.
 */
final class CrashPoints {

    /** How closely points follow one another. */
    enum Detail {
        /** What the laws speak of: the store, the memory, the model, tools, the end of a stream. */
        STEPS,
        /** The same, and every statement that writes to the database, every commit, every event. */
        ALL
    }

    private final Detail detail;
    private final int stopAt;
    private final Consumer<String> report;
    private final CountDownLatch goOn = new CountDownLatch(1);
    private boolean counting;
    private int passed;

    /**
     * @param stopAt the number of the point to stand still at, from 1; 0 for none
     */
    CrashPoints(Detail detail, int stopAt, Consumer<String> report) {
        this.detail = detail;
        this.stopAt = stopAt;
        this.report = report;
    }

    /** Points that nobody counts. */
    static CrashPoints none() {
        return new CrashPoints(Detail.STEPS, 0, line -> {});
    }

    /** Begins to count: what was passed before, when tables were made for instance, is no point. */
    synchronized void begin() {
        counting = true;
    }

    /** A step. */
    void pass(String name) {
        if (isTheOne(name)) {
            try {
                goOn.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** A point within a step. */
    void passDetail(String name) {
        if (detail == Detail.ALL) {
            pass(name);
        }
    }

    void goOn() {
        goOn.countDown();
    }

    private synchronized boolean isTheOne(String name) {
        if (!counting) {
            return false;
        }
        passed++;
        boolean stops = passed == stopAt;
        report.accept((stops ? Line.AT : Line.POINT).with(name));
        return stops;
    }
}
