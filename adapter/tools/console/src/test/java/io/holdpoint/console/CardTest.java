package io.holdpoint.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringReader;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the console makes of the interrupts of servers of other makes, which speak the drafts, and of ours. */
@Timeout(60)
class CardTest {

    private final List<String> inputs = new ArrayList<>();
    private HttpServer server;
    private String interrupt = "";

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.createContext("/", exchange -> {
            String input = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            inputs.add(input);
            String end = input.contains("\"resume\"")
                    ? "\"outcome\":\"success\""
                    : "\"outcome\":\"interrupt\",\"interrupt\":" + interrupt;
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody()
                    .write(("data: {\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"r\"}\n\n"
                                    + "data: {\"type\":\"RUN_FINISHED\",\"threadId\":\"t\",\"runId\":\"r\"," + end
                                    + "}\n\n")
                            .getBytes(StandardCharsets.UTF_8));
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private String console(String... lines) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int status = Console.run(
                new String[] {"--url", "http://127.0.0.1:" + server.getAddress().getPort() + "/agent"},
                new BufferedReader(new StringReader(String.join("\n", lines) + "\n")),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                true);
        assertThat(status).isZero();
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void whoHasApprovedWhoHasToAndWhatTimeWillDoIsShown() {
        interrupt = """
                {"id":"i","reason":"confirmation","payload":{"message":"Pay?","responseSchema":{"type":"object","properties":{"approved":{"type":"boolean"},"editedArgs":{"type":"object"}}},
                "metadata":{"langchain4j":{
                "approvals":{"needed":2,"groups":[{"needed":2,"audience":"treasury"}],"have":[{"by":"grace","at":"2026-11-23T09:00:00Z"}]},
                "mayDecide":false,
                "timeline":[{"at":"2026-11-23T13:00:00Z","step":"escalate","audience":"manager"},
                {"at":"2026-11-25T09:00:00Z","step":"give_up"}]}}}}""".replace("\n", "");

        assertThat(console("Pay", "a", "e", "w"))
                .contains(
                        "[d]eny or [w]ithdraw? ",
                        "   1 of 2 approvals",
                        "   needs 2 of treasury",
                        "   approved by grace at 2026-11-23T09:00:00Z",
                        "   waits for an approver: yours would be refused",
                        "   2026-11-23T13:00:00Z escalate to manager",
                        "   2026-11-25T09:00:00Z give up")
                .doesNotContain("[a]pprove");
        assertThat(inputs.get(1)).contains("\"resume\"").doesNotContain("\"approved\":true");
    }

    @Test
    void theClassOfTheCallThatOfItsMessageAndTheSecondOpinionAreShownBehindTheArguments() {
        interrupt = """
                {"id":"i","reason":"confirmation","payload":{"message":"Pay?","responseSchema":{"type":"object","properties":{"approved":{"type":"boolean"}}},
                "metadata":{"langchain4j":{"args":{"amount":5},
                "reversibility":"externally_reversible","batchReversibility":"irreversible",
                "secondOpinion":{"concern":"serious","reason":"The user did not ask for it."}}}}}""".replace("\n", "");

        assertThat(console("Pay", "d", ""))
                .containsSubsequence(
                        "   amount: 5",
                        "   externally reversible",
                        "   another call of the same message: irreversible",
                        "   second opinion, concern serious: The user did not ask for it.",
                        "[a]pprove");
    }

    @Test
    void thePlanIsShownAndTheNameOfAnArgumentIsNoLine() {
        interrupt = """
                {"id":"i","reason":"confirmation","payload":{"message":"Purge?","responseSchema":{"type":"object","properties":{"approved":{"type":"boolean"}}},
                "metadata":{"langchain4j":{"args":{"a\\n   amount: 5\\n   b":1},"effect":{"plan":{"rows":4},"facts":{"n":4},"within":{"n":{"most":1}}}}}}}""".replace("\n", "");

        assertThat(console("Purge", "d", ""))
                .contains(
                        "   a\\n   amount: 5\\n   b: 1",
                        "   would do: {\"rows\":4}",
                        "   runs only while this holds: {\"n\":4}, or differs by no more than {\"n\":{\"most\":1}}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "{'approved':{'type':'boolean'}} | ['to','amount']",
                "{'approved':{'type':'boolean'},'editedArgs':{'properties':{'to':{},'amount':{}}}} | []"
            })
    void theArgumentsAreShownInTheOrderOfTheirTool(String properties, String order) {
        interrupt = """
                {'id':'i','reason':'confirmation','payload':{'message':'Pay?','responseSchema':{'type':'object','properties':%s},
                'metadata':{'langchain4j':{'args':{'amount':5,'note':'','to':'bob'},'argsOrder':%s}}}}""".formatted(properties, order).replace("\n", "").replace('\'', '"');

        assertThat(console("Pay", "d", "")).containsSubsequence("   to: \"bob\"", "   amount: 5", "   note: ");
    }

    @Test
    void aFunctionIsShownAndApproved() {
        interrupt =
                "{\"id\":\"call-abc\",\"payload\":{\"functionName\":\"get_weather\",\"functionArguments\":{\"location\":\"Seattle\"}}}";

        String shown = console("What is the weather?", "a");

        assertThat(shown).contains("Run get_weather?", "   location: \"Seattle\"", "[a]pprove, [d]eny or [c]ancel?");
        assertThat(inputs.get(1))
                .endsWith("\"resume\":{\"interruptId\":\"call-abc\",\"payload\":{\"approved\":true}}}");
    }

    @Test
    void aProposalIsEdited() {
        interrupt =
                "{\"id\":\"int-abc123\",\"reason\":\"human_approval\",\"payload\":{\"proposal\":{\"tool\":\"sendEmail\",\"args\":"
                        + "{\"to\":\"a@b.com\",\"copies\":1}}}}";

        assertThat(console("Go", "e", "007", "2")).contains("Run sendEmail?", "to [\"a@b.com\"]: ", "copies [1]: ");

        assertThat(inputs.get(1))
                .endsWith("\"payload\":{\"approved\":true,\"modifications\":{\"to\":\"007\",\"copies\":2}}}}");
    }

    @Test
    void aPromptIsShownWithTheRestOfItsPayloadAndAnswered() {
        interrupt =
                "{\"id\":\"input-456\",\"payload\":{\"prompt\":\"Please provide your email address\",\"inputType\":\"email\"}}";

        assertThat(console("Go", "ada@example.com"))
                .contains("Please provide your email address", "inputType: \"email\"");

        assertThat(inputs.get(1))
                .endsWith("\"resume\":{\"interruptId\":\"input-456\",\"payload\":\"ada@example.com\"}}");
    }

    @Test
    void aToolThatTakesAResponseIsRespondedFor() {
        interrupt =
                "{\"id\":\"i\",\"reason\":\"confirmation\",\"payload\":{\"message\":\"Now?\",\"responseSchema\":{\"anyOf\":["
                        + "{\"type\":\"boolean\"},{\"type\":\"object\"}]},\"metadata\":{\"langchain4j\":{\"respond\":true}}}}";

        assertThat(console("Go", "/respond done by hand")).contains("answer (yes, no), /respond RESULT or /cancel: ");

        assertThat(inputs.get(1)).endsWith("\"payload\":{\"response\":\"done by hand\"}}}");
    }
}
