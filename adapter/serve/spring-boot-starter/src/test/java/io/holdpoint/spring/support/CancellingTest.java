package io.holdpoint.spring.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunResult;
import io.holdpoint.test.ScriptedModel;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

/** How an application tests its agent. */
// readme
@SpringBootTest(properties = "spring.datasource.url=jdbc:sqlite:target/cancelling.db")
class CancellingTest {

    @Autowired
    private Holdpoint agent;

    @Autowired
    private ScriptedModel model;

    @Test
    void aBookingIsCancelledOnlyAfterAReviewerHasApproved() {
        model.calls("cancelBooking", Map.of("bookingNumber", "MS-777", "customerName", "John Doe"))
                .says("It is cancelled.");
        Holdpoint reviewer = agent.as(Caller.of("grace", "ROLE_REVIEWER"));

        RunResult held = agent.as(Caller.of("ada", "ROLE_CUSTOMER")).send("thread-1", "Cancel MS-777");
        RunResult done = reviewer.resume("thread-1", held.approval().approve("agreed by phone"));

        assertThat(done.orThrow().text()).isEqualTo("It is cancelled.");
    }
}
// end
