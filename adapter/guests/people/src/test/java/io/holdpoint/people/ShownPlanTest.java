package io.holdpoint.people;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.PendingInterrupt.Approval;
import io.holdpoint.ProposedCall;
import io.holdpoint.RequiresApproval;
import io.holdpoint.ToolPolicy;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a person sees of a call besides its arguments, whatever the application makes of it. */
class ShownPlanTest {

    public record Rows(int count, BigDecimal sum, List<Map<String, String>> sample) {}

    /** Has no facts, and changes its copy of the call. */
    static final class Affected implements Effect {

        @Override
        public Plan plan(ProposedCall call) {
            String table = call.argument("table", String.class).orElseThrow();
            call.arguments().put("table", "changed");
            return Plan.of(new Rows(2, new BigDecimal("12345678901234567890.10"), List.of(Map.of("table", table))));
        }
    }

    public static final class Tools {
        @Tool
        @RequiresApproval(rules = Affected.class)
        public String wipe(String table) {
            return "wiped " + table;
        }
    }

    private static JsonNode effect(Bench bench) {
        return bench.pending(0).interrupt().metadata().at("/langchain4j/effect");
    }

    @Test
    void itIsInTheQuestionDigitByDigitAndChangesNothingOfTheCall() {
        Bench bench = new Bench(builder -> builder.tools(new Tools()));
        bench.model.calls(call("c1", "wipe", "{\"table\":\"users\"}"));
        bench.say("Wipe");
        bench.model.says("Done.");

        assertThat(effect(bench).path("plan"))
                .hasToString("{\"count\":2,\"sum\":12345678901234567890.10,\"sample\":[{\"table\":\"users\"}]}");
        assertThat(effect(bench).has("facts")).isFalse();
        assertThat(bench.pending(0).arguments()).hasToString("{\"table\":\"users\"}");
        bench.resume(bench.pending(0).asApproval().approve());

        assertThat(bench.model.lastResult("c1")).isEqualTo("wiped users");
    }

    static final class Cycle {
        public Cycle getItself() {
            return this;
        }
    }

    @SuppressWarnings("unchecked")
    private static <E extends Exception> RuntimeException thrown(Exception exception) throws E {
        throw (E) exception;
    }

    static Stream<Effect> failing() {
        Map<String, Object> withItself = new HashMap<>();
        withItself.put("itself", withItself);
        return Stream.of(
                call -> {
                    throw new IllegalStateException("the password is hunter2");
                },
                call -> {
                    throw new NoClassDefFoundError("hunter2");
                },
                call -> {
                    throw ShownPlanTest.<RuntimeException>thrown(new TimeoutException("hunter2"));
                },
                call -> nothing(),
                call -> Plan.of(NullNode.getInstance()),
                call -> Plan.of(MissingNode.getInstance()),
                call -> Plan.of(new Cycle()),
                call -> Plan.of(withItself),
                call -> Plan.of(new Object()),
                call -> Plan.of("x".repeat(Effect.MAX_LENGTH)),
                call -> Plan.of((Iterable<String>) () -> new Iterator<>() {
                    @Override
                    public boolean hasNext() {
                        return true;
                    }

                    @Override
                    public String next() {
                        return "x";
                    }
                }),
                call -> Plan.of(new BigDecimal("1e100000")),
                call -> Plan.of("half a pair: \ud800"),
                call -> Plan.of(nested(200)));
    }

    @SuppressWarnings("NullAway")
    private static Plan nothing() {
        return null;
    }

    private static Object nested(int depth) {
        Object nested = "x";
        for (int i = 0; i < depth; i++) {
            nested = List.of(nested);
        }
        return nested;
    }

    @ParameterizedTest
    @MethodSource("failing")
    @Logs("The plan of a call of searchContacts could not be made*")
    void onePlanThatCannotBeMadeIsSaidToBeMissingWithoutDetails(Effect effect) {
        Bench failing = new Bench(builder ->
                builder.toolPolicies(ToolPolicy.named("searchContacts").rules(effect)));
        failing.model.calls(call("c1", "searchContacts", "{\"query\":\"Ada\"}"));

        failing.say("Find Ada");

        assertThat(effect(failing).path("plan").asText()).startsWith("What it would do ");
        assertThat(effect(failing)).asString().doesNotContain("hunter2");
        Approval first = failing.pending(0).asApproval();
        failing.resume(first.approve());
        assertThat(failing.pending(0).id()).isNotEqualTo(first.id());
        assertThat(failing.tools.effects()).isEmpty();
    }
}
