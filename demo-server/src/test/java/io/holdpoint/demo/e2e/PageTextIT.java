package io.holdpoint.demo.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Route;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Text from outside stays text: what a person sees is what will run. */
@ExtendWith(PageExtension.class)
@InTurns
class PageTextIT {

    private static final String HTML =
            "<img src=x onerror=alert(1)><script>alert(2)</script><a href=javascript:alert(3)>x</a>";

    @Test
    void htmlInArgumentsIsShownAndDoesNotRun(DemoPage page) {
        page.say("Send an email to ada@example.com about <img src=x onerror=alert(1)> saying " + HTML);

        ApprovalCard card = page.card();
        assertThat(card.question()).containsText("<img src=x onerror=alert(1)>");
        assertThat(card.arguments())
                .containsEntry("subject", "<img src=x onerror=alert(1)>")
                .containsEntry("body", "Hello Ada,\n\n" + HTML + ".\n");
        card.openEditor();
        assertThat(card.field("Text of the email")).hasValue("Hello Ada,\n\n" + HTML + ".\n");
        card.button("Back").click();
        card.approve();

        assertThat(page.calls("sendEmail").locator(".result")).containsText("Sent '<img src=x onerror=alert(1)>'");
        assertThat(page.listedEffects().first()).containsText("<script>alert(2)</script>");
        assertThat(page.page().locator("img, body script, [onerror], a[href^='javascript']"))
                .hasCount(0);
    }

    @Test
    void htmlInTheReasonIsShownAndDoesNotRun(DemoPage page) {
        page.say("Transfer 500 to Bob");

        page.card().deny(HTML);

        assertThat(page.messages().last()).containsText(HTML);
        assertThat(page.page().locator("img, body script, [onerror], a[href^='javascript']"))
                .hasCount(0);
    }

    @Test
    void charactersThatWouldNotBeSeenAreShownAsEscapesAndRunAsTheyAre(DemoPage page) {
        String hidden = "lunch\u202e\u200b\u00a0gnp.exe";
        page.say("Send an email to ada@example.com about " + hidden);

        ApprovalCard card = page.card();
        assertThat(card.arguments()).containsEntry("subject", "Lunch\\u202e\\u200b\\u00a0gnp.exe");
        assertThat(card.question()).containsText("Lunch\\u202e\\u200b\\u00a0gnp.exe");
        card.openEditor();
        assertThat(card.root())
                .containsText("Contains invisible or look-alike characters: Lunch\\u202e\\u200b\\u00a0gnp.exe");
        card.field("Text of the email").fill("See you.");
        card.approveWithEdits();

        assertThat(page.messages().last()).containsText("Done, with your change");
        assertThat(page.effects("sendEmail"))
                .singleElement()
                .satisfies(args -> assertThat(args.path("subject").asText()).isEqualTo("L" + hidden.substring(1)));
    }

    @Test
    void aLongTextIsShownWhole(DemoPage page) {
        String words = "everything that was said ".repeat(200);
        page.say("Send an email to ada@example.com about the minutes saying " + words);

        ApprovalCard card = page.card();
        assertThat(card.arguments().get("body")).contains(words.strip().substring(1));
        card.approve();

        assertThat(page.calls("sendEmail").locator(".state")).hasText("Executed");
        assertThat(page.effects("sendEmail")).singleElement().satisfies(args -> assertThat(
                        args.path("body").asText())
                .contains(words.strip().substring(1)));
    }

    @Test
    void theWatchSeesWhatThePageMustNotDo(DemoPage page) {
        page.page().evaluate("""
                        () => {
                          const image = document.body.appendChild(document.createElement("img"));
                          image.src = 'http://elsewhere.example/x.png';
                          setTimeout(() => { alert('boo'); throw new Error('uncaught'); });
                        }""");
        page.say("Find Ada's address");
        assertThat(page.messages().last()).containsText("I looked up Ada");

        assertThat(page.watch().take())
                .anyMatch(seen -> seen.startsWith("console: ") && seen.contains("Content Security Policy"))
                .anyMatch(seen -> seen.startsWith("dialog: boo"))
                .anyMatch(seen -> seen.startsWith("uncaught: "));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"code\":7,\"message\":{\"a\":[1]}}",
                "{\"code\":null,\"message\":null}",
                "{\"code\":[],\"message\":false}",
                "null",
                "[]",
                "{"
            })
    void aRefusalOfAnyFormIsShown(String body, DemoPage page) {
        page.page()
                .route(
                        "**/agent",
                        route -> route.fulfill(new Route.FulfillOptions()
                                .setContentType("application/json")
                                .setBody(body)));

        page.say("Hello");

        assertThat(page.page().locator("#error")).isVisible();
        assertThat(page.page().locator("#error")).not().hasText("");
        assertThat(page.button("New conversation")).isEnabled();
        assertThat(page.watch().take()).allMatch(seen -> seen.contains("status of 400"));
    }

    @Test
    void noOtherSiteFramesThePage(DemoPage page) {
        var headers = page.page().reload().headers();

        assertThat(headers).containsEntry("x-frame-options", "DENY").containsEntry("x-content-type-options", "nosniff");
        assertThat(headers.get("content-security-policy")).contains("frame-ancestors 'none'");
    }
}
