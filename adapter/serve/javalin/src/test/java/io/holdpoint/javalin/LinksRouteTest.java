package io.holdpoint.javalin;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.ProposedCall;
import io.holdpoint.RequiresApproval;
import io.holdpoint.ToolPolicy;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.follow.Follow;
import io.holdpoint.people.Effect;
import io.holdpoint.people.Opinion;
import io.holdpoint.people.Opinion.Concern;
import io.holdpoint.people.Plan;
import io.holdpoint.people.SecondOpinion;
import io.holdpoint.people.Tolerance;
import io.holdpoint.reach.Links;
import io.holdpoint.reach.Links.Key;
import io.holdpoint.reach.Links.Link;
import io.holdpoint.reach.Reach;
import io.holdpoint.reach.SignedLinks;
import io.holdpoint.rule.Rule;
import io.holdpoint.rule.Say;
import io.holdpoint.store.Reversibility;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.TestServer;
import io.javalin.Javalin;
import java.math.BigDecimal;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The page behind a link over real HTTP, for browsers without a script and for whatever opens links in mails. */
class LinksRouteTest {

    private static final Caller ADA = Caller.of("ada");
    private static final Caller GRACE = Caller.of("grace", "approver");
    private static final Caller EVE = Caller.of("eve", "approver");
    private static final URI ELSEWHERE = URI.create("https://agents.example.com/agent");

    /** One tool about which a link decides, and one about which it does not. */
    static final class Post {

        final List<String> effects = new CopyOnWriteArrayList<>();

        @Tool("Sends a letter")
        @RequiresApproval(decideByLink = true, reversibility = Reversibility.EXTERNALLY_REVERSIBLE)
        public String letter(String to, String text) {
            effects.add("letter to " + to);
            return "sent";
        }

        @Tool("Sends a parcel")
        @RequiresApproval(confirm = "to")
        public String parcel(String to, String text) {
            effects.add("parcel to " + to);
            return "sent";
        }

        @Tool("Burns a letter")
        @RequiresApproval(reversibility = Reversibility.IRREVERSIBLE)
        public String burn() {
            return "burnt";
        }
    }

    static final class Contracts {

        @Tool("Signs a contract")
        @RequiresApproval(decideByLink = true, approvals = 2, expiresAfter = "P1D")
        public String contract(
                String to,
                @P("the letter") String text,
                @P(value = "the fee in euros", required = false) BigDecimal fee) {
            return "signed";
        }
    }

    private static final Effect EFFECT = call -> Plan.of(Map.of("costs", "<b>85 cents</b>"))
            .holds("stamps", 12)
            .holdsWithin("rate", new BigDecimal("1.08"), Tolerance.percent(2.5))
            .holdsWithin("weight", 20, Tolerance.of(3));

    /** Says of one text that nobody vouches for it, as {@code Provenance} does. */
    private static final Rule ORIGIN = new Rule() {
        @Override
        public String name() {
            return "provenance";
        }

        @Override
        public Say onQuestion(ProposedCall call, Optional<ObjectNode> before) {
            ObjectNode section = AguiCodec.mapper().createObjectNode();
            section.withObject("/arguments/~1text")
                    .put("from", "tool")
                    .put("toolName", "<b>readMail")
                    .put("untrusted", true);
            return call.argument("text", String.class)
                    .filter("Pay Mallory"::equals)
                    .map(text -> Say.remark(section))
                    .orElse(Say.NOTHING);
        }
    };

