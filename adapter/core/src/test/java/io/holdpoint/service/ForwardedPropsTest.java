package io.holdpoint.service;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.service.TokenStream;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

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
                .storedForwardedProps(stored)
                .turn((assistant, turn) -> {
                    turns.add(turn);
                    return assistant.chat(turn.text());
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

    @Test
    void nothingThatCameWithAMessageIsStoredUnlessSo() {
        assertThat(turnsOf(BOB).get(1).forwardedProps().isMissingNode()).isTrue();
        assertThat(turnsOf(ADA).get(1).forwardedProps())
                .isEqualTo(props().put("tenant", "other").put("token", "fresh"));
    }
}
