package io.holdpoint.spring;

import io.holdpoint.Holdpoint;
import io.holdpoint.Inbox;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/** The component {@code holdpoint} of the application's health: whether the agents' store answers. */
@AutoConfiguration(after = HoldpointAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnEnabledHealthIndicator("holdpoint")
class HoldpointHealthAutoConfiguration {

    @Bean
    HealthIndicator holdpointHealthIndicator(ObjectProvider<Holdpoint> agents) {
        return () -> {
            Health.Builder health =
                    Health.up().withDetail("agents", agents.stream().count());
            try {
                agents.forEach(agent -> agent.inbox(Inbox.Scope.OWN, Optional.empty(), 1));
                return health.build();
            } catch (RuntimeException e) {
                return health.down(e).build();
            }
        };
    }
}
