package io.holdpoint.internal.turn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdpoint.internal.turn.Turn.TurnOutcome;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TurnEndTest {

    private final List<TurnOutcome> delivered = new ArrayList<>();
    private final Turn.End end = new Turn.End(delivered::add);
    private final TurnOutcome failed =
            TurnOutcome.failed(new IllegalStateException("first"), Failures.Origin.ELSEWHERE);

    @Test
    void theFirstOutcomeCounts() {
        end.with(failed);
        end.with(TurnOutcome.completed(null, "late"));

        assertThat(delivered).containsExactly(failed);
    }

    @Test
    void theEndWaitsForToolsThatAreRunning() {
        end.enter();
        end.enter();
        end.with(failed);
        end.leave();
        assertThat(delivered).isEmpty();

        end.leave();

        assertThat(delivered).containsExactly(failed);
    }

    @Test
    void anEndAtOnceDoesNotWaitAndIsDeliveredOnce() {
        end.enter();
        end.atOnceWith(failed);
        assertThat(delivered).containsExactly(failed);

        end.leave();
        end.atOnceWith(failed);

        assertThat(delivered).containsExactly(failed);
    }

    @Test
    void anEndThatWaitsCanBeHurried() {
        end.enter();
        end.with(failed);
        end.atOnceWith(TurnOutcome.STOPPED);
        assertThat(delivered).as("the first outcome counts").containsExactly(failed);

        end.leave();

        assertThat(delivered).containsExactly(failed);
    }

    @Test
    void theEndIsDeliveredAlsoIfTheToolThrows() {
        assertThatThrownBy(() -> {
                    end.enter();
                    try {
                        end.with(failed);
                        throw new IllegalArgumentException("tool");
                    } finally {
                        end.leave();
                    }
                })
                .hasMessage("tool");

        assertThat(delivered).containsExactly(failed);
    }

    @Test
    void aTurnThatHasEndedStartsNoTool() {
        end.with(failed);

        assertThatThrownBy(end::enter).isInstanceOf(IllegalStateException.class);
    }
}
