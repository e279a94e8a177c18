package io.holdpoint.reach;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.service.IllegalConfigurationException;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Approvals;
import io.holdpoint.Audience;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RequiresApproval;
import io.holdpoint.ToolCallContext;
import io.holdpoint.ToolInterrupt;
import io.holdpoint.ToolPolicy;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.internal.run.Inside;
import io.holdpoint.reach.LinkView.State;
import io.holdpoint.reach.Links.Key;
import io.holdpoint.reach.Links.Link;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.AuditEvent.Kind;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call.Question;
import io.holdpoint.store.Grant;
import io.holdpoint.store.Reversibility;
import io.holdpoint.store.Store;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.TrailRules;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** A link is a pointer, or the voice of one named person, and never a right of its own. */
class LinkDecisionsTest {

    private static final Caller ADA = Caller.of("ada", "treasury");
    private static final Caller GRACE = Caller.of("grace", "treasury");
    private static final Caller HEIDI = Caller.of("heidi", "treasury");
    private static final URI BASE = URI.create("https://agents.example.com/agent");

    /** Tools about which a link may decide, and one about which it may not. */
    static final class Bank {

        final List<String> effects = new ArrayList<>();

        @Tool("Pays")
        @RequiresApproval(decideByLink = true, expiresAfter = "P30D")
        public String pay(int amount, String to) {
            effects.add("pay " + amount + " " + to);
            return "paid";
        }

        @Tool("Asks when it runs")
        @RequiresApproval(decideByLink = true)
        public String ask(int amount, String to, ToolCallContext context) {
            throw context.interrupt(ToolInterrupt.confirmation("Really?"));
        }

        @Tool("Fails at first")
        @RequiresApproval(respond = true)
        public String retry(int amount, String to) {
            effects.add("retry " + amount + " " + to);
            if (effects.size() == 1) {
                throw new IllegalStateException("busy");
            }
            return "done";
        }

        @Tool("Orders")
        @RequiresApproval(remember = Grant.Scope.SAME_CALL)
        public String order(int amount, String to) {
            effects.add("order " + amount + " " + to);
            return "ordered";
        }
    }

    private final Bank bank = new Bank();
    private final Map<String, Caller> directory =
            new ConcurrentHashMap<>(Map.of("ada", ADA, "grace", GRACE, "heidi", HEIDI));
    private final SignedLinks links = Links.signed(BASE, Key.of("k1", new byte[32]));
    private final Bench bench = new Bench(this::agent);
    private final Holdpoint agent = bench.agent();

    private HoldpointBuilder<Bench.Assistant> agent(HoldpointBuilder<Bench.Assistant> builder) {
        return builder.tools(bank)
                .toolPolicies(ToolPolicy.named("retry").askOnFailure().respond())
                .with(Reach.links(links))
                .people(person -> Optional.ofNullable(directory.get(person)))
                .approvalAuthorizer(ApprovalAuthorizer.fourEyes(ApprovalAuthorizer.role("treasury")));
    }

    private PendingInterrupt held(Holdpoint holding, String tool) {
        bench.model.calls(call("c1", tool, "{\"amount\":500,\"to\":\"bob\"}"));
        PendingInterrupt asked =
                holding.as(ADA).send(THREAD, "Pay Bob").interrupts().get(0);
        bench.model.says("Done.");
        return asked;
    }

    private String token(Holdpoint of, PendingInterrupt question, String person) {
        return token(Reach.of(of.as(ADA)).link(THREAD, question.id(), person).orElseThrow());
    }

    private static String token(URI address) {
        return address.toString().substring(address.toString().lastIndexOf('/') + 1);
    }

    private static ResumeEntry approve(PendingInterrupt question) {
        return question.asApproval().approve();
    }

    private void shows(LinkView view, State state, String sentence) {
        assertThat(view.state()).as(view.sentence()).isEqualTo(state);
        assertThat(view.sentence()).contains(sentence);
    }

    private List<String> trail(Kind kind) {
        TrailRules.check(bench.store, THREAD);
        return bench.store.auditTrail(THREAD, 0, 1_000).stream()
                .filter(event -> event.kind() == kind)
                .map(AuditEvent::detail)
                .map(detail -> detail.path("via").asText("-"))
                .toList();
    }

