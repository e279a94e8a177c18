package io.holdpoint.spring.support;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.demo.e2e.NodeProject;
import io.holdpoint.test.ScriptedModel;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;

/** The application, and the official AG-UI client in Node.js, which the demo's tests have. */
class CustomerSupportIT {

    private static final String CANCEL = "{\"bookingNumber\":\"%s\",\"customerName\":\"John Doe\"}";

    @TempDir
    Path folder;

    @Test
    void theOfficialClientAgreesWithTheApplication() throws Exception {
        NodeProject client = NodeProject.install(
                Path.of("..", "..", "..", "demo-server", "src", "test", "e2e"),
                Path.of("target"),
                "the official AG-UI client with Spring Boot");
        try (ConfigurableApplicationContext application = CustomerSupportTest.start(folder)) {
            application
                    .getBean(ScriptedModel.class)
                    .calls(call("c1", "cancelBooking", CANCEL.formatted("MS-777")))
                    .says("It is cancelled.")
                    .calls(call("c2", "cancelBooking", CANCEL.formatted("MS-778")))
                    .says("A person has to look at it.");

            client.run(
                    Map.of("HOLDPOINT_URL", CustomerSupportTest.url(application)),
                    List.of("node", "--test", "--test-reporter=spec", "scenarios/customer-support.mjs"));

            BookingService bookings = application.getBean(BookingService.class);
            assertThat(bookings.find("MS-777").cancelled()).isTrue();
            assertThat(bookings.find("MS-778").cancelled()).isFalse();
            assertThat(bookings.seen()).containsExactly(new BookingService.Seen("ada", true));
        }
    }
}