    private final ScriptedModel model = new ScriptedModel();
    private final Post post = new Post();
    private final SignedLinks links = Links.signed(ELSEWHERE, Key.of("k1", new byte[32]));
    private final Holdpoint agent = Holdpoint.builder(Bench.Assistant.class)
            .streamingChatModel(model)
            .tools(post, new Contracts())
            .with(Reach.links(links))
            .people(person -> Optional.of(person.equals("grace") ? GRACE : Caller.of(person)))
            .toolPolicies(ToolPolicy.named("letter").decideByLink().rules(EFFECT, ORIGIN))
            .rules(SecondOpinion.of(call -> new Opinion(Concern.SERIOUS, "<b>Nobody</b> asked for it."))
                    .about("letter"))
            .approvalAuthorizer(ApprovalAuthorizer.role("approver"))
            .build();
    private final Holdpoint plain =
            Holdpoint.builder(Bench.Assistant.class).streamingChatModel(model).build();
    private final Javalin server = Javalin.create(config -> {
                config.startup.showJavalinBanner = false;
                config.registerPlugin(new AgUiPlugin(agui -> agui.agent(agent)
                        .agent("named", agent)
                        .agent("plain", plain)
                        .maxBodyBytes(2_000)
                        .authenticator(Authenticator.bearerTokens(Map.of("a", ADA, "g", GRACE, "e", EVE)))));
            })
            .start("127.0.0.1", 0);
    private final HttpClient client = HttpClient.newHttpClient();

    @AfterEach
    void stop() {
        server.stop();
    }

    private PendingInterrupt held(String tool, String text) {
        String arguments = AguiCodec.mapper()
                .createObjectNode()
                .put("to", "bob")
                .put("text", text)
                .toString();
        model.calls(call("c1", tool, arguments));
        model.says("Done.");
        return agent.as(ADA).send("t", "Write to Bob").interrupts().get(0);
    }

    private String path(String tool, String text) {
        URI link = Reach.of(agent.as(ADA))
                .link("t", held(tool, text).id(), "grace")
                .orElseThrow();
        return link.getPath();
    }

