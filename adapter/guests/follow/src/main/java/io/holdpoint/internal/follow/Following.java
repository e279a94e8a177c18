package io.holdpoint.internal.follow;

import io.holdpoint.Holdpoint;
import io.holdpoint.follow.FollowSettings;
import io.holdpoint.hook.Guest;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.run.AgentRuns;
import io.holdpoint.internal.run.Inside;
import io.holdpoint.store.Store.Lease;
import java.util.Optional;

/** All that is beside an agent for those who follow its threads: one for all callers. Thread-safe. */
public final class Following implements Guest {

    private final LiveRuns live;
    public final ThreadHistory history;
    public final Inboxes inboxes;
    public final Changes changes;

    private Following(AgentConfig<?> config, FollowSettings settings) {
        this.live = new LiveRuns(config, settings);
        this.history = new ThreadHistory(config, settings, live);
        this.inboxes = new Inboxes(config);
        this.changes = new Changes(config, settings);
    }

    /** A new one, for an agent that is built with settings. */
    public static Following joining(Holdpoint agent, FollowSettings settings) {
        AgentRuns<?> runs = Inside.of(agent).runs();
        if (runs.guests.find(Following.class).isPresent()) {
            throw new IllegalArgumentException(
                    "Follow.settings() are given twice. Give them once, with all that they are to say.");
        }
        return new Following(runs.config, settings);
    }

    /** That of the agent, which has the defaults unless it was built with settings. */
    public static Following of(AgentRuns<?> runs, FollowSettings defaults) {
        return runs.guests.joined(Following.class, () -> new Following(runs.config, defaults));
    }

    @Override
    public Optional<Follower> follower(Lease run) {
        return Optional.of(live.begin(run));
    }

    @Override
    public void closing() {
        changes.close();
    }
}
