package io.holdpoint.oversight;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Approvals;
import io.holdpoint.Audience;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.ToolPolicy;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.oversight.Figures.Counts;
import io.holdpoint.rule.Proposal;
import io.holdpoint.rule.Rule;
import io.holdpoint.rule.Say;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.AuditEvent.Kind;
import io.holdpoint.store.AuditEvent.Subject;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Store;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.ForwardingStore;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Figures of histories that are known by hand, and of any history: those of an interval that is split add up. */
class FiguresTest {

    private static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");
    private static final Instant MIDNIGHT = Instant.parse("2026-02-01T00:00:00Z");
    private static final Map<String, Object> EDITED = Map.of("to", "bob", "subject", "Hi", "body", "Hello");
    private static final String MAIL = "{\"to\":\"ada\",\"subject\":\"Hi\",\"body\":\"Hello\"}";

    private final Bench bench = new Bench();
    private int mails;

    private Holdpoint agent(UnaryOperator<HoldpointBuilder<Bench.Assistant>> custom) {
        return bench.another(builder -> custom.apply(builder).approvalAuthorizer(ApprovalAuthorizer.role("treasury")));
    }

    private static Caller person(String name) {
        return name.equals(Caller.ANONYMOUS.id()) ? Caller.ANONYMOUS : Caller.of(name, "treasury");
    }

    /** Asks about a mail on a thread of its own, and lets time pass. */
    private PendingInterrupt.Approval asked(Holdpoint agent, Duration waited) {
        String thread = "t" + ++mails;
        bench.model.calls(call("c" + mails, "sendEmail", MAIL));
        PendingInterrupt.Approval question =
                agent.send(thread, "Write").interrupts().get(0).asApproval();
        bench.clock.advance(waited);
        return question;
    }

    /** A rule with the section of a second opinion, which figures compare with what people decide. */
    private final class Concerns implements Rule {

        @Override
        public String name() {
            return "secondOpinion";
        }

        @Override
        public Say onProposal(Proposal proposal) {
            String concern = mails == 3 ? "serious" : "none";
            return Say.remark(JsonNodeFactory.instance.objectNode().put("concern", concern));
        }
    }

    private void decides(
            Holdpoint agent, String who, Duration waited, Function<PendingInterrupt.Approval, ResumeEntry> answer) {
        PendingInterrupt.Approval question = asked(agent, waited);
        bench.model.says("Well.");
        agent.as(person(who)).resume("t" + mails, answer.apply(question));
    }

    @Test
    void aDayThatIsKnownByHand() {
        Holdpoint agent = agent(builder -> builder.rules(new Concerns()));
        decides(agent, "grace", Duration.ofSeconds(30), PendingInterrupt.Approval::approve);
        decides(agent, "grace", Duration.ofSeconds(1), PendingInterrupt.Approval::approve); // nobody has read it
        decides(agent, "heidi", Duration.ofSeconds(60), question -> question.deny("No."));
        decides(agent, "heidi", Duration.ofSeconds(120), PendingInterrupt.Approval::approve);
        decides(agent, "heidi", Duration.ofSeconds(90), question -> question.approveWith(EDITED));
        decides(agent, "heidi", Duration.ofSeconds(10), PendingInterrupt.Approval::cancel);
        asked(agent, Duration.ofSeconds(1));

        Figures figures = Figures.of(agent, NOON, MIDNIGHT);

        // by hand: "Send email to ada with subject Hi?" and its arguments are 43 + 42 characters, more than 3 and less
        // than 10 seconds
        Counts counts = new Counts(
                7, 4, 1, 1, 2, 1, 2, 5, 4, Optional.of(Duration.ofSeconds(60)), Optional.of(Duration.ofSeconds(120)));
        assertThat(figures.tools()).singleElement().satisfies(tool -> {
            assertThat(tool.name()).isEqualTo("sendEmail");
            assertThat(tool.counts()).isEqualTo(counts);
            assertThat(tool.days()).isEqualTo(Map.of(LocalDate.of(2026, 1, 31), counts));
            assertThat(tool.advice()).isEmpty();
        });
        assertThat(figures.people()).as("figures about people are opt-in").isEmpty();
        assertThat(figures.incompleteAfter()).isEmpty();
    }

