package io.holdpoint.oversight;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolSpecification;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.ApprovalVerdict;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.ProposedCall;
import io.holdpoint.RequiresApproval;
import io.holdpoint.ToolPolicy;
import io.holdpoint.internal.gate.PolicySettings;
import io.holdpoint.internal.gate.ToolArguments;
import io.holdpoint.oversight.PolicyReplay.Verdict;
import io.holdpoint.oversight.PolicySuggestions.Suggestion;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.AuditEvent.Kind;
import io.holdpoint.store.AuditEvent.Subject;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Store;
import io.holdpoint.testing.Bench;
import java.io.File;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Policies that the record suggests: narrow ones, and never one that covers what was not approved as it was. */
class PolicySuggestionsTest {

    private static final Instant NOON = Instant.parse("2026-11-01T12:00:00Z");

    /** A trail that is written by hand. */
    private static final class Record {

        final Store store = new InMemoryStore();
        final List<ObjectNode> notApproved = new ArrayList<>();
        private int calls;
        Duration looked = Duration.ofMinutes(1);
        String reversibility = "";

        private void add(Kind kind, String caller, Duration later, ObjectNode detail) {
            Subject about = new Subject(Optional.of("c" + calls), Optional.of("pay"), Optional.of("i" + calls));
            store.audit(
                    Optional.empty(),
                    List.of(new AuditEvent(
                            NOON.plusSeconds(600L * calls).plus(later),
                            "t" + calls,
                            "r",
                            caller,
                            kind,
                            about,
                            detail)));
        }

        private static ObjectNode json() {
            return JsonNodeFactory.instance.objectNode();
        }

        Record call(String verdict, String by, ObjectNode arguments) {
            calls++;
            ObjectNode proposed = json().put(
                            "argumentsSha256",
                            ToolArguments.sha256(ToolArguments.write(ToolArguments.canonical(arguments))));
            proposed.set("arguments", ToolArguments.canonical(arguments));
            if (!verdict.equals("approved")) {
                notApproved.add(arguments);
            }
            if (verdict.equals("redacted")) {
                proposed.putObject("arguments");
            }
            add(Kind.PROPOSED, "owner", Duration.ZERO, proposed);
            if (verdict.equals("refused")) {
                add(Kind.NOT_EXECUTED, "owner", Duration.ZERO, json().put("refused", true));
                return this;
            }
            ObjectNode held = json().put("reason", "tool_call").put("characters", 100);
            add(
                    Kind.HELD,
                    "owner",
                    Duration.ZERO,
                    reversibility.isEmpty() ? held : held.put("reversibility", reversibility));
            ObjectNode decided = json().put("how", verdict.equals("cancelled") ? "CANCELLED" : "RESOLVED");
            ObjectNode payload = decided.putObject("payload");
            switch (verdict) {
                case "approved" -> payload.put("approved", true);
                case "edited" -> {
                    payload.put("approved", true);
                    decided.put("edited", true);
                }
                case "answered" -> payload.put("approved", false).put("response", "no need");
                default -> payload.put("approved", false);
            }
            if (verdict.equals("expired")) {
                add(Kind.EXPIRED, "owner", looked, json());
            } else if (!verdict.equals("open")) {
                add(Kind.DECIDED, by, looked, decided);
                add(payload.path("approved").asBoolean() ? Kind.EXECUTED : Kind.NOT_EXECUTED, by, looked, json());
            }
            return this;
        }

        Record pays(String verdict, String by, String amount, String to) {
            return call(
                    verdict, by, json().put("amount", new BigDecimal(amount)).put("to", to));
        }

        /** Thirty approvals by two people, of 1 to 30 to Ada and Bob. */
        Record approvals() {
            for (int i = 1; i <= 30; i++) {
                pays("approved", i % 2 == 0 ? "grace" : "heidi", "" + i, i % 3 == 0 ? "Ada" : "Bob");
            }
            return this;
        }

        List<Suggestion> suggestions(String... whatever) {
            return PolicySuggestions.of(store, "").whatever(whatever).since(NOON);
        }
    }

    @Test
    void aRecordOfPlainApprovalsSuggestsTheirBounds() {
        Record record = new Record().approvals();

        assertThat(record.suggestions()).singleElement().satisfies(suggestion -> {
            assertThat(suggestion.asked()).isEqualTo(30);
            assertThat(suggestion.people()).isEqualTo(2);
            assertThat(suggestion.toString())
                    .startsWith(
                            "// 30 questions about \"pay\", 30 approved as they were, 0 edited, 0 denied, by 2 people: would have"
                                    + " saved 30 questions\n")
                    .contains("new BigDecimal(\"1\")) >= 0", "new BigDecimal(\"30\")) <= 0")
                    .contains("Set.of(\"\\\"Ada\\\"\", \"\\\"Bob\\\"\")");
        });
        assertThat(record.suggestions()).isEqualTo(record.suggestions());
    }

