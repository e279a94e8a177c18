package io.holdpoint.javalin;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static io.holdpoint.testing.Bench.THREAD;
import static io.holdpoint.testing.Bench.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Caller;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Bench.Everything;
import io.holdpoint.testing.KeptConnection;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.TestServer;
import io.javalin.http.UnauthorizedResponse;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who somebody is, the transport finds out; the body of a request has no say in it. */
class AuthenticatorTest {

    private static final String ADA = "Bearer secret-1";
    private static final String EVE = "Bearer secret-2";

    private final List<Caller> askedAbout = new CopyOnWriteArrayList<>();
    private final Bench bench = new Bench(builder -> builder.approvalAuthorizer(new ApprovalAuthorizer() {
        @Override
        public boolean mayDecide(io.holdpoint.ApprovalAuthorizer.Request request) {
            return OWNER.mayDecide(request);
        }

        @Override
        public boolean mayAccess(Caller caller, String threadId, String ownerId) {
            askedAbout.add(caller);
            return false;
        }
    }));
    private final TestServer server = new TestServer(
            bench.agent(),
            agui -> agui.authenticator(Authenticator.bearerTokens(
                    Map.of("secret-1", Caller.of("ada"), "secret-2", Caller.of("eve", "staff")))));

    @AfterEach
    void stop() {
        server.close();
    }

    private ResumeEntry held() {
        bench.model.calls(call("c1", "sendEmail", MAIL));
        server.post(bench.input(user("u1", "Go")), "Authorization", ADA);
        return bench.agent()
                .as(Caller.of("ada"))
                .pending(THREAD)
                .get(0)
                .asApproval()
                .approve();
    }

    private static String code(HttpResponse<String> response) throws Exception {
        return AguiCodec.mapper().readTree(response.body()).path("code").asText();
    }

