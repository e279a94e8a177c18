package io.holdpoint.reach;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static io.holdpoint.testing.Bench.THREAD;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.ApprovalVerdict;
import io.holdpoint.Approvals;
import io.holdpoint.Audience;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RequiresApproval;
import io.holdpoint.Timeline;
import io.holdpoint.ToolCallContext;
import io.holdpoint.ToolInterrupt;
import io.holdpoint.ToolPolicy;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.hook.ReaderStatus;
import io.holdpoint.hook.RunObserver.Decision;
import io.holdpoint.reach.Notice.Kind;
import io.holdpoint.reach.Notice.Outcome;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.Call;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Fact;
import io.holdpoint.store.Store;
import io.holdpoint.store.StoreException;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.ForwardingStore;
import io.holdpoint.testing.Logs;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Law 14: telling follows the record. */
@Logs({"The notifier \"mail\" failed on *"})
class NotifierTest {

    private static final Caller GRACE = new Caller("grace", Set.of("treasury"));
    private static final Caller HEIDI = new Caller("heidi", Set.of("treasury"));

    private final List<Notice> mails = new ArrayList<>();
    private final AtomicInteger attempts = new AtomicInteger();
    private boolean isDown;
    private Bench bench = new Bench(builder -> builder.with(Reach.notifier("mail", this::mail)));

    private void mail(Notice notice) {
        attempts.incrementAndGet();
        if (isDown) {
            throw new IllegalStateException("no connection");
        }
        mails.add(notice);
    }

    private Bench with(ToolPolicy policy) {
        return new Bench(builder -> builder.toolPolicies(policy)
                .approvalAuthorizer(new Anybody())
                .with(Reach.notifier("mail", this::mail)));
    }

    /** Lets everybody in; the policy says who counts. */
    private static final class Anybody implements ApprovalAuthorizer {

        @Override
        public boolean mayAccess(Caller caller, String threadId, String ownerId) {
            return true;
        }

        @Override
        public boolean mayDecide(Request request) {
            return true;
        }
    }

    private void hold() {
        bench.model.calls(call("c1", "sendEmail", MAIL));
        bench.agent().send(THREAD, "Go");
    }

    private void look() {
        bench.agent().actOnTime();
    }

    private void after(Duration time) {
        bench.clock.advance(time);
        look();
    }

    private List<Kind> kinds() {
        return mails.stream().map(Notice::kind).toList();
    }

    private Outcome outcome() {
        Notice last = mails.get(mails.size() - 1);
        assertThat(last.kind()).isEqualTo(Kind.SETTLED);
        return last.questions().get(0).outcome().orElseThrow();
    }

    private ReaderStatus status() {
        return Reach.of(bench.agent()).notifiers().get(0);
    }

    @Test
    void theReasonIsInTheMail() {
        bench = with(ToolPolicy.named("sendEmail")
                .when(call -> ApprovalVerdict.requireApproval("It goes to somebody outside.")));
        hold();
        look();

        assertThat(mails.get(0).questions().get(0).item().interrupt().message())
                .startsWith("It goes to somebody outside. Send email to ");
    }

    @Test
    void aQuestionIsToldOnceWithEverythingThatWouldRunWhateverTheTrailKeeps() {
        bench = new Bench(builder -> builder.with(Reach.notifier("mail", this::mail))
                .argumentRedactor((tool, arguments) -> AguiCodec.mapper().createObjectNode()));
        hold();
        look();
        look();

        assertThat(mails).hasSize(1);
        Notice notice = mails.get(0);
        assertThat(notice.kind()).isEqualTo(Kind.ASKED);
        assertThat(notice.threadId()).isEqualTo(THREAD);
        assertThat(notice.owner()).isEqualTo(Caller.ANONYMOUS.id());
        PendingInterrupt asked = notice.questions().get(0).item().interrupt();
        assertThat(asked.arguments().path("body").asText()).isEqualTo("Hello");
        assertThat(asked.id()).isEqualTo(bench.pending(0).id());
        assertThat(notice.questions().get(0).audiences()).isEmpty();
        assertThat(notice.questions().get(0).outcome()).isEmpty();
    }

