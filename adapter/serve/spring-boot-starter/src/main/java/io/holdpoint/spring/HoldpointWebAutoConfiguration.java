package io.holdpoint.spring;

import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.agui.SiteGuard;
import io.holdpoint.internal.servlet.AgUiEndpoints;
import io.holdpoint.internal.servlet.KeepAlive;
import io.holdpoint.internal.servlet.OpenServer;
import io.holdpoint.internal.servlet.Pace;
import io.holdpoint.internal.servlet.RequestBodies;
import io.holdpoint.internal.servlet.SseStreams;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ForkJoinPool;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.web.servlet.DispatcherServlet;

/** Serves agents by Spring MVC. */
@AutoConfiguration(after = {HoldpointAutoConfiguration.class, HoldpointSecurityAutoConfiguration.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(DispatcherServlet.class)
@ConditionalOnProperty(name = "holdpoint.endpoints", matchIfMissing = true)
class HoldpointWebAutoConfiguration {

    /** Is told of each client that is dropped because it does not read. */
    @FunctionalInterface
    interface StreamDrops {
        void dropped();
    }

    /** Knows somebody only if the server itself has signed them in, as none does that Spring Boot starts. */
    private static final class ServerPrincipals implements CallerResolver {

        @Override
        public Optional<Caller> resolve(HttpServletRequest request) {
            Principal principal = request.getUserPrincipal();
            return Optional.of(principal == null ? Caller.ANONYMOUS : Caller.of(principal.getName()));
        }
    }

    @Bean
    @ConditionalOnMissingBean
    CallerResolver holdpointCallers() {
        return new ServerPrincipals();
    }

    @Bean(AiServiceBeans.ENDPOINTS)
    AgUiController holdpointEndpoints(
            ObjectProvider<Holdpoint> agents,
            ListableBeanFactory beans,
            CallerResolver callers,
            HoldpointProperties properties,
            ObjectProvider<StreamDrops> drops,
            Environment environment) {
        if (callers instanceof ServerPrincipals) {
            OpenServer.warn(
                    environment.getProperty("server.address"), "up Spring Security, or a bean of type CallerResolver");
        }
        Map<String, Holdpoint> served = new HashMap<>(beans.getBeansOfType(Holdpoint.class));
        if (served.size() == 1) {
            served.clear();
        }
        agents.ifUnique(agent -> served.put("", agent));
        SseStreams streams = new SseStreams(
                properties.bufferBytes(),
                KeepAlive.keepAlive(KeepAlive.Timer.JDK, properties.keepAlive()),
                drops.getIfAvailable(() -> () -> {})::dropped,
                ForkJoinPool.commonPool());
        AgUiEndpoints endpoints = new AgUiEndpoints(
                served,
                new SiteGuard(properties.hosts(), "holdpoint.hosts=%s"),
                Optional.empty(),
                Optional.ofNullable(properties.dialect()),
                new AgUiEndpoints.Roles(
                        Optional.ofNullable(properties.haltRole()),
                        Optional.ofNullable(properties.figuresRole()),
                        Optional.ofNullable(properties.proposalRole())),
                streams,
                new Pace(),
                (agent, input) -> {
                    if (properties.cancelOnDisconnect()) {
                        agent.cancel(input.threadId(), input.runId());
                    }
                });
        return new AgUiController(endpoints, callers, new RequestBodies(properties.maxBodyBytes()));
    }
}
