/**
 * Spring Boot: AI Services whose tools need approval become agents, which are served over AG-UI. Applications see
 * {@link io.holdpoint.spring.AgentCustomizer}, {@link io.holdpoint.spring.CallerResolver},
 * {@link io.holdpoint.spring.OwnerAuthentication} and the properties of {@link io.holdpoint.spring.HoldpointProperties}.
 */
@NullMarked
package io.holdpoint.spring;

import org.jspecify.annotations.NullMarked;
