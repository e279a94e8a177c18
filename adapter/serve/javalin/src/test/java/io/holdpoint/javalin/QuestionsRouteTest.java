package io.holdpoint.javalin;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.Timeline;
import io.holdpoint.ToolPolicy;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.follow.Follow;
import io.holdpoint.follow.QuestionChange;
import io.holdpoint.people.MoreTime;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.OfficeTools;
import io.javalin.Javalin;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What people do with questions besides answering them, and what was decided, over real HTTP. */
class QuestionsRouteTest {

    private static final Map<String, Caller> PEOPLE =
            Map.of("a", Caller.of("ada"), "g", Caller.of("grace", "approver"), "h", Caller.of("henry", "approver"));

    private final ScriptedModel model = new ScriptedModel();
    private final Holdpoint agent = Holdpoint.builder(Bench.Assistant.class)
            .streamingChatModel(model)
            .tools(new OfficeTools())
            .rules(MoreTime.of(Duration.ofMinutes(5), 1))
            .toolPolicies(ToolPolicy.named("sendEmail").timeline(Timeline.expiresAfter(Duration.ofHours(1))))
            .approvalAuthorizer(ApprovalAuthorizer.role("approver"))
            .people(id -> PEOPLE.values().stream()
                    .filter(each -> each.id().equals(id))
                    .findFirst())
            .build();
    private final Javalin server = Javalin.create(config -> {
                config.startup.showJavalinBanner = false;
                config.registerPlugin(
                        new AgUiPlugin(agui -> agui.agent(agent).authenticator(Authenticator.bearerTokens(PEOPLE))));
            })
            .start("127.0.0.1", 0);

    @AfterEach
    void stop() {
        server.stop();
        agent.close();
    }

    private HttpResponse<String> ask(String token, String method, String path, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/agent" + path))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofString(body))
                .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    }

    private HttpResponse<String> about(String token, String id, String rest) throws Exception {
        return ask(token, "POST", "/questions", "{\"threadId\":\"t\",\"interruptId\":\"" + id + "\"," + rest + "}");
    }

    private String held() {
        model.calls(call("c1", "sendEmail", Bench.MAIL));
        String id =
                agent.as(PEOPLE.get("a")).send("t", "Write").interrupts().get(0).id();
        model.says("Done.");
        return id;
    }

    private static JsonNode json(HttpResponse<String> response) throws Exception {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return AguiCodec.mapper().readTree(response.body());
    }

    @Test
    void aQuestionGetsMoreTimeAndAnotherPerson() throws Exception {
        String id = held();
        Instant first =
                agent.as(PEOPLE.get("g")).pending("t").get(0).interrupt().expiresAt();

        JsonNode later = json(about("g", id, "\"action\":\"moreTime\""));
        assertThat(later.path("expiresAt").asText())
                .isEqualTo(first.plus(Duration.ofMinutes(5)).toString());
        json(about("g", id, "\"action\":\"hand\",\"to\":\"henry\",\"reason\":\"Yours\""));

        JsonNode item =
                json(ask("h", "GET", "/interrupts?threads=accessible", "")).at("/interrupts/0/interrupt");
        assertThat(item.path("expiresAt").asText())
                .isEqualTo(later.path("expiresAt").asText());
        assertThat(item.at("/metadata/langchain4j/handed/to").asText()).isEqualTo("henry");
        assertThat(item.at("/metadata/langchain4j/moreTime/left").asInt(-1)).isZero();
    }

    @Test
    void aQuestionGoesToAGroup() throws Exception {
        String id = held();

        json(about("g", id, "\"action\":\"hand\",\"audience\":\"approver\",\"reason\":\"Who is there?\""));

        JsonNode handed = json(ask("h", "GET", "/interrupts?threads=accessible", ""))
                .at("/interrupts/0/interrupt/metadata/langchain4j/handed");
        assertThat(handed.path("audience").asText()).isEqualTo("approver");
        assertThat(handed.path("by").asText()).isEqualTo("grace");
        assertThat(handed.has("to")).isFalse();
    }