    @Test
    void whatWasNotApprovedAsItWasIsCutOff() {
        for (String verdict : List.of("denied", "edited", "answered", "cancelled", "expired", "open", "refused")) {
            Record record = new Record().approvals().pays(verdict, "grace", "25", "Bob");

            assertThat(record.suggestions()).as(verdict).singleElement().satisfies(suggestion -> {
                assertThat(suggestion.policy()).contains("new BigDecimal(\"24\")) <= 0");
                assertThat(suggestion.asked()).isEqualTo(24);
            });
        }
        assertThat(new Record().approvals().pays("denied", "grace", "12", "Bob").suggestions())
                .isEmpty(); // neither side is enough
    }

    @Test
    void whatTheGateMakesOfAProposalIsCutOffToo() {
        Record text = new Record().approvals();
        text.call("denied", "grace", Record.json().put("amount", "25 ").put("to", "BOB"));
        Record missing = new Record().approvals();
        missing.call("denied", "grace", Record.json().put("amount", 25));

        for (Record record : List.of(text, missing)) {
            assertThat(record.suggestions().get(0).policy()).contains("new BigDecimal(\"24\")) <= 0");
        }
    }

    @Test
    void thereIsNoSuggestionWithoutEnoughDecisionsOrPeopleOrTime() {
        Record few = new Record();
        Record alone = new Record();
        Record quick = new Record();
        quick.looked = Duration.ofSeconds(3);
        for (int i = 0; i < 40; i++) {
            alone.pays("approved", "grace", "5", "Ada");
            quick.pays("approved", i % 2 == 0 ? "grace" : "heidi", "5", "Ada");
            if (i < PolicySuggestions.MIN_DECISIONS - 1) {
                few.pays("approved", i % 2 == 0 ? "grace" : "heidi", "5", "Ada");
            }
        }

        assertThat(few.suggestions()).isEmpty();
        assertThat(few.pays("approved", "grace", "5", "Ada").suggestions()).hasSize(1);
        assertThat(alone.suggestions()).isEmpty();
        assertThat(quick.suggestions()).isEmpty();
        assertThat(PolicySuggestions.of(few.store, "").since(Instant.MAX)).isEmpty();
        assertThat(PolicySuggestions.of(few.store, "other").since(NOON)).isEmpty();
    }

    @Test
    void anIrreversibleToolHasNoSuggestion() {
        Record once = new Record();
        once.reversibility = "irreversible";
        once.pays("approved", "grace", "5", "Ada");
        once.reversibility = "";
        assertThat(once.approvals().suggestions()).isEmpty();

        Record reversible = new Record();
        reversible.reversibility = "externally_reversible";
        assertThat(reversible.approvals().suggestions()).hasSize(1);
    }

    @Test
    void aRedactedCallThatWasNotApprovedCouldBeInAnyBound() {
        assertThat(new Record()
                        .approvals()
                        .pays("redacted", "grace", "900", "Eve")
                        .suggestions())
                .isEmpty();
    }

    @Test
    void anArgumentWithoutBoundLeavesNoSuggestionUnlessItMayBeWhatever() {
        Record record = new Record();
        for (int i = 0; i < 40; i++) {
            ObjectNode arguments =
                    Record.json().put("amount", i).put("orderId", i).put("note", "note " + i);
            record.call("approved", i % 2 == 0 ? "grace" : "heidi", arguments);
        }

        assertThat(record.suggestions()).isEmpty();
        assertThat(record.suggestions("note")).isEmpty();
        assertThat(record.suggestions("note", "orderId")).hasSize(1);
    }

    @Test
    void aValueThatWasSeenOnceAndAnArgumentThatIsNewAreAskedAbout() {
        Record record = new Record().approvals().pays("approved", "grace", "5", "Eve");
        record.call(
                "approved",
                "grace",
                Record.json().put("amount", 5).put("to", "Ada").put("at", "once"));

        Suggestion suggestion = record.suggestions().get(0);

        assertThat(suggestion.asked()).isEqualTo(30);
        assertThat(suggestion.policy()).doesNotContain("Eve").doesNotContain("once");
    }

    /** Any record: no bound covers what was not approved as it was. */
    @Property(tries = 40)
    void noSuggestionCoversWhatWasNotApproved(@ForAll Random random) {
        Record record = new Record();
        String[] verdicts = {"denied", "edited", "answered", "cancelled", "expired", "open", "refused"};
        int calls = 30 + random.nextInt(120);
        int bad = random.nextInt(12);
        for (int i = 0; i < calls; i++) {
            ObjectNode arguments = Record.json();
            if (random.nextInt(20) > 0) {
                int amount = random.nextInt(60);
                if (random.nextInt(10) > 0) {
                    arguments.put("amount", amount);
                } else {
                    arguments.put("amount", "" + amount);
                }
            }
            arguments.put("to", List.of("Ada", "Bob", "Eve", "ADA").get(random.nextInt(4)));
            if (random.nextInt(4) == 0) {
                arguments.put("urgent", random.nextBoolean());
            }
            boolean isBad = random.nextInt(calls) < bad;
            record.call(
                    isBad ? verdicts[random.nextInt(verdicts.length)] : "approved",
                    List.of("grace", "heidi", "ivan").get(random.nextInt(3)),
                    arguments);
        }

        List<Suggestion> found = record.suggestions();

        assertThat(record.suggestions()).isEqualTo(found);
        for (Suggestion suggestion : found) {
            ToolPolicy policy = compiled(suggestion.policy());
            for (ObjectNode arguments : record.notApproved) {
                assertThat(asks(policy, arguments))
                        .as(suggestion + " covers " + arguments)
                        .isTrue();
            }
        }
    }

