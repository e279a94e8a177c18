package io.holdpoint.people;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.ReturnBehavior;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.service.Result;
import dev.langchain4j.service.UserMessage;
import dev.langchain4j.service.tool.ToolService;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.ApprovalVerdict;
import io.holdpoint.AsksUser;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.ToolPolicy;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.DynamicTools;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.OfficeQuestions;
import io.holdpoint.testing.OfficeTools;
import io.holdpoint.testing.Shape;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Questions in agents of every shape, under policies, and next to other versions of themselves. */
@Logs({"The call * of the tool * is not executed: it was proposed to another tool of this name"})
class AsksUserAgentTest {

    private final ScriptedModel model = new ScriptedModel();
    private final List<String> effects = new CopyOnWriteArrayList<>();

    /** A tool of the name of a question, with a body. */
    public final class Confirming {

        @Tool("Ask the user for a yes or a no")
        @RequiresApproval
        public boolean confirm(String question) {
            effects.add("confirm " + question);
            return true;
        }
    }

    /** The answer is what the turn ends with. */
    interface LastQuestion {

        @Tool(value = "Ask what the answer is", returnBehavior = ReturnBehavior.IMMEDIATE)
        @AsksUser
        String answer(String question);
    }

    interface ResultAssistant {
        Result<String> chat(@UserMessage String text);
    }

    private PendingInterrupt asked(Holdpoint agent, String tool, String arguments) {
        model.calls(call("c1", tool, arguments));
        RunResult result = agent.send("t", "Go");
        assertThat(result).isInstanceOf(RunResult.Interrupted.class);
        return ((RunResult.Interrupted) result).interrupts().get(0);
    }

    @ParameterizedTest
    @EnumSource
    void everyShapeOfServiceAsksAndGoesOn(Shape shape) {
        Holdpoint agent = shape.builder(model).questions(OfficeQuestions.class).build();
        PendingInterrupt question = asked(agent, "confirm", "{\"question\":\"Sure?\"}");
        model.says("Fine.");

        RunResult result = agent.resume("t", question.asInput().answer(false));

        assertThat(((RunResult.Completed) result).text()).isEqualTo("Fine.");
        assertThat(model.lastResult("c1")).isEqualTo("false");
    }

    @Test
    void theModelIsOfferedTheQuestionsWithTheirParameters() {
        Holdpoint agent =
                Shape.STREAMING.builder(model).questions(OfficeQuestions.class).build();
        model.says("Hello.");

        agent.send("t", "Hi");

        List<ToolSpecification> offered = model.requests().get(0).toolSpecifications();
        assertThat(offered)
                .extracting(ToolSpecification::name)
                .containsExactly("askUser", "confirm", "howMany", "requestFilingDetails");
        JsonObjectSchema parameters = offered.get(0).parameters();
        assertThat(parameters.properties()).containsOnlyKeys("question", "options");
        assertThat(parameters.required()).containsExactly("question", "options");
    }

    @Test
    void aPolicyThatDeniesAsksNobody() {
        Holdpoint agent = Shape.STREAMING
                .builder(model)
                .questions(OfficeQuestions.class)
                .toolPolicies(ToolPolicy.named("askUser").when(call -> ApprovalVerdict.deny("no questions at night")))
                .build();
        model.calls(call("c1", "askUser", "{\"question\":\"Who?\",\"options\":[]}"))
                .says("Good night.");

        assertThat(agent.send("t", "Go")).isInstanceOf(RunResult.Completed.class);
        assertThat(model.lastResult("c1")).contains("no questions at night");
    }

    @Test
    void aPolicyThatRequiresApprovalLeavesItAtTheQuestion() {
        Holdpoint agent = Shape.STREAMING
                .builder(model)
                .questions(OfficeQuestions.class)
                .toolPolicies(ToolPolicy.named("confirm"))
                .build();

        PendingInterrupt question = asked(agent, "confirm", "{\"question\":\"Sure?\"}");

        assertThat(question.reason()).isEqualTo("confirmation");
        model.says("Fine.");
        assertThat(agent.resume("t", question.asInput().answer(true))).isInstanceOf(RunResult.Completed.class);
        assertThat(model.lastResult("c1")).isEqualTo("true");
    }

