package io.holdpoint.answer;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.service.tool.ToolService;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Approvals;
import io.holdpoint.Caller;
import io.holdpoint.Decided;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt.Approval;
import io.holdpoint.ToolPolicy;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.rule.Answering;
import io.holdpoint.rule.Approved;
import io.holdpoint.rule.Rule;
import io.holdpoint.rule.Say;
import io.holdpoint.rule.Terms;
import io.holdpoint.store.Grant;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.DynamicTools;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An edit is shown to others, asked about again and remembered with all that the tool makes of it. */
class EditsAsTakenTest {

    private static final Caller GRACE = Caller.of("grace", "approver");
    private static final Caller HEIDI = Caller.of("heidi", "approver");

    /** The integer as a fraction, and without what the class fills in. */
    private static final String EDIT = "{\"x\":{\"item\":\"b\"},\"n\":2.0}";

    private static final String TAKEN = "{\"x\":{\"item\":\"b\",\"share\":1},\"n\":2}";

    private final Bench bench = new Bench();
    private final List<String> ran = new ArrayList<>();

    /** Has a field that LangChain4j does not tell the model of. */
    static class Shared {

        int share = 1;
    }

    static final class Order extends Shared {

        String item = "";
    }

    final class Shop {

        @Tool
        String order(Order x, int n) {
            ran.add(x.item + " " + x.share + " " + n);
            return "ordered";
        }
    }

    private static final class AsksOnce implements Rule {

        private final AtomicBoolean asked = new AtomicBoolean();

        @Override
        public String name() {
            return "once";
        }

        @Override
        public Say beforeClaim(Approved approved) {
            return asked.compareAndSet(false, true) ? Say.ASK : Say.NOTHING;
        }
    }

    private Holdpoint agent(ToolPolicy policy, Rule... rules) {
        return bench.another(builder -> builder.tools(new Shop())
                .approvalAuthorizer(ApprovalAuthorizer.role("approver"))
                .toolPolicies(policy)
                .rules(rules));
    }

    private List<Approval> asked(Holdpoint agent, String id, String arguments) {
        bench.model.calls(call(id, "order", arguments)).says("Done.");
        return agent.send(THREAD, "Order").approvals();
    }

    private static ObjectNode json(String text) throws JsonProcessingException {
        return (ObjectNode) AguiCodec.mapper().readTree(text);
    }

    private static Approval open(Holdpoint agent) {
        return agent.as(HEIDI).pending(THREAD).get(0).asApproval();
    }

    @Test
    void theAuthorizerDecidesAboutWhatRuns() throws JsonProcessingException {
        Holdpoint agent = bench.another(builder -> builder.tools(new Shop())
                .approvalAuthorizer(new ApprovalAuthorizer() {

                    @Override
                    public boolean mayDecide(Request request) {
                        return request.arguments().at("/x/share").intValue() != 1;
                    }

                    @Override
                    public boolean mayAccess(Caller caller, String threadId, String ownerId) {
                        return true;
                    }
                })
                .toolPolicies(ToolPolicy.named("order")));
        Approval first = asked(agent, "c1", "{\"x\":{\"item\":\"a\",\"share\":5},\"n\":1}")
                .get(0);

        Decided refused = agent.as(GRACE).decide(THREAD, first.approveWith(json(EDIT)));

        assertThat(((Decided.Refused) refused).code()).isEqualTo(ErrorCode.INTERRUPT_FORBIDDEN);
        assertThat(ran).isEmpty();
    }

    @Test
    void othersAreShownWhatRuns() throws JsonProcessingException {
        Holdpoint agent = agent(ToolPolicy.named("order").approvals(Approvals.of(2)));
        Approval first = asked(agent, "c1", "{\"x\":{\"item\":\"a\",\"share\":5},\"n\":1}")
                .get(0);
        agent.as(GRACE).decide(THREAD, first.approveWith(json(EDIT)));

        Approval edited = open(agent);

        assertThat(edited.arguments()).isEqualTo(json(TAKEN));
        runs(agent.as(HEIDI).decide(THREAD, edited.approve()));
    }

