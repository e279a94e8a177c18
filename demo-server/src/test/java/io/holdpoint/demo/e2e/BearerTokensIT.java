package io.holdpoint.demo.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
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
    @ExtendWith(PageExtension.class)
    void thePageAsksForTheTokenOnce(Chromium chromium) {
        try (BrowserContext context = chromium.browser().newContext()) {
            context.setDefaultTimeout(PageExtension.PATIENCE.toMillis());
            Page page = context.newPage();
            int[] asked = {0};
            page.onDialog(dialog -> {
                asked[0]++;
                dialog.accept("secret-1");
            });
            page.navigate(demo.url() + "/");
            for (int i = 1; i <= 2; i++) {
                page.getByLabel("Message", new Page.GetByLabelOptions().setExact(true))
                        .fill("Pay 200 euros to Bob");
                page.keyboard().press("Enter");
                assertThat(page.locator("#cards > *")).hasCount(1);
                page.locator("#new-conversation").click();
            }
            assertThat(page.locator("#effects li")).not().hasCount(0);
            assertThat(page.locator("#effects")).not().containsText("knows who you are");
            assertThat(asked).containsExactly(1);
        }
    }

    @Test
    @ExtendWith(PageExtension.class)
    void thePageOfSomebodyElseDoesNotShowTheThread(Chromium chromium) throws Exception {
        try (BrowserContext adas = chromium.browser().newContext();
                BrowserContext graces = chromium.browser().newContext()) {
            Page ada = page(adas, "secret-1");
            ada.navigate(demo.url() + "/");
            ada.getByLabel("Message", new Page.GetByLabelOptions().setExact(true))
                    .fill("Transfer 500 to Bob");
            ada.keyboard().press("Enter");
            assertThat(ada.locator("#cards > *")).hasCount(1);

            Page grace = page(graces, "secret-2");
            grace.navigate(ada.url());

            assertThat(grace.locator("#error")).containsText("THREAD_NOT_FOUND");
            assertThat(grace.locator("#cards > *")).hasCount(0);
            assertThat(grace.locator(".message")).hasCount(0);
            ada.reload();
            new ApprovalCard(ada.locator("#cards > *")).deny("Not by Grace");
            assertThat(ada.locator(".message").last()).containsText("was declined");
        }
    }

    private static Page page(BrowserContext context, String token) {
        context.setDefaultTimeout(PageExtension.PATIENCE.toMillis());
        Page page = context.newPage();
        page.onDialog(dialog -> dialog.accept(token));
        return page;
    }
}
