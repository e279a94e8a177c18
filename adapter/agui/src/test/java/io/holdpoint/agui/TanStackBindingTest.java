package io.holdpoint.agui;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The canonical texts and hashes are those that {@code canonicalInterruptJson} of {@code @tanstack/ai} 0.58.0 gives. */
class TanStackBindingTest {

    private static String canonical(String json) {
        return TanStackBinding.canonical(Examples.json(json));
    }

    private static JsonNode said(Dialect dialect, Interrupt interrupt, String runId) {
        RunEvent.Finished event =
                new RunEvent.Finished("t", runId, RunFinishedOutcome.interrupt(List.of(interrupt)), null, List.of());
        return Examples.json(new String(dialect.write(event), StandardCharsets.UTF_8))
                .at("/outcome/interrupts/0/metadata");
    }

    @Test
    void membersAreSortedAndTextsAreWrittenAsInJavaScript() {
        assertThat(canonical(
                        "{\"b\":1,\"a\":[true,null,\"x\"],\"é\":\"ü\",\"\\u0001\":\"\\u001f\\u007f\\u2028\\n\\t\\\"\\\\/\","
                                + "\"Z\":{\"b\":{},\"a\":[]}}"))
                .isEqualTo("{\"\\u0001\":\"\\u001f\u007f\u2028\\n\\t\\\"\\\\/\",\"Z\":{\"a\":[],\"b\":{}},"
                        + "\"a\":[true,null,\"x\"],\"b\":1,\"é\":\"ü\"}");
    }

    @Test
    void numbersAreWrittenAsInJavaScript() {
        assertThat(canonical("[1.0,19.90,1e21,123456789012345680000,1e-7,0.000001,-0.0,9007199254740993,5e-324,"
                        + "1.7976931348623157e308,0.1,100,1E+2,2e-3,2.2250738585072014E-308,1e23,-12.5e-10,4.35,"
                        + "123456789.123456789,0.30000000000000004]"))
                .isEqualTo("[1,19.9,1e+21,123456789012345680000,1e-7,0.000001,0,9007199254740992,5e-324,"
                        + "1.7976931348623157e+308,0.1,100,100,0.002,2.2250738585072014e-308,1e+23,-1.25e-9,4.35,"
                        + "123456789.12345679,0.30000000000000004]");
    }

    @Test
    void aClientFromBefore10GetsTheRunOfTheEventAndTheHashOfTheSchema() {
        ObjectNode schema = Examples.object(
                "{\"type\":\"object\",\"required\":[\"approved\"],\"properties\":{\"approved\":{\"type\":"
                        + "\"boolean\"}}}");
        Interrupt interrupt =
                new Interrupt("int_1", "tool_call", null, "c", schema, null, Examples.object("{\"a\":1}"));

        assertThat(said(Dialect.BEFORE_1_0, interrupt, "r7"))
                .isEqualTo(Examples.json(
                        "{\"a\":1,\"tanstack:interruptBinding\":{\"v\":1,\"kind\":\"generic\",\"interruptId\":\"int_1\","
                                + "\"interruptedRunId\":\"r7\",\"generation\":0,\"responseSchemaHash\":"
                                + "\"sha256:2669b42546471c1da2dfb50cca7a7dbae638203124bf1b1cdaf58a7ddf0de291\"}}"));
    }

    @Test
    void anInterruptOfAnotherServerGetsABindingOfThisRun() {
        Interrupt interrupt = new Interrupt(
                "int_1", "x:y", null, null, null, null, Examples.object("{\"tanstack:interruptBinding\":{\"v\":9}}"));

        assertThat(said(Dialect.BEFORE_1_0, interrupt, "r7").path("tanstack:interruptBinding"))
                .isEqualTo(Examples.json("{\"v\":1,\"kind\":\"generic\",\"interruptId\":\"int_1\","
                        + "\"interruptedRunId\":\"r7\",\"generation\":0}"));
    }

    @Test
    void aClientThatNamesItsVersionGetsNone() {
        Interrupt interrupt = new Interrupt("int_1", "x:y", null, null, null, null, null);

        assertThat(said(Dialect.V1_0, interrupt, "r7").isMissingNode()).isTrue();
    }
}
