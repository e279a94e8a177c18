package io.holdpoint.spring;

import io.holdpoint.Caller;
import io.holdpoint.hook.Interceptor;
import io.holdpoint.hook.ObservedWork;
import java.security.Principal;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextHolderStrategy;

/** Takes callers from Spring Security, and lets tools work as the owner of their thread. */
@AutoConfiguration(after = HoldpointAutoConfiguration.class)
@ConditionalOnClass(SecurityContextHolder.class)
class HoldpointSecurityAutoConfiguration {

    private static final String RESOLVER = "holdpointCallers";

    @Bean
    @ConditionalOnMissingBean
    OwnerAuthentication holdpointOwnerAuthentication() {
        return owner -> owner.equals(Caller.ANONYMOUS)
                ? new AnonymousAuthenticationToken(
                        "holdpoint", owner.id(), AuthorityUtils.createAuthorityList("ROLE_ANONYMOUS"))
                : UsernamePasswordAuthenticationToken.authenticated(
                        owner.id(), null, AuthorityUtils.createAuthorityList(List.copyOf(owner.roles())));
    }

    @Bean
    Interceptor holdpointSecurityScope(OwnerAuthentication authentications) {
        return Interceptor.ofTools(call -> enter(authentications.of(call.owner())));
    }

    /**
     * The user of the security context of the thread that calls the agent. An application that tells callers in its own way has
     * to bind the agent, because its {@link CallerResolver} needs a request: "ada" of one tenant is not "ada" of another.
     */
    @Bean
    PresentCaller holdpointPresentCaller(ListableBeanFactory beans) {
        List<String> resolvers = List.of(beans.getBeanNamesForType(CallerResolver.class));
        return () -> {
            if (resolvers.stream().anyMatch(name -> !name.equals(RESOLVER))) {
                throw new IllegalStateException(
                        "The application has a CallerResolver, " + resolvers
                                + ", which cannot tell for whom an injected agent works. Write agent.as(caller) in front of the call.");
            }
            Authentication user = SecurityContextHolder.getContextHolderStrategy()
                    .getContext()
                    .getAuthentication();
            return user instanceof AnonymousAuthenticationToken ? Caller.ANONYMOUS : caller(user);
        };
    }

    private static Caller caller(@Nullable Principal principal) {
        if (principal == null) { // of a request, also if Spring Security calls the user anonymous
            return Caller.ANONYMOUS;
        }
        Set<String> roles = principal instanceof Authentication authentication
                ? authentication.getAuthorities().stream()
                        .map(GrantedAuthority::getAuthority)
                        .collect(Collectors.toUnmodifiableSet())
                : Set.of();
        return new Caller(principal.getName(), roles);
    }

    private static ObservedWork.Scope enter(Authentication owner) {
        SecurityContextHolderStrategy holder = SecurityContextHolder.getContextHolderStrategy();
        SecurityContext before = holder.getContext();
        SecurityContext context = holder.createEmptyContext();
        context.setAuthentication(owner);
        holder.setContext(context);
        return () -> {
            if (before.getAuthentication() == null) {
                holder.clearContext();
            } else {
                holder.setContext(before);
            }
        };
    }

    /** Of requests; only where there are some. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    static class Requests {

        @Bean(RESOLVER)
        @ConditionalOnMissingBean
        CallerResolver callers() {
            return request -> Optional.of(caller(request.getUserPrincipal()));
        }
    }
}