    /** A mailbox shows an address backwards and a filler not at all; as JSON the text is the same as before. */
    @Test
    void whatIsSentToPeopleAsTextHidesNothing() throws JsonProcessingException {
        bench.model.calls(call(
                "c1",
                "sendEmail",
                "{\"to\":\"a\u202emoc.live@ada\u3164\",\"subject\":\"Hi \u0131\",\"body\":\"one\\ntwo\"}"));
        bench.agent().send(THREAD, "Go");
        look();
        PendingInterrupt asked = mails.get(0).questions().get(0).item().interrupt();

        assertThat(asked.argumentsAsText())
                .contains("a\\u202emoc.live@ada\\u3164", "Hi \u0131", "one\\ntwo")
                .doesNotContain("\u202e", "\u3164");
        assertThat(AguiCodec.mapper().readTree(asked.argumentsAsText())).isEqualTo(asked.arguments());
    }

    @Test
    void theCallsOfOneMessageAreOneNotice() {
        bench.model.calls(
                call("c1", "sendEmail", MAIL),
                call("c2", "sendEmail", MAIL),
                call("c3", "searchContacts", "{\"query\":\"Ada\"}"));
        bench.agent().send(THREAD, "Go");
        look();
        assertThat(mails).hasSize(1);
        assertThat(mails.get(0).questions()).hasSize(2);

        bench.model.says("Done.");
        bench.resume(
                bench.pending(0).asApproval().approve(),
                bench.pending(1).asApproval().deny());
        look();

        assertThat(kinds()).containsExactly(Kind.ASKED, Kind.SETTLED);
        assertThat(mails.get(1).questions())
                .extracting(question -> question.outcome().orElseThrow())
                .containsExactly(
                        new Outcome(Decision.APPROVED, List.of(Caller.ANONYMOUS.id()), Call.State.EXECUTED),
                        new Outcome(Decision.DENIED, List.of(Caller.ANONYMOUS.id()), Call.State.NOT_EXECUTED));
        assertThat(mails).extracting(Notice::id).doesNotHaveDuplicates();
    }

    @Test
    void whatIsDecidedIsNotToldAsOpen() {
        hold();
        bench.model.says("Done.");
        bench.agent().resume(THREAD, bench.pending(0).asApproval().approve());
        look();

        assertThat(kinds()).containsExactly(Kind.SETTLED);
        assertThat(outcome().result()).isEqualTo(Call.State.EXECUTED);
    }

    @Test
    void whoWasNamedByThePolicyIsToldAndEverybodyWhoHasApproved() {
        bench = with(ToolPolicy.named("sendEmail").approvals(Approvals.of(2).by(Audience.role("treasury"))));
        hold();
        look();
        bench.model.says("Done.");
        bench.agent().as(GRACE).decide(THREAD, bench.pending(0).asApproval().approve());
        bench.agent().as(HEIDI).decide(THREAD, bench.pending(0).asApproval().approve());
        look();

        assertThat(mails.get(0).questions().get(0).audiences()).containsExactly(Audience.role("treasury"));
        assertThat(outcome()).isEqualTo(new Outcome(Decision.APPROVED, List.of("grace", "heidi"), Call.State.EXECUTED));
    }

    @Test
    void timeRemindsEscalatesWarnsAndEndsAndEachTimeTheRightPeopleAreTold() {
        bench = with(ToolPolicy.named("sendEmail")
                .approvals(Approvals.of(1).by(Audience.role("treasury")))
                .timeline(Timeline.expiresAfter(Duration.ofHours(24))
                        .remind(Duration.ofHours(4))
                        .warn(Duration.ofHours(2))
                        .escalate(Duration.ofHours(12), Audience.role("manager"))));
        hold();
        look();
        for (int hour = 0; hour < 30; hour++) {
            after(Duration.ofHours(1));
        }

        assertThat(kinds()).containsExactly(Kind.ASKED, Kind.REMINDED, Kind.ESCALATED, Kind.WARNED, Kind.SETTLED);
        assertThat(mails)
                .extracting(notice -> notice.questions().get(0).audiences().stream()
                        .map(Audience::name)
                        .toList())
                .containsExactly(
                        List.of("treasury"),
                        List.of("treasury"),
                        List.of("manager"),
                        List.of("treasury", "manager"),
                        List.of("treasury", "manager"));
        assertThat(outcome()).isEqualTo(new Outcome(Decision.EXPIRED, List.of(), Call.State.NOT_EXECUTED));
    }

