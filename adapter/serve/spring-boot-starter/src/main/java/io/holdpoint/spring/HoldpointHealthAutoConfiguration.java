package io.holdpoint.spring;

import io.holdpoint.Holdpoint;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/** The component {@code holdpoint} of the health of an application on Spring Boot 3.5, see {@link AgentsHealth}. */
@AutoConfiguration(after = HoldpointAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnEnabledHealthIndicator("holdpoint")
class HoldpointHealthAutoConfiguration {

    @Bean
    HealthIndicator holdpointHealthIndicator(ObjectProvider<Holdpoint> agents) {
        return () -> {
            AgentsHealth health = AgentsHealth.of(agents);
            return health.failure()
                    .map(failure -> Health.down(failure).withDetails(health.details()))
                    .orElseGet(() -> Health.up().withDetails(health.details()))
                    .build();
        };
    }
}
