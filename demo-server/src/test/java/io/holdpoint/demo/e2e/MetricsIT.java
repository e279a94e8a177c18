package io.holdpoint.demo.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What Prometheus is told. */
class MetricsIT {

    private static HttpResponse<String> scrape(DemoProcess demo, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(demo.url().resolve("/metrics"));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
    }

    @Test
    void aHoldAnApprovalAndADenialAreCounted() throws Exception {
        try (DemoProcess demo = DemoProcess.start(Map.of())) {
            AguiTestClient client = new AguiTestClient(demo.url());
            JsonNode first = Json.only(client.say("Transfer 500 to Bob").interrupts());

            HttpResponse<String> held = scrape(demo);
            assertThat(held.headers().firstValue("Content-Type"))
                    .hasValueSatisfying(
                            type -> assertThat(type).startsWith("text/plain").contains("version=0.0.4"));
            assertThat(held.body().lines())
                    .contains(
                            "holdpoint_questions_total{tool=\"transferMoney\"} 1.0",
                            "holdpoint_runs_seconds_count{code=\"none\",outcome=\"interrupted\"} 1",
                            "holdpoint_streams_dropped_total 0.0",
                            "holdpoint_threads_unfinished 0.0");
            assertThat(held.body()).doesNotContain("holdpoint_decisions", "holdpoint_tool");

            client.resume(AguiTestClient.approve(first));
            JsonNode second = Json.only(client.say("Transfer 600 to Bob").interrupts());
            client.resume(AguiTestClient.deny(second, "Not now"));

            assertThat(scrape(demo).body().lines().map(line -> line.replaceFirst("quick=\"\\w+\",", "")))
                    .contains(
                            "holdpoint_questions_total{tool=\"transferMoney\"} 2.0",
                            "holdpoint_decisions_seconds_count{decision=\"approved\",edited=\"false\",tool=\"transferMoney\"} 1",
                            "holdpoint_decisions_seconds_count{decision=\"denied\",edited=\"false\",tool=\"transferMoney\"} 1",
                            "holdpoint_tool_executions_seconds_count{outcome=\"executed\",tool=\"transferMoney\"} 1",
                            "holdpoint_runs_seconds_count{code=\"none\",outcome=\"interrupted\"} 2",
                            "holdpoint_runs_seconds_count{code=\"none\",outcome=\"completed\"} 2");
        }
    }

    @Test
    void whoeverMustSayWhoTheyAreMustSayItHereToo() throws Exception {
        try (DemoProcess demo = DemoProcess.start(Map.of("BEARER_TOKENS", "ada=secret-1"))) {
            HttpResponse<String> refused = scrape(demo);

            assertThat(refused.statusCode()).isEqualTo(401);
            assertThat(refused.headers().firstValue("WWW-Authenticate")).contains("Bearer");
            assertThat(refused.body()).doesNotContain("holdpoint_");
            assertThat(scrape(demo, "Authorization", "Bearer secret-1").statusCode())
                    .isEqualTo(200);
        }
    }
}
