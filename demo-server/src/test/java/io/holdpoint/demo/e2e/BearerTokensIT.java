package io.holdpoint.demo.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A demo that tells people apart. */
class BearerTokensIT {

    private static DemoProcess demo;

    @BeforeAll
    static void start() throws Exception {
        demo = DemoProcess.start(Map.of("BEARER_TOKENS", "ada=secret-1,grace=secret-2"));
    }

    @AfterAll
    static void stop() {
        if (demo != null) {
            demo.close();
        }
    }

    private HttpResponse<String> present(String... authorization) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(demo.url().resolve("/agent"))
                .header("Content-Type", "application/json")
                .POST(
                        BodyPublishers.ofString(
                                "{\"threadId\":\"t\",\"runId\":\"r\",\"messages\":[{\"id\":\"m\",\"role\":\"user\",\"content\":\"Hello\"}]}"));
        for (String each : authorization) {
            request.header("Authorization", each);
        }
        return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
    }

    @Test
    void everybodyHasThreadsOfTheirOwn() throws Exception {
        assertThat(present().statusCode()).isEqualTo(401);
        assertThat(present("Bearer secret-3").statusCode()).isEqualTo(401);
        assertThat(present("Bearer secret-1").body()).contains("RUN_FINISHED");
        assertThat(present("Bearer secret-2").statusCode()).isEqualTo(404);
        assertThat(demo.output()).doesNotContain("secret");
    }

    @Test
    void theOfficialClientIsToldApart() throws Exception {
        NodeTests.run(
                Map.of(
                        "HOLDPOINT_URL", demo.url().toString(),
                        "ADA_TOKEN", "secret-1",
                        "GRACE_TOKEN", "secret-2"),
                List.of(demo),
                "scenarios/callers.mjs");
        assertThat(demo.output()).doesNotContain("secret");
    }

    @Test
    void theEffectsAreForThoseWhoHaveAToken() throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(demo.url().resolve("/demo/effects"));
        HttpResponse<String> refused = HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
        request.header("Authorization", "Bearer secret-1");

        assertThat(refused.statusCode()).isEqualTo(401);
        assertThat(refused.headers().firstValue("WWW-Authenticate")).contains("Bearer");
        assertThat(HttpClient.newHttpClient()
                        .send(request.build(), BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void whoHasNoTokenDoesNotEndTheServer() throws Exception {
        HttpRequest crash = HttpRequest.newBuilder(demo.url().resolve("/demo/crash"))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"when\":\"now\"}"))
                .build();

        assertThat(HttpClient.newHttpClient()
                        .send(crash, BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(401);
        assertThat(present("Bearer secret-3").statusCode()).isEqualTo(401);
    }

    @Test
    @ExtendWith(PageExtension.class)
    void thePageAsksOnceWhoIsThereAndForgetsThemWhenTheySignOut(Chromium chromium) {
        try (BrowserContext context = context(chromium)) {
            Page page = context.newPage();
            page.navigate(demo.url() + "/");
            signIn(page, "ada", "secret-2");
            assertThat(page.locator("#sign-in-error")).hasText("The server knows nobody of this name with this token.");
            signIn(page, "ada", "secret-1");
            for (int i = 1; i <= 2; i++) {
                say(page, "Pay 200 euros to Bob");
                assertThat(page.locator(".card")).hasCount(1);
                page.locator("#new-conversation").click();
            }
            assertThat(page.locator("#who-name")).hasText("ada");
            assertThat(page.locator("#sign-in")).isHidden();
            page.locator("#sign-out").click();
            assertThat(page.locator("#sign-in")).isVisible();
            assertThat(page.locator(".card")).hasCount(0);
        }
    }

    @Test
    @ExtendWith(PageExtension.class)
    void thePageOfSomebodyElseDoesNotShowTheThread(Chromium chromium) {
        try (BrowserContext adas = context(chromium);
                BrowserContext graces = context(chromium)) {
            Page ada = adas.newPage();
            ada.navigate(demo.url() + "/");
            signIn(ada, "ada", "secret-1");
            say(ada, "Transfer 500 to Bob");
            assertThat(ada.locator(".card")).hasCount(1);

            Page grace = graces.newPage();
            grace.navigate(ada.url());
            signIn(grace, "grace", "secret-2");

            assertThat(grace.locator("#error")).containsText("There is no such conversation for you");
            assertThat(grace.locator(".card")).hasCount(0);
            assertThat(grace.locator(".message")).hasCount(0);
            ada.reload();
            new ApprovalCard(ada.locator(".card")).deny("Not by Grace");
            assertThat(ada.locator(".message").last()).containsText("was declined");
        }
    }

    @Test
    @ExtendWith(PageExtension.class)
    void aMessageThatIsSentAsTheFormClosesIsNotLost(Chromium chromium) {
        try (BrowserContext context = context(chromium)) {
            Page page = context.newPage();
            page.navigate(demo.url() + "/");
            assertThat(page.locator("#sign-in")).isVisible();
            page.evaluate("""
                    () => document.getElementById('sign-in').addEventListener('close', () => {
                      const message = document.getElementById('message');
                      message.value = 'Transfer 500 to Bob';
                      message.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
                    })""");

            signIn(page, "ada", "secret-1");

            assertThat(page.locator(".card")).hasCount(1);
        }
    }

    private static BrowserContext context(Chromium chromium) {
        BrowserContext context = chromium.browser().newContext();
        context.setDefaultTimeout(PageExtension.PATIENCE.toMillis());
        return context;
    }

    static void signIn(Page page, String name, String token) {
        page.getByLabel("Name").fill(name);
        page.getByLabel("Token").fill(token);
        page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Sign in"))
                .click();
    }

    /** Says something when no run is under way any more: the page sends nothing before. */
    static void say(Page page, String text) {
        assertThat(page.locator("#sign-in")).isHidden();
        assertThat(page.locator("body[data-state=idle]")).hasCount(1);
        page.getByLabel("Message", new Page.GetByLabelOptions().setExact(true)).fill(text);
        page.getByLabel("Message", new Page.GetByLabelOptions().setExact(true)).press("Enter");
    }
}
