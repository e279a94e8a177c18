package io.holdpoint.demo.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Several held calls of one run, which are answered together. */
@ExtendWith(PageExtension.class)
class PageSeveralIT {

    private static final String THREE =
            "Send an email to ada@example.com and bob@example.com and transfer 200 to Carol";

    @Test
    void eachGetsItsOwnAnswer(DemoPage page) throws Exception {
        page.say(THREE);
        assertThat(page.cards()).hasCount(3);

        page.card("ada@example.com").approve();
        page.card("bob@example.com").deny("He left");
        ApprovalCard transfer = page.card("transferMoney");
        transfer.openEditor();
        transfer.field("amount").fill("21.5");
        transfer.approveWithEdits();
        assertThat(page.effects()).isEmpty();
        page.button("Send answers").click();

        assertThat(page.messages().last()).containsText("I sent the email to ada@example.com");
        assertThat(page.messages().last()).containsText("The email to bob@example.com was declined (\"He left\")");
        assertThat(page.messages().last()).containsText("“Transferred 21.5 euros to Carol.”");
        assertThat(page.cards()).hasCount(0);
        page.awaitIdle();
        assertThat(page.effects()).hasSize(2);
        assertThat(Json.only(page.effects("sendEmail")).path("to").asText()).isEqualTo("ada@example.com");
        Json.assertSame(Json.only(page.effects("transferMoney")), Json.parse("{\"amount\":21.5,\"to\":\"Carol\"}"));
    }

    @Test
    void nothingIsSentBeforeAllAreDecidedAndADecisionCanBeChanged(DemoPage page) {
        page.say(THREE);
        assertThat(page.cards()).hasCount(3);

        page.card("ada@example.com").approve();
        page.card("bob@example.com").approve();
        assertThat(page.button("Send answers")).isDisabled();
        assertThat(page.page().getByText("2 of 3 decided.")).isVisible();
        page.card("transferMoney").deny("Not this month");
        assertThat(page.button("Send answers")).isEnabled();
        page.card("ada@example.com").button("Change").click();
        assertThat(page.button("Send answers")).isDisabled();
        page.card("ada@example.com").deny("Nor to her");
        page.button("Send answers").click();

        assertThat(page.messages().last()).containsText("(\"Nor to her\")");
        assertThat(page.messages().last()).containsText("(\"Not this month\")");
        assertThat(page.effects("transferMoney")).isEmpty();
        assertThat(page.effects("sendEmail"))
                .singleElement()
                .satisfies(args -> assertThat(args.path("to").asText()).isEqualTo("bob@example.com"));
    }
}
