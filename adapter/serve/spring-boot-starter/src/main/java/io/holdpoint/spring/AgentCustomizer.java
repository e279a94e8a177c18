package io.holdpoint.spring;

import io.holdpoint.HoldpointBuilder;

/**
 * Changes the agents that are made of AI Services, before they are built. All beans of this type are called, in their order,
 * after the properties have been applied.
 */
@FunctionalInterface
public interface AgentCustomizer {

    /**
     * Changes an agent.
     *
     * @param beanName the name of the agent, which was the name of the AI Service
     * @param agent its builder, with models, tools and what was found in the application context
     */
    void customize(String beanName, HoldpointBuilder<?> agent);
}
