package io.holdpoint.readme;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.AskedQuestion;
import io.holdpoint.Caller;
import io.holdpoint.Decided;
import io.holdpoint.Holdpoint;
import io.holdpoint.follow.Follow;
import io.holdpoint.follow.Inbox;
import io.holdpoint.test.ScriptedModel;
import io.javalin.Javalin;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** The guide for approvers. */
class ApprovingTest {

    private final ScriptedModel model = new ScriptedModel();
    private final List<String> outbox = new CopyOnWriteArrayList<>();
    private final Holdpoint agent = Approving.agent(model, (to, subject, body) -> outbox.add(to));

    private void held() {
        model.calls(call("c1", "sendEmail", "{\"to\":\"bob\",\"subject\":\"Hi\",\"body\":\"Hello\"}"))
                .says("Done.");
        agent.as(Caller.of("ada")).send("thread-1", "Write to Bob");
    }

    @Test
    void theSecondOfTreasuryLetsItRun() {
        held();

        String first = Approving.decide(agent, Caller.of("grace", "approver", "treasury"), "thread-1");
        String legal = Approving.decide(agent, Caller.of("luke", "approver", "legal"), "thread-1");

        assertThat(first).isEqualTo("1 question(s) wait for somebody else");
        assertThat(legal).startsWith("INTERRUPT_FORBIDDEN");
        assertThat(Approving.decide(agent, Caller.of("heidi", "approver", "treasury"), "thread-1"))
                .endsWith("goes on");
        assertThat(Approving.groups().needed()).isEqualTo(2);
    }

    @Test
    void overHttpAnAnswerIsABodyWithoutAStream() throws Exception {
        held();
        String question = agent.as(Caller.of("ada")).pending("thread-1").get(0).id();
        Javalin server = Approving.serve(agent, "g", "h").start("127.0.0.1", 0);
        try {
            assertThat(decide(server, "g", question)).startsWith("202 {\"status\":\"waits\"");
            assertThat(decide(server, "h", question)).startsWith("202 {\"status\":\"runs\",\"runId\":\"");
        } finally {
            server.stop();
        }
    }

    @Test
    void manyAreDecidedTogetherAndEachStandsAlone() {
        held();
        Caller grace = Caller.of("grace", "approver", "treasury");
        List<AskedQuestion> seen = Follow.of(agent.as(grace))
                .inbox(Inbox.Scope.ACCESSIBLE, Optional.empty(), 10)
                .items();

        assertThat(Approving.decideAll(agent, grace, seen)).singleElement().isInstanceOf(Decided.Waits.class);
    }

    private static String decide(Javalin server, String token, String question) throws Exception {
        String body = "{\"threadId\": \"thread-1\", \"interruptId\": \"" + question
                + "\", \"status\": \"resolved\", \"payload\": {\"approved\": true}}";
        var response = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/agent/decisions"))
                                .header("Content-Type", "application/json")
                                .header("Authorization", "Bearer " + token)
                                .POST(BodyPublishers.ofString(body))
                                .build(),
                        BodyHandlers.ofString());
        return response.statusCode() + " " + response.body();
    }
}
