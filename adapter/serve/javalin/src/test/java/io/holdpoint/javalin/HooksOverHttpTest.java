package io.holdpoint.javalin;

import static io.holdpoint.testing.Bench.user;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.Caller;
import io.holdpoint.ErrorCode;
import io.holdpoint.RunRejectedException;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.hook.Interceptor;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.TestServer;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/** What a client gets of hooks over HTTP. */
class HooksOverHttpTest {

    private static HttpResponse<String> post(BiFunction<Caller, RunAgentInput, RunAgentInput> hook) {
        Bench bench = new Bench(builder -> builder.interceptors(Interceptor.ofInput(hook)));
        bench.model.says("Hello.");
        try (TestServer server = new TestServer(
                bench.agent(),
                agui -> agui.authenticator(Authenticator.bearerTokens(Map.of("secret", Caller.of("ada")))))) {
            return server.send(server.request("/agent")
                    .header("Content-Type", "application/json")
                    .header("Authorization", "Bearer secret")
                    .POST(BodyPublishers.ofString(AguiCodec.write(bench.input(user("u1", "Hi"))))));
        }
    }

    @Test
    void aRefusedInputIs400AndJson() throws Exception {
        HttpResponse<String> response = post((caller, input) -> {
            throw new RunRejectedException(ErrorCode.INPUT_REJECTED, "Not you, " + caller.id() + ".");
        });

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.headers().firstValue("Content-Type").orElse("")).startsWith("application/json");
        assertThat(AguiCodec.mapper().readTree(response.body()))
                .isEqualTo(AguiCodec.mapper().readTree("{\"code\":\"INPUT_REJECTED\",\"message\":\"Not you, ada.\"}"));
    }

    @Test
    @Logs("Run * could not be started")
    void aHookThatThrowsIsAStreamWithNothingButAnError() {
        HttpResponse<String> response = post((caller, input) -> {
            throw new IllegalStateException("broken");
        });

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body())
                .contains("RUN_ERROR", "HOOK_FAILED")
                .doesNotContain("RUN_STARTED")
                .doesNotContain("broken");
    }
}
