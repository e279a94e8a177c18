package io.holdpoint.javalin;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.oversight.Figures;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.test.VirtualClock;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.OfficeTools;
import io.javalin.Javalin;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code GET <agent>/figures} for one role. */
class FiguresRouteTest {

    private static final String JANUARY = "?from=2026-01-01&to=2026-02-01T00:00:00Z";

    private final VirtualClock clock = new VirtualClock();
    private final ScriptedModel model = new ScriptedModel();
    private final Holdpoint agent = Holdpoint.builder(Bench.Assistant.class)
            .streamingChatModel(model)
            .tools(new OfficeTools())
            .with(Figures.byPerson(Duration.ofDays(30)))
            .clock(clock)
            .build();

    private HttpResponse<String> get(String token, String query, Consumer<AgUiPlugin.Config> settings)
            throws Exception {
        Javalin server = Javalin.create(config -> {
                    config.startup.showJavalinBanner = false;
                    config.registerPlugin(new AgUiPlugin(agui -> settings.accept(agui.agent(agent)
                            .authenticator(Authenticator.bearerTokens(
                                    Map.of("a", Caller.of("ada"), "o", Caller.of("olga", "operator")))))));
                })
                .start("127.0.0.1", 0);
        try {
            HttpRequest request = HttpRequest.newBuilder(
                            URI.create("http://127.0.0.1:" + server.port() + "/agent/figures" + query))
                    .header("Authorization", "Bearer " + token)
                    .build();
            return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
        } finally {
            server.stop();
        }
    }

    @Test
    void whoHasTheRoleReadsWhatBecameOfTheQuestionsOfEverybody() throws Exception {
        model.calls(call("c1", "sendEmail", Bench.MAIL));
        agent.send("t", "Write");

        HttpResponse<String> answer = get("o", JANUARY, agui -> agui.figuresRole("operator"));

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        JsonNode tool = AguiCodec.mapper().readTree(answer.body()).at("/tools/0");
        assertThat(tool.path("tool").asText()).isEqualTo("sendEmail");
        assertThat(tool.path("unanswered").asInt()).isEqualTo(1);
        assertThat(tool.at("/days/0/day").asText()).isEqualTo("2026-01-31");
    }

    @Test
    void figuresOfPeopleAreThereIfTheAgentHasThem() throws Exception {
        model.calls(call("c1", "sendEmail", Bench.MAIL)).says("Done.");
        agent.send("t", "Write");
        agent.resume("t", agent.pending("t").get(0).asApproval().approve());

        HttpResponse<String> answer = get("o", JANUARY, agui -> agui.figuresRole("operator"));

        JsonNode person = AguiCodec.mapper().readTree(answer.body()).at("/people/0");
        assertThat(person.path("person").asText()).isEqualTo(Caller.ANONYMOUS.id());
        assertThat(person.path("approved").asInt()).isEqualTo(1);
    }

    @Test
    void nobodyElseReadsThemAndWithoutARoleNobodyAtAll() throws Exception {
        HttpResponse<String> other = get("a", JANUARY, agui -> agui.figuresRole("operator"));
        HttpResponse<String> unset = get("o", JANUARY, agui -> {});

        assertThat(other.statusCode()).isEqualTo(403);
        assertThat(other.body()).contains("FORBIDDEN");
        assertThat(unset.statusCode()).isEqualTo(403);
    }

    @Test
    void anAsteriskLetsEveryCallerReadThem() throws Exception {
        assertThat(get("a", JANUARY, agui -> agui.figuresRole("*")).statusCode())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource({
        "?to=2026-02-01, from: must be a date",
        "?from=2026-01-01&to=tomorrow, to: must be a date",
        "?from=2026-02-01&to=2026-01-01, from: must be before to",
        "?from=2026-01-01&to=2026-02-01&tool=send, tool: there is no such query parameter"
    })
    void anIntervalThatIsNoneIsRefusedWithTheNameOfTheParameter(String query, String why) throws Exception {
        HttpResponse<String> refused = get("o", query, agui -> agui.figuresRole("operator"));

        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("INPUT_INVALID", why);
    }
}
