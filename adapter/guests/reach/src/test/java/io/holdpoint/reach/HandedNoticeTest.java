package io.holdpoint.reach;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Approvals;
import io.holdpoint.Audience;
import io.holdpoint.Caller;
import io.holdpoint.ToolPolicy;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.internal.run.Inside;
import io.holdpoint.reach.Notice.Kind;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call.Question;
import io.holdpoint.testing.Bench;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whoever gets a question from somebody else is told of it, once, and nobody besides. */
class HandedNoticeTest {

    private final List<Notice> mails = new ArrayList<>();
    private final Bench bench = new Bench(builder -> builder.toolPolicies(
                    ToolPolicy.named("sendEmail").approvals(Approvals.of(1).by(Audience.role("treasury"))))
            .approvalAuthorizer(ApprovalAuthorizer.anyOf(ApprovalAuthorizer.OWNER, ApprovalAuthorizer.role("treasury")))
            .with(Reach.notifier("mail", mails::add)));

    private void hold() {
        bench.model.calls(call("c1", "sendEmail", MAIL), call("c2", "sendEmail", MAIL));
        bench.agent().send(THREAD, "Go");
        look();
        mails.clear();
    }

    private void look() {
        bench.agent().actOnTime();
    }

    /** As {@code Questions.hand} of the module {@code people} does. */
    private void hand(String to) {
        hand("to", to);
    }

    private void hand(String field, String whom) {
        bench.clock.advance(Duration.ofSeconds(1));
        Inside.of(bench.agent()).runs().commit(Caller.of("grace"), THREAD, thread -> {
            Batch batch = thread.batch().orElseThrow();
            Question question = batch.openQuestions().get(0);
            Interrupt asked = question.interrupt().copy();
            ObjectNode detail = JsonNodeFactory.instance.objectNode().put(field, whom);
            asked.metadata()
                    .withObject("/langchain4j")
                    .set(
                            "handed",
                            detail.deepCopy().put("at", bench.clock.instant().toString()));
            return batch.amended(question.with(asked), AuditEvent.Kind.HANDED, detail);
        });
    }

    private List<String> told() {
        return mails.stream()
                .map(notice -> notice.questions().get(0).handedTo().orElseThrow())
                .toList();
    }

    @Test
    void thePersonIsToldOfThatQuestionOnceAndNoGroupIs() {
        hold();
        hand("henry");
        look();
        look();

        assertThat(mails).extracting(Notice::kind).containsExactly(Kind.HANDED);
        assertThat(told()).containsExactly("henry");
        assertThat(mails.get(0).questions()).singleElement().satisfies(question -> {
            assertThat(question.item().interrupt().id())
                    .isEqualTo(bench.pending(0).id());
            assertThat(question.audiences()).isEmpty();
        });
    }

    @Test
    void theGroupThatGotItIsToldAndNoPersonIs() {
        hold();
        hand("audience", "night shift");
        look();
        look();

        assertThat(mails).extracting(Notice::kind).containsExactly(Kind.HANDED);
        assertThat(mails.get(0).questions()).singleElement().satisfies(question -> {
            assertThat(question.audiences()).containsExactly(Audience.role("night shift"));
            assertThat(question.handedTo()).isEmpty();
        });
    }

    @Test
    void ofTwoThatGotItAtOnceTheLastIsTold() {
        hold();
        hand("audience", "night shift");
        hand("henry");
        hand("audience", "treasury");
        look();

        assertThat(mails)
                .extracting(notice -> notice.questions().get(0).audiences())
                .containsExactly(List.of(Audience.role("treasury")));
    }

    @Test
    void whoHandsItOnAtOnceIsNotTold() {
        hold();
        hand("henry");
        hand("ida");
        hand("henry");
        hand("joan");
        look();

        assertThat(told()).containsExactly("joan");
    }

    @Test
    void whoGetsItAgainIsToldAgain() {
        hold();
        hand("henry");
        look();
        hand("ida");
        look();
        hand("henry");
        look();

        assertThat(told()).containsExactly("henry", "ida", "henry");
        assertThat(mails).extracting(Notice::id).doesNotHaveDuplicates();
    }

    @Test
    void whatIsDecidedByThenIsNotTold() {
        hold();
        hand("henry");
        bench.agent().cancel(THREAD);
        look();

        assertThat(mails).extracting(Notice::kind).doesNotContain(Kind.HANDED);
    }
}
