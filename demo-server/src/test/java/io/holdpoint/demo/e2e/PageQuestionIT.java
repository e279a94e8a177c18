package io.holdpoint.demo.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Questions with a schema: a form is made from it, and what it says is the payload, to the letter. */
@ExtendWith(PageExtension.class)
@InTurns
class PageQuestionIT {

    @Test
    void aFormMakesAnObject(DemoPage page) {
        StagedInterrupts staged = StagedInterrupts.ask(page, question("""
                {"type":"object","required":["quarter","year","revenue"],"properties":{
                "quarter":{"type":"string","enum":["Q1","Q2","Q3","Q4"]},"year":{"type":"integer","minimum":2000},
                "revenue":{"type":"number"},"remark":{"type":"string"}}}"""));

        ApprovalCard card = page.card();
        assertThat(card.root().getByRole(AriaRole.HEADING)).hasText("A question for you");
        assertThat(card.root().locator("input:checked")).hasCount(0);
        card.radio("Q3").check();
        card.field("Year").fill("2026");
        card.field("Revenue").fill("12345678901234567.80");
        card.button("Answer").click();

        assertPayload(page, staged, "{\"quarter\":\"Q3\",\"year\":2026,\"revenue\":12345678901234567.80}");
    }

    @Test
    void emptyAndFalseAndZeroAreAnswers(DemoPage page) {
        StagedInterrupts staged = StagedInterrupts.ask(page, question("""
                {"type":"object","required":["yes","count","text","list"],"properties":{
                "yes":{"type":"boolean"},"count":{"type":"integer"},"text":{"type":"string"},
                "list":{"type":"array","items":{"type":"string"}},"more":{"type":"boolean"}}}"""));
        ApprovalCard card = page.card();

        card.radio("No").first().check();
        card.field("Count").fill("0");
        card.button("Answer").click();
        assertThat(card.field("Text")).isFocused();
        card.field("Answer with an empty text").check();
        card.button("Answer").click();

        assertPayload(page, staged, "{\"yes\":false,\"count\":0,\"text\":\"\",\"list\":[]}");
    }

    @Test
    void objectsAndListsInsideOfOthers(DemoPage page) {
        StagedInterrupts staged = StagedInterrupts.ask(page, question("""
                {"type":"object","required":["who"],"properties":{
                "who":{"type":"object","required":["name"],"properties":{"name":{"type":"string"},
                  "vip":{"type":"boolean","title":"Very important"}}},
                "sizes":{"type":"array","items":{"type":"integer"}}}}"""));
        ApprovalCard card = page.card();

        card.field("Name").fill("Ada");
        card.field("Include Very important").check();
        card.radio("Yes").check();
        card.field("Include Sizes").check();
        for (String size : new String[] {"1", "2", "3"}) {
            card.button("Add to Sizes").click();
            card.field("Sizes " + size).fill(size + "0");
        }
        card.button("Remove Sizes 2").click();
        card.button("Answer").click();

        assertPayload(page, staged, "{\"who\":{\"name\":\"Ada\",\"vip\":true},\"sizes\":[10,30]}");
    }

    @Test
    void manyValuesAreInAList(DemoPage page) {
        StagedInterrupts staged = StagedInterrupts.ask(page, question("{\"enum\":[0,1,2,3,4,5,6,7,8]}"));

        Locator list = page.card().field("Your answer");
        assertThat(list).hasValue("");
        list.selectOption("0");
        page.card().button("Answer").click();

        assertPayload(page, staged, "0");
    }

    @Test
    void aListOfTooFewIsRefused(DemoPage page) {
        StagedInterrupts staged = StagedInterrupts.ask(
                page, question("{\"type\":\"array\",\"minItems\":1,\"items\":{\"type\":\"number\"}}"));

        page.card().button("Answer").click();
        assertThat(page.card().root().getByRole(AriaRole.ALERT)).hasText("Your answer: It must have at least 1 entry.");
        assertThat(page.card().button("Add to Your answer")).isFocused();
        page.card().button("Add to Your answer").click();
        page.card().field("Your answer 1").fill("1e3");
        page.card().button("Answer").click();

        assertPayload(page, staged, "[1e3]");
    }

    @Test
    void whatAFormCannotExpressIsWrittenAsJson(DemoPage page) {
        StagedInterrupts staged = StagedInterrupts.ask(
                page,
                question(
                        "{\"anyOf\":[{\"type\":\"array\"},{\"type\":\"null\"}],\"description\":\"A pair or nothing.\"}"));

        assertThat(page.card().root()).containsText("What an answer looks like (JSON schema)");
        page.card().field("Your answer (JSON)").fill("[1.0, {\"__proto__\": null}]");
        page.card().button("Answer").click();

        assertPayload(page, staged, "[1.0,{\"__proto__\":null}]");
    }

    @Test
    void theDefaultOfASchemaIsThereToBeginWith(DemoPage page) {
        StagedInterrupts staged = StagedInterrupts.ask(page, question("""
                {"type":"object","required":["a","b","c","d"],"properties":{
                "a":{"type":"string","default":"x"},"b":{"type":"boolean","default":false},
                "c":{"enum":["p","q"],"default":"q"},"d":{"type":"integer","default":"none"}}}"""));

        page.card().field("D").fill("4");
        page.card().button("Answer").click();

        assertPayload(page, staged, "{\"a\":\"x\",\"b\":false,\"c\":\"q\",\"d\":4}");
    }

    static String question(String schema) {
        return "{\"id\":\"int_q\",\"reason\":\"input_required\",\"message\":\"Please say.\",\"responseSchema\":"
                + schema.replaceAll("\\n\\s*", "") + "}";
    }

    private static void assertPayload(DemoPage page, StagedInterrupts staged, String payload) {
        assertThat(page.cards()).hasCount(0);
        assertThat(staged.answer(page))
                .isEqualTo("[{\"interruptId\":\"int_q\",\"status\":\"resolved\",\"payload\":" + payload + "}]");
    }
}