    @Test
    void thePlanIsOnThePage() throws Exception {
        assertThat(get(path("letter", "Hi")).body())
                .contains("What it would do<")
                .contains("<dt><bdi>Costs</bdi></dt><dd><bdi>&lt;b&gt;85 cents&lt;/b&gt;</bdi></dd>")
                .contains("Only while this holds:")
                .contains("<dt><bdi>Stamps</bdi></dt><dd><bdi>12</bdi></dd>")
                .as("it runs within these as well")
                .contains("<dt><bdi>Rate</bdi></dt><dd><bdi>1.08</bdi> <small><bdi>\u00b1 2.5 %</bdi></small></dd>")
                .contains("<dt><bdi>Weight</bdi></dt><dd><bdi>20</bdi> <small><bdi>\u00b1 3</bdi></small></dd>")
                .doesNotContain("nobody vouches");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            <billing>    | &lt;billing&gt;, not by a model.
            mcp:<claude> | an assistant (&lt;claude&gt;, as it calls itself), or by its user.""")
    void whoHasProposedACallThatNoModelMadeIsOnThePage(String caller, String said) throws Exception {
        ObjectNode arguments =
                AguiCodec.mapper().createObjectNode().put("to", "bob").put("text", "Hi");
        String id = agent.as(Caller.of(caller))
                .propose("p", "letter", arguments)
                .open()
                .get(0)
                .id();
        URI link = Reach.of(agent.as(GRACE)).link("p", id, "grace").orElseThrow();

        assertThat(get(link.getPath()).body()).contains("<p>Proposed by " + said + "</p>");
        assertThat(get(path("letter", "Hi")).body()).doesNotContain("Proposed by");
    }

    @Test
    void whereAValueStandsFirstIsOnThePage() throws Exception {
        assertThat(get(path("letter", "Pay Mallory")).body())
                .contains(
                        "<dd><bdi>Pay Mallory</bdi><br><small>from &lt;b&gt;readMail; nobody vouches for it</small></dd>")
                .contains("<dt><bdi>To</bdi></dt><dd><bdi>bob</bdi></dd>");
    }

    private HttpResponse<String> get(String path, String... headers) throws Exception {
        return send(request(path, headers).GET());
    }

    private HttpResponse<String> press(String path, String form, String... headers) throws Exception {
        return send(request(path, headers)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(form)));
    }

    private HttpRequest.Builder request(String path, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path));
        return headers.length == 0 ? request : request.headers(headers);
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private static void shows(HttpResponse<String> page, int status, String... texts) {
        assertThat(page.statusCode()).as(page.body()).isEqualTo(status);
        assertThat(page.body()).startsWith("<!doctype html>").contains(texts);
        assertThat(page.headers().firstValue("Cache-Control")).contains("no-store");
        assertThat(page.headers().firstValue("Referrer-Policy")).contains("same-origin");
        assertThat(page.headers().firstValue("X-Robots-Tag")).contains("noindex");
        assertThat(page.headers().firstValue("Content-Type").orElse("")).startsWithIgnoringCase("text/html");
        assertThat(page.headers().firstValue("Content-Security-Policy").orElse(""))
                .startsWith("default-src 'none'; style-src 'sha256-")
                .endsWith("form-action 'self'; base-uri 'none'; frame-ancestors 'none'");
    }

    @Test
    void thePageShowsAllThatWouldRunAndAPressedButtonDecidesOnce() throws Exception {
        String path = path("letter", "Dear Bob");

        shows(
                get(path),
                200,
                "Run letter?",
                "<dt><bdi>To</bdi></dt><dd><bdi>bob</bdi></dd><dt><bdi>Text</bdi></dt><dd><bdi>Dear Bob</bdi></dd>",
                "Approve");
        assertThat(post.effects).isEmpty();
        HttpResponse<String> pressed = press(path, "decision=approve&reason=looks+good%21", "Origin", "null");

        String decided =
                "<h1>Run letter? (to: &quot;bob&quot;, text: &quot;Dear Bob&quot;)</h1><p role=\"status\">You have approved this.";
        shows(pressed, 200, decided, "<title>You have approved this.", "DECIDED");
        assertThat(pressed.body()).doesNotContain("<small>");
        shows(press(path, "decision=deny&reason="), 200, decided);
        shows(get(path), 200, decided);
        Follow.of(agent.as(ADA)).follow("t", "r", event -> {}).join();
        assertThat(post.effects).containsExactly("letter to bob");
        assertThat(agent.as(ADA).auditTrail("t", 0, 100).toString())
                .contains("\"via\":\"link\"", "\"reason\":\"looks good!\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "text/plain", "application/json", "application/x-www-form-urlencoded"})
    void onlyTheBodyOfTheFormDecides(String type) throws Exception {
        String path = path("letter", "Dear Bob");
        HttpRequest.Builder bare =
                request(path + "?decision=approve").POST(BodyPublishers.ofString("decision=approve&reason="));

        HttpResponse<String> answer = send(type.isEmpty() ? bare : bare.header("Content-Type", type));

        assertThat(answer.statusCode()).isIn(400, 415);
        assertThat(answer.body()).contains("Nothing was decided.");
        assertThat(send(request(path + "?decision=approve")
                                .header("Content-Type", "application/x-www-form-urlencoded")
                                .POST(BodyPublishers.noBody()))
                        .statusCode())
                .isEqualTo(400);
        shows(get(path), 200, "Run letter?", "Approve");
        shows(press(path + "?utm_source=mail", "decision=deny&reason="), 200, "You have denied this.");
    }

    @Test
    void aDenialHasItsReasonAndNothingRuns() throws Exception {
        String path = path("letter", "Dear Bob");

        shows(press(path, "reason=wrong+address&decision=deny"), 200, "You have denied this.");

        Follow.of(agent.as(ADA)).follow("t", "r", event -> {}).join();
        assertThat(post.effects).isEmpty();
        assertThat(agent.as(ADA).auditTrail("t", 0, 100).toString()).contains("wrong address");
    }

    @Test
    void openingAndLookingAheadChangeNothingHowOftenEver() throws Exception {
        String path = path("letter", "Dear Bob");
        int before = agent.as(ADA).auditTrail("t", 0, 1_000).size();

        for (int i = 0; i < 50; i++) {
            shows(get(path, "Sec-Fetch-Site", "cross-site"), 200, "Approve");
            HttpResponse<String> head = send(request(path).method("HEAD", BodyPublishers.noBody()));
            assertThat(head.statusCode()).isEqualTo(200);
            assertThat(head.body()).isEmpty();
        }

        assertThat(agent.as(ADA).auditTrail("t", 0, 1_000)).hasSize(before);
        assertThat(agent.as(ADA).pending("t")).hasSize(1);
    }

    @Test
    void aPointerShowsNothingBeforeItsPersonHasSignedIn() throws Exception {
        String path = path("parcel", "secret content");

        HttpResponse<String> stranger = get(path);
        shows(stranger, 401, "Sign in to see this question", "SIGN_IN");
        assertThat(stranger.body()).doesNotContain("secret", "bob");
        HttpResponse<String> other = get(path, "Authorization", "Bearer e");
        shows(other, 403, "This link is for somebody else: you are signed in as eve.", "FORBIDDEN");
        assertThat(other.body()).doesNotContain("secret", "bob");
        shows(press(path, "decision=approve"), 401, "Sign in");
        assertThat(post.effects).isEmpty();

        HttpResponse<String> hers = get(path, "Authorization", "Bearer g");
        shows(hers, 200, "secret content", "You decide this in the application", "POINTER");
        assertThat(hers.body()).doesNotContain("<button");
        shows(press(path, "decision=approve", "Authorization", "Bearer g"), 200, "You decide this in the application");
        assertThat(post.effects).isEmpty();
    }

    @Test
    void thePageShowsWhatACardShowsAlsoTheSecondOpinionAndWhatCannotBeTakenBack() throws Exception {
        model.calls(call("c1", "letter", "{\"to\":\"bob\",\"text\":\"x\"}"), call("c2", "burn", "{}"));
        PendingInterrupt question =
                agent.as(ADA).send("t", "Write").interrupts().get(0);
        String path = Reach.of(agent.as(ADA))
                .link("t", question.id(), "grace")
                .orElseThrow()
                .getPath();

        shows(
                get(path),
                200,
                "Only somebody else can take it back. Something that would run with it cannot be taken back.",
                "A second opinion has a serious concern. <q>&lt;b&gt;Nobody&lt;/b&gt; asked for it.</q>");
    }

    @Test
    void thePageSaysWhoseTheQuestionIsWhoHasChangedAndApprovedItAndUntilWhenItCanBeDecided() throws Exception {
        PendingInterrupt.Approval first = (PendingInterrupt.Approval) held("contract", "old <b>");
        ObjectNode edited = first.arguments().put("text", "new").put("fee", new BigDecimal("1200.505"));
        agent.as(EVE).decide("t", first.approveWith(edited));
        PendingInterrupt.Approval second =
                (PendingInterrupt.Approval) agent.as(GRACE).pending("t").get(0);
        String path = Reach.of(agent.as(ADA))
                .link("t", second.id(), "grace")
                .orElseThrow()
                .getPath();

        shows(
                get(path),
                200,
                "Asked in a conversation of ada.",
                "<dt><bdi>Letter</bdi></dt><dd><bdi>new</bdi></dd>",
                "<dt><bdi>Fee in euros</bdi></dt><dd><bdi>\u20ac1,200.505</bdi></dd>",
                "<p>eve changed this call. It was:</p><dl>",
                "<dd><bdi>old &lt;b&gt;</bdi></dd>",
                "<p>1 of 2 approvals: eve.</p>",
                "Answer until "
                        + DateTimeFormatter.ofPattern("EEEE, MMMM d, uuuu, HH:mm 'UTC'", Locale.ENGLISH)
                                .format(second.interrupt().expiresAt().atZone(ZoneOffset.UTC)));
    }

    /** The address may name the language, as a message in one does; otherwise the browser does. */
    @Test
    void thePageSpeaksTheLanguageOfItsReader() throws Exception {
        String path = path("letter", "Dear Bob");

        shows(
                get(path, "Accept-Language", "pt, de-AT;q=0.9, en;q=0.5"),
                200,
                "<html lang=\"de\">",
                "<b>Wartet auf Sie</b>",
                "Gefragt in einer Unterhaltung von ada.",
                ">Freigeben</button>",
                "Nur jemand anderes kann es zurücknehmen.");
        shows(get(path, "Accept-Language", "pt"), 200, "<html lang=\"en\">", "Approve</button>");
        shows(get(path + "?lang=ar", "Accept-Language", "de"), 200, "<html lang=\"ar\" dir=\"rtl\">", "<bdi>ada</bdi>");
        shows(press(path + "?lang=fr", "decision=maybe"), 400, "Rien n’a été décidé. <span lang=\"en\" dir=\"ltr\">");
        shows(press(path + "?lang=fr", "decision=approve"), 200, "<title>Vous avez approuvé ceci. ");
        shows(get(path + "?lang=es-MX"), 200, "Usted ha aprobado esto. ");
        shows(get("/agent/links/a.b.c?lang=de"), 404, "Dieser Link ist ungültig.");
    }

    @Test
    void thePageSaysWhoHasApprovedSinceTheLinkWasMadeAndWritesNamesAsTexts() throws Exception {
        String path = path("contract", "old");
        PendingInterrupt.Approval question =
                (PendingInterrupt.Approval) agent.as(GRACE).pending("t").get(0);
        agent.as(Caller.of("<b>mallory", "approver")).decide("t", question.approve());

        shows(get(path), 200, "<p>1 of 2 approvals: &lt;b&gt;mallory.</p>", "Approve</button>");
    }

    @Test
    void aSignedInPersonIsNotMadeToPressByAPageOfAnotherSite() throws Exception {
        String path = path("letter", "x");

        HttpResponse<String> forged = press(
                path,
                "decision=approve",
                "Authorization",
                "Bearer g",
                "Origin",
                "null",
                "Sec-Fetch-Site",
                "cross-site");
        shows(forged, 403, "Nothing was decided.", "SITE_REFUSED");
        HttpResponse<String> old = press(path, "decision=approve", "Authorization", "Bearer g", "Origin", "null");
        assertThat(old.statusCode()).isEqualTo(403);
        assertThat(agent.as(ADA).pending("t")).hasSize(1);

        HttpResponse<String> own = press(
                path, "decision=deny", "Authorization", "Bearer g", "Origin", "null", "Sec-Fetch-Site", "same-origin");
        shows(own, 200, "You have denied this.");
    }

    /** A browser does not say which site a form is of, over plain HTTP beyond this machine; it says its origin. */
    @Test
    void aSignedInPersonPressesOverPlainHttp() throws Exception {
        String origin = "http://127.0.0.1:" + server.port();

        HttpResponse<String> own =
                press(path("letter", "x"), "decision=deny", "Authorization", "Bearer g", "Origin", origin);

        shows(own, 200, "You have denied this.");
    }

    @Test
    void aPointerLeadsToThePageOfTheApplication() throws Exception {
        Holdpoint paged = Holdpoint.builder(Bench.Assistant.class)
                .streamingChatModel(model)
                .tools(post)
                .with(Reach.links(links.page(link -> URI.create("https://app.example.com/?a&t=" + link.threadId()))))
                .build();
        model.calls(call("c1", "parcel", "{\"to\":\"bob\",\"text\":\"x\"}"));
        PendingInterrupt question = paged.as(ADA).send("t2", "Go").interrupts().get(0);
        URI link = Reach.of(paged.as(ADA)).link("t2", question.id(), "ada").orElseThrow();
        try (TestServer other = new TestServer(paged, agui -> {})) {
            String answer =
                    other.raw("GET " + link.getPath() + " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n");

            assertThat(answer)
                    .startsWith("HTTP/1.1 303")
                    .contains(
                            "Location: https://app.example.com/?a&t=t2",
                            "href=\"https://app.example.com/?a&amp;t=t2\"");
        }
    }

    @Test
    void whatIsSettledStaleExpiredOrForgedSaysSo() throws Exception {
        PendingInterrupt question = held("letter", "x");
        URI address = Reach.of(agent.as(ADA)).link("t", question.id(), "grace").orElseThrow();
        Link made = links.read(address.getPath().substring("/agent/links/".length()));
        SignedLinks rotated = Links.signed(ELSEWHERE, Key.of("old", new byte[32]));

        Link stale = new Link("t", question.id(), "grace", "other", made.end());
        shows(press(links.address(stale).getPath(), "decision=approve"), 410, "has changed", "STALE");
        Link ended = new Link("t", question.id(), "grace", made.shown(), Instant.EPOCH);
        shows(press(links.address(ended).getPath(), "decision=approve"), 410, "This link has expired", "EXPIRED");
        Link foreign = new Link("t", question.id(), "eve", made.shown(), made.end());
        shows(press(links.address(foreign).getPath(), "decision=approve"), 403, "You may not decide", "FORBIDDEN");
        shows(press(rotated.address(made).getPath(), "decision=approve"), 404, "no longer in use", "INVALID");
        shows(press(address.getPath() + "x", "decision=approve"), 404, "not valid", "INVALID");
        shows(press("/agent/links/%3Cb%3E", "decision=approve"), 404, "not valid", "INVALID");
        assertThat(agent.as(ADA).pending("t")).hasSize(1);

        agent.as(Caller.of("eve", "approver")).decide("t", question.asApproval().deny());
        shows(press(address.getPath(), "decision=approve"), 410, "eve has denied this.", "SETTLED");
        assertThat(post.effects).isEmpty();
    }

    @Test
    void everyTextOfTheModelIsShownAsTextAndNothingIsHidden() throws Exception {
        String path = path(
                "letter",
                "</dd><script>alert(1)</script>\" ' &amp; \u202etxt.\u200b\u3164\u180b\udb40\udd00\ud83d\ude00");

        HttpResponse<String> page = get(path);

        shows(page, 200, "&lt;/dd&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot; &#39; &amp;amp; ");
        assertThat(page.body())
                .contains(
                        "<mark>U+202e</mark>txt.<mark>U+200b</mark><mark>U+3164</mark><mark>U+180b</mark><mark>U+e0100</mark>\ud83d\ude00")
                .doesNotContain("<script", "\u202e", "\u200b");
    }

    /** As the card does: a name with a Cyrillic letter in it, a word that is only of such letters among Latin ones, and blanks that are none. */
    @Test
    void whatLooksLikeAnotherLetterIsMarked() throws Exception {
        String path = path("letter", "P\u0430yPal \u0441\u043e\u0440\u0435 a\u00a0b");

        assertThat(get(path).body())
                .contains(
                        "P<mark>U+430</mark>yPal <mark>U+441</mark><mark>U+43e</mark><mark>U+440</mark><mark>U+435</mark> a<mark>U+a0</mark>b");
    }

    @Test
    void whatIsWrittenInAnotherAlphabetIsNotMarked() throws Exception {
        String path = path("letter", "\u041e\u043d\u0430 \u0441\u043a\u0430\u0437\u0430\u043b\u0430 & PayPal");

        assertThat(get(path).body()).doesNotContain("<mark>");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "decision=", "decision=maybe", "reason=x", "decision=%zz", "decision=deny&decision=approve"})
    void aFormThatIsNoneIsRefusedAndConsumesNothing(String form) throws Exception {
        HttpResponse<String> refused = press(path("letter", "x"), form);

        shows(refused, 400, "Nothing was decided.", "INPUT_INVALID");
        assertThat(agent.as(ADA).pending("t")).hasSize(1);
    }

    @Test
    void otherMethodsAndLongFormsAreRefused() throws Exception {
        String path = path("letter", "x");

        HttpResponse<String> deleted = send(request(path).DELETE());
        shows(deleted, 405, "Nothing was decided.", "METHOD_NOT_ALLOWED");
        assertThat(deleted.headers().firstValue("Allow")).contains("GET, HEAD, POST");
        shows(press(path, "decision=approve&reason=" + "x".repeat(2_000)), 413, "Nothing was decided.");
        assertThat(agent.as(ADA).pending("t")).hasSize(1);
    }

    @Test
    void anAgentWithAnIdHasThemAndNobodyLearnsWhichOthersThereAre() throws Exception {
        String path = path("letter", "x").replace("/agent/", "/agents/named/");

        shows(get(path), 200, "Approve");
        HttpResponse<String> none = get(path.replace("named", "plain"));
        shows(none, 404, "not valid", "INVALID");
        assertThat(get(path.replace("named", "unknown")).body()).isEqualTo(none.body());
        assertThat(get("/agents/named/links/a.b.c").body()).isEqualTo(none.body());
    }
}
