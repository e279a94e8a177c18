package io.holdpoint.demo.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Several held calls of one run, which are answered together. */
@InTurns
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
        transfer.field("Amount in euros").fill("21.5");
        transfer.approveWithEdits();
        assertThat(page.effects()).isEmpty();
        page.button("Send 3 answers").click();

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
        assertThat(page.button("Send 3 answers")).isDisabled();
        assertThat(page.page().getByText("2 of 3 decided.")).isVisible();
        page.card("transferMoney").deny("Not this month");
        assertThat(page.button("Send 3 answers")).isEnabled();
        page.card("ada@example.com").change();
        assertThat(page.button("Send 3 answers")).isDisabled();
        page.card("ada@example.com").deny("Nor to her");
        page.button("Send 3 answers").click();

        assertThat(page.messages().last()).containsText("(\"Nor to her\")");
        assertThat(page.messages().last()).containsText("(\"Not this month\")");
        assertThat(page.effects("transferMoney")).isEmpty();
        assertThat(page.effects("sendEmail"))
                .singleElement()
                .satisfies(args -> assertThat(args.path("to").asText()).isEqualTo("bob@example.com"));
    }

    @Test
    void allAreApprovedTogetherOnceEachWasOnTheScreen(DemoPage page) {
        page.page().setViewportSize(1280, 500);
        page.say(THREE);
        page.card("bob@example.com").deny("He left");

        page.button("Approve all").click();
        assertThat(page.card("ada@example.com").root().locator("dl")).isVisible();
        assertThat(page.card("transferMoney").root().locator("dl")).isVisible();
        assertThat(page.button("Approve 2")).isDisabled();
        for (String each : new String[] {"ada@example.com", "transferMoney"}) {
            page.card(each).readOn();
            assertThat(page.card(each).root().getByText("Viewed")).isVisible();
        }
        page.button("Approve 2").click();

        assertThat(page.page().getByText("2 approved, 1 denied. Nothing was sent yet."))
                .isVisible();
        assertThat(page.page().locator(".card.decided")).hasCount(3);
        assertThat(page.button("Send 3 answers")).isFocused();
        assertThat(page.effects()).isEmpty();
        page.button("Send 3 answers").click();
        assertThat(page.messages().last()).containsText("I sent the email to ada@example.com");
        assertThat(page.effects()).hasSize(2);
    }

    @Test
    void aDecisionAboutAllLeavesAloneWhatSomebodyIsEditing(DemoPage page) throws Exception {
        page.say(THREE);
        page.card("transferMoney").openEditor();
        page.card("transferMoney").field("Amount in euros").fill("2");

        page.button("Approve all").click();
        for (String each : new String[] {"ada@example.com", "bob@example.com"}) {
            page.card(each).readOn();
            assertThat(page.card(each).root().getByText("Viewed")).isVisible();
        }
        page.button("Approve 2").click();

        assertThat(page.page().getByText("2 of 3 decided.")).isVisible();
        page.card("transferMoney").approveWithEdits();
        page.button("Send 3 answers").click();
        Json.assertSame(Json.only(page.effects("transferMoney")), Json.parse("{\"amount\":2,\"to\":\"Carol\"}"));
    }

    @Test
    void approvingAllIsOfferedForNothingThatSomebodyIsEditing(DemoPage page) {
        page.say("Transfer 661 to Ada and transfer 662 to Bob");
        page.card("Ada").openEditor();
        page.card("Bob").deny("Not to him");

        assertThat(page.button("Approve all")).isDisabled();
        assertThat(page.button("Deny all")).isDisabled();
        page.card("Ada").button("Back").click();
        page.button("Approve all").click();
        assertThat(page.button("Approve 1")).isEnabled();
        assertThat(page.page().getByText("1 of 2 decided.")).isVisible();
    }

    @Test
    void whatWasNotShownForItIsNotApprovedWithTheOthers(DemoPage page) {
        page.say("Transfer 661 to Ada and transfer 662 to Bob");
        page.card("Ada").openEditor();
        page.button("Approve all").click();
        page.card("Bob").readOn();
        assertThat(page.button("Approve 1")).isEnabled();

        page.card("Ada").button("Back").click();
        page.button("Approve 1").click();

        assertThat(page.page().getByText("1 of 2 decided.")).isVisible();
        assertThat(page.card("Ada").button("Approve")).isVisible();
        assertThat(page.button("Approve all")).isEnabled();
    }

    @Test
    void whatSomebodyBeganToEditAfterItWasShownIsNotApprovedWithTheOthers(DemoPage page) {
        page.page().setViewportSize(1280, 1200);
        page.say("Transfer 661 to Ada and transfer 662 to Bob");
        page.button("Approve all").click();
        assertThat(page.button("Approve 2")).isEnabled();

        page.card("Ada").openEditor();
        page.button("Approve 1").click();

        assertThat(page.page().getByText("1 of 2 decided.")).isVisible();
        assertThat(page.card("Ada").button("Nothing changed yet")).isVisible();
    }

    @Test
    void whatWasFilledInStaysWhenSomebodyElseHasSettledAnotherOne(DemoPage page) throws Exception {
        page.say("Transfer 771 to Ada and transfer 772 to Bob");
        page.card("Ada").deny("Not to her");
        page.card("Bob").deny("Not this month");
        page.page().evaluate("""
                async () => {
                  const threadId = new URLSearchParams(location.hash.slice(1)).get('thread');
                  let interrupt, next = '';
                  do { // other tests have left questions on the same server
                    const inbox = await (await fetch(`/agent/interrupts?limit=100${next}`)).json();
                    interrupt = inbox.interrupts.find((each) => each.threadId === threadId && each.interrupt.message.includes('Ada'))?.interrupt;
                    next = inbox.next && `&cursor=${inbox.next}`;
                  } while (!interrupt && next);
                  const body = { threadId, interruptId: interrupt.id, status: 'resolved', payload: { approved: true } };
                  await fetch('/agent/decisions', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
                }""");

        page.button("Send 2 answers").click();

        assertThat(page.page().locator("#error")).containsText("This was answered before");
        assertThat(page.card().field("Reason, for the agent (optional)")).hasValue("Not this month");
        assertThat(page.effects()).isEmpty();
        page.card().button("Deny").click();
        assertThat(page.messages().last()).containsText("Not this month");
        Json.assertSame(Json.only(page.effects("transferMoney")), Json.parse("{\"amount\":771,\"to\":\"Ada\"}"));
    }
}
