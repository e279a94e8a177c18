package io.holdpoint.readme;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RunResult;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Logs;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** README.md's section on what a reviewer sees and may do. */
class ReviewsTest {

    private final ScriptedModel model = new ScriptedModel();

    private Holdpoint agent(Object tools) {
        return Holdpoint.builder(Assistant.class)
                .streamingChatModel(model)
                .tools(tools)
                .build();
    }

    private static PendingInterrupt only(Holdpoint agent) {
        return agent.pending("thread-1").get(0);
    }

    @Test
    void someArgumentsMayBeEditedAndTheOthersMayNot() {
        Reviews.Newsletters newsletters = new Reviews.Newsletters();
        Holdpoint agent = agent(newsletters);
        model.calls(call("c1", "sendNewsletter", "{\"list\":\"all\",\"subject\":\"Hi\",\"body\":\"Well\"}"))
                .says("Done.");
        agent.send("thread-1", "Send it");

        RunResult refused = agent.resume(
                "thread-1",
                only(agent).asApproval().approveWith(Map.of("list", "press", "subject", "Hi", "body", "Well")));
        assertThat(refused).isInstanceOfSatisfying(RunResult.Failed.class, failed -> assertThat(failed.code())
                .isEqualTo(ErrorCode.INTERRUPT_PAYLOAD_INVALID));
        agent.resume("thread-1", Reviews.edited(only(agent).asApproval()));

        assertThat(newsletters.sent).containsExactly("all: News: All is well.");
    }

    @Test
    @Logs("A call of the tool * was refused to the model because of its arguments")
    void constraintsHoldForTheModel() {
        Reviews.Invoices invoices = new Reviews.Invoices();
        Holdpoint agent = agent(invoices);
        model.calls(call(
                        "c1",
                        "sendInvoice",
                        "{\"to\":{\"name\":\"Ada\",\"address\":\"nowhere\"},\"amount\":0,\"text\":\"\"}"))
                .says("I see.");

        assertThat(agent.send("thread-1", "Send it")).isInstanceOf(RunResult.Completed.class);

        assertThat(model.lastResult("c1")).contains("/to/address: must be an email address", "/amount: ");
        assertThat(invoices.sent).isEmpty();
    }

    @Test
    void aPersonAnswersInPlaceOfTheTool() {
        Reviews.Archive archive = new Reviews.Archive();
        Holdpoint agent = agent(archive);
        model.calls(call("c1", "readFile", "{\"number\":\"7\"}")).says("A lease.");
        agent.send("thread-1", "What is in file 7?");

        RunResult result = Reviews.respond(agent, only(agent).asApproval());

        assertThat(result).isInstanceOf(RunResult.Completed.class);
        assertThat(archive.requested).isEmpty();
        assertThat(model.lastResult("c1")).endsWith("It is on my desk: a lease of 1998.");
    }

    @Test
    void theReviewerSeesWhatWouldBeAffected() {
        Holdpoint agent = Reviews.agent(model, new Reviews.Customers() {
            @Override
            public List<String> inactive() {
                return List.of("Globex", "Initech");
            }

            @Override
            public int deleteInactive() {
                return 2;
            }
        });
        model.calls(call("c1", "deleteInactive", "{}")).says("Done.");
        agent.send("thread-1", "Clean up");

        assertThat(only(agent)
                        .interrupt()
                        .metadata()
                        .at("/langchain4j/effect/plan/rows")
                        .asInt())
                .isEqualTo(2);
        agent.resume("thread-1", only(agent).asApproval().approve());
        assertThat(model.lastResult("c1")).isEqualTo("2 deleted");
    }
}