    /** What somebody edits and others have to approve is one question, which was not approved when it was edited. */
    @Test
    void anEditThatIsAskedAboutAgainCountsByWhatBecameOfIt() {
        Holdpoint agent = agent(
                builder -> builder.toolPolicies(ToolPolicy.named("sendEmail").approvals(Approvals.of(2))));
        PendingInterrupt.Approval question = asked(agent, Duration.ofSeconds(30));
        agent.as(person("grace")).decide("t1", question.approve());
        agent.as(person("heidi")).decide("t1", question.approveWith(EDITED));

        Counts waits = Figures.of(agent, NOON, MIDNIGHT).tools().get(0).counts();
        bench.model.says("Well.");
        PendingInterrupt.Approval again =
                agent.as(person("grace")).pending("t1").get(0).asApproval();
        agent.as(person("grace")).resume("t1", again.deny("No."));
        Counts denied = Figures.of(agent, NOON, MIDNIGHT).tools().get(0).counts();

        assertThat(List.of(waits.asked(), waits.approved(), waits.edited(), waits.denied(), waits.unanswered()))
                .containsExactly(1, 0, 0, 0, 1);
        assertThat(List.of(denied.asked(), denied.approved(), denied.edited(), denied.denied(), denied.unanswered()))
                .containsExactly(1, 0, 0, 1, 0);
    }

    @Test
    void whatIsAlwaysApprovedIsNamedWithTheRemedy() {
        for (int i = 0; i < 20; i++) {
            decides(bench.agent(), Caller.ANONYMOUS.id(), Duration.ofMinutes(1), PendingInterrupt.Approval::approve);
        }

        assertThat(Figures.of(bench.agent(), NOON, MIDNIGHT).tools().get(0).advice())
                .containsExactly("`sendEmail` was approved 20 times of 20: give it a condition or a bound.");
    }

    @Test
    void whatIsDecidedUnreadEditedAndLeftOpenIsNamedToo() {
        for (int i = 0; i < 20; i++) {
            decides(
                    bench.agent(),
                    Caller.ANONYMOUS.id(),
                    Duration.ofMillis(800),
                    i % 4 == 0 ? question -> question.approveWith(EDITED) : PendingInterrupt.Approval::approve);
        }
        for (int i = 0; i < 10; i++) {
            asked(bench.agent(), Duration.ZERO);
        }

        assertThat(Figures.of(bench.agent(), NOON, MIDNIGHT).tools().get(0).advice())
                .containsExactly(
                        "`sendEmail` was decided in less time than reading takes 20 times of 20: ask several people, or let one"
                                + " argument be typed.",
                        "`sendEmail` was edited 5 times of 20: say in its description what its arguments have to be.",
                        "`sendEmail` was not decided 10 times of 30: remind people with a timeline, or ask more of them.");
    }

    @Test
    void aQuestionCountsForTheTimeInWhichItWasAsked() {
        PendingInterrupt.Approval question = asked(bench.agent(), Duration.ofDays(3));
        bench.model.says("Done.");
        bench.agent().resume("t1", question.approve());

        assertThat(Figures.of(bench.agent(), NOON, MIDNIGHT)
                        .tools()
                        .get(0)
                        .counts()
                        .approved())
                .isEqualTo(1);
        assertThat(Figures.of(bench.agent(), MIDNIGHT, MIDNIGHT.plus(Duration.ofDays(9)))
                        .tools())
                .isEmpty();
    }

    @Test
    void anEditThatIsTheFirstVoiceOfTheNextQuestionIsOneDecisionOfItsPerson() {
        Holdpoint agent = agent(builder -> builder.with(Figures.byPerson(Duration.ofDays(30)))
                .toolPolicies(
                        ToolPolicy.named("sendEmail").approvals(Approvals.of(2).by(Audience.role("treasury")))));
        PendingInterrupt.Approval question = asked(agent, Duration.ofMinutes(1));
        agent.as(person("grace")).decide("t1", question.approveWith(EDITED));
        bench.clock.advance(Duration.ofMinutes(1));
        bench.model.says("Done.");
        agent.as(person("heidi"))
                .resume(
                        "t1",
                        agent.as(person("heidi"))
                                .pending("t1")
                                .get(0)
                                .asApproval()
                                .approve());

        assertThat(Figures.of(agent, NOON, MIDNIGHT).people()).allSatisfy((name, counts) -> {
            assertThat(counts.asked()).as(name).isEqualTo(1);
            assertThat(counts.quick()).as(name).isZero();
        });
        assertThat(Figures.of(agent, NOON, MIDNIGHT).people()).containsOnlyKeys("grace", "heidi");
    }

