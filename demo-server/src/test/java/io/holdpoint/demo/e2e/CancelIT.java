package io.holdpoint.demo.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The official client stops what it is waiting for. */
class CancelIT {

    @Test
    void theOfficialClientCancelsAndGoesOn() throws Exception {
        OpenAiReply.Stalled stalled =
                new OpenAiReply.Stalled(OpenAiReply.text("Once upon a time there was a model that talked for ever."));
        try (FakeOpenAiServer openAi = FakeOpenAiServer.start(7);
                DemoProcess demo = DemoProcess.start(Map.of(
                        "OPENAI_API_KEY", "test",
                        "OPENAI_BASE_URL", openAi.baseUrl(),
                        "OPENAI_MODEL", "gpt-test"))) {
            openAi.then(stalled, OpenAiReply.text("Shorter: hello."));
            openAi.then(OpenAiReply.calls(
                    new OpenAiReply.Call("call_bob", "transferMoney", "{\"amount\":500,\"to\":\"Bob\"}")));
            openAi.then(OpenAiReply.text("Nothing was transferred."));

            NodeTests.run(Map.of("HOLDPOINT_URL", demo.url().toString()), List.of(demo), "scenarios/cancel.mjs");

            assertThat(stalled.brokenOff().await(ChildProcess.HANG_GUARD_SECONDS, TimeUnit.SECONDS))
                    .as("the model's stream is broken off")
                    .isTrue();
            assertThat(openAi.violations()).isEmpty();
            List<JsonNode> second = Json.elements(openAi.requests().get(1).path("messages"));
            assertThat(second)
                    .as("what the model is told of what it was not allowed to finish")
                    .extracting(message -> message.path("role").asText())
                    .containsExactly("system", "user", "assistant", "user");
        }
    }
}