    /** What has no plan, or hands nothing over, was asked for all the same. */
    @Test
    void whoAsksTooOftenIsToldWhenToComeAgain() throws Exception {
        String id = held();
        String plan = "{\"threadId\":\"t\",\"interruptId\":\"" + id
                + "\",\"status\":\"resolved\",\"payload\":{\"approved\":true}}";
        for (int i = 0; i < 10; i++) {
            json(about("g", id, "\"action\":\"hand\",\"to\":\"henry\""));
            assertThat(about("g", id, "\"action\":\"hand\",\"to\":\"nobody\"").statusCode())
                    .isEqualTo(400);
            json(ask("g", "POST", "/plans", plan));
        }
        List<HttpResponse<String>> refused = new ArrayList<>();
        for (int i = 0; i < 30 && refused.size() < 2; i++) { // a slow machine has earned more by then
            HttpResponse<String> next = i % 2 == 0
                    ? ask("g", "POST", "/plans", plan)
                    : about("g", id, "\"action\":\"hand\",\"to\":\"henry\"");
            if (next.statusCode() != 200) {
                refused.add(next);
            }
        }

        assertThat(refused).hasSize(2).allSatisfy(answer -> {
            assertThat(answer.statusCode()).isEqualTo(429);
            assertThat(answer.headers().firstValue("Retry-After"))
                    .isPresent()
                    .get()
                    .isIn("1", "2");
            assertThat(answer.body()).contains("\"code\":\"TOO_MANY_REQUESTS\"");
        });
        json(about("g", id, "\"action\":\"look\""));
        json(about("g", id, "\"action\":\"moreTime\""));
        json(about("h", id, "\"action\":\"hand\",\"to\":\"grace\""));
    }

    @Test
    void othersAreToldWhoLooks() throws Exception {
        String id = held();
        List<QuestionChange> told = new ArrayList<>();
        Follow.of(agent.as(PEOPLE.get("h"))).changes(Optional.empty(), told::add);

        json(about("g", id, "\"action\":\"look\""));

        assertThat(told.get(told.size() - 1).by()).hasValue("grace");
    }

    @ParameterizedTest
    @CsvSource({
        "g, '\"action\":\"approve\"', 400, action",
        "g, '\"action\":\"hand\"', 400, to",
        "g, '\"action\":\"hand\",\"to\":\"ada\"', 400, to:",
        "g, '\"action\":\"hand\",\"to\":\"henry\",\"reason\":5', 400, reason:",
        "g, '\"action\":\"hand\",\"audience\":\"nobody\"', 400, audience:",
        "g, '\"action\":\"hand\",\"audience\":\" \"', 400, to:",
        "g, '\"action\":\"hand\",\"audience\":\"approver\",\"to\":\"henry\"', 400, audience:",
        "a, '\"action\":\"hand\",\"audience\":\"approver\"', 400, INTERRUPT_FORBIDDEN",
        "a, '\"action\":\"moreTime\"', 400, INTERRUPT_FORBIDDEN",
    })
    void whatDoesNotFitIsRefused(String token, String rest, int status, String word) throws Exception {
        HttpResponse<String> refused = about(token, held(), rest);

        assertThat(refused.statusCode()).isEqualTo(status);
        assertThat(refused.body()).contains(word);
    }

    @Test
    void everybodySeesWhatWasDecidedWhereTheyMay() throws Exception {
        about("g", held(), "\"action\":\"look\"");
        agent.as(PEOPLE.get("g"))
                .resume(
                        "t",
                        agent.as(PEOPLE.get("g"))
                                .pending("t")
                                .get(0)
                                .asApproval()
                                .deny("Not today"));

        JsonNode decided = json(ask("h", "GET", "/decided", "")).path("decisions");

        assertThat(decided).hasSize(1);
        assertThat(decided.at("/0/by").asText()).isEqualTo("grace");
        assertThat(decided.at("/0/toolName").asText()).isEqualTo("sendEmail");
        assertThat(decided.at("/0/detail/payload/reason").asText()).isEqualTo("Not today");
        for (String query : List.of("before=no", "before=0", "limit=no", "limit=0", "limit=9999999999")) {
            HttpResponse<String> refused = ask("h", "GET", "/decided?" + query, "");
            assertThat(refused.statusCode()).isEqualTo(400);
            assertThat(refused.body()).contains(query.split("=")[0]);
        }
    }

    @Test
    void whatWasDecidedComesInPages() throws Exception {
        Holdpoint grace = agent.as(PEOPLE.get("g"));
        for (String reason : List.of("first", "second")) {
            held();
            grace.resume("t", grace.pending("t").get(0).asApproval().deny(reason));
        }

        JsonNode newest = json(ask("h", "GET", "/decided?limit=1", ""));
        assertThat(newest.path("decisions").findValuesAsText("reason")).containsExactly("second");
        JsonNode older = json(
                ask("h", "GET", "/decided?limit=1&before=" + newest.path("next").asText(), ""));
        assertThat(older.path("decisions").findValuesAsText("reason")).containsExactly("first");
    }
}