    @Test
    void figuresAboutPeopleHaveEachVoteAndOnlyThoseThatAreNotTooOld() {
        Holdpoint agent = agent(builder -> builder.with(Figures.byPerson(Duration.ofDays(30)))
                .toolPolicies(
                        ToolPolicy.named("sendEmail").approvals(Approvals.of(2).by(Audience.role("treasury")))));
        PendingInterrupt.Approval question = asked(agent, Duration.ofMinutes(1));
        agent.as(person("grace")).decide("t1", question.approve());
        bench.clock.advance(Duration.ofDays(20));
        bench.model.says("Done.");
        agent.as(person("heidi")).resume("t1", question.approve());

        assertThat(Figures.of(agent, NOON, MIDNIGHT).people())
                .containsOnlyKeys("grace", "heidi")
                .allSatisfy((name, counts) -> assertThat(counts.approved()).isEqualTo(1));
        bench.clock.advance(Duration.ofDays(20));
        assertThat(Figures.of(agent, NOON, MIDNIGHT).people()).containsOnlyKeys("heidi");
        assertThat(Figures.of(agent, NOON, MIDNIGHT).tools().get(0).counts().approved())
                .as("two voices are one approval")
                .isEqualTo(1);
    }

    @Test
    void theJsonHasWhatTheRecordHas() {
        decides(bench.agent(), Caller.ANONYMOUS.id(), Duration.ofSeconds(30), PendingInterrupt.Approval::approve);

        JsonNode json = Figures.of(bench.agent(), NOON, MIDNIGHT).toJson();

        assertThat(json.toString())
                .isEqualTo(
                        "{'from':'2026-01-31T12:00:00Z','to':'2026-02-01T00:00:00Z','tools':[{'tool':'sendEmail',COUNTS,'days':[{'day':'2026-01-31',COUNTS}],'advice':[]}],'people':[]}"
                                .replace(
                                        "COUNTS",
                                        "'asked':1,'approved':1,'edited':0,'denied':0,'unanswered':0,'quick':0,'longestRow':1,'opinions':0,'agreed':0,'medianMillis':30000,'p90Millis':30000")
                                .replace('\'', '"'));
    }

