package io.holdpoint.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Test;

/** No version that the demo, the gateway or an application with Spring Boot gets has a known advisory. */
class AdvisoriesIT {

    @Test
    void nothingShippedHasAKnownAdvisory() {
        List<JsonNode> bills = Advisories.bills();
        assumeThat(bills.isEmpty() && !"true".equals(System.getenv("CI")))
                .as("Maven was offline, and made no bills of materials")
                .isFalse();

        assertThat(bills)
                .extracting(bill -> bill.at("/metadata/component/name").asText())
                .contains("holdpoint-demo-server", "holdpoint-mcp", "holdpoint-spring-boot-starter");
        assertThat(Advisories.read().against(bills)).isEmpty();
    }
}
