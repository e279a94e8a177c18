package io.holdpoint.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.holdpoint.laws.History;
import io.holdpoint.testing.Logs;
import org.junit.jupiter.api.Test;

/**
 * Histories of several nodes, threads and clients, in which everything goes wrong that can: the laws hold after every step.
 * In those of negative seeds several people answer, and clocks differ by up to an hour. A seed that fails is named, and gives the same
 * history again: {@code -Dholdpoint.simulation.seed=17}.
 * {@code -Dholdpoint.simulation.histories=100000} plays more of them, and so does {@link Simulation}.
 */
@Logs({
    "Run * on thread * failed",
    "Run * could not be started",
    "Tool '*' execution failed",
    "The batch * could not be continued",
    "Lease* could not be given back",
    "Purging failed",
    "Due work on thread * failed",
    "The chat memory of the thread * holds a conversation, but the store does not know the thread",
    "The chat memory of thread * was not kept",
    "A call of the tool * was refused to the model because of its arguments"
})
class SimulationTest {

    private static final long FIRST = Long.getLong("holdpoint.simulation.seed", 1);

    private static final int HISTORIES = Integer.getInteger(
            "holdpoint.simulation.histories", System.getProperty("holdpoint.simulation.seed") == null ? 150 : 1);

    @Test
    void theLawsHoldInEveryHistory() {
        Simulation simulation = new Simulation(History::play);
        for (long seed = FIRST; seed < FIRST + HISTORIES; seed++) {
            simulation.play(seed);
        }
        for (long seed = -1; seed >= -HISTORIES / 2; seed--) {
            simulation.play(seed);
        }
        if (HISTORIES > 1) {
            assertThat(simulation.counts())
                    .containsKeys(
                            "an access fails",
                            "a node dies",
                            "a node is restarted",
                            "the clock jumps",
                            "time has acted in 1 thread(s)",
                            "Waits",
                            "Runs",
                            "VOTED",
                            "REMINDED",
                            "EXPIRED",
                            "another node takes over",
                            "cancelled true",
                            "a grant is revoked",
                            "Completed",
                            "Interrupted",
                            "RUN_IN_PROGRESS",
                            "RUN_FAILED",
                            "INTERRUPT_ALREADY_RESOLVED",
                            "tool_call",
                            "langchain4j:outcome_unknown",
                            "langchain4j:tool_error",
                            "langchain4j:may_i");
        }
    }

    @Test
    void noBodyIsEnteredAfterAHalt() {
        Simulation simulation = new Simulation(History::halting);
        for (long seed = FIRST; seed < FIRST + HISTORIES; seed++) {
            simulation.play(seed);
        }
        for (long seed = -1; seed >= -HISTORIES / 2; seed--) {
            simulation.play(seed);
        }
        if (HISTORIES > 1) {
            assertThat(simulation.counts())
                    .containsKeys(
                            "a halt", "AGENT_HALTED", "decide AGENT_HALTED", "Completed", "cancelled true", "EXPIRED");
        }
    }

    /** A turn that was given up had streamed a call, whose id the model took again in the next turn of the same run. */
    @Test
    void aHistoryThatOnceBrokeTheStream() {
        assertThatCode(() -> new Simulation(History::play).play(20_700_632)).doesNotThrowAnyException();
    }

    @Test
    void aSeedGivesTheSameHistoryAgain() {
        for (long seed = FIRST; seed < FIRST + 10; seed++) {
            assertThat(History.play(seed)).isEqualTo(History.play(seed));
            assertThat(History.play(-seed)).isEqualTo(History.play(-seed));
        }
    }
}