    @Test
    void anIntervalThatIsNoneIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Figures.of(bench.agent(), NOON, NOON))
                .withMessageContaining("from: must be before to");
    }

    @Test
    void onlySoManyEventsAreReadAndTheRestIsSaid() {
        Store endless = new ForwardingStore() {

            private final Store kept = new InMemoryStore();

            @Override
            protected Store store() {
                return kept;
            }

            @Override
            public List<Fed> feed(long after, int limit) {
                List<Fed> page = new ArrayList<>();
                for (long at = after + 1; at <= Math.min(after + limit, 2L * Figures.MAX_EVENTS); at++) {
                    page.add(new Fed(at, held("i" + at, "pay", NOON.plusMillis(at))));
                }
                return page;
            }

            @Override
            public long feedEnd() {
                return 2L * Figures.MAX_EVENTS;
            }
        };

        Figures figures = Figures.of(plain(endless), NOON, MIDNIGHT);

        assertThat(figures.tools().get(0).counts().asked()).isEqualTo(Figures.MAX_EVENTS);
        assertThat(figures.incompleteAfter()).contains(NOON.plusMillis(Figures.MAX_EVENTS));
    }

    /** A server whose clock is a day ahead, or behind, has written one event among those of the others. */
    @ParameterizedTest
    @ValueSource(longs = {1, -1})
    void anEventByAClockThatIsWrongHidesNoOther(long days) {
        List<AuditEvent> events = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            Instant at = NOON.plusSeconds(i);
            events.add(held("i" + i, "pay", at));
            events.add(event("i" + i, "pay", at, Kind.EXPIRED, JsonNodeFactory.instance.objectNode()));
            if (i % 400 == 200) {
                Instant wrong = at.plus(Duration.ofDays(days));
                events.add(event("x" + i, "pay", wrong, Kind.EXPIRED, JsonNodeFactory.instance.objectNode()));
            }
        }
        Store store = new InMemoryStore();
        store.audit(Optional.empty(), events);

        Figures figures = Figures.of(plain(store), NOON, MIDNIGHT);

        assertThat(figures.tools().get(0).counts().asked()).isEqualTo(2_000);
        assertThat(figures.incompleteAfter()).isEmpty();
        assertThat(Figures.of(plain(store), NOON.plusSeconds(1_990), MIDNIGHT)
                        .tools()
                        .get(0)
                        .counts()
                        .asked())
                .isEqualTo(10);
    }

    // --- any history

    private static Holdpoint plain(Store store) {
        return Holdpoint.builder(Bench.Assistant.class)
                .streamingChatModel(new ScriptedModel())
                .store(store)
                .build();
    }

    private static AuditEvent held(String id, String tool, Instant at) {
        ObjectNode detail = JsonNodeFactory.instance.objectNode();
        return event(id, tool, at, Kind.HELD, detail.put("reason", "tool_call").put("characters", 100));
    }

    private static AuditEvent event(String id, String tool, Instant at, Kind kind, ObjectNode detail) {
        Subject about = new Subject(Optional.of("c" + id), Optional.of(tool), Optional.of(id));
        return new AuditEvent(at, "t" + id, "run", "ada", kind, about, detail);
    }

    /** A question: minutes after the one before it, and how long it waits for which end. */
    record Story(String tool, int after, int waits, String end) {}

    @Provide
    Arbitrary<List<Story>> histories() {
        return Combinators.combine(
                        Arbitraries.of("pay", "send"),
                        Arbitraries.integers().between(0, 300),
                        Arbitraries.integers().between(0, 3_000),
                        Arbitraries.of("approved", "edited", "denied", "cancelled", "expired", "open"))
                .as(Story::new)
                .list()
                .ofMaxSize(30);
    }

    private static Store stored(List<Story> history) {
        List<AuditEvent> events = new ArrayList<>();
        Instant at = NOON;
        for (int i = 0; i < history.size(); i++) {
            Story story = history.get(i);
            at = at.plus(Duration.ofMinutes(story.after));
            events.add(held("i" + i, story.tool, at));
            ObjectNode detail = JsonNodeFactory.instance.objectNode();
            Instant end = at.plus(Duration.ofMinutes(story.waits));
            switch (story.end) {
                case "open" -> {}
                case "expired" -> events.add(event("i" + i, story.tool, end, Kind.EXPIRED, detail));
                case "cancelled" ->
                    events.add(event("i" + i, story.tool, end, Kind.DECIDED, detail.put("how", "CANCELLED")));
                default -> {
                    detail.put("how", "RESOLVED").put("edited", story.end.equals("edited"));
                    detail.putObject("payload").put("approved", !story.end.equals("denied"));
                    events.add(event("i" + i, story.tool, end, Kind.DECIDED, detail));
                }
            }
        }
        events.sort(java.util.Comparator.comparing(AuditEvent::at));
        Store store = new InMemoryStore();
        store.audit(Optional.empty(), events);
        return store;
    }

    private static List<Integer> sums(Figures figures) {
        List<Counts> all = figures.tools().stream().map(Figures.Tool::counts).toList();
        return List.<Function<Counts, Integer>>of(
                        Counts::asked,
                        Counts::approved,
                        Counts::edited,
                        Counts::denied,
                        Counts::unanswered,
                        Counts::quick)
                .stream()
                .map(count -> all.stream().mapToInt(count::apply).sum())
                .toList();
    }

    @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
    void figuresOfAnIntervalThatIsSplitAddUpAndAgreeWithTheHistory(
            @ForAll("histories") List<Story> history, @ForAll int cut) {
        Holdpoint agent = plain(stored(history));
        Instant end = NOON.plus(Duration.ofDays(10));
        Instant middle =
                NOON.plusSeconds(1 + Math.floorMod(cut, Duration.ofDays(8).toSeconds()));

        Figures whole = Figures.of(agent, NOON, end);
        List<Integer> one = sums(Figures.of(agent, NOON, middle));
        List<Integer> other = sums(Figures.of(agent, middle, end));

        List<Integer> both = new ArrayList<>();
        for (int i = 0; i < one.size(); i++) {
            both.add(one.get(i) + other.get(i));
        }
        assertThat(both).isEqualTo(sums(whole));
        assertThat(whole.tools()).allSatisfy(tool -> {
            Counts counts = tool.counts();
            List<Story> own = history.stream()
                    .filter(story -> story.tool.equals(tool.name()))
                    .toList();
            assertThat(counts.asked()).isEqualTo(own.size());
            assertThat(counts.approved()).isEqualTo((int) own.stream()
                    .filter(story -> List.of("approved", "edited").contains(story.end))
                    .count());
            assertThat(counts.asked()).isEqualTo(counts.approved() + counts.denied() + counts.unanswered());
            assertThat(tool.days().values().stream().mapToInt(Counts::asked).sum())
                    .isEqualTo(counts.asked());
        });
    }
}
