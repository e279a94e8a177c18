package io.holdpoint.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.agui.RunEvent;
import io.holdpoint.testing.Shape;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Two processes on one PostgreSQL. One is stopped in the middle of a run ({@code SIGSTOP}), wherever that is, until its lease
 * has ended and the other one has brought the conversation to its end; then it comes back ({@code SIGCONT}). The ordinary build
 * tries {@linkplain Part a part} of the points.
 */
class TwoProcessesIT {

    private static final int STRIDE = 10;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @EnumSource(names = {"STREAMING", "BLOCKING"})
    void whatANodeWritesAfterItLostItsLeaseIsLost(Shape shape) throws Exception {
        Kills.Subject subject = new Kills.Subject(Scenario.ONE_CALL, shape, CrashPoints.Detail.STEPS);
        List<String> failures = new ArrayList<>();
        try (Nodes nodes = new Nodes();
                Kills kills = new Kills(nodes, Engine.POSTGRESQL.in(directory), directory);
                NodeProcess first = NodeProcess.start();
                NodeProcess second = NodeProcess.start()) {
            Story.Told undisturbed = kills.undisturbed(subject);
            List<String> points = undisturbed.points().get(0);
            for (int at : Part.ofPoints("stopped " + shape, points.size(), STRIDE)) {
                try {
                    judge(Pause.tell(first, second, plot(subject, at)), undisturbed);
                } catch (AssertionError e) {
                    failures.add("stopped at " + points.get(at - 1) + ": " + e.getMessage());
                }
            }
        }
        assertThat(failures).isEmpty();
    }

    private Story.Plot plot(Kills.Subject subject, int point) {
        String threadId = "paused-" + subject.shape() + "-" + point;
        return new Story.Plot(
                Engine.postgres(),
                threadId,
                directory.resolve(threadId),
                subject.scenario(),
                subject.shape(),
                Client.Habit.SENDS_AGAIN,
                Person.OnUnknown.SAYS_DONE,
                subject.detail(),
                List.of(point));
    }

    private static void judge(Pause.Told told, Story.Told undisturbed) {
        Verdict.on(told.story(), undisturbed);
        if (told.cameTooLate()) {
            assertThat(told.late()).containsInstanceOf(RunEvent.Error.class);
        }
    }
}