    @Test
    void aPersonDecidesByALinkOnceAndTheTrailSaysHow() {
        PendingInterrupt question = held(agent, "pay");
        String token = token(agent, question, "grace");

        shows(Reach.of(agent).openLink(token), State.OPEN, "");
        shows(
                Reach.of(agent).pressLink(token, approve(question)),
                State.DECIDED,
                "You have approved this. It was executed.");
        shows(Reach.of(agent).pressLink(token, approve(question)), State.DECIDED, "You have approved this.");
        shows(Reach.of(agent).pressLink(token, question.asApproval().deny()), State.DECIDED, "You have approved this.");

        assertThat(bank.effects).containsExactly("pay 500 bob");
        assertThat(trail(Kind.DECIDED)).containsExactly("link");
    }

    @Test
    void whatALinkHasApprovedIsNotAboutLaterCallsThatLinksMayNotDecide() {
        Holdpoint announcing = bench.another(builder -> agent(builder).rules(new Announces()));
        PendingInterrupt question = held(announcing, "pay");
        String token = token(announcing, question, "grace");

        Reach.of(announcing).pressLink(token, approve(question));

        assertThat(bank.effects).containsExactly("pay 500 bob");
        assertThat(Grant.of(bench.store, THREAD)).isEmpty();
    }

    @Test
    void aNotifierHasALinkForEachPersonWhomItTells() {
        List<Notice> told = new ArrayList<>();
        Holdpoint notifying = bench.another(builder -> agent(builder.with(Reach.notifier("mail", told::add))));
        PendingInterrupt question = held(notifying, "pay");
        notifying.actOnTime();

        Notice.Question asked = told.get(0).questions().get(0);
        assertThat(asked.link("ada")).isEmpty();
        shows(
                Reach.of(notifying).pressLink(token(asked.link("grace").orElseThrow()), approve(question)),
                State.DECIDED,
                "You have approved this.");
    }

