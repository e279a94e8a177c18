package io.holdpoint.hooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdpoint.Caller;
import io.holdpoint.EventSink;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunResult;
import io.holdpoint.agui.Event;
import io.holdpoint.hook.Extension;
import io.holdpoint.hook.Guest;
import io.holdpoint.store.Store;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.RecordingSink;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** When an agent calls its guests. */
class GuestTest {

    private final List<String> called = new ArrayList<>();
    private final Bench bench = new Bench();

    /** Writes down what is called on it. */
    private final class Noting implements Guest {

        private final String name;

        Noting(String name) {
            this.name = name;
        }

        private void note(String what) {
            called.add(name + " " + what);
        }

        @Override
        public void begin() {
            note("begins");
        }

        @Override
        public EventSink noticing(EventSink sink, Caller caller, String threadId) {
            note("notices " + caller.id());
            return sink;
        }

        @Override
        public void actOnTime() {
            note("acts");
        }

        @Override
        public void closing() {
            note("sees it closing");
        }

        @Override
        public void close() {
            note("closes");
        }

        @Override
        public void awaitEnd(long deadline) {
            note("has ended");
        }
    }

    private Extension joining(Guest guest, String name) {
        return agent -> {
            called.add(name + " joins");
            return guest;
        };
    }

    @Test
    void guestsBeginWhenAllHaveJoinedAndCloseTogetherWhenTheRunsHaveEnded() {
        Holdpoint agent = bench.another(
                builder -> builder.with(joining(new Noting("a"), "a")).with(joining(new Noting("b"), "b")));
        assertThat(called).containsExactly("a joins", "b joins", "a begins", "b begins");
        called.clear();

        agent.actOnTime();
        agent.shutdown(Duration.ZERO);

        assertThat(called)
                .containsExactly(
                        "a acts",
                        "b acts",
                        "a sees it closing",
                        "b sees it closing",
                        "a closes",
                        "b closes",
                        "a has ended",
                        "b has ended");
    }

    @Test
    void aGuestThatTwoExtensionsBringIsOne() {
        Noting guest = new Noting("a");

        bench.another(builder -> builder.with(joining(guest, "one"), joining(guest, "two")));

        assertThat(called).containsExactly("one joins", "two joins", "a begins");
    }

    @Test
    void aGuestSeesTheSinksOfClientsAndNotThoseOfPrograms() {
        Holdpoint agent = bench.another(builder -> builder.with(joining(new Noting("a"), "a")));
        bench.model.says("Hello.").says("Hello.");
        called.clear();

        agent.send("other", "Hi");
        agent.run(bench.input(Bench.user("u1", "Hi")), new RecordingSink()).join();

        assertThat(called).containsExactly("a notices anonymous");
    }

    @Test
    void anExtensionThatFailsLeavesNoGuestBehind() {
        Extension failing = agent -> {
            throw new IllegalArgumentException("a bad name");
        };

        assertThatThrownBy(() -> bench.another(builder -> builder.with(joining(new Noting("a"), "a"), failing)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a bad name");

        assertThat(called).containsExactly("a joins", "a sees it closing", "a closes", "a has ended");
    }

    /** Fails at whatever it is called. */
    private static class Failing implements Guest {

        private final Follower follower = new Follower() {
            @Override
            public void heard(Event event) {
                throw new NoClassDefFoundError("heard");
            }

            @Override
            public boolean isReading() {
                throw new IllegalStateException("isReading");
            }

            @Override
            public void ended() {
                throw new IllegalStateException("ended");
            }
        };

        @Override
        public EventSink noticing(EventSink sink, Caller caller, String threadId) {
            throw new IllegalStateException("noticing");
        }

        @Override
        public Optional<Follower> follower(Store.Lease run) {
            return Optional.of(follower);
        }

        @Override
        public void closing() {
            throw new IllegalStateException("closing");
        }

        @Override
        public void close() {
            throw new IllegalStateException("close");
        }

        @Override
        public void awaitEnd(long deadline) {
            throw new IllegalStateException("awaitEnd");
        }
    }

    @Test
    @Logs("* failed; the agent goes on")
    void aGuestThatFailsChangesNothingForRunsAndTheirEnd() {
        Holdpoint agent =
                bench.another(builder -> builder.with(another -> new Failing()).with(joining(new Noting("a"), "a")));
        bench.model.says("Hello.").says("Hello again.");

        RunResult first = agent.run(bench.input(Bench.user("u1", "Hi")), new RecordingSink())
                .join();
        RunResult second = agent.run(bench.input(Bench.user("u2", "Hi")), new RecordingSink())
                .join();
        called.clear();
        agent.shutdown(Duration.ZERO);

        assertThat(first).isInstanceOf(RunResult.Completed.class);
        assertThat(second).isInstanceOf(RunResult.Completed.class);
        assertThat(called).containsExactly("a sees it closing", "a closes", "a has ended");
    }

    @Test
    @Logs("* failed; the agent goes on")
    void aGuestThatCannotFollowKeepsNoThread() {
        Holdpoint agent = bench.another(builder -> builder.with(another -> new Failing() {
            @Override
            public Optional<Follower> follower(Store.Lease run) {
                throw new IllegalStateException("follower");
            }
        }));
        bench.model.says("Hello.").says("Hello again.");

        assertThat(agent.send(Bench.THREAD, "Hi")).isInstanceOf(RunResult.Completed.class);
        assertThat(agent.send(Bench.THREAD, "Hi")).isInstanceOf(RunResult.Completed.class);
    }

    @Test
    void anExtensionThatBringsNoGuestLeavesNoneBehind() {
        @SuppressWarnings("NullAway")
        Extension bringsNone = agent -> null;

        assertThatThrownBy(() -> bench.another(builder -> builder.with(joining(new Noting("a"), "a"), bringsNone)))
                .hasMessage("an extension brought null, not a guest");

        assertThat(called).containsExactly("a joins", "a sees it closing", "a closes", "a has ended");
    }
}
