package io.holdpoint.demo.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Many schemas, each in a question of its own; all questions are of one run. */
@ExtendWith(PageExtension.class)
@InTurns
class PageSchemaIT {

    /**
     * A question and what happens to it. JSON is written with single quotes.
     *
     * @param given what the person types, or chooses
     * @param expected the payload, or the error
     */
    private record Case(String schema, String given, String expected) {}

    private static final List<Case> TYPED = List.of(
            new Case("{'type':'string'}", "two words", "'two words'"),
            new Case("{'type':'string','title':'Name'}", "Ada", "'Ada'"),
            new Case("{'type':'string','minLength':1,'maxLength':1}", "😀", "'😀'"),
            new Case("{'type':'integer'}", "0", "0"),
            new Case("{'type':'number'}", "-0.50", "-0.50"),
            new Case("{'type':'number','minimum':0.10,'exclusiveMaximum':1}", "0.10", "0.10"),
            new Case(
                    "{'type':'integer','maximum':12345678901234567890}",
                    "12345678901234567890",
                    "12345678901234567890"),
            new Case("{'type':['string','null']}", "null", "'null'"),
            new Case("{'type':['string','number','null']}", "null", "null"),
            new Case("{'type':'object'}", "{}", "{}"));

    private static final List<Case> CHOSEN = List.of(
            new Case("{'enum':['1',1,null,false]}", "null", "null"),
            new Case("{'enum':['1',1,null,false]}", "\"1\"", "'1'"),
            new Case("{'enum':['1',1,null,false]}", "1", "1"),
            new Case("{'enum':['1',1,null,false]}", "false", "false"),
            new Case("{'const':7.0}", "7.0", "7.0"),
            new Case("{'oneOf':[{'const':'a','title':'The first'},{'const':'b'}]}", "The first", "'a'"),
            new Case("{'type':'boolean','enum':[false]}", "false", "false"));

    private static final List<Case> REFUSED = List.of(
            new Case("{'type':'string'}", "", "Write something, or say that the text is to be empty."),
            new Case("{'type':'string','minLength':1}", "", "It must have at least 1 character."),
            new Case("{'type':'string','maxLength':2}", "abc", "It must have at most 2 characters."),
            new Case("{'type':'integer'}", "", "Write a whole number, such as 12."),
            new Case("{'type':'integer'}", "1.5", "Write a whole number, such as 12."),
            new Case("{'type':'number','minimum':0.50}", "0.4", "It must be at least 0.50."),
            new Case("{'type':'number','maximum':10}", "10.01", "It must be at most 10."),
            new Case("{'type':'number','exclusiveMinimum':0}", "0", "It must be more than 0."),
            new Case("{'type':['string','number','null']}", "nil", "is not valid JSON"),
            new Case("{'type':'object'}", "", "Write a JSON value."));

    private static final List<String> ODD = List.of(
            "{}",
            "{'type':'constructor'}",
            "{'type':7,'description':8,'title':9}",
            "{'type':'object','properties':null}",
            "{'type':'object','properties':{'a':null,'b':true,'__proto__':{'type':'string'}}}",
            "{'type':'object','properties':{},'required':['missing']}",
            "{'type':'object','properties':{},'required':7}",
            "{'type':'object','properties':{'approved':{'type':'boolean'}},'required':null}",
            "{'type':'array','items':[]}",
            "{'enum':[]}",
            "{'oneOf':[]}",
            "{'type':'string','maxLength':'x','default':5}",
            "{'$ref':'#'}",
            "null",
            "true");

    @Test
    void whatIsTypedIsTheValue(DemoPage page) {
        StagedInterrupts staged = ask(page, TYPED.stream().map(Case::schema).toList());

        for (int i = 0; i < TYPED.size(); i++) {
            card(page, i)
                    .open()
                    .root()
                    .getByRole(AriaRole.TEXTBOX)
                    .fill(TYPED.get(i).given());
            card(page, i).button("Answer").click();
        }

        assertPayloads(page, staged, TYPED);
    }

    @Test
    void whatIsChosenIsTheValue(DemoPage page) {
        StagedInterrupts staged = ask(page, CHOSEN.stream().map(Case::schema).toList());

        for (int i = 0; i < CHOSEN.size(); i++) {
            card(page, i).open().radio(CHOSEN.get(i).given()).check();
            card(page, i).button("Answer").click();
        }

        assertPayloads(page, staged, CHOSEN);
    }

    @Test
    void whatDoesNotFitIsRefusedAtItsFieldAndNothingIsSent(DemoPage page) {
        StagedInterrupts staged = ask(page, REFUSED.stream().map(Case::schema).toList());

        for (int i = 0; i < REFUSED.size(); i++) {
            ApprovalCard card = card(page, i).open();
            Locator input = card.root().getByRole(AriaRole.TEXTBOX);
            input.fill(REFUSED.get(i).given());
            card.button("Answer").click();

            assertThat(card.root().locator(".field-error").first())
                    .containsText(REFUSED.get(i).expected());
            assertThat(card.root().getByRole(AriaRole.ALERT))
                    .containsText(REFUSED.get(i).expected());
            assertThat(input).isFocused();
        }

        assertThat(page.page().locator("#batch .primary")).isDisabled();
        assertThat(staged.answers()).isEmpty();
    }

    @Test
    void anOddSchemaStillLeavesACardThatCanBeCancelled(DemoPage page) {
        StagedInterrupts staged = ask(page, ODD);

        for (int i = 0; i < ODD.size(); i++) {
            card(page, i).open().button("Skip").click();
        }

        assertSent(page, staged, ODD.size(), i -> "\"status\":\"cancelled\"");
    }

    private static StagedInterrupts ask(DemoPage page, List<String> schemas) {
        StagedInterrupts staged = StagedInterrupts.ask(
                page,
                IntStream.range(0, schemas.size())
                        .mapToObj(i -> PageQuestionIT.question(json(schemas.get(i)))
                                .replace("\"int_q\"", "\"int_" + i + "\"")
                                .replace("Please say.", "Question " + i + "?"))
                        .toArray(String[]::new));
        assertThat(page.cards()).hasCount(schemas.size());
        return staged;
    }

    private static ApprovalCard card(DemoPage page, int number) {
        return page.card("Question " + number + "?");
    }

    private static void assertPayloads(DemoPage page, StagedInterrupts staged, List<Case> cases) {
        assertSent(
                page,
                staged,
                cases.size(),
                i -> "\"status\":\"resolved\",\"payload\":" + json(cases.get(i).expected()));
    }

    private static void assertSent(
            DemoPage page, StagedInterrupts staged, int count, Function<Integer, String> answer) {
        page.page().locator("#batch .primary").click();
        assertThat(page.cards()).hasCount(0);
        assertThat(staged.answer(page))
                .isEqualTo(IntStream.range(0, count)
                        .mapToObj(i -> "{\"interruptId\":\"int_" + i + "\"," + answer.apply(i) + "}")
                        .collect(Collectors.joining(",", "[", "]")));
    }

    private static String json(String text) {
        return text.replace('\'', '"');
    }
}