    @Test
    void anEscalationShowsItsAudienceOnlyTheQuestionsThatEscalateToIt() {
        bench = new Bench(builder -> builder.tools(new Payroll())
                .approvalAuthorizer(new Anybody())
                .toolPolicies(ToolPolicy.named("changeSalary")
                        .approvals(Approvals.of(1).by(Audience.role("hr"))))
                .with(Reach.notifier("mail", this::mail)));
        bench.model.calls(call("c1", "pay", "{}"), call("c2", "changeSalary", "{}"));
        bench.agent().send(THREAD, "Go");
        look();
        after(Duration.ofHours(4));
        after(Duration.ofHours(8));

        assertThat(kinds()).containsExactly(Kind.ASKED, Kind.REMINDED, Kind.ESCALATED);
        assertThat(asked(1)).containsExactly("pay []", "changeSalary [hr]");
        assertThat(asked(2)).containsExactly("pay [manager]");
    }

    @Test
    void whatTimeHasDoneAboutAQuestionThatIsAnsweredByNowIsNotToldOfTheOtherOnes() {
        bench = new Bench(builder -> builder.tools(new Payroll())
                .approvalAuthorizer(new Anybody())
                .toolPolicies(ToolPolicy.named("changeSalary")
                        .approvals(Approvals.of(1).by(Audience.role("hr"))))
                .with(Reach.notifier("mail", this::mail)));
        bench.model.calls(call("c1", "pay", "{}"), call("c2", "changeSalary", "{}"));
        bench.agent().send(THREAD, "Go");
        look();
        isDown = true;
        after(Duration.ofHours(4));
        bench.agent().decide(THREAD, bench.pending(0).asApproval().approve());
        isDown = false;
        after(Duration.ofHours(8));

        assertThat(kinds()).containsExactly(Kind.ASKED);
    }

    /** The names of the tools with their audiences. */
    private List<String> asked(int notice) {
        return mails.get(notice).questions().stream()
                .map(question -> question.item().interrupt().toolName()
                        + question.audiences().stream().map(Audience::name).collect(joining(", ", " [", "]")))
                .toList();
    }

    /** Time does something about one tool only, and the other one is for certain people only. */
    static final class Payroll {

        @Tool("Pays")
        @RequiresApproval(expiresAfter = "P2D", remind = "PT4H", escalate = "PT12H", escalateTo = "manager")
        public String pay() {
            return "paid";
        }

        @Tool("Changes a salary")
        @RequiresApproval
        public String changeSalary() {
            return "changed";
        }
    }

    @Test
    void aCallThatIsAskedAboutWhenTheOthersHaveEndedIsToldToTheEnd() {
        bench = new Bench(builder -> builder.tools(new Asking()).with(Reach.notifier("mail", this::mail)));
        bench.model.calls(call("c1", "sendEmail", MAIL), call("c2", "ask", "{}"));
        bench.agent().send(THREAD, "Go");
        look();
        bench.agent().resume(THREAD, bench.pending(0).asApproval().approve()); // the second one looks while it runs
        look();
        assertThat(kinds()).containsExactly(Kind.ASKED, Kind.SETTLED, Kind.ASKED);
        bench.model.says("Done.");
        bench.agent().resume(THREAD, ResumeEntry.cancelled(bench.pending(0).id()));
        look();

        assertThat(kinds()).containsExactly(Kind.ASKED, Kind.SETTLED, Kind.ASKED, Kind.SETTLED);
        assertThat(mails.get(3).questions()).hasSize(2);
        assertThat(mails).extracting(Notice::id).doesNotHaveDuplicates();
    }

