package io.holdpoint.internal.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.agui.AguiCodec;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The page behind a link says of a call what its card says, and all of it. */
class ArgumentListTest {

    private static String html(String language, String args, String schema) {
        try {
            return new ArgumentList(new PageTexts(Locale.forLanguageTag(language)))
                    .html(
                            AguiCodec.mapper().readTree(args),
                            AguiCodec.mapper().readTree(schema),
                            UnaryOperator.identity());
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** One value, by the schema of its argument. */
    private static String shown(String language, String value, String schema) {
        String html = html(language, "{\"a\":" + value + "}", "{\"properties\":{\"a\":" + schema + "}}");
        return html.replaceFirst("^<dl><dt><bdi>[^<]*</bdi></dt><dd>", "")
                .replaceFirst("a</dd></dl>$", "") // the name, which the test puts behind the value
                .replaceAll("^<bdi>([^<]*)</bdi>$", "$1");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"properties":{"a":{"title":"To <b>"}}}                                    | To &lt;b&gt;
            {"properties":{"a":{"description":"the amount in euros"}}}                 | Amount in euros
            {"properties":{"a":{"description":"An amount. Of what it costs"}}}         | A
            {"properties":{"a":{"title":7,"description":"P\\u0430yPal"}}}              | P<mark>U+430</mark>yPal
            {"properties":{"a":true}}                                                  | A""")
    void aNameIsTheLabelOfTheCard(String schema, String label) {
        assertThat(html("en", "{\"a\":\"x\"}", schema))
                .isEqualTo("<dl><dt><bdi>" + label + "</bdi></dt><dd><bdi>x</bdi>a</dd></dl>");
    }

    @ParameterizedTest
    @CsvSource({
        "dueDate, Due date",
        "due_date, Due date",
        "IBAN, IBAN",
        "a-b__c, A b c",
        "_, _",
        "'', &quot;&quot;",
        "$1, $1",
        "<i>, &lt;i&gt;"
    })
    void aNameWithoutALabelIsInWords(String name, String label) {
        assertThat(html("en", "{\"" + name + "\":1}", "{}")).contains("<dt><bdi>" + label + "</bdi></dt>");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            en    | 20000              | \u20ac20,000.00
            en-GB | 20000.00           | \u20ac20,000.00
            de    | 20000              | 20.000,00\u00a0\u20ac
            de-AT | 20000              | \u20ac\u00a020.000,00
            fr    | 20000              | 20\u202f000,00\u00a0\u20ac
            es-MX | 20000              | EUR\u00a020,000.00
            ar    | 20000              | \u20ac\u00a020,000.00
            en    | -0.5               | -\u20ac0.50
            en    | 0.123456789012345678 | \u20ac0.123456789012345678
            en    | 12345678901234567890123456789012345678901234567890.01 | \u20ac12,345,678,901,234,567,890,123,456,789,012,345,678,901,234,567,890.01
            en    | 1e400              | 1E+400
            en    | 1.000000000000000000001 | 1.000000000000000000001
            de    | -1.5e-7            | -1,5E-7
            en    | "20000"            | 20000
            en    | "NaN"              | NaN
            en    | null               | null
            en    | true               | true""")
    void anAmountIsMoneyWithAllItsDigits(String language, String value, String shown) {
        assertThat(shown(language, value, "{\"x-unit\":\"EUR\"}")).isEqualTo(shown);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"description":"The amount in euros"}          | \u20ac5.00
            {"description":"What it costs, in US dollars"} | $5.00
            {"description":"Price (GBP), without tax."}    | \u00a35.00
            {"description":"EURO-like, neuros"}            | \u20ac5.00
            {"description":"neuros and AEUR"}              | 5
            {"description":7}                              | 5
            {"x-unit":"JPY"}                               | \u00a55
            {"x-unit":"CHF"}                               | CHF\u00a05.00
            {"x-unit":"ABC"}                               | 5 ABC
            {"x-unit":"XAU"}                               | XAU\u00a05
            {"x-unit":"kg <b>"}                            | 5 kg &lt;b&gt;
            {"x-unit":7,"description":"euros"}             | 5
            {"x-unit":null,"description":"euros"}          | \u20ac5.00
            {}                                             | 5""")
    void theUnitIsWhatTheSchemaNames(String schema, String shown) {
        assertThat(shown("en", "5", schema)).isEqualTo(shown);
    }

    @ParameterizedTest
    @CsvSource({"'\"USD\"', '$5.50'", "'\"usd\"', 5.50", "7, 5.50", "null, 5.50", "'\"\\u202eUSD\"', 5.50"})
    void anArgumentBesideNamesTheCurrency(String currency, String shown) {
        assertThat(html("en", "{\"price\":5.50,\"currency\":" + currency + "}", "{}"))
                .contains("<dd><bdi>" + shown + "</bdi>price</dd>");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            en | 2026-06-03                | {}                       | Wednesday, June 3, 2026
            de | 2026-06-03                | {"format":"date"}        | Mittwoch, 3. Juni 2026
            de | 2026-06-03T14:30:59+02:00 | {}                       | Mittwoch, 3. Juni 2026, 12:30 UTC
            ar | 2026-06-03T00:30:00Z      | {"format":"date-time"}   | \u0627\u0644\u0623\u0631\u0628\u0639\u0627\u0621\u060c 3 \u064a\u0648\u0646\u064a\u0648 2026, 00:30 UTC""")
    void aDayAndATimeAreInWordsAndAsGiven(String language, String value, String schema, String words) {
        assertThat(shown(language, '"' + value + '"', schema))
                .isEqualTo("<bdi>" + words + "</bdi> <small><bdi>" + value + "</bdi></small>");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-02-30",
                "2026-06-03T25:00:00Z",
                "2026-06-03T14:30:00",
                "2026-06-03T1Z",
                "+999999999-12-31",
                "June"
            })
    void whatIsNoDayStaysAsItIs(String value) {
        assertThat(shown("de", '"' + value + '"', "{\"format\":\"date\"}")).isEqualTo(value);
        assertThat(shown("de", '"' + value + '"', "{}")).isEqualTo(value);
    }

    @Test
    void aTextIsWholeAndHidesNothing() {
        assertThat(shown("ar", "\"\\u202e</bdi><script>\\u200f\\n1\"", "{\"format\":\"date\",\"x-unit\":\"EUR\"}"))
                .isEqualTo("<bdi><mark>U+202e</mark>&lt;/bdi&gt;&lt;script&gt;<mark>U+200f</mark>\n1</bdi>");
        String longOne = "x".repeat(50_000);
        assertThat(shown("en", '"' + longOne + '"', "{}")).isEqualTo(longOne);
        assertThat(shown("de", "\"\"", "{}")).isEqualTo("<em>leer</em>");
    }

    @Test
    void aRecordIsByItsLabelsInTheOrderOfTheSchema() {
        String schema = """
                {"properties":{"lines":{"items":{"properties":{"price":{"title":"Price"},"of":{"title":"For"}}}},
                               "none":{},"empty":{}}}""";

        assertThat(html(
                        "en",
                        "{\"empty\":[],\"none\":{},\"lines\":[{\"currency\":\"EUR\",\"of\":\"<i>\",\"price\":7},1.50]}",
                        schema))
                .isEqualTo(
                        "<dl><dt><bdi>Lines</bdi></dt><dd><ol><li><dl><dt><bdi>Price</bdi></dt><dd><bdi>\u20ac7.00</bdi></dd>"
                                + "<dt><bdi>For</bdi></dt><dd><bdi>&lt;i&gt;</bdi></dd><dt><bdi>Currency</bdi></dt><dd><bdi>EUR</bdi></dd></dl></li>"
                                + "<li><bdi>1.50</bdi></li></ol>lines</dd>"
                                + "<dt><bdi>None</bdi></dt><dd><em>nothing in it</em>none</dd>"
                                + "<dt><bdi>Empty</bdi></dt><dd><em>no entries</em>empty</dd></dl>");
    }

    @Test
    void whatIsNestedDeeplyIsShownAsJson() {
        String html = html("en", "{\"a\":" + "[".repeat(40) + "\"<\u202e\"" + "]".repeat(40) + "}", "{}");

        assertThat(html).contains("<pre>").contains("&lt;<mark>U+202e</mark>").containsOnlyOnce("<pre>");
        assertThat(html.split("<ol>", -1)).hasSizeLessThan(10);
    }

    /** The arguments of a call in a list of calls are a text there. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            "{\\"to\\": \\"a b\\"}"         | <dl><dt><bdi>To</bdi></dt><dd><bdi>a b</bdi></dd></dl>
            "{\\"to\\": 1, \\"to\\": 2}"    | <bdi>{&quot;to&quot;: 1, &quot;to&quot;: 2}</bdi>
            "{\\"to\\": 1} {}"              | <bdi>{&quot;to&quot;: 1} {}</bdi>
            "[1]"                           | <bdi>[1]</bdi>
            "{\\"to\\": 1.50e3}"            | <bdi>{&quot;to&quot;: 1.50e3}</bdi>
            "{"                             | <bdi>{</bdi>
            ""                              | <em>empty</em>""")
    void argumentsInATextAreThoseOfACall(String text, String shown) {
        assertThat(html("en", "{\"arguments\":" + text + "}", "{}")).contains("<dd>" + shown + "arguments</dd>");
    }

    /** What a call would do is any value. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            "<b>"     | <bdi>&lt;b&gt;</bdi>
            1.50      | <bdi>1,50</bdi>
            {}        | <em>nichts darin</em>
            ["x"]     | <ol><li><bdi>x</bdi></li></ol>""")
    void aValueWithoutNamesStandsAlone(String value, String shown) {
        assertThat(html("de", value, "{}")).isEqualTo("<div>" + shown + "</div>");
    }

    /** A model can write it, and the page behind the link must open nevertheless. */
    @Test
    void aTextWithANumberOfNoSensibleSizeStaysAText() {
        assertThat(html("en", "{\"arguments\":\"{\\\"a\\\":1e99999999999999999999}\"}", "{}"))
                .contains("1e99999999999999999999");
    }
}
