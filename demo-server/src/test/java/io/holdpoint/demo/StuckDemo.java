package io.holdpoint.demo;

import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RunResult;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.demo.tools.DemoEffects;
import io.holdpoint.hook.RunObserver;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The demo's agent, without its server, in the middle of approved calls that do not return: a process to be killed. Its model,
 * tools and tables are those of the demo.
 */
public final class StuckDemo {

    /** Begins the line that says that a thread is stuck. */
    public static final String STUCK = "STUCK ";

    private StuckDemo() {}

    /**
     * Says something on each thread, approves everything, and stays in a call.
     *
     * @param args three for each thread: its id, what is said, and how many tools return before one does not
     */
    public static void main(String[] args) {
        DemoSettings settings = DemoSettings.read(System.getenv());
        DemoDatabase database = DemoDatabase.open(settings.database());
        for (int i = 0; i < args.length; i += 3) {
            StuckClock clock = new StuckClock(Integer.parseInt(args[i + 2]));
            Holdpoint agent = DemoAgent.create(settings, database, new DemoEffects(clock), new RunObserver() {});
            String threadId = args[i];
            String text = args[i + 1];
            new Thread(() -> approve(agent, clock, threadId, text), threadId).start();
        }
    }

    private static void approve(Holdpoint agent, StuckClock clock, String threadId, String text) {
        RunResult result = agent.send(threadId, text);
        if (!(result instanceof RunResult.Interrupted held)) {
            System.out.println("not held: " + result);
            System.exit(1);
            return;
        }
        clock.whenStuck(() -> System.out.println(STUCK + threadId + " "
                + held.interrupts().stream().map(PendingInterrupt::id).collect(Collectors.joining(","))));
        List<ResumeEntry> answers = held.interrupts().stream()
                .map(asked -> asked.asApproval().approve())
                .toList();
        System.out.println("not stuck: " + agent.resume(threadId, answers));
        System.exit(1);
    }
}