    @Test
    void openingALinkAThousandTimesOnlyReads() {
        String token = token(agent, held(agent, "pay"), "grace");
        Bench.Everything before = bench.everything();
        int events = bench.store.auditTrail(THREAD, 0, 1_000).size();
        Set<String> used = new HashSet<>();
        Store noting = (Store) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                    used.add(method.getName());
                    return method.getName().equals("of") ? proxy : method.invoke(bench.store, arguments);
                });
        Holdpoint opening = bench.another(builder -> agent(builder).store(noting));
        used.clear();

        for (int i = 0; i < 1_000; i++) {
            shows(Reach.of(opening).openLink(token), State.OPEN, "");
        }

        assertThat(used).isSubsetOf("find", "head", "findBatch");
        assertThat(bench.everything()).isEqualTo(before);
        assertThat(bench.store.auditTrail(THREAD, 0, 1_000)).hasSize(events);
    }

    @Test
    void aLinkThatThePolicyDoesNotLetDecideIsAPointerForItsPersonOnly() {
        PendingInterrupt question = held(agent, "order");
        String token = token(agent, question, "grace");

        shows(Reach.of(agent).openLink(token), State.SIGN_IN, "Sign in");
        shows(Reach.of(agent).pressLink(token, approve(question)), State.SIGN_IN, "Sign in");
        shows(
                Reach.of(agent.as(HEIDI)).pressLink(token, approve(question)),
                State.FORBIDDEN,
                "you are signed in as heidi");
        assertThat(bank.effects).isEmpty();

        assertThat(Reach.of(agent.as(GRACE))
                        .openLink(token)
                        .question()
                        .orElseThrow()
                        .arguments())
                .isEqualTo(question.arguments());
        shows(
                Reach.of(agent.as(GRACE)).pressLink(token, approve(question)),
                State.POINTER,
                "You decide this in the application");
        assertThat(bank.effects).isEmpty();
        agent.as(GRACE).decide(THREAD, approve(question));
        shows(Reach.of(agent.as(GRACE)).openLink(token), State.DECIDED, "You have approved this.");
    }

    @Test
    void aLinkToTheQuestionOfAThreadThatNobodyOwnsIsNoRight() {
        Holdpoint unowned = bench.another(builder -> builder.tools(bank).with(Reach.links(links)));
        bench.model.calls(call("c1", "order", "{\"amount\":500,\"to\":\"bob\"}"));
        PendingInterrupt question = unowned.send(THREAD, "Order").interrupts().get(0);
        String token = token(Reach.of(unowned)
                .link(THREAD, question.id(), Caller.ANONYMOUS.id())
                .orElseThrow());

        shows(Reach.of(unowned).openLink(token), State.SIGN_IN, "Sign in");
        shows(Reach.of(unowned).pressLink(token, approve(question)), State.SIGN_IN, "Sign in");
        shows(Reach.of(unowned.as(GRACE)).openLink(token), State.FORBIDDEN, "you are signed in as grace");
        assertThat(bank.effects).isEmpty();
    }

    @Test
    void aLinkGetsNoPointerToAPageThatIsNotThere() {
        Holdpoint paged = bench.another(builder -> agent(builder)
                .with(Reach.links(links.page(link -> URI.create("https://app.example.com/#" + link.threadId())))));
        PendingInterrupt question = held(paged, "order");
        String token = token(paged, question, "grace");

        assertThat(Reach.of(paged).openLink(token).page()).contains(URI.create("https://app.example.com/#t"));
        assertThat(Reach.of(paged.as(GRACE)).openLink(token).page()).contains(URI.create("https://app.example.com/#t"));
        assertThat(Reach.of(agent).openLink(token).page()).isEmpty();
        shows(Reach.of(agent).openLink(token), State.SIGN_IN, "this page has no sign-in of its own");
    }

    @Test
    void theRequesterGetsNoLinkWhereFourEyesAreRequiredAndOneThatWasForgedForThemDoesNotCount() {
        PendingInterrupt question = held(agent, "pay");
        Link others = links.read(token(agent, question, "grace"));
        Link own = new Link(others.threadId(), others.interruptId(), "ada", others.shown(), others.end());

        assertThat(Reach.of(agent.as(ADA)).link(THREAD, question.id(), "ada")).isEmpty();
        shows(Reach.of(agent).openLink(token(links.address(own))), State.FORBIDDEN, "You may not decide");
        shows(
                Reach.of(agent).pressLink(token(links.address(own)), approve(question)),
                State.FORBIDDEN,
                "You may not decide");
        assertThat(bank.effects).isEmpty();
    }

    @Test
    void rightsAreThoseOfTheMomentWhenTheButtonIsPressed() {
        PendingInterrupt question = held(agent, "pay");
        String token = token(agent, question, "grace");

        directory.put("grace", Caller.of("grace"));
        shows(Reach.of(agent).pressLink(token, approve(question)), State.FORBIDDEN, "You may not decide");
        directory.remove("grace");
        shows(Reach.of(agent).pressLink(token, approve(question)), State.FORBIDDEN, "You may not decide");
        directory.put("grace", HEIDI);
        shows(Reach.of(agent).pressLink(token, approve(question)), State.FORBIDDEN, "You may not decide");
        assertThat(bank.effects).isEmpty();

        directory.put("grace", GRACE);
        shows(Reach.of(agent).pressLink(token, approve(question)), State.DECIDED, "You have approved");
    }

    @Test
    void aVoterByLinkWhoAlsoSignsInIsOnePersonAndTwoLinksAreTwo() {
        Holdpoint several = bench.another(builder -> agent(builder)
                .toolPolicies(ToolPolicy.named("pay")
                        .decideByLink()
                        .approvals(Approvals.of(2).by(Audience.role("treasury")))));
        PendingInterrupt question = held(several, "pay");
        String graces = token(several, question, "grace");
        String heidis = token(several, question, "heidi");

        shows(Reach.of(several).pressLink(graces, approve(question)), State.WAITS, "It waits for 1 more approval.");
        several.as(GRACE).decide(THREAD, approve(question));
        shows(Reach.of(several).pressLink(graces, approve(question)), State.WAITS, "It waits for 1 more approval.");
        assertThat(bank.effects).isEmpty();
        shows(Reach.of(several).openLink(heidis), State.OPEN, "");

        shows(
                Reach.of(several).pressLink(heidis, approve(question)),
                State.DECIDED,
                "You have approved this. It was executed.");
        shows(Reach.of(several).openLink(graces), State.DECIDED, "You have approved this.");
        assertThat(bank.effects).containsExactly("pay 500 bob");
        assertThat(trail(Kind.VOTED)).containsExactly("link");
        assertThat(trail(Kind.DECIDED)).containsExactly("link");
    }

    @Test
    void whatSomebodyElseHasDecidedIsSaidAndStands() {
        PendingInterrupt question = held(agent, "pay");
        String token = token(agent, question, "grace");
        agent.as(HEIDI).decide(THREAD, question.asApproval().deny("no"));

        shows(Reach.of(agent).openLink(token), State.SETTLED, "heidi has denied this. It was not executed.");
        shows(Reach.of(agent).pressLink(token, approve(question)), State.SETTLED, "heidi has denied this.");
        assertThat(bank.effects).isEmpty();
        assertThat(trail(Kind.DECIDED)).containsExactly("-");
    }

    @Test
    void aVoterIsToldThatSomebodyElseHasDenied() {
        Holdpoint several = bench.another(builder -> agent(builder)
                .toolPolicies(ToolPolicy.named("pay")
                        .decideByLink()
                        .approvals(Approvals.of(2).by(Audience.role("treasury")))));
        PendingInterrupt question = held(several, "pay");
        String token = token(several, question, "grace");
        Reach.of(several).pressLink(token, approve(question));
        several.as(HEIDI).decide(THREAD, question.asApproval().deny("no"));

        shows(Reach.of(several).openLink(token), State.SETTLED, "heidi has denied this. It was not executed.");
    }

    @Test
    void aCallThatIsAskedAboutAgainBecauseItsToolAsksIsNotSaidToBeChanged() {
        PendingInterrupt question = held(agent, "ask");
        String token = token(agent, question, "grace");
        agent.as(HEIDI).decide(THREAD, approve(question));
        assertThat(agent.as(ADA).pending(THREAD)).hasSize(1);

        shows(Reach.of(agent).openLink(token), State.SETTLED, "heidi has approved this. It is asked about again.");
    }

    @Test
    @Logs("Tool 'retry' execution failed")
    void whoeverHasAnsweredAnotherQuestionThanWhetherACallMayRunIsNotSaidToHaveDeniedIt() {
        PendingInterrupt question = held(agent, "retry");
        agent.as(GRACE).resume(THREAD, approve(question));
        PendingInterrupt.Failure failed =
                (PendingInterrupt.Failure) agent.as(GRACE).pending(THREAD).get(0);
        String token = token(agent, failed, "heidi");

        agent.as(GRACE).resume(THREAD, failed.retry());

        assertThat(bank.effects).hasSize(2);
        shows(Reach.of(agent.as(HEIDI)).openLink(token), State.SETTLED, "grace has answered this. It was executed.");
    }

    @Test
    void whoeverHasAnsweredInPlaceOfAToolIsNotSaidToHaveDeniedIt() {
        PendingInterrupt question = held(agent, "retry");
        String token = token(agent, question, "heidi");

        agent.as(GRACE)
                .resume(THREAD, question.asApproval().respond("done by hand"))
                .orThrow();

        shows(Reach.of(agent.as(HEIDI)).openLink(token), State.SETTLED, "grace has answered this.");
    }

    @Test
    void aLinkIsStaleOnceSomebodyHasEditedWhatItWasMadeForAndANewOneCounts() {
        PendingInterrupt question = held(agent, "pay");
        String token = token(agent, question, "grace");
        agent.as(HEIDI).decide(THREAD, question.asApproval().approveWith(Map.of("amount", 5, "to", "bob")));
        PendingInterrupt edited = agent.as(ADA).pending(THREAD).get(0);

        shows(Reach.of(agent).openLink(token), State.STALE, "heidi has changed this call");
        shows(Reach.of(agent).pressLink(token, approve(question)), State.STALE, "heidi has changed this call");
        assertThat(bank.effects).isEmpty();

        shows(
                Reach.of(agent).pressLink(token(agent, edited, "grace"), approve(edited)),
                State.DECIDED,
                "You have approved");
        assertThat(bank.effects).containsExactly("pay 5 bob");
    }

    /** The link's message has the 500, and 5 were paid. */
    @Test
    void aCallThatRanAsSomebodyHasChangedItIsNotSaidToHaveRunAsTheLinkShowedIt() {
        PendingInterrupt question = held(agent, "pay");
        String ofGrace = token(agent, question, "grace");
        String ofHeidi = token(agent, question, "heidi");
        agent.as(GRACE).resume(THREAD, question.asApproval().approveWith(Map.of("amount", 5, "to", "bob")));
        agent.as(HEIDI).resume(THREAD, approve(agent.as(HEIDI).pending(THREAD).get(0)));

        assertThat(bank.effects).containsExactly("pay 5 bob");
        shows(
                Reach.of(agent.as(HEIDI)).openLink(ofHeidi),
                State.SETTLED,
                "grace has changed this call and approved it. It was executed.");
        shows(
                Reach.of(agent.as(GRACE)).openLink(ofGrace),
                State.DECIDED,
                "You have changed this call and approved it. It was executed.");
    }

    @Test
    void aLinkCountsOnlyForWhatWasShownWhenItWasMade() {
        PendingInterrupt question = held(agent, "pay");
        Link made = links.read(token(agent, question, "grace"));
        Link other = new Link(made.threadId(), made.interruptId(), made.person(), "0".repeat(32), made.end());

        shows(Reach.of(agent).pressLink(token(links.address(other)), approve(question)), State.STALE, "has changed");
        assertThat(bank.effects).isEmpty();
    }

    /** As {@code Questions} of the module {@code people} does: what is asked stays as it was. */
    @Test
    void aLinkCountsWhoeverGetsMoreTimeForItsQuestionOrHandsIt() {
        ToolPolicy hour =
                ToolPolicy.named("pay").expiresAfter(Duration.ofHours(1)).decideByLink();
        Holdpoint timed = bench.another(builder -> agent(builder).toolPolicies(hour));
        PendingInterrupt question = held(timed, "pay");
        String token = token(timed, question, "grace");
        Inside.of(timed).runs().commit(HEIDI, THREAD, thread -> {
            Batch batch = thread.batch().orElseThrow();
            Question open = batch.openQuestions().get(0);
            ObjectNode asked = (ObjectNode) AguiCodec.toTree(open.interrupt());
            ObjectNode marks = asked.withObject("/metadata/langchain4j");
            marks.putObject("handed").put("to", "heidi");
            marks.putObject("moreTime").put("by", "PT1H").put("left", 1);
            marks.put("fingerprint", question.fingerprint());
            asked.put(
                    "expiresAt", bench.clock.instant().plus(Duration.ofHours(2)).toString());
            Interrupt later = AguiCodec.mapper().convertValue(asked, Interrupt.class);
            return batch.amended(open.with(later), Kind.EXTENDED, marks.objectNode());
        });
        bench.clock.advance(Duration.ofMinutes(90));

        shows(Reach.of(timed).pressLink(token, approve(question)), State.DECIDED, "You have approved this.");
        assertThat(bank.effects).containsExactly("pay 500 bob");
    }

    @Test
    void aLinkEndsAfterSevenDaysOrWithItsQuestion() {
        PendingInterrupt question = held(agent, "pay");
        String token = token(agent, question, "grace");
        bench.clock.advance(Duration.ofDays(7).minusSeconds(1));
        shows(Reach.of(agent).openLink(token), State.OPEN, "");
        bench.clock.advance(Duration.ofSeconds(1));
        shows(Reach.of(agent).pressLink(token, approve(question)), State.EXPIRED, "This link has expired");
        bench.clock.advance(Duration.ofDays(22));
        String last = token(agent, question, "grace");
        bench.clock.advance(Duration.ofDays(2));
        shows(Reach.of(agent).pressLink(last, approve(question)), State.EXPIRED, "expired");
        assertThat(bank.effects).isEmpty();
    }

    @Test
    void aForgedLinkAndOneForAnotherQuestionAreInvalid() {
        PendingInterrupt question = held(agent, "pay");
        String token = token(agent, question, "grace");
        Link made = links.read(token);
        String elsewhere = token(
                links.address(new Link("elsewhere", made.interruptId(), made.person(), made.shown(), made.end())));
        String unknown = token(links.address(new Link(THREAD, "int-unknown", made.person(), made.shown(), made.end())));
        SignedLinks forger = Links.signed(BASE, Key.of("k1", "x".repeat(32).getBytes()));

        shows(Reach.of(agent).pressLink(token(forger.address(made)), approve(question)), State.INVALID, "not valid");
        shows(Reach.of(agent).pressLink(token.substring(3), approve(question)), State.INVALID, "not valid");
        shows(Reach.of(agent).pressLink(elsewhere, approve(question)), State.INVALID, "does not exist");
        shows(Reach.of(agent).pressLink(unknown, approve(question)), State.INVALID, "does not exist");
        assertThatThrownBy(() -> Reach.of(agent).pressLink(token, ResumeEntry.cancelled("another")))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(bank.effects).isEmpty();
    }

    @Test
    void anAgentOfAnotherNameOnTheSameStoreDoesNotTakeALink() {
        PendingInterrupt question = held(agent, "pay");
        Holdpoint other = bench.another(builder -> agent(builder).name("other"));

        shows(Reach.of(other).openLink(token(agent, question, "grace")), State.INVALID, "does not exist");
    }

    @Test
    void aClientCannotSayThatItsAnswerCameByALink() {
        PendingInterrupt question = held(agent, "pay");
        ResumeEntry claims = new ResumeEntry(
                question.id(),
                ResumeEntry.Status.RESOLVED,
                approve(question).payload(),
                AguiCodec.mapper().createObjectNode().put("via", "link"));

        agent.as(GRACE).decide(THREAD, claims);

        assertThat(bank.effects).hasSize(1);
        assertThat(trail(Kind.DECIDED)).containsExactly("-");
    }

    @Test
    void noLinkDecidesAboutADestructiveTool() {
        class Fatal {
            @Tool("Wipes")
            @RequiresApproval(decideByLink = true, reversibility = Reversibility.IRREVERSIBLE)
            public String wipe() {
                return "";
            }
        }
        UnaryOperator<HoldpointBuilder<Bench.Assistant>> wiping = builder -> builder.tools(new Fatal());
        assertThatThrownBy(() -> bench.another(wiping))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("no link decides about it");
        assertThatThrownBy(() -> bench.another(builder -> agent(builder)
                        .toolPolicies(ToolPolicy.named("order")
                                .reversibility(Reversibility.IRREVERSIBLE)
                                .decideByLink())))
                .hasMessageContaining("no link decides about it");

        Holdpoint marked = bench.another(builder ->
                agent(builder).toolPolicies(ToolPolicy.named("pay").reversibility(Reversibility.IRREVERSIBLE)));
        PendingInterrupt question = held(marked, "pay");

        String token = token(marked, question, "grace");
        shows(Reach.of(marked).pressLink(token, approve(question)), State.SIGN_IN, "Sign in");
        shows(Reach.of(marked.as(GRACE)).pressLink(token, approve(question)), State.POINTER, "no link decides");
        assertThat(bank.effects).isEmpty();
    }

    @Test
    void anAgentWithoutLinksHasNone() {
        Bench plain = new Bench();
        plain.model.calls(call("c1", "sendEmail", Bench.MAIL));
        PendingInterrupt question =
                plain.agent().send(THREAD, "Mail").interrupts().get(0);

        assertThat(Reach.of(plain.agent()).link(THREAD, question.id(), "grace")).isEmpty();
        assertThat(Reach.of(plain.agent()).openLink("a.b.c"))
                .isEqualTo(Reach.of(agent).openLink("a.b.c"));
        shows(Reach.of(plain.agent()).openLink("a.b.c"), State.INVALID, "not valid");
        assertThat(question.interrupt().metadata().toString()).doesNotContain("decideByLink");
    }

    @Test
    void noLinkDecidesInANameOfTheLibrarys() {
        directory.put("holdpoint:time", Caller.of("holdpoint:time", "treasury"));
        String token = token(agent, held(agent, "pay"), "holdpoint:time");

        shows(Reach.of(agent).openLink(token), State.FORBIDDEN, "You may not decide");
    }

    /** Audits, and asks while it does. */
    public static final class Auditor {

        @Tool
        public String audit(int amount, String to, ToolCallContext context) {
            throw context.interrupt(
                    ToolInterrupt.confirmation("Half is done. Go on?").expiresAfter(Duration.ofHours(1)));
        }
    }

    @Test
    void aQuestionThatAToolAsksWhileItRunsIsNotAboutACallThatWasNotExecuted() {
        Holdpoint auditing = bench.another(builder -> agent(builder).tools(new Auditor()));
        String token = token(auditing, held(auditing, "audit"), "grace");
        bench.clock.advance(Duration.ofHours(2));

        LinkView opened = Reach.of(auditing.as(GRACE)).openLink(token);

        shows(opened, State.EXPIRED, "has expired");
        assertThat(opened.sentence()).doesNotContain("executed");
    }
}
