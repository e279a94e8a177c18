package io.holdpoint.policy;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.service.IllegalConfigurationException;
import io.holdpoint.ApprovalPreview;
import io.holdpoint.ApprovalVerdict;
import io.holdpoint.ProposedCall;
import io.holdpoint.RequiresApproval;
import io.holdpoint.ToolPolicy;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.store.Grant;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the reviewer sees of a call besides its arguments. */
class PreviewTest {

    public record Rows(int count, BigDecimal sum, List<Map<String, String>> sample) {}

    /** Needs something, so an instance of it must be given. */
    static final class Affected implements ApprovalPreview {

        private final AtomicInteger asked;

        Affected(AtomicInteger asked) {
            this.asked = asked;
        }

        @Override
        public Object preview(ProposedCall call) {
            asked.incrementAndGet();
            String table = call.argument("table", String.class).orElseThrow();
            call.arguments().put("table", "changed");
            return new Rows(2, new BigDecimal("12345678901234567890.10"), List.of(Map.of("table", table)));
        }
    }

    /** Can be made. */
    static final class Simple implements ApprovalPreview {
        @Override
        public Object preview(ProposedCall call) {
            return "simple";
        }
    }

    public static final class Tools {
        @Tool
        @RequiresApproval(preview = Affected.class)
        public String wipe(String table) {
            return "wiped " + table;
        }

        @Tool
        @RequiresApproval(preview = Simple.class)
        public String simple() {
            return "done";
        }
    }

    private final AtomicInteger asked = new AtomicInteger();
    private final Bench bench = new Bench(builder -> builder.tools(new Tools()).beans(new Affected(asked)));

    private static JsonNode langchain4j(Bench bench) {
        return AguiCodec.toTree(bench.pending(0).interrupt()).at("/metadata/langchain4j");
    }

    @Test
    void itIsInTheMetadataOfTheInterrupt() {
        bench.model.calls(call("c1", "wipe", "{\"table\":\"users\"}"));

        bench.say("Wipe");

        assertThat(bench.pending(0).asApproval().preview().orElseThrow().toString())
                .isEqualTo("{\"count\":2,\"sum\":12345678901234567890.10,\"sample\":[{\"table\":\"users\"}]}");
        assertThat(langchain4j(bench).has("previewError")).isFalse();
    }

    @Test
    void itChangesNothingOfTheCall() {
        bench.model.calls(call("c1", "wipe", "{\"table\":\"users\"}"));
        bench.say("Wipe");
        bench.model.says("Done.");

        assertThat(bench.pending(0).arguments().toString()).isEqualTo("{\"table\":\"users\"}");
        bench.resume(bench.pending(0).asApproval().approve());

        assertThat(bench.model.lastResult("c1")).isEqualTo("wiped users");
    }

    @Test
    void itIsComputedOnceWhateverHappensToTheQuestion() {
        bench.model.calls(call("c1", "wipe", "{\"table\":\"users\"}"));
        bench.say("Wipe");
        bench.nothingNew();
        bench.model.says("Done.");

        bench.resume(bench.pending(0).asApproval().approveWith(Map.of("table", "logs")));

        assertThat(bench.model.lastResult("c1")).endsWith("wiped logs");
        assertThat(asked).hasValue(1);
    }

    @Test
    void itIsNotComputedForCallsThatNobodyIsAskedAbout() {
        Bench conditional = new Bench(builder -> builder.toolPolicies(ToolPolicy.named("searchContacts")
                .when(call -> ApprovalVerdict.allow())
                .preview(call -> asked.incrementAndGet())));
        conditional
                .model
                .calls(call("c1", "searchContacts", "{\"query\":\"Ada\"}"))
                .says("Well.");

        conditional.say("Find Ada");

        assertThat(conditional.tools.effects()).hasSize(1);
        assertThat(asked).hasValue(0);
    }

    @Test
    void aPreviewWithoutNeedsIsMadeByItself() {
        bench.model.calls(call("c1", "simple", "{}"));
        bench.say("Go");

        assertThat(langchain4j(bench).path("preview").asText()).isEqualTo("simple");
    }