    @Test
    void whatWasApprovedOfAToolWithABodyIsNoAnswerToTheQuestionThatReplacedIt() {
        InMemoryStore store = new InMemoryStore();
        Holdpoint before = Shape.STREAMING
                .builder(model)
                .store(store)
                .tools(new Confirming())
                .build();
        Holdpoint after = Shape.STREAMING
                .builder(model)
                .store(store)
                .questions(OfficeQuestions.class)
                .build();
        PendingInterrupt approval = asked(before, "confirm", "{\"question\":\"Sure?\"}");
        model.says("I see.");

        after.resume("t", approval.asApproval().approve());

        assertThat(model.lastResult("c1")).contains("was not executed", "tool has changed");
    }

    @Test
    void anAnswerStaysTheResultWhateverTheToolIsNow() {
        InMemoryStore store = new InMemoryStore();
        Holdpoint before = Shape.STREAMING
                .builder(model)
                .store(store)
                .questions(OfficeQuestions.class)
                .build();
        Holdpoint after = Shape.STREAMING
                .builder(model)
                .store(store)
                .tools(new Confirming())
                .build();
        PendingInterrupt question = asked(before, "confirm", "{\"question\":\"Sure?\"}");
        model.says("I see.");

        after.resume("t", question.asInput().answer(false));

        assertThat(model.lastResult("c1")).isEqualTo("false");
        assertThat(effects).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void ofAToolAndAQuestionOfOneNameNothingRuns(Shape shape) {
        Holdpoint agent = shape.builder(model)
                .toolProviders(new DynamicTools(ToolService.findTools(new Confirming())))
                .questions(OfficeQuestions.class)
                .build();
        model.calls(call("c0", "howMany", "{}")).calls(call("c1", "confirm", "{\"question\":\"Sure?\"}"));
        PendingInterrupt first =
                ((RunResult.Interrupted) agent.send("t", "Go")).interrupts().get(0);

        RunResult second = agent.resume("t", first.asInput().answer(3));

        PendingInterrupt question =
                ((RunResult.Interrupted) second).interrupts().get(0);
        assertThat(question.reason()).isEqualTo("confirmation");
        model.says("Fine.");
        agent.resume("t", question.asInput().answer(false));
        assertThat(model.lastResult("c1")).isEqualTo("false");
        assertThat(effects).isEmpty();
    }

    @Test
    void whoMayDecideIsAskedAboutAnswersAsAboutWhatApprovesNothing() {
        ApprovalAuthorizer others = ApprovalAuthorizer.fourEyes(ApprovalAuthorizer.role("manager"));
        Holdpoint strict = Shape.STREAMING
                .builder(model)
                .questions(OfficeQuestions.class)
                .approvalAuthorizer(others)
                .build();
        PendingInterrupt unanswerable = asked(strict, "confirm", "{}");
        Holdpoint agent = Shape.STREAMING
                .builder(model)
                .questions(OfficeQuestions.class)
                .tools(new OfficeTools())
                .approvalAuthorizer(ApprovalAuthorizer.anyOf(
                        others,
                        request -> !request.approves() && request.caller().id().equals(request.ownerId())))
                .build();
        model.calls(call("c1", "confirm", "{}")).calls(call("c2", "deleteRecords", "{\"table\":\"users\"}"));
        PendingInterrupt question =
                ((RunResult.Interrupted) agent.send("t", "Go")).interrupts().get(0);

        assertThat(((RunResult.Failed) strict.resume("t", unanswerable.asInput().answer(true))).code())
                .isEqualTo(ErrorCode.INTERRUPT_FORBIDDEN);
        RunResult answered = agent.resume("t", question.asInput().answer(true));
        PendingInterrupt approval =
                ((RunResult.Interrupted) answered).interrupts().get(0);
        assertThat(((RunResult.Failed) agent.resume("t", approval.asApproval().approve())).code())
                .isEqualTo(ErrorCode.INTERRUPT_FORBIDDEN);
    }

    @Test
    void aToolThatReturnsAtOnceEndsTheTurnWithTheAnswer() {
        Holdpoint agent = Holdpoint.builder(ResultAssistant.class)
                .chatModel(model)
                .questions(LastQuestion.class)
                .build();
        PendingInterrupt question = asked(agent, "answer", "{\"question\":\"Everything?\"}");

        RunResult result = agent.resume("t", question.asInput().answer("42"));

        assertThat(result).isInstanceOf(RunResult.Completed.class);
        assertThat(model.requests()).hasSize(1);
    }
}
