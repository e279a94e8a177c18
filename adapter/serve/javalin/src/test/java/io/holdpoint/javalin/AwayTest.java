package io.holdpoint.javalin;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.RequiresApproval;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.reach.Links;
import io.holdpoint.reach.Reach;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Store;
import io.holdpoint.store.StoreException;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.TestServer;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** While the database or the directory of people is away, every route says so in its own form, and when to come again. */
class AwayTest {

    private static final Caller ADA = Caller.of("ada", "r");

    /** A tool about which a link decides. */
    static final class Mail {

        @Tool("Sends a mail")
        @RequiresApproval(decideByLink = true)
        public String send(String to) {
            return "sent";
        }
    }

    private final ScriptedModel model = new ScriptedModel();
    private final Store memory = new InMemoryStore();
    private volatile boolean isStoreAway;
    private volatile boolean isDirectoryAway;

    private final Holdpoint agent = Holdpoint.builder(Bench.Assistant.class)
            .streamingChatModel(model)
            .tools(new Mail())
            .store((Store) Proxy.newProxyInstance(
                    Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                        if (isStoreAway) {
                            throw new StoreException("the database is away", new SQLException("refused"));
                        }
                        try {
                            return method.getName().equals("of") ? proxy : method.invoke(memory, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    }))
            .people(person -> {
                if (isDirectoryAway) {
                    throw new IllegalStateException("the directory is away");
                }
                return Optional.of(Caller.of(person, "r"));
            })
            .approvalAuthorizer(ApprovalAuthorizer.role("r"))
            .with(Reach.links(Links.signed(URI.create("http://127.0.0.1/agent"), Links.Key.of("k", new byte[32]))))
            .build();
    private final TestServer server = new TestServer(
            agent,
            agui -> agui.haltRole("r").figuresRole("r").authenticator(Authenticator.bearerTokens(Map.of("ada", ADA))));

    @AfterEach
    void stop() {
        isStoreAway = false;
        server.close();
    }

    private String held() {
        model.calls(call("c1", "send", "{\"to\":\"Bob\"}"));
        return agent.as(ADA).send("t", "Go").interrupts().get(0).id();
    }

    private HttpResponse<String> ask(String method, String path, String body) {
        return server.send(server.request(path)
                .header("Authorization", "Bearer ada")
                .header("Content-Type", "application/json")
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET|/interrupts|''",
                "GET|/halted|''",
                "POST|/halt|{\"reason\":\"x\"}",
                "POST|/release|{\"reason\":\"x\"}",
                "POST|/cancel|{\"threadId\":\"t\"}",
                "POST|/history|{\"threadId\":\"t\",\"runId\":\"r\"}",
                "POST|/history?follow=true|{\"threadId\":\"t\",\"runId\":\"r\"}",
                "GET|/changes|''",
                "GET|/figures?from=2026-01-01&to=2027-01-01|''",
                "POST|/decisions|{\"threadId\":\"t\",\"interruptId\":\"ID\",\"status\":\"resolved\",\"payload\":{\"approved\":true}}"
            })
    @Logs({"* cannot be answered: *the database is away", "Run * on thread t could not be started*"})
    void withoutItsStoreARouteAnswersWithACodeAndWhenToComeAgain(String method, String path, String body)
            throws Exception {
        String id = held();
        isStoreAway = true;

        HttpResponse<String> answer = ask(method, "/agent" + path, body.replace("ID", id));

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
        assertThat(answer.headers().firstValue("Retry-After")).contains("5");
        JsonNode json = AguiCodec.mapper().readTree(answer.body());
        assertThat(json.path("code").asText()).isEqualTo("SERVER_UNAVAILABLE");
        assertThat(json.path("message").asText()).doesNotContain("database");
    }

    @Test
    @Logs({"An answer on thread t could not be looked at*", "Run * on thread t could not be started*"})
    void withoutItsStoreAListOfAnswersNamesEach() throws Exception {
        String answer = "{\"threadId\":\"t\",\"interruptId\":\"" + held() + "\",\"status\":\"cancelled\"";
        isStoreAway = true;

        HttpResponse<String> told = ask(
                "POST", "/agent/decisions", "{\"decisions\":[" + answer + "}," + answer + ",\"fingerprint\":\"f\"}]}");

        assertThat(told.statusCode()).isEqualTo(202);
        JsonNode each = AguiCodec.mapper().readTree(told.body()).path("decisions");
        assertThat(each.findValuesAsText("code")).containsExactly("SERVER_UNAVAILABLE", "SERVER_UNAVAILABLE");
        assertThat(told.body()).doesNotContain("database");
    }

    @Test
    @Logs({"GET /agent/links/... cannot be answered", "POST /agent/links/... cannot be answered*"})
    void theLinksPageStaysAPage() {
        String path =
                Reach.of(agent.as(ADA)).link("t", held(), "grace").orElseThrow().getPath();

        isDirectoryAway = true;
        isAPage(server.send(server.request(path).GET()));
        isDirectoryAway = false;
        isStoreAway = true;
        isAPage(server.send(server.request(path)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString("decision=approve"))));
    }

    private static void isAPage(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body()).startsWith("<!doctype html>").contains("Nothing was decided.");
        assertThat(answer.headers().firstValue("Retry-After")).contains("5");
        assertThat(answer.headers().firstValue("Cache-Control")).contains("no-store");
        assertThat(answer.headers().firstValue("Content-Security-Policy")).isPresent();
    }
}
