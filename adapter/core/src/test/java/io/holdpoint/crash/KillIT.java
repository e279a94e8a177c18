package io.holdpoint.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.testing.Shape;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The process is killed at a point of a conversation, a new one goes on, and the client does what a client does. The
 * ordinary build takes {@linkplain Part a part} of the conversations and of their points.
 */
class KillIT {

    private static final Logger LOG = LoggerFactory.getLogger(KillIT.class);

    private static final int CONVERSATIONS = 4;
    private static final int POINTS = 25;
    private static final int DETAILED_POINTS = 30;

    private static Nodes nodes;

    @TempDir
    private Path directory;

    @BeforeAll
    static void start() {
        nodes = new Nodes();
    }

    @AfterAll
    static void stop() {
        nodes.close();
    }

    static List<Arguments> conversations() {
        List<Arguments> all = new ArrayList<>();
        for (Engine engine : Engine.values()) {
            for (Scenario scenario : Scenario.values()) {
                for (Shape shape : shapes(scenario)) {
                    all.add(Arguments.of(engine, scenario, shape));
                }
            }
        }
        return Part.of(all, CONVERSATIONS);
    }

    /** Only a batch of several calls has something to run concurrently. */
    private static List<Shape> shapes(Scenario scenario) {
        return scenario == Scenario.MIXED ? List.of(Shape.values()) : List.of(Shape.STREAMING, Shape.BLOCKING);
    }

    @ParameterizedTest
    @MethodSource("conversations")
    void everyPoint(Engine engine, Scenario scenario, Shape shape) throws InterruptedException {
        everyPoint(engine, new Kills.Subject(scenario, shape, CrashPoints.Detail.STEPS), POINTS);
    }

    @ParameterizedTest
    @EnumSource
    void withinTransactionsAndBetweenEvents(Engine engine) throws InterruptedException {
        Kills.Subject subject = new Kills.Subject(Scenario.ONE_CALL, Shape.STREAMING, CrashPoints.Detail.ALL);
        everyPoint(engine, subject, DETAILED_POINTS);
    }

    private void everyPoint(Engine engine, Kills.Subject subject, int stride) throws InterruptedException {
        try (Kills kills = new Kills(nodes, engine.in(directory), directory)) {
            Story.Told undisturbed = kills.undisturbed(subject);
            int points = undisturbed.points().get(0).size();
            List<Callable<Void>> stories = new ArrayList<>();
            for (int at : Part.ofPoints(engine + " " + subject, points, stride)) {
                stories.add(() -> at(at, kills, subject, undisturbed));
            }
            kills.all(stories);
            LOG.info("{} {}: {} points, {} kills", engine, subject, points, kills.count());
            assertThat(kills.count()).isGreaterThanOrEqualTo(stories.size()).isPositive();
        }
    }

    /** If the person had to say what came of a call, the other things that a person may say are tried as well. */
    private static Void at(int point, Kills kills, Kills.Subject subject, Story.Told undisturbed) {
        Client.Habit habit = Client.Habit.values()[point % Client.Habit.values().length];
        Story.Told told = kills.judged(subject, habit, Person.OnUnknown.LOOKS, List.of(point), undisturbed);
        if (told.person().wasAskedAboutOutcome()) {
            for (Person.OnUnknown other : Person.OnUnknown.values()) {
                if (Part.ALL ? other != Person.OnUnknown.LOOKS : other.ordinal() == 1 + point % 4) {
                    kills.judged(subject, habit, other, List.of(point), undisturbed);
                }
            }
        }
        return null;
    }

    /**
     * The ordinary build begins with a kill right before the answer is stored, with the claim, so that the next process, which has
     * opened the database of another one, gets the answer again and is killed while it executes.
     */
    @Test
    void againWhileTheNextProcessRecovers() throws InterruptedException {
        Kills.Subject subject = new Kills.Subject(Scenario.ONE_CALL, Shape.STREAMING, CrashPoints.Detail.STEPS);
        try (Kills kills = new Kills(nodes, Engine.SQLITE.in(directory), directory)) {
            Story.Told undisturbed = kills.undisturbed(subject);
            List<String> points = undisturbed.points().get(0);
            int answered = points.indexOf(
                    "before the commit of 0 message(s), turn Keep, batch ANSWERED [DECIDED], batch ANSWERED [CLAIMED]");
            assertThat(answered).as("the answer's commit in %s", points).isNotNegative();
            List<Callable<Void>> stories = new ArrayList<>();
            for (int point = Part.ALL ? 1 : answered + 1;
                    point <= points.size();
                    point += Part.ALL ? 1 : DETAILED_POINTS) {
                int at = point;
                stories.add(() -> again(at, kills, subject, undisturbed));
            }
            kills.all(stories);
            LOG.info("{}, killed twice: {} kills", subject, kills.count());
        }
    }

    private static Void again(int point, Kills kills, Kills.Subject subject, Story.Told undisturbed) {
        Client.Habit habit = Client.Habit.values()[point % Client.Habit.values().length];
        Story.Told once = kills.judged(subject, habit, Person.OnUnknown.LOOKS, List.of(point), undisturbed);
        List<String> recovery = once.points().get(1).subList(0, once.firstRuns().get(1));
        assertThat(recovery).isNotEmpty();
        for (int second = 1; second <= recovery.size(); second++) {
            if (Part.ALL || second % 9 == 0 || recovery.get(second - 1).endsWith("took effect")) {
                kills.judged(subject, habit, Person.OnUnknown.LOOKS, List.of(point, second), undisturbed);
            }
        }
        return null;
    }
}
