package io.holdpoint.spring;

import io.holdpoint.Holdpoint;
import io.holdpoint.Inbox;
import io.holdpoint.reach.NotifierStatus;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;

/**
 * The component {@code holdpoint} of an application's health: whether the agents' store answers, how many dead runs wait for a look, and
 * how many notices could not be delivered.
 *
 * @param failure why the store does not answer
 */
record AgentsHealth(Map<String, Object> details, Optional<RuntimeException> failure) {

    static AgentsHealth of(ObjectProvider<Holdpoint> agents) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("agents", agents.stream().count());
        try {
            agents.forEach(agent -> agent.inbox(Inbox.Scope.OWN, Optional.empty(), 1));
            details.put(
                    "unfinished",
                    agents.stream().mapToInt(Holdpoint::unfinished).sum());
            details.put(
                    "undelivered",
                    agents.stream()
                            .flatMap(agent -> agent.notifiers().stream())
                            .mapToInt(NotifierStatus::undelivered)
                            .sum());
            return new AgentsHealth(details, Optional.empty());
        } catch (RuntimeException e) {
            return new AgentsHealth(details, Optional.of(e));
        }
    }
}
