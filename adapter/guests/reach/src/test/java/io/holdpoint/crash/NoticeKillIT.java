package io.holdpoint.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.hook.Extension;
import io.holdpoint.reach.Notice;
import io.holdpoint.reach.Reach;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A process is killed also while it tells people of what time has done, and no notice is lost. */
class NoticeKillIT extends SweepKillIT {

    /** What people are told, by thread. What was decided before the notifier looks is told as settled only. */
    private static final Map<String, Set<String>> NOTICES = Map.of(
            "lend", Set.of("ASKED", "REMINDED"),
            "sell", Set.of("SETTLED"),
            "buy", Set.of("SETTLED"),
            "transfer", Set.of("ASKED"));

    /** The notifier of the processes, which writes into a file. */
    public static final class Telling implements CrashNode.Guests {

        @Override
        public Extension of(Order.Open order, CrashPoints points) {
            Effects notices = notices(Path.of(order.effects()));
            return Reach.notifier("people", notice -> tell(notice, notices, points));
        }

        private static void tell(Notice notice, Effects notices, CrashPoints points) {
            points.pass("before somebody is told that a question is " + notice.kind());
            notices.append(new Effects.Effect(
                    notice.id(), notice.threadId(), notice.kind().name(), "-"));
            points.pass("after somebody is told that a question is " + notice.kind());
        }
    }

    private static Effects notices(Path effects) {
        return new Effects(Path.of(effects + ".notices"));
    }

    /** Two of three points are those of the sweep without a notifier. */
    @Override
    int stride() {
        return 2 * super.stride();
    }

    @Override
    void checkMore(String where, Effects effects) {
        NOTICES.forEach(
                (threadId, kinds) -> check(where, notices(effects.file()).of(threadId), kinds));
    }

    /** None is lost; the one during which the process was killed may come twice, with the same id. */
    private static void check(String where, List<Effects.Effect> told, Set<String> kinds) {
        assertThat(told).as(where).extracting(Effects.Effect::tool).containsOnly(kinds.toArray(String[]::new));
        assertThat(told.stream().map(Effects.Effect::key).distinct()).as(where).hasSameSizeAs(kinds);
        assertThat(told).as(where).hasSizeBetween(kinds.size(), kinds.size() + 1);
    }
}
