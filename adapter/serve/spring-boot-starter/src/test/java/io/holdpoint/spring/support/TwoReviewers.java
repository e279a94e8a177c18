package io.holdpoint.spring.support;

import io.holdpoint.Approvals;
import io.holdpoint.Audience;
import io.holdpoint.Holdpoint;
import io.holdpoint.ToolPolicy;
import org.springframework.context.annotation.Bean;
import org.springframework.scheduling.annotation.Scheduled;

/** A policy and a job that no application of the tests picks up. */
final class TwoReviewers {

    private final Holdpoint agent;

    TwoReviewers(Holdpoint agent) {
        this.agent = agent;
    }

    // readme
    @Scheduled(cron = "0 * * * * *")
    void actOnTime() {
        agent.actOnTime();
    }
    // end

    // readme
    @Bean
    ToolPolicy twoReviewersCancel() {
        return ToolPolicy.named("cancelBooking").approvals(Approvals.of(2).by(Audience.role("ROLE_REVIEWER")));
    }
    // end
}
