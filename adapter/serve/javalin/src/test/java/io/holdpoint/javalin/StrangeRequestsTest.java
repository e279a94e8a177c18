package io.holdpoint.javalin;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.OfficeTools;
import io.javalin.Javalin;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ids and numbers that are none: the client is told so, and not that the server cannot be reached for a few seconds. */
class StrangeRequestsTest {

    private static Holdpoint agent;
    private static Javalin server;

    @BeforeAll
    static void start() {
        agent = Holdpoint.builder(Bench.Assistant.class)
                .streamingChatModel(new ScriptedModel())
                .tools(new OfficeTools())
                .build();
        server = Javalin.create(config -> {
                    config.startup.showJavalinBanner = false;
                    config.registerPlugin(new AgUiPlugin(agui -> agui.agent(agent)
                            .proposalRole("*")
                            .authenticator(Authenticator.bearerTokens(Map.of("a", Caller.of("ada"))))));
                })
                .start("127.0.0.1", 0);
    }

    @AfterAll
    static void stop() {
        server.stop();
        agent.close();
    }

    private static HttpResponse<String> ask(String method, String path, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/agent" + path))
                .header("Authorization", "Bearer a")
                .header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofString(body))
                .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = '|',
            value = {
                "/questions | `\"interruptId\":\"i\",\"action\":\"look\"`",
                "/questions | `\"interruptId\":\"i\",\"action\":\"moreTime\"`",
                "/questions | `\"interruptId\":\"i\",\"action\":\"hand\",\"to\":\"grace\"`",
                "/plans | `\"interruptId\":\"i\",\"status\":\"resolved\",\"payload\":{\"approved\":true}`",
                "/decisions | `\"interruptId\":\"i\",\"status\":\"resolved\",\"payload\":{\"approved\":true}`",
                "/cancel | `\"a\":1`",
                "/history | `\"runId\":\"r\"`",
                "/proposals | `\"tool\":\"sendEmail\",\"arguments\":{},\"id\":\"p\"`",
                "`` | `\"runId\":\"r\",\"messages\":[]`",
            })
    void anIdThatCannotBeIsRefused(String path, String rest) throws Exception {
        for (String id : new String[] {"a\\u0000b", "a\\ud800", "x".repeat(2_000)}) {
            HttpResponse<String> told = ask("POST", path, "{\"threadId\":\"" + id + "\"," + rest + "}");
            assertThat(told.statusCode())
                    .as(path + " " + id + " " + told.body())
                    .isBetween(200, 499);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"tool\":\"sendEmail\",\"arguments\":{\"to\":\"\\u0000\"}",
                "\"tool\":\"sendEmail\",\"arguments\":{\"to\":\"\\ud800\"}",
                "\"tool\":\"sendEmail\",\"arguments\":{\"to\":1e999999999}",
                "\"tool\":\"sendEmail\",\"arguments\":{\"to\":1e99999999999999999999}",
                "\"tool\":\"sendEmail\",\"arguments\":{\"\\u0000\":1}",
                "\"tool\":\"\",\"arguments\":{}",
                "\"tool\":\"\\u0000\",\"arguments\":{}",
                "\"tool\":\"sendEmail\",\"id\":\"\",\"arguments\":{}",
            })
    @Logs("A call of the tool * was refused to the model because of its arguments")
    void aProposalThatCannotBeIsRefused(String body) throws Exception {
        HttpResponse<String> told = ask("POST", "/proposals", "{" + body + "}");
        assertThat(told.statusCode()).as(told.body()).isBetween(200, 499);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"resume\":[{\"interruptId\":\"i\",\"status\":\"resolved\",\"payload\":{\"a\":1e999999999}}]",
                "\"messages\":[{\"id\":\"m\",\"role\":\"user\",\"content\":\"\\u0000\"}]",
                "\"forwardedProps\":{\"a\":1e999999999}",
                "\"forwardedProps\":{\"holdpoint\":{\"replaces\":\"\\u0000\"}}",
                "\"state\":{\"a\":1e999999999,\"\\u0000\":\"\\ud800\"}",
            })
    void anInputThatCannotBeIsRefused(String body) throws Exception {
        String all = (body.contains("messages") ? "" : "\"messages\":[],") + body;
        HttpResponse<String> told = ask("POST", "", "{\"threadId\":\"t9\",\"runId\":\"r\"," + all + "}");
        assertThat(told.statusCode()).as(told.body()).isBetween(200, 499);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/proposals/a?threadId=%zz",
                "/proposals/a?threadId=%ff",
                "/proposals/%ff",
                "/interrupts?cursor=%zz",
                "/interrupts?limit=%",
                "/decided?before=%ff%fe",
                "/interrupts?threads=%c3%28",
            })
    void anAddressThatCannotBeReadIsRefused(String path) throws Exception {
        try (Socket client = new Socket("127.0.0.1", server.port())) {
            String request = "GET /agent" + path
                    + " HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer a\r\nConnection: close\r\n\r\n";
            client.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            String told = new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(told).startsWith("HTTP/1.1 4").contains("\"code\"");
        }
    }
}
