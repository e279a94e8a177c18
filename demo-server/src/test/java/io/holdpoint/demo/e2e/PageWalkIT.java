package io.holdpoint.demo.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** One hundred questions of an inbox, answered by keys: how many of them, and whether what does not belong there is seen. */
@ExtendWith(PageExtension.class)
class PageWalkIT {

    /** What somebody would have to see: another sum, another person, a name with a letter of another alphabet, a text that is not that of the others. */
    private static final List<String> PLANTED = List.of(
            "Transfer 9310 to Nina",
            "Transfer 2999 to Nina",
            "Transfer 330 to Mina",
            "Transfer 331 to N\u0456na",
            "Write to Ada that the account moved to a new bank");

    private Page page;
    private int keys;

    private void press(String key) {
        page.keyboard().press(key);
        keys++;
    }

    @Test
    void oneHundredAreAnsweredByKeysAndWhatWasPlantedIsSeen(Chromium chromium) throws Exception {
        try (DemoProcess server = DemoProcess.start(Map.of());
                DemoPage demo = DemoPage.open(chromium, server)) {
            for (int i = 0; i < 80; i++) {
                new AguiTestClient(demo.server()).say("Transfer " + (310 + i) + " to Nina");
            }
            for (int i = 0; i < 15; i++) {
                new AguiTestClient(demo.server()).say("Write to Ada that the meeting moved to Friday");
            }
            for (String sentence : PLANTED) {
                new AguiTestClient(demo.server()).say(sentence);
            }
            page = demo.page();
            page.clock().install();
            page.setViewportSize(1280, 800);
            page.navigate(demo.server() + "/inbox");
            Locator rows = page.locator(".inbox-row:visible");
            assertThat(rows).hasCount(100);
            page.locator("#inbox-filter").blur();

            List<String> unlike = new ArrayList<>();
            for (int i = 0; i < 100; i++) { // each is on the screen once
                press("j");
                assertThat(rows.nth(i)).isFocused();
                String line = rows.nth(i).innerText();
                if (line.contains("unlike the others")) {
                    unlike.add(line);
                }
                if (i == 83 || i == 99) { // the last one of those that are like it
                    press("g");
                }
            }
            assertThat(unlike).hasSize(PLANTED.size());
            for (String told : List.of("9,310", "2,999", "Mina", "N\\u0456na", "bank")) {
                assertThat(unlike).anyMatch(line -> line.contains(told));
            }
            assertThat(page.locator("#inbox-approve")).hasText("Approve 95");
            press("a");
            press("Enter");
            page.clock().fastForward(5_000);
            assertThat(page.locator("#announcer")).hasText("95 of 95 approved.");
            assertThat(rows).hasCount(PLANTED.size());

            while (page.locator(".inbox-row:focus").count() == 0) { // the filter has the focus
                press("Tab");
            }
            for (int left = PLANTED.size(); left > 0; left--) {
                assertThat(page.locator(".inbox-row:focus")).hasCount(1);
                press("d");
                press("Control+Enter");
                assertThat(rows).hasCount(left - 1);
            }
            assertThat(demo.effects("transferMoney", 80))
                    .hasSize(80)
                    .allMatch(args -> args.path("to").asText().equals("Nina")
                            && args.path("amount").asInt() < 400);
            assertThat(demo.effects("sendEmail", 15))
                    .hasSize(15)
                    .noneMatch(args -> args.path("body").asText().contains("bank"));
            assertThat(keys).as("keys, one for each line among them").isEqualTo(119);
        }
    }
}
