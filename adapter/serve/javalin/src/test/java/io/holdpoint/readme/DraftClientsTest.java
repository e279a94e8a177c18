package io.holdpoint.readme;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.Holdpoint;
import io.holdpoint.test.ScriptedModel;
import io.javalin.Javalin;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** README.md's section on clients that speak the draft. */
class DraftClientsTest {

    private static final String MAIL = "{\"to\":\"ada@example.com\",\"subject\":\"Hi\",\"body\":\"Hello\"}";

    @Test
    void bothDialectsAreServed() throws Exception {
        ScriptedModel model = new ScriptedModel();
        List<String> outbox = new CopyOnWriteArrayList<>();
        Holdpoint agent = QuickStart.agent(model, (to, subject, body) -> outbox.add(to));
        model.calls(call("c1", "sendEmail", MAIL)).says("Sent.");
        Javalin server = DraftClients.server(agent).start("127.0.0.1", 0);
        try {
            String held =
                    post(server, "/draft", "\"messages\":[{\"id\":\"m\",\"role\":\"user\",\"content\":\"Write\"}]");
            assertThat(held).contains("\"outcome\":\"interrupt\"", "\"interrupt\":{\"id\":\"int_");

            String id = agent.pending("t").get(0).id();
            assertThat(post(server, "/agent", "\"messages\":[]")).contains("\"outcome\":{\"type\":\"interrupt\"");
            assertThat(post(
                            server,
                            "/draft",
                            "\"messages\":[],\"resume\":{\"interruptId\":\"" + id
                                    + "\",\"payload\":{\"approved\":true}}"))
                    .contains("\"outcome\":\"success\"");
            assertThat(outbox).containsExactly("ada@example.com");
        } finally {
            server.stop();
        }
    }

    private static String post(Javalin server, String path, String rest) throws Exception {
        String body = "{\"threadId\":\"t\",\"runId\":\"r\"," + rest + "}";
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                                .header("Content-Type", "application/json")
                                .POST(HttpRequest.BodyPublishers.ofString(body))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
    }
}
