package io.holdpoint.readme;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.Holdpoint;
import io.holdpoint.RunResult;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.TestDatabase;
import io.javalin.Javalin;
import java.math.BigDecimal;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Runs what README.md shows. */
class QuickStartTest {

    private static final String MAIL = "{\"to\":\"ada@example.com\",\"subject\":\"Hi\",\"body\":\"Hello\"}";

    private final ScriptedModel model = new ScriptedModel();
    private final List<String> outbox = new CopyOnWriteArrayList<>();
    private final Holdpoint agent =
            QuickStart.agent(model, (to, subject, body) -> outbox.add(to + "|" + subject + "|" + body));

    @Test
    void aMailIsSentOnceItIsApproved() {
        model.calls(call("c1", "sendEmail", MAIL)).says("I wrote to Ada.");

        RunResult result = QuickStart.askAndApprove(agent);

        assertThat(result).isInstanceOfSatisfying(RunResult.Completed.class, done -> assertThat(done.text())
                .isEqualTo("I wrote to Ada."));
        assertThat(outbox).containsExactly("ada@example.com|Hi|Hello");
    }

    @Test
    void theQuestionIsTheOneInTheComment() {
        model.calls(call("c1", "sendEmail", MAIL));

        agent.send("thread-1", "Write to Ada");

        assertThat(agent.pending("thread-1")).singleElement().satisfies(question -> assertThat(question.message())
                .isEqualTo("Send email to \"ada@example.com\" with subject 'Hi'?"));
    }

    @Test
    void laterAllIsDenied() {
        model.calls(call("c1", "sendEmail", MAIL), call("c2", "sendEmail", MAIL))
                .says("As you wish.");
        agent.send("thread-1", "Write to Ada, twice");

        RunResult result = QuickStart.denyAll(agent);

        assertThat(result).isInstanceOf(RunResult.Completed.class);
        assertThat(outbox).isEmpty();
        assertThat(model.lastResult("c2")).contains("not today");
    }

    @Test
    void anEditReplacesAllArguments() {
        model.calls(call("c1", "sendEmail", MAIL)).says("I wrote to Ada.");
        agent.send("thread-1", "Write to Ada");

        QuickStart.approveWithEdits(agent, agent.pending("thread-1").get(0).asApproval());

        assertThat(outbox).containsExactly("ada@example.com|Hello|See you on Friday.");
    }

    @Test
    void aRunIsListenedTo() {
        model.saysAndCalls("I write. ", call("c1", "sendEmail", MAIL));
        StringBuilder screen = new StringBuilder();

        RunResult result = QuickStart.listen(agent, screen);

        assertThat(screen.toString()).isEqualTo("I write. Send email to \"ada@example.com\" with subject 'Hi'?");
        assertThat(result.approvals()).hasSize(1);
    }

    @Test
    void theEndpointStreamsTheHold() throws Exception {
        model.calls(call("c1", "sendEmail", MAIL));
        Javalin server = QuickStart.serve(agent, 0);
        try {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/agent"))
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofString("{\"threadId\":\"t\",\"runId\":\"r\",\"messages\":["
                            + "{\"id\":\"m1\",\"role\":\"user\",\"content\":\"Write to Ada\"}]}"))
                    .build();
            var response = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.body())
                    .startsWith("data: {\"type\":\"RUN_STARTED\"")
                    .contains("\"outcome\":{\"type\":\"interrupt\"");
        } finally {
            server.stop();
        }
        assertThat(outbox).isEmpty();
    }

    @Test
    void anotherNodeOnTheDatabaseTakesTheAnswer() {
        try (TestDatabase database = TestDatabase.sqlite()) {
            model.calls(call("c1", "sendEmail", MAIL)).says("I wrote to Ada.");
            QuickStart.durable(model, (to, subject, body) -> {}, database.dataSource())
                    .send("thread-1", "Write to Ada");
            Holdpoint node = QuickStart.durable(model, (to, subject, body) -> outbox.add(to), database.dataSource());

            RunResult result = node.resume(
                    "thread-1", node.pending("thread-1").get(0).asApproval().approve());

            assertThat(result).isInstanceOf(RunResult.Completed.class);
            assertThat(outbox).containsExactly("ada@example.com");
        }
    }

    @Test
    void aToolKnowsWhichCallItExecutes() {
        model.calls(call("c1", "transferMoney", "{\"amount\":20,\"to\":\"Bob\"}"))
                .says("Done.");
        BankTools tools = new BankTools();
        Holdpoint banker = Holdpoint.builder(Assistant.class)
                .streamingChatModel(model)
                .tools(tools)
                .build();
        banker.send("t", "Pay Bob");

        banker.resume("t", banker.pending("t").get(0).asApproval().approve());

        assertThat(tools.bank).containsExactly(new BankTools.Transfer(new BigDecimal("20"), "Bob", "c1"));
    }
}
