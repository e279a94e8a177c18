package io.holdpoint.spring;

import io.holdpoint.Holdpoint;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** The component {@code holdpoint} of the health of an application on Spring Boot 4, see {@link AgentsHealth}. */
@AutoConfiguration(after = HoldpointAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnEnabledHealthIndicator("holdpoint")
class HoldpointBoot4HealthAutoConfiguration {

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