    @Test
    void withoutAnAuthenticatorEverybodyIsAnonymous() {
        bench.model.says("Hello.");
        try (TestServer open = new TestServer(bench.agent(), agui -> {})) {
            assertThat(open.post(bench.input(user("u1", "Hi")), "Authorization", EVE)
                            .statusCode())
                    .isEqualTo(200);
        }
        assertThat(bench.store.find(THREAD).orElseThrow().owner()).isEqualTo("anonymous");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Bearer",
                "Bearer ",
                "Bearer secret-",
                "Bearer secret-11",
                "Bearer SECRET-1",
                "Bearer secret-1 secret-2",
                "Bearer secret-1,secret-2",
                "Basic secret-1",
                "secret-1"
            })
    void withoutAKnownTokenNobodyGetsIn(String authorization) throws Exception {
        HttpResponse<String> response = server.post(bench.input(user("u1", "Hi")), "Authorization", authorization);

        assertThat(response.statusCode()).isEqualTo(401);
        assertThat(code(response)).isEqualTo("UNAUTHENTICATED");
        assertThat(response.headers().firstValue("WWW-Authenticate")).contains("Bearer");
        assertThat(response.headers().firstValue("Content-Type").orElse("")).startsWith("application/json");
        assertThat(bench.model.requests()).isEmpty();
        assertThat(bench.store.find(THREAD)).isEmpty();
    }

    /** Jetty takes what it has seen on a connection for what comes, without regard to case, unless it is told not to. */
    @Test
    void aTokenInOtherLettersIsNotTheOneThatCameBeforeItOnTheConnection() throws Exception {
        List<String> seen = new CopyOnWriteArrayList<>();
        Authenticator tokens = Authenticator.bearerTokens(
                Map.of("spring2026", Caller.of("grace", "approver"), "Spring2026", Caller.of("ada")));
        try (TestServer open = new TestServer(
                        bench.agent(),
                        agui -> agui.authenticator(request -> {
                            if (request.header("Cookie") != null) {
                                seen.add(request.header("Cookie"));
                                return Optional.of(Caller.of("eve"));
                            }
                            Optional<Caller> caller = tokens.authenticate(request);
                            caller.ifPresent(known -> seen.add(known.id()));
                            return caller;
                        }));
                KeptConnection proxy = new KeptConnection(open.port())) {
            String path = "/agent/capabilities";
            assertThat(proxy.get(path, "Authorization", "Bearer spring2026")).isEqualTo(200);
            assertThat(proxy.get(path, "Authorization", "Bearer Spring2026")).isEqualTo(200);
            assertThat(proxy.get(path, "Authorization", "Bearer SPRING2026")).isEqualTo(401);
            assertThat(proxy.get(path, "Cookie", "sid=sessa")).isEqualTo(200);
            assertThat(proxy.get(path, "Cookie", "sid=SessA")).isEqualTo(200);
        }
        assertThat(seen).containsExactly("grace", "ada", "sid=sessa", "sid=SessA");
    }

    @Test
    void anAbsentHeaderIs401BeforeTheBodyIsLookedAt() {
        assertThat(server.post("{").statusCode()).isEqualTo(401);
        assertThat(server.send(server.request("/agent/capabilities").GET()).statusCode())
                .isEqualTo(401);
    }

    @Test
    void aKnownTokenOwnsWhatItStarts() {
        held();

        assertThat(bench.store.find(THREAD).orElseThrow().owner()).isEqualTo("ada");
        assertThat(server.send(server.request("/agent/capabilities")
                                .header("Authorization", "bearer  secret-1")
                                .GET())
                        .statusCode())
                .isEqualTo(200);
    }

    /** An input that only asks to see a thread, by somebody who has none of that id. */
    private String look(String thread) {
        return server.post(RunAgentInput.of(thread, "look", List.of()), "Authorization", EVE)
                .body();
    }

    @Test
    void theThreadOfAnotherCallerIs404LikeOneThatDoesNotExist() {
        ResumeEntry approval = held();
        Everything before = bench.everything();
        RunAgentInput input = bench.answers(approval);
        HttpResponse<String> nowhere = server.post(
                RunAgentInput.of("nowhere", input.runId(), List.of()).withResume(List.of(approval)),
                "Authorization",
                EVE);

        for (RunAgentInput each : List.of(input, bench.input(user("u2", "Hi")))) {
            HttpResponse<String> response = server.post(each, "Authorization", EVE);
            assertThat(response.statusCode()).isEqualTo(404).isEqualTo(nowhere.statusCode());
            assertThat(response.body()).isEqualTo(nowhere.body());
            assertThat(response.headers().map().keySet())
                    .isEqualTo(nowhere.headers().map().keySet());
        }
        assertThat(look(THREAD)).isEqualTo(look("nowhere").replace("nowhere", THREAD));
        assertThat(bench.everything()).isEqualTo(before);
        assertThat(askedAbout).isNotEmpty().containsOnly(Caller.of("eve", "staff"));
    }

    @Test
    void theBodySaysNothingAboutWhoSomebodyIs() {
        ResumeEntry approval = held();
        ObjectNode body = (ObjectNode) AguiCodec.toTree(bench.answers(approval));
        for (String field : List.of("caller", "owner", "userId", "forwardedProps", "state")) {
            body.putObject(field).put("id", "ada").put("caller", "ada").put("owner", "ada");
        }
        body.putArray("context").addObject().put("description", "caller").put("value", "ada");
        ((ObjectNode) body.path("resume").get(0))
                .putObject("metadata")
                .put("caller", "ada")
                .put("answeredBy", "ada");

        HttpResponse<String> response = server.post(AguiCodec.write(body), "Authorization", EVE);

        assertThat(response.statusCode()).isEqualTo(404);
        assertThat(bench.tools.effects()).isEmpty();
    }

    @Test
    @Logs("Uncaught exception")
    void anAuthenticatorThatThrowsLetsNobodyIn() {
        try (TestServer broken = new TestServer(
                bench.agent(),
                agui -> agui.authenticator(request -> {
                    throw new IllegalStateException("directory down");
                }))) {
            HttpResponse<String> response = broken.post(bench.input(user("u1", "Hi")));

            assertThat(response.statusCode()).isEqualTo(500);
            assertThat(response.body()).doesNotContain("directory down");
        }
        try (TestServer strict = new TestServer(
                bench.agent(),
                agui -> agui.authenticator(request -> {
                    throw new UnauthorizedResponse("no certificate");
                }))) {
            assertThat(strict.post(bench.input(user("u1", "Hi"))).statusCode()).isEqualTo(401);
        }
        assertThat(bench.model.requests()).isEmpty();
    }

    @Test
    void anAuthenticatorMayAskForSomethingElse() {
        Authenticator basic = new Authenticator() {
            @Override
            public Optional<Caller> authenticate(io.javalin.http.Context request) {
                return Optional.empty();
            }

            @Override
            public String challenge() {
                return "Basic realm=\"agents\"";
            }
        };
        try (TestServer other = new TestServer(bench.agent(), agui -> agui.authenticator(basic))) {
            assertThat(other.post("{}").headers().firstValue("WWW-Authenticate"))
                    .contains("Basic realm=\"agents\"");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "two words", "comma,", "schlüssel", "="})
    void aTokenThatNoHeaderCarriesIsRefusedWithoutShowingIt(String token) {
        assertThatThrownBy(() -> Authenticator.bearerTokens(Map.of(token, Caller.of("ada"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("ada")
                .message()
                .isEqualTo("bearerTokens: the token of ada is empty or has characters that no bearer token may have");
    }

    @ParameterizedTest
    @ValueSource(strings = {"anonymous", "Anonymous", "holdpoint:time", "HOLDPOINT:x"})
    void nobodySignsInWithAReservedId(String id) throws Exception {
        assertThatThrownBy(() -> Authenticator.bearerTokens(Map.of("secret", Caller.of(id, "approver"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("bearerTokens: the id \"" + id
                        + "\" is reserved, so nobody signs in with it. Give the caller another one: not anonymous, and not one"
                        + " that begins with holdpoint:");
        for (Caller caller : List.of(Caller.of(id), Caller.of(id, "approver"))) {
            try (TestServer open =
                    new TestServer(bench.agent(), agui -> agui.authenticator(request -> Optional.of(caller)))) {
                HttpResponse<String> response = open.post(bench.input(user("u1", "Hi")));
                assertThat(response.statusCode()).isEqualTo(403);
                assertThat(code(response)).isEqualTo("FORBIDDEN");
                assertThat(response.body()).contains("reserved");
            }
        }
        assertThat(bench.store.find(THREAD)).isEmpty();
    }

    @Test
    void noTokensAtAllAreAMistake() {
        assertThatThrownBy(() -> Authenticator.bearerTokens(Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("bearerTokens");
    }
}