    /** What others have written stays text, in the Java that is pasted and in the comment above it. */
    @Test
    void valuesAreLiteralsOfJava() {
        Record record = new Record();
        String evil = "\"))); System.exit(1); //\n\\u000a\u2028 ä";
        for (int i = 0; i < 30; i++) {
            record.call(
                    "approved",
                    i % 2 == 0 ? "grace" : "heidi",
                    Record.json().put("to", evil).put("a\"b\n", i));
        }

        Suggestion suggestion = record.suggestions().get(0);

        assertThat(suggestion.toString().lines()).hasSize(6).allMatch(line -> line.matches("\\p{ASCII}*"));
        ToolPolicy policy = compiled(suggestion.policy());
        assertThat(asks(policy, Record.json().put("to", evil).put("a\"b\n", 7))).isFalse();
        assertThat(asks(policy, Record.json().put("to", evil).put("a\"b\n", 30)))
                .isTrue();
    }

    /** A real trail, of an agent whose tool has an annotation: the replay says what the policy in its place would have changed. */
    @Test
    void theReplayIsThatOfThePolicyInThePlaceOfTheAnnotation() {
        Bench bench = new Bench();
        Holdpoint agent = bench.another(
                builder -> builder.tools(new Bank()).approvalAuthorizer(ApprovalAuthorizer.role("approver")));
        for (int i = 0; i < 22; i++) {
            bench.model.calls(call("c" + i, "pay", "{\"amount\":" + (i == 21 ? 900 : i) + "}"));
            PendingInterrupt.Approval question =
                    agent.as(Caller.of("ada")).send("t" + i, "Pay").approvals().get(0);
            bench.clock.advance(Duration.ofMinutes(1));
            bench.model.says("Done.");
            Caller who = Caller.of(i % 2 == 0 ? "grace" : "heidi", "approver");
            agent.as(who).resume("t" + i, i == 21 ? question.deny("too much") : question.approve());
        }

        Suggestion found =
                PolicySuggestions.of(bench.store, "").since(Instant.MIN).get(0);

        assertThat(found.asked()).isEqualTo(21);
        assertThat(found.replay().changes()).hasSize(21).allMatch(change -> change.wouldBe() == Verdict.RUNS);
        assertThat(found.toString()).contains("// replayed over 22 calls: 21 would have run unasked, 0 more");
    }

    /** A tool that always asks. */
    static final class Bank {

        @Tool
        @RequiresApproval
        String pay(int amount) {
            return "paid";
        }
    }

    private static boolean asks(ToolPolicy policy, ObjectNode arguments) {
        ProposedCall call = new ProposedCall(
                ToolSpecification.builder().name("pay").build(), arguments, Caller.of("ada"), "t", "r", "c");
        return PolicySettings.of(policy).condition.evaluate(call) instanceof ApprovalVerdict.RequireApproval;
    }

    /** Compiles what somebody would paste. */
    private static ToolPolicy compiled(String policy) {
        try {
            Path folder = Files.createTempDirectory("pasted");
            Path source = folder.resolve("Pasted.java");
            Files.writeString(
                    source,
                    "import io.holdpoint.*; import java.math.BigDecimal; import java.util.Set;\n"
                            + "public class Pasted implements java.util.function.Supplier<ToolPolicy> {\n"
                            + "public ToolPolicy get() { return " + policy + "; } }");
            List<String> classPath = new ArrayList<>(List.of(System.getProperty("java.class.path")));
            for (Class<?> needed :
                    List.of(ToolPolicy.class, ToolSpecification.class, ObjectNode.class, JsonParser.class)) {
                classPath.add(Path.of(needed.getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .toURI())
                        .toString());
            }
            String path = String.join(File.pathSeparator, classPath);
            int failed = ToolProvider.getSystemJavaCompiler()
                    .run(null, null, null, "-proc:none", "-cp", path, "-d", folder.toString(), source.toString());
            assertThat(failed).as(policy).isZero();
            try (URLClassLoader loader = new URLClassLoader(
                    new URL[] {folder.toUri().toURL()}, PolicySuggestionsTest.class.getClassLoader())) {
                ToolPolicy made = (ToolPolicy) ((Supplier<?>)
                                loader.loadClass("Pasted").getConstructor().newInstance())
                        .get();
                asks(made, Record.json()); // loads what its condition needs
                return made;
            } finally {
                try (Stream<Path> files = Files.walk(folder)) {
                    files.sorted(Comparator.reverseOrder())
                            .forEach(file -> file.toFile().delete());
                }
            }
        } catch (IOException | URISyntaxException | ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
