package io.holdpoint.service;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.service.TokenStream;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunResult;
import io.holdpoint.UserTurn;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.RecordJson;
import io.holdpoint.store.Store;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.OfficeTools;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client sends along may hold a token: a turn that is held keeps of it only what is named. */
class ForwardedPropsTest {

    private static final String MAIL = "{\"to\":\"ada@example.com\",\"subject\":\"Hi\",\"body\":\"Hello\"}";

    private final ScriptedModel model = new ScriptedModel();

    interface Plain {
        TokenStream chat(String message);
    }

    private static final Caller ADA = new Caller("ada", Set.of("clerk"));
    private static final Caller BOB = new Caller("bob", Set.of("boss"));

    /** Ada begins a turn that is held, and somebody resumes it; both send data along. */
    private List<UserTurn> turnsOf(Caller resumes, String... stored) {
        model.calls(call("c1", "sendEmail", MAIL)).says("Done.");
        List<UserTurn> turns = new ArrayList<>();
        Store store = new InMemoryStore();
        Holdpoint agent = Holdpoint.builder(Plain.class)
                .streamingChatModel(model)
                .tools(new OfficeTools())
                .store(store)
                .approvalAuthorizer(ApprovalAuthorizer.anyOf(ApprovalAuthorizer.role("boss"), ApprovalAuthorizer.OWNER))
                .client(client -> client.storedForwardedProps(stored))
                .method(turn -> {
                    turns.add(turn);
                    return "chat";
                })
                .build();
        RunAgentInput says = RunAgentInput.of("t", "r1", List.of(new Message.User("m", MessageContent.text("Go"))));
        agent.as(ADA)
                .run(says.withForwardedProps(props().put("tenant", "acme").put("token", "secret")), event -> {})
                .join();
        assertThat(RecordJson.write(store.find("t").orElseThrow().batch().orElseThrow()))
                .doesNotContain("secret");

        ResumeEntry approval =
                agent.as(resumes).pending("t").get(0).asApproval().approve();
        agent.as(resumes)
                .run(
                        RunAgentInput.of("t", "r2", List.of())
                                .withResume(List.of(approval))
                                .withForwardedProps(
                                        props().put("tenant", "other").put("token", "fresh")),
                        event -> {})
                .join();
        assertThat(turns).hasSize(2).allSatisfy(turn -> assertThat(turn.caller().id())
                .isEqualTo("ada"));
        assertThat(turns.get(0).forwardedProps())
                .isEqualTo(props().put("tenant", "acme").put("token", "secret"));
        return turns;
    }

    private static ObjectNode props() {
        return AguiCodec.mapper().createObjectNode();
    }

    @Test
    void aTurnKeepsWhatIsToBeStoredWhoeverResumesIt() {
        assertThat(turnsOf(BOB, "tenant").get(1).forwardedProps()).isEqualTo(props().put("tenant", "acme"));
        assertThat(turnsOf(BOB, "tenant").get(1).caller()).isEqualTo(ADA);
    }

    @Test
    void whatTheOwnerSendsAlongWithAnAnswerReachesTheTurn() {
        assertThat(turnsOf(ADA, "tenant").get(1).forwardedProps())
                .isEqualTo(props().put("tenant", "acme").put("token", "fresh"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"tenant\":\"acme\"}"})
    void whatACallerDoesToItsInputAfterwardsChangesNothing(String given) throws JsonProcessingException {
        model.says("Hello.");
        List<UserTurn> turns = new ArrayList<>();
        Deque<Runnable> waiting = new ArrayDeque<>();
        Store store = new InMemoryStore();
        Holdpoint agent = Holdpoint.builder(Plain.class)
                .streamingChatModel(model)
                .store(store)
                .executor(waiting::add)
                .method(turn -> {
                    turns.add(turn);
                    return "chat";
                })
                .build();
        ObjectNode props = (ObjectNode) AguiCodec.mapper().readTree(given);
        ObjectNode state = props.deepCopy();
        CompletableFuture<RunResult> run = agent.run(
                RunAgentInput.of("t", "r1", List.of(new Message.User("m", MessageContent.text("Go"))))
                        .withForwardedProps(props)
                        .withState(state),
                event -> {});

        props.put("tenant", "other");
        state.put("tenant", "other");
        waiting.remove().run();

        assertThat(run.join()).isInstanceOf(RunResult.Completed.class);
        assertThat(turns).singleElement().satisfies(turn -> {
            assertThat(turn.forwardedProps()).hasToString(given);
            assertThat(turn.state()).hasToString(given);
        });
        assertThat(store.find("t").orElseThrow().state().orElseThrow()).hasToString(given);
    }

    @Test
    void nothingThatCameWithAMessageIsStoredUnlessSo() {
        assertThat(turnsOf(BOB).get(1).forwardedProps().isMissingNode()).isTrue();
        assertThat(turnsOf(ADA).get(1).forwardedProps())
                .isEqualTo(props().put("tenant", "other").put("token", "fresh"));
    }
}