    /** The owner was away when the first question was asked, and has the second one on the screen. */
    @Test
    void whoWasToldOfAQuestionIsToldOfItsEndAlsoIfALaterOneOfItsMessageIsNotTold() {
        bench = new Bench(builder -> builder.tools(new Asking()).with(Reach.notifier("mail", this::mail)));
        bench.model.calls(call("c1", "sendEmail", MAIL), call("c2", "ask", "{}"));
        bench.agent().send(THREAD, "Go");
        look();
        bench.resume(bench.pending(0).asApproval().approve());
        look();
        bench.model.says("Done.");
        bench.resume(ResumeEntry.cancelled(bench.pending(0).id()));
        look();

        assertThat(kinds()).containsExactly(Kind.ASKED, Kind.SETTLED, Kind.SETTLED);
    }

    /** Looks, and asks while it runs. */
    final class Asking {

        @Tool("Asks")
        public String ask(ToolCallContext context) {
            look();
            throw context.interrupt(ToolInterrupt.of("test:question", "Really?"));
        }
    }

    @Test
    void aNoticeThatFailsTogetherWithTheStoreIsToldWhenBothWorkAgain() {
        bench = new Bench();
        Holdpoint agent =
                bench.another(builder -> builder.store(failingWhileDown()).with(Reach.notifier("mail", this::mail)));
        hold();
        isDown = true;
        assertThatThrownBy(agent::actOnTime).isInstanceOf(StoreException.class);
        assertThat(attempts).hasValue(3);
        isDown = false;

        agent.actOnTime();

        assertThat(kinds()).containsExactly(Kind.ASKED);
    }

    @Test
    void anEventThatCannotBecomeANoticeIsTriedAgainAndKeepsNothingFromOtherThreads() {
        List<Boolean> isErased = new ArrayList<>(List.of(true));
        bench = new Bench();
        Holdpoint agent = bench.another(builder -> builder.store(new ForwardingStore() {

                    @Override
                    protected Store store() {
                        return bench.store;
                    }

                    @Override
                    public List<Fed> feed(long after, int limit, boolean complete) {
                        List<Fed> fed = super.feed(after, limit, complete);
                        return isErased.get(0)
                                ? fed.stream().map(NotifierTest::erased).toList()
                                : fed;
                    }
                })
                .approvalAuthorizer(new Anybody())
                .toolPolicies(ToolPolicy.named("sendEmail")
                        .timeline(Timeline.expiresAfter(Duration.ofHours(24))
                                .escalate(Duration.ofHours(12), Audience.role("manager"))))
                .with(Reach.notifier("mail", this::mail)));
        bench.model.calls(call("c1", "sendEmail", MAIL)).calls(call("c2", "sendEmail", MAIL));
        agent.send(THREAD, "Go");
        bench.clock.advance(Duration.ofHours(12));
        agent.actOnTime();
        agent.send("other", "Go");
        agent.actOnTime();

        assertThat(mails)
                .extracting(notice -> notice.kind() + " " + notice.threadId())
                .containsExactly("ASKED " + THREAD, "ASKED other");
        assertThat(Reach.of(agent).notifiers().get(0).lastError().orElseThrow()).contains("an audience needs a name");
        isErased.set(0, false);
        bench.clock.advance(Duration.ofMinutes(1));
        agent.actOnTime();
        assertThat(kinds()).containsExactly(Kind.ASKED, Kind.ASKED, Kind.ESCALATED);
    }

    private static Store.Fed erased(Store.Fed fed) {
        AuditEvent event = fed.event();
        return new Store.Fed(
                fed.position(),
                new AuditEvent(
                        event.at(),
                        event.threadId(),
                        event.runId(),
                        event.caller(),
                        event.kind(),
                        event.about(),
                        AguiCodec.mapper().createObjectNode()));
    }

    /** The store of the bench, which does not take the place of a reader while the notifier is down. */
    private Store failingWhileDown() {
        return new ForwardingStore() {

            @Override
            protected Store store() {
                return bench.store;
            }

            @Override
            public void commit(Lease lease, Commit commit, Instant now) {
                if (isDown && lease.threadId().startsWith(Fact.READER)) {
                    throw new StoreException("no connection");
                }
                super.commit(lease, commit, now);
            }
        };
    }