    private Holdpoint started() {
        return bench.another(builder -> builder.toolProviders(new DynamicTools(ToolService.findTools(new Shop())))
                .approvalAuthorizer(ApprovalAuthorizer.role("approver"))
                .toolPolicies(ToolPolicy.named("order").approvals(Approvals.of(2))));
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', textBlock = """
            {"x":{"item":"b"},"n":2};             ``
            {"x":{"item":"b","share":1},"n":2.0}; b 1 2
            """)
    void whatAServerDidNotKnowWhenItAskedDoesNotRunUnseen(String edit, String runs) throws JsonProcessingException {
        asked(started(), "c1", "{\"x\":{\"item\":\"a\",\"share\":5},\"n\":1}");
        Holdpoint later = started();
        later.as(GRACE).decide(THREAD, open(later).approveWith(json(edit)));

        later.as(HEIDI).resume(THREAD, open(later).approve());

        assertThat(bench.model.lastResult("c1"))
                .contains(runs.isEmpty() ? "not the ones that were approved" : "ordered");
        assertThat(ran).containsExactlyElementsOf(runs.isEmpty() ? List.of() : List.of(runs));
    }

    @Test
    void whoIsAskedAgainApprovesIt() throws JsonProcessingException {
        Holdpoint agent = agent(ToolPolicy.named("order"), new AsksOnce());
        Approval first = asked(agent, "c1", "{\"x\":{\"item\":\"a\"},\"n\":1}").get(0);
        assertThat(agent.as(GRACE).decide(THREAD, first.approveWith(json(EDIT))))
                .isInstanceOf(Decided.Runs.class);

        Approval again = open(agent);

        assertThat(again.arguments()).isEqualTo(json(TAKEN));
        runs(agent.as(HEIDI).decide(THREAD, again.approve()));
    }

    private void runs(Decided decided) {
        assertThat(((Decided.Runs) decided).result().join().text()).isEqualTo("Done.");
        assertThat(ran).containsExactly("b 1 2");
    }

    /** Wants a word about each answer, and hears what would run by it. */
    private static final class Hears implements Rule {

        private final List<ObjectNode> heard = new ArrayList<>();

        @Override
        public String name() {
            return "word";
        }

        @Override
        public Terms terms() {
            return Terms.optional(JsonNodeFactory.instance.objectNode().put("type", "string"));
        }

        @Override
        public Optional<String> onAnswer(Answering answer) {
            heard.add(answer.call().arguments());
            return Optional.empty();
        }
    }

    @Test
    void aRuleJudgesAnAnswerByWhatRuns() throws JsonProcessingException {
        Hears rule = new Hears();
        Holdpoint agent = agent(ToolPolicy.named("order"), rule);
        Approval first = asked(agent, "c1", "{\"x\":{\"item\":\"a\"},\"n\":1}").get(0);

        runs(agent.as(GRACE).decide(THREAD, first.approveWith(json(EDIT))));

        assertThat(rule.heard).isNotEmpty().allMatch(json(TAKEN)::equals);
    }

    @Test
    void itIsRememberedForWhatHasRun() throws JsonProcessingException {
        Holdpoint agent = agent(ToolPolicy.named("order").remember(Duration.ofHours(1), Grant.Scope.SAME_CALL));
        Approval first = asked(agent, "c1", "{\"x\":{\"item\":\"a\"},\"n\":1}").get(0);
        ResumeEntry answer = first.approveAndRemember(Grant.Scope.SAME_CALL);
        ObjectNode payload = answer.payload().deepCopy();
        payload.set("editedArgs", json(EDIT));
        agent.as(GRACE).resume(THREAD, ResumeEntry.resolved(first.id(), payload));

        assertThat(asked(agent, "c2", "{\"x\":{\"item\":\"b\"},\"n\":2}")).isEmpty();
        assertThat(ran).containsExactly("b 1 2", "b 1 2");
    }
}
