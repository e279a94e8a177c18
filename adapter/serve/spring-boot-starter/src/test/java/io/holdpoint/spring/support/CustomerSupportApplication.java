package io.holdpoint.spring.support;

import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.reach.Links;
import io.holdpoint.test.ScriptedModel;
import java.net.URI;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

/** The application: no line of it makes an agent of the AI Service, or an endpoint. */
@SpringBootApplication
@EnableMethodSecurity
public class CustomerSupportApplication {

    // readme
    @Bean
    ScriptedModel model() {
        return new ScriptedModel();
    }
    // end

    // readme
    @Bean
    ApprovalAuthorizer reviewers() {
        return ApprovalAuthorizer.role("ROLE_REVIEWER");
    }
    // end

    @Bean
    Links links() {
        return Links.signed(URI.create("https://support.example.com/agent"), Links.Key.of("k", new byte[32]));
    }

    @Bean
    UserDetailsService users() {
        return new InMemoryUserDetailsManager(
                User.withUsername("ada").password("{noop}a").roles("CUSTOMER").build(),
                User.withUsername("eve").password("{noop}e").roles("CUSTOMER").build(),
                User.withUsername("grace").password("{noop}g").roles("REVIEWER").build());
    }

    // readme
    @Bean
    SecurityFilterChain security(HttpSecurity http) throws Exception {
        return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                .httpBasic(Customizer.withDefaults())
                .csrf(csrf -> csrf.ignoringRequestMatchers("/agent/**", "/agents/**"))
                .build();
    }
    // end
}
