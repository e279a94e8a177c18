package io.holdpoint.readme;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.Holdpoint;
import io.holdpoint.RunResult;
import io.holdpoint.test.ScriptedModel;
import io.javalin.Javalin;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** README.md's section on who may decide. */
class WhoMayDecideTest {

    private final ScriptedModel model = new ScriptedModel();
    private final List<String> outbox = new CopyOnWriteArrayList<>();
    private final Holdpoint agent = WhoMayDecide.agent(model, (to, subject, body) -> outbox.add(to));

    @Test
    void somebodyElseThanTheRequesterDecides() {
        model.calls(call("c1", "sendEmail", "{\"to\":\"bob\",\"subject\":\"Hi\",\"body\":\"Hello\"}"))
                .says("Done.");

        assertThat(WhoMayDecide.askAndLetDecide(agent)).isInstanceOf(RunResult.Completed.class);
        assertThat(outbox).containsExactly("bob");
    }

    @Test
    void theServerKnowsItsCallersByTheirTokens() throws Exception {
        Javalin server = WhoMayDecide.serve(agent, "a", "g").start("127.0.0.1", 0);
        try {
            URI uri = URI.create("http://127.0.0.1:" + server.port() + "/agent/capabilities");
            HttpClient client = HttpClient.newHttpClient();
            HttpRequest known = HttpRequest.newBuilder(uri)
                    .header("Authorization", "Bearer a")
                    .build();
            HttpRequest unknown = HttpRequest.newBuilder(uri).build();

            assertThat(client.send(known, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
            assertThat(client.send(unknown, BodyHandlers.ofString()).statusCode())
                    .isEqualTo(401);
        } finally {
            server.stop();
        }
    }
}
