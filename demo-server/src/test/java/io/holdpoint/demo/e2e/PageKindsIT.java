package io.holdpoint.demo.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which card an interrupt gets, and interrupts of several kinds in one run. */
@ExtendWith(PageExtension.class)
@InTurns
class PageKindsIT {

    private static final String CONFIRMATION = """
            {"id":"int_c","reason":"confirmation","message":"Go on?","responseSchema":{"type":"boolean"}}""";

    private static final String APPROVAL = """
            {"id":"int_a","reason":"langchain4j:second_look","message":"Really?","responseSchema":{"type":"object",\
            "properties":{"approved":{"type":"boolean"},"reason":{"type":"string"}},"required":["approved"]},\
            "metadata":{"langchain4j":{"toolName":"transferMoney","args":{"amount":500}}}}""";

    @ParameterizedTest
    @CsvSource({"Yes, true, true", "No, false, true", "Yes, true, false", "No, false, false"})
    void aConfirmationIsAnsweredByOneClickWithOrWithoutASchema(
            String choice, String payload, boolean schema, DemoPage page) {
        StagedInterrupts staged = StagedInterrupts.ask(
                page, schema ? CONFIRMATION : CONFIRMATION.replaceFirst(",\"responseSchema\":.*}}$", "}"));

        page.card().button(choice).click();

        assertThat(page.cards()).hasCount(0);
        assertThat(staged.answer(page))
                .isEqualTo("[{\"interruptId\":\"int_c\",\"status\":\"resolved\",\"payload\":" + payload + "}]");
    }

    @Test
    void anApprovalIsRecognisedByItsSchema(DemoPage page) {
        StagedInterrupts staged = StagedInterrupts.ask(page, APPROVAL);

        assertThat(page.card().root().getByRole(AriaRole.HEADING)).hasText("Waiting for you transferMoney");
        page.card().deny("No");

        assertThat(page.cards()).hasCount(0);
        assertThat(staged.answer(page))
                .isEqualTo(
                        "[{\"interruptId\":\"int_a\",\"status\":\"resolved\",\"payload\":{\"approved\":false,\"reason\":\"No\"}}]");
    }

    @Test
    void aFormWithMoreThanAnApprovalIsAForm(DemoPage page) {
        StagedInterrupts staged = StagedInterrupts.ask(
                page,
                APPROVAL.replace("\"reason\":{\"type\":\"string\"}", "\"budget\":{\"type\":\"integer\"}")
                        .replace("[\"approved\"]", "[\"approved\",\"budget\"]"));

        page.card().radio("Yes").check();
        page.card().field("Budget").fill("7");
        page.card().button("Answer").click();

        assertThat(page.cards()).hasCount(0);
        assertThat(staged.answer(page)).endsWith("\"payload\":{\"approved\":true,\"budget\":7}}]");
    }

    @Test
    void aQuestionWithoutASchemaCanBeAcknowledged(DemoPage page) {
        StagedInterrupts staged = StagedInterrupts.ask(page, free());

        assertThat(page.card().root().getByRole(AriaRole.HEADING)).hasText("A question for you");
        assertThat(page.card().root()).containsText("\"used\": 12.50");
        page.card().button("Acknowledge").click();

        assertThat(page.cards()).hasCount(0);
        assertThat(staged.answer(page)).isEqualTo("[{\"interruptId\":\"int_f\",\"status\":\"resolved\"}]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Answer with text… | Your answer | null | \"null\"",
                "Answer with JSON… | Your answer (JSON) | null | null",
                "Answer with JSON… | Your answer (JSON) | false | false",
                "Answer with JSON… | Your answer (JSON) | {\"b\":1.0,\"a\":\"\"} | {\"b\":1.0,\"a\":\"\"}",
            })
    void aQuestionWithoutASchemaTakesTextAndJson(
            String button, String field, String typed, String payload, DemoPage page) {
        StagedInterrupts staged = StagedInterrupts.ask(page, free());

        page.card().button(button).click();
        page.card().field(field).fill(typed);
        page.card().button("Answer").click();

        assertThat(page.cards()).hasCount(0);
        assertThat(staged.answer(page))
                .isEqualTo("[{\"interruptId\":\"int_f\",\"status\":\"resolved\",\"payload\":" + payload + "}]");
    }

    @Test
    void severalKindsAreAnsweredTogether(DemoPage page) {
        StagedInterrupts staged = StagedInterrupts.ask(
                page,
                APPROVAL,
                PageOutcomeIT.outcomeUnknown("\"retry\",\"done\",\"not_done\""),
                CONFIRMATION,
                PageQuestionIT.question("{\"type\":\"string\"}"));
        assertThat(page.cards()).hasCount(4);

        page.reload();
        assertThat(page.cards()).hasCount(4);
        page.card("Really?").approve();
        page.card("take effect?").open().radio("It was done").check();
        page.card("take effect?").button("Answer").click();
        page.card("Go on?").open().button("Yes").click();
        assertThat(page.button("Send 4 answers")).isDisabled();
        page.card("Please say.").open().field("Your answer").fill("I say");
        page.card("Please say.").button("Answer").click();
        assertThat(page.card("Please say.").root()).containsText("Answered: I say");
        page.card("take effect?").change();
        assertThat(page.card("take effect?").radio("Run it again")).isFocused();
        assertThat(page.button("Send 4 answers")).isDisabled();
        page.card("take effect?").radio("It was not done").check();
        page.card("take effect?").button("Answer").click();
        page.card("Go on?").change();
        page.card("Go on?").button("Skip").click();
        assertThat(staged.answers()).isEmpty();
        page.button("Send 4 answers").click();

        assertThat(page.cards()).hasCount(0);
        assertThat(staged.answer(page))
                .isEqualTo("[{\"interruptId\":\"int_a\",\"status\":\"resolved\",\"payload\":{\"approved\":true}},"
                        + "{\"interruptId\":\"int_1\",\"status\":\"resolved\",\"payload\":{\"action\":\"not_done\"}},"
                        + "{\"interruptId\":\"int_c\",\"status\":\"cancelled\"},"
                        + "{\"interruptId\":\"int_q\",\"status\":\"resolved\",\"payload\":\"I say\"}]");
    }