    static final class Cycle {
        public Cycle getItself() {
            return this;
        }
    }

    static Stream<ApprovalPreview> failing() {
        Map<String, Object> withItself = new HashMap<>();
        withItself.put("itself", withItself);
        return Stream.of(
                call -> {
                    throw new IllegalStateException("the password is hunter2");
                },
                call -> {
                    throw new NoClassDefFoundError("hunter2");
                },
                call -> nothing(),
                call -> NullNode.getInstance(),
                call -> MissingNode.getInstance(),
                call -> new Cycle(),
                call -> withItself,
                call -> new Object(),
                call -> "x".repeat(ApprovalPreview.MAX_LENGTH),
                call -> (Iterable<String>) () -> new Iterator<>() {
                    @Override
                    public boolean hasNext() {
                        return true;
                    }

                    @Override
                    public String next() {
                        return "x";
                    }
                },
                call -> new BigDecimal("1e100000"),
                call -> "half a pair: \ud800",
                call -> nested(200));
    }

    @SuppressWarnings("NullAway")
    private static Object nothing() {
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
    @Logs("The preview of * failed")
    void aPreviewThatFailsStillHoldsAndSaysSoWithoutDetails(ApprovalPreview preview) {
        Bench failing = new Bench(builder ->
                builder.toolPolicies(ToolPolicy.named("searchContacts").preview(preview)));
        failing.model.calls(call("c1", "searchContacts", "{\"query\":\"Ada\"}"));

        failing.say("Find Ada");

        assertThat(failing.tools.effects()).isEmpty();
        assertThat(langchain4j(failing).has("preview")).isFalse();
        assertThat(langchain4j(failing).path("previewError").asText())
                .contains("There is no preview")
                .doesNotContain("hunter2");
        failing.model.says("Well.");
        failing.resume(failing.pending(0).asApproval().approve());
        assertThat(failing.tools.effects()).hasSize(1);
    }

    @Test
    void theFirstPreviewOfThoseThatAskIsShown() {
        List<String> shown = new ArrayList<>();
        Bench several = new Bench(builder -> builder.tools(new Tools())
                .beans(new Affected(asked))
                .toolPolicies(ToolPolicy.named("simple").preview(call -> shown.add("second"))));
        several.model.calls(call("c1", "simple", "{}"));
        several.say("Go");

        assertThat(langchain4j(several).path("preview").asText()).isEqualTo("simple");
        assertThat(shown).isEmpty();
    }

    @Test
    void aPreviewThatCannotBeMadeIsFoundWhenTheAgentIsBuilt() {
        assertThatThrownBy(() -> new Bench(builder -> builder.tools(new Tools())))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("Tools.wipe()")
                .hasMessageContaining("beans");
    }

    @Test
    void nothingIsComputedForWhomNobodyAsks() {
        Bench remembering = new Bench(builder -> builder.tools(new Tools())
                .beans(new Affected(asked))
                .toolPolicies(ToolPolicy.named("searchContacts")
                        .remember(Duration.ofMinutes(5), Grant.Scope.SAME_CALL)
                        .preview(call -> asked.incrementAndGet())));
        remembering.model.calls(call("c1", "searchContacts", "{\"query\":\"Ada\"}"));
        remembering.say("Search");
        remembering.model.says("Well.");
        remembering.resume(remembering.pending(0).asApproval().approveAndRemember(Grant.Scope.SAME_CALL));
        remembering
                .model
                .calls(call("c2", "searchContacts", "{\"query\":\"Ada\"}"), call("d1", "wipe", "{\"table\":\"a\"}"))
                .calls(call("d2", "wipe", "{\"table\":\"a\"}"));
        remembering.say("Search again");
        remembering.model.says("Well.");
        remembering.resume(remembering.pending(0).asApproval().deny("no"));

        assertThat(remembering.tools.effects()).hasSize(2);
        assertThat(asked).hasValue(2);
    }
}
