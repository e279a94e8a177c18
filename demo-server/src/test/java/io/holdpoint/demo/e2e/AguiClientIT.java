package io.holdpoint.demo.e2e;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The official AG-UI client against the packaged server. */
class AguiClientIT {

    @Test
    void theOfficialClientAgreesWithTheServer() throws Exception {
        try (DemoProcess demo = DemoProcess.start(Map.of())) {
            NodeTests.run(Map.of("HOLDPOINT_URL", demo.url().toString()), List.of(demo));
        }
    }
}
