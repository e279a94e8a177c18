package io.holdpoint.spring.support;

import io.holdpoint.Approvals;
import io.holdpoint.Audience;
import io.holdpoint.ToolPolicy;
import org.springframework.context.annotation.Bean;

/** A policy that no application of the tests picks up. */
final class TwoReviewers {

    // readme
    @Bean
    ToolPolicy twoReviewersCancel() {
        return ToolPolicy.named("cancelBooking").approvals(Approvals.of(2).by(Audience.role("ROLE_REVIEWER")));
    }
    // end
}
