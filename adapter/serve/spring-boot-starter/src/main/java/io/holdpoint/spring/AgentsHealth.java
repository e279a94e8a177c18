package io.holdpoint.spring;

import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.hook.ReaderStatus;
import io.holdpoint.oversight.Figures;
import io.holdpoint.reach.Reach;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;

/**
 * The component {@code holdpoint} of an application's health: whether the agents' store answers, how many dead runs wait for a look, and
 * how many notices could not be delivered, and of each notifier how far it is behind and how often it has failed here.
 */
record AgentsHealth(Map<String, Object> details, Optional<RuntimeException> failure) {

    static AgentsHealth of(ObjectProvider<Holdpoint> agents) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("agents", agents.stream().count());
        try {
            agents.forEach(agent -> agent.as(Caller.ANONYMOUS).pending("health"));
            details.put(
                    "unfinished", agents.stream().mapToInt(Figures::unfinished).sum());
            details.put(
                    "undelivered",
                    agents.stream()
                            .flatMap(agent -> Reach.of(agent).notifiers().stream())
                            .mapToInt(ReaderStatus::undelivered)
                            .sum());
            details.put(
                    "notifiers",
                    agents.stream()
                            .flatMap(agent -> Reach.of(agent).notifiers().stream())
                            .map(AgentsHealth::notifier)
                            .toList());
            return new AgentsHealth(details, Optional.empty());
        } catch (RuntimeException e) {
            return new AgentsHealth(details, Optional.of(e));
        }
    }

    private static Map<String, Object> notifier(ReaderStatus status) {
        long lag = status.waitingSince()
                .map(since -> Duration.between(since, Instant.now()).toSeconds())
                .orElse(0L);
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("agent", status.agent());
        details.put("notifier", status.name());
        details.put("lagSeconds", Math.max(0, lag));
        details.put("failures", status.failures());
        return details;
    }
}
