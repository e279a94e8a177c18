package io.holdpoint.crash;

import io.holdpoint.testing.Shape;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/** Tells a story once without a kill, and then once for each point with a kill there, several at a time. */
final class Kills implements AutoCloseable {

    /** Processes at work at a time. A kill is mostly the start of the next process, which takes one core and a half. */
    private static final int AT_A_TIME = 2;

    /** Threads have different names also if their conversations are the same. */
    private static final AtomicInteger TOLD = new AtomicInteger();

    private final Databases databases;
    private final Path directory;
    private final Nodes nodes;
    private final ExecutorService workers = Executors.newFixedThreadPool(AT_A_TIME);
    private final AtomicInteger kills = new AtomicInteger();

    /** Where stories take place. */
    interface Databases {

        /** A database in which no thread of this name is known. */
        Database forThread(String threadId);
    }

    Kills(Nodes nodes, Databases databases, Path directory) {
        this.nodes = nodes;
        this.databases = databases;
        this.directory = directory;
    }

    /** What is told again and again. */
    record Subject(Scenario scenario, Shape shape, CrashPoints.Detail detail) {}

    Story.Told undisturbed(Subject subject) {
        Story.Told quiet = tell(subject, Client.Habit.SENDS_AGAIN, Person.OnUnknown.LOOKS, List.of());
        Verdict.on(quiet, quiet);
        return quiet;
    }

    Story.Told tell(Subject subject, Client.Habit habit, Person.OnUnknown onUnknown, List<Integer> crashes) {
        String threadId = subject.scenario() + "-" + subject.shape() + "-" + TOLD.incrementAndGet();
        Story.Told result = Story.tell(
                nodes,
                new Story.Plot(
                        databases.forThread(threadId),
                        threadId,
                        directory.resolve(threadId + ".effects"),
                        subject.scenario(),
                        subject.shape(),
                        habit,
                        onUnknown,
                        subject.detail(),
                        crashes));
        kills.addAndGet(result.kills());
        return result;
    }

    /** A story with a kill, judged. */
    Story.Told judged(
            Subject subject,
            Client.Habit habit,
            Person.OnUnknown onUnknown,
            List<Integer> crashes,
            Story.Told undisturbed) {
        String what = subject + ", " + habit + ", " + onUnknown + ", killed at " + crashes;
        try {
            Story.Told result = tell(subject, habit, onUnknown, crashes);
            Verdict.on(result, undisturbed);
            return result;
        } catch (AssertionError | RuntimeException e) {
            List<String> points = undisturbed.points().get(0);
            String point = crashes.get(0) <= points.size() ? points.get(crashes.get(0) - 1) : "no such point";
            throw new AssertionError(what + ", " + point + ": " + e.getMessage(), e);
        }
    }

    /** Runs all, some at a time. */
    void all(List<Callable<Void>> stories) throws InterruptedException {
        List<AssertionError> failures = new ArrayList<>();
        for (Future<Void> story : workers.invokeAll(stories)) {
            try {
                story.get();
            } catch (ExecutionException e) {
                failures.add(new AssertionError(e.getCause().getMessage(), e.getCause()));
            }
        }
        if (!failures.isEmpty()) {
            throw new AssertionError(
                    failures.size() + " of " + stories.size() + " went wrong:\n\n"
                            + failures.stream().map(Throwable::getMessage).collect(Collectors.joining("\n\n")),
                    failures.get(0));
        }
    }

    /** How many processes were killed so far. */
    int count() {
        return kills.get();
    }

    @Override
    public void close() {
        workers.shutdownNow();
    }
}