    @Test
    void aRetryTellsNothingThatIsDecidedMeanwhile() {
        isDown = true;
        hold();
        look();
        isDown = false;
        bench.model.says("Done.");
        bench.agent().resume(THREAD, bench.pending(0).asApproval().deny());
        after(Duration.ofMinutes(1));

        assertThat(kinds()).containsExactly(Kind.SETTLED);
    }

    /** The first question is answered while the notice waits; the other one must not be lost with it. */
    @Test
    void aRetryTellsOfTheQuestionsThatAreLeft() {
        isDown = true;
        bench.model.calls(call("c1", "sendEmail", MAIL), call("c2", "sendEmail", MAIL));
        bench.agent().send(THREAD, "Go");
        look();
        isDown = false;
        bench.agent().decide(THREAD, bench.pending(0).asApproval().approve());
        after(Duration.ofMinutes(1));

        assertThat(kinds()).containsExactly(Kind.ASKED);
        assertThat(mails.get(0).questions().get(0).item().interrupt().id())
                .isEqualTo(bench.pending(0).id());
    }

    @Test
    void theOwnerWhoseClientShowsTheQuestionIsToldOnlyIfItIsStillOpenAMinuteLater() {
        bench.model.calls(call("c1", "sendEmail", MAIL));
        bench.say("Go"); // a client reads this stream
        look();
        after(Duration.ofSeconds(59));
        assertThat(mails).isEmpty();

        after(Duration.ofSeconds(1));

        assertThat(kinds()).containsExactly(Kind.ASKED);
    }

    @Test
    void theOwnerWhoAnswersAtOnceIsToldNothing() {
        bench.model.calls(call("c1", "sendEmail", MAIL)).says("Done.");
        bench.say("Go");
        look();
        bench.resume(bench.pending(0).asApproval().approve());
        look();
        after(Duration.ofMinutes(2));

        assertThat(bench.tools.effects()).hasSize(1);
        assertThat(mails).isEmpty();
    }

    @Test
    void othersAreToldAtOnceAlsoWhileTheOwnersClientShowsTheQuestion() {
        bench = with(ToolPolicy.named("sendEmail").approvals(Approvals.of(1).by(Audience.role("treasury"))));
        bench.model.calls(call("c1", "sendEmail", MAIL));
        bench.say("Go");
        look();

        assertThat(kinds()).containsExactly(Kind.ASKED);
    }

    @Test
    void severalNotifiersHaveAPlaceEachAndOneThatFailsDoesNotStopTheOther() {
        List<Notice> chat = new ArrayList<>();
        isDown = true;
        bench = new Bench(
                builder -> builder.with(Reach.notifier("mail", this::mail)).with(Reach.notifier("chat", chat::add)));
        hold();
        look();

        assertThat(mails).isEmpty();
        assertThat(chat).hasSize(1);
    }

    @Test
    void aNotifierNeedsANameOfItsOwn() {
        assertThatThrownBy(() -> new Bench(builder ->
                        builder.with(Reach.notifier("mail", this::mail)).with(Reach.notifier("mail", this::mail))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("another name");
        assertThatThrownBy(() -> new Bench(builder -> builder.with(Reach.notifier("to all", this::mail))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"to all\"");
    }

    @Test
    void aNewNotifierIsToldOfWhatHappensFromThenOn() {
        hold();
        List<Notice> chat = new ArrayList<>();
        Holdpoint later = bench.another(builder -> builder.with(Reach.notifier("chat", chat::add)));
        later.actOnTime();
        assertThat(chat).isEmpty();

        bench.model.says("Done.");
        later.resume(THREAD, bench.pending(0).asApproval().approve());
        later.actOnTime();

        assertThat(chat).extracting(Notice::kind).containsExactly(Kind.SETTLED);
    }

    @Test
    void anAgentThatIsClosedTellsNothingAndGivesThePlaceBack() {
        hold();
        bench.agent().shutdown(Duration.ZERO);
        look();
        assertThat(mails).isEmpty();
        Holdpoint next = bench.another(builder -> builder.with(Reach.notifier("mail", this::mail)));
        next.actOnTime();
        assertThat(kinds()).containsExactly(Kind.ASKED);
    }
}
