package io.holdpoint.spring;

import io.holdpoint.Holdpoint;
import io.holdpoint.micrometer.HoldpointMetrics;
import io.holdpoint.micrometer.HoldpointObservations;
import io.holdpoint.spring.HoldpointWebAutoConfiguration.StreamDrops;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Meters and spans of agents, in the registries of the application. */
@AutoConfiguration(
        before = HoldpointAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration",
            // as Spring Boot 4 calls them
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration"
        })
@ConditionalOnClass({MeterRegistry.class, ObservationRegistry.class})
class HoldpointMetricsAutoConfiguration {

    @Bean
    @ConditionalOnBean(MeterRegistry.class)
    @ConditionalOnMissingBean
    HoldpointMetrics holdpointMetrics(MeterRegistry registry) {
        return HoldpointMetrics.of(registry);
    }

    @Bean
    @ConditionalOnBean(HoldpointMetrics.class)
    StreamDrops holdpointStreamDrops(HoldpointMetrics metrics) {
        return metrics::streamDropped;
    }

    @Bean
    @ConditionalOnBean(HoldpointMetrics.class)
    SmartInitializingSingleton holdpointUnfinished(HoldpointMetrics metrics, ObjectProvider<Holdpoint> agents) {
        return () -> agents.forEach(metrics::watch);
    }

    @Bean
    @ConditionalOnBean(ObservationRegistry.class)
    @ConditionalOnMissingBean
    HoldpointObservations holdpointObservations(ObservationRegistry registry) {
        return HoldpointObservations.of(registry);
    }
}