    @Test
    void aCallThatNoModelMadeSaysWhoHasProposedIt(DemoPage page) {
        StagedInterrupts.ask(page, APPROVAL.replace("\"args\"", "\"proposedBy\":\"billing\",\"args\""));

        ApprovalCard card = page.card("Really?").open();

        assertThat(card.root()).containsText("Proposed by billing, not by a model.");
        assertThat(card.root().getByText("More about this")).hasCount(0);
    }

    @Test
    void aCallOfAnMcpClientSaysNoMoreThanIsKnownOfIt(DemoPage page) {
        StagedInterrupts.ask(page, APPROVAL.replace("\"args\"", "\"proposedBy\":\"mcp:claude-code\",\"args\""));

        assertThat(page.card("Really?").open().root())
                .containsText("Proposed by an assistant (claude-code, as it calls itself), or by its user.");
    }

    @Test
    void aQuestionOfAnAgentThatIsAToolSaysWhoseItIs(DemoPage page) {
        String delegated =
                "\"delegatedBy\":{\"toolName\":\"clerk\",\"argsSha256\":\"00\",\"interruptId\":\"int_inner\"},";
        StagedInterrupts.ask(
                page,
                APPROVAL.replace("\"args\"", delegated + "\"args\""),
                CONFIRMATION.replaceFirst("}$", ",\"metadata\":{\"langchain4j\":{" + delegated + "\"args\":{}}}}"));

        for (String question : List.of("Really?", "Go on?")) {
            ApprovalCard card = page.card(question).open();
            assertThat(card.root()).containsText("Asked by clerk, an agent that works for this one.");
            assertThat(card.root().getByText("More about this")).hasCount(0);
        }
    }

    @Test
    void aQuestionSaysWhomTimeWasToAskAsWell(DemoPage page) {
        page.awaitIdle();
        page.page().clock().install();
        page.reload();
        Instant now = Instant.now();
        String timeline =
                "\"timeline\":[{\"at\":\"%s\",\"step\":\"escalate\",\"audience\":\"manager\"},{\"at\":\"%s\",\"step\":\"give_up\"}],"
                        .formatted(now.plusSeconds(600), now.plusSeconds(3600));
        StagedInterrupts.ask(page, APPROVAL.replace("\"args\"", timeline + "\"args\""));
        Locator times = page.card().root().locator(".times-to-come");
        assertThat(times)
                .hasText(Pattern.compile("^If nobody decides: " + DemoPage.TIME + " manager is asked as well; .*"));

        page.page().clock().fastForward(601_000);

        assertThat(times).hasText(Pattern.compile("^If nobody decides: " + DemoPage.TIME + " over.*"));
        assertThat(page.card().root().locator(".story"))
                .hasText(Pattern.compile("^Manager is asked as well: that was due\\. " + DemoPage.TIME + "$"));
    }

    @Test
    void textOfAnInterruptIsNeverHtml(DemoPage page) {
        String html = "<img src=x onerror=alert(1)>\\u202e";
        StagedInterrupts.ask(page, """
                {"id":"int_h","reason":"langchain4j:HTML","message":"HTML","metadata":{"HTML":"HTML",\
                "langchain4j":{"toolName":"HTML","args":{"HTML":"HTML!"}}},\
                "responseSchema":{"type":"object","title":"HTML","description":"HTML","required":["HTML","c","l"],"properties":{\
                "HTML":{"type":"string","title":"HTML","description":"HTML","default":"HTML"},"c":{"enum":["HTML","x"]},\
                "l":{"type":"array","title":"HTML","items":{"type":"string"}},"o":{"type":"number","title":"HTML"}}}}""".replace("HTML", html));

        ApprovalCard card = page.card();
        assertThat(card.question()).hasText("<img src=x onerror=alert(1)>\\u202e");
        for (String place : new String[] {"h2", "legend", "label", "dt", "dd", "details pre", ".hint"}) {
            assertThat(card.root()
                            .locator(place, new Locator.LocatorOptions().setHasText("<img src=x onerror=alert(1)>"))
                            .first())
                    .containsText("\\u202e");
        }
        assertThat(page.page().locator("img, body script, [onerror]")).hasCount(0);
    }

    private static String free() {
        return "{\"id\":\"int_f\",\"reason\":\"langchain4j:budget\",\"message\":\"Used up.\","
                + "\"metadata\":{\"budget\":{\"used\":12.50}}}";
    }
}
