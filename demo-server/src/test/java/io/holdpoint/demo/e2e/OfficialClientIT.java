package io.holdpoint.demo.e2e;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The official AG-UI client against the packaged server. */
class OfficialClientIT {

    @Test
    void theOfficialClientAgreesWithTheServer() throws Exception {
        try (DemoProcess demo = DemoProcess.start(Map.of())) {
            NodeTests.run(Map.of("HOLDPOINT_URL", demo.url().toString()), List.of(demo));
        }
    }

    @Test
    void theOfficialClientExecutesAToolThatTheServerDeclares(@TempDir Path noPages) throws Exception {
        try (ClientsServer server = new ClientsServer(noPages)) {
            NodeTests.run(Map.of("HOLDPOINT_URL", server.url()), List.of(), "scenarios/servers-client-tools.mjs");
        }
    }
}
