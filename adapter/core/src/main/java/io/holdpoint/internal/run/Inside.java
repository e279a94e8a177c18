package io.holdpoint.internal.run;

import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The inside of an agent as somebody uses it, for the other modules of this library. */
public record Inside(AgentRuns<?> runs, Supplier<Caller> callers) {

    private static volatile @Nullable Function<Holdpoint, Inside> door;

    public static Inside of(Holdpoint agent) {
        return Objects.requireNonNull(door).apply(agent); // set by the class of the agent
    }

    /** The agent's class, which alone knows, says how to look inside. */
    public static void openBy(Function<Holdpoint, Inside> opens) {
        door = opens;
    }

    public Caller caller() {
        return callers.get();
    }

    /** The caller's thread of that id, as the store has it. */
    public String thread(Caller caller, String id) {
        return runs.config.threadIds.of(caller, id);
    }
}
