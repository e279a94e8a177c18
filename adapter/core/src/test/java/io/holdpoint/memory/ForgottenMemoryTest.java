package io.holdpoint.memory;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunResult;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.OfficeTools;
import io.holdpoint.testing.Shape;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The memories have no store, and more threads are in use than memories are kept, or the process is another one: no thread
 * forgets what was said on it.
 */
@Logs("The chat memory of thread t was not kept*")
class ForgottenMemoryTest {

    private static final int KEPT = 10_000;
    private static final String MAIL = "{\"to\":\"ada@example.com\",\"subject\":\"Hi\",\"body\":\"Hello\"}";

    private final ScriptedModel model = new ScriptedModel();
    private final InMemoryStore store = new InMemoryStore();
    private final Holdpoint agent = agent();

    private Holdpoint agent() {
        return Shape.STREAMING
                .builder(model)
                .tools(new OfficeTools())
                .chatMemoryProvider(id -> MessageWindowChatMemory.withMaxMessages(10))
                .store(store)
                .build();
    }

    private void otherThreadsComeInBetween() {
        for (int i = 0; i < KEPT; i++) {
            agent.run(RunAgentInput.of("other " + i, "r", List.of()), event -> {})
                    .join();
        }
    }

    @Test
    void whatWasSaidIsReadFromTheTranscript() {
        model.says("Hello, Ada.").says("You are Ada.");
        agent.send("t", "I am Ada.");

        otherThreadsComeInBetween();
        agent.send("t", "Who am I?");

        assertThat(model.lastMessages())
                .containsExactly(
                        UserMessage.from("I am Ada."), AiMessage.from("Hello, Ada."), UserMessage.from("Who am I?"));
    }

    @Test
    void anotherProcessReadsThemToo() {
        model.says("Hello, Ada.")
                .calls(call("c1", "sendEmail", MAIL))
                .says("Done.")
                .says("You are Ada.");
        agent.send("t", "I am Ada.");
        agent.send("t", "Write to me.");

        Holdpoint restarted = agent();
        restarted.resume("t", restarted.pending("t").get(0).asApproval().approve());

        assertThat(model.lastMessages())
                .hasSize(5)
                .startsWith(
                        UserMessage.from("I am Ada."), AiMessage.from("Hello, Ada."), UserMessage.from("Write to me."));
        restarted.send("t", "Who am I?");
        assertThat(model.lastMessages()).hasSize(7);
    }

    @Test
    void aHeldTurnGoesOnAfterWhatWasSaidBefore() {
        model.says("Hello, Ada.").calls(call("c1", "sendEmail", MAIL)).says("Done.");
        agent.send("t", "I am Ada.");
        agent.send("t", "Write to me.");

        otherThreadsComeInBetween();
        assertThat(agent.resume("t", agent.pending("t").get(0).asApproval().approve()))
                .isInstanceOf(RunResult.Completed.class);

        assertThat(model.lastMessages())
                .hasSize(5)
                .startsWith(
                        UserMessage.from("I am Ada."), AiMessage.from("Hello, Ada."), UserMessage.from("Write to me."));
    }

    @Test
    void aHeldTurnOfWordsThatWereSaidBeforeHasThemTwice() {
        model.calls(call("c1", "searchContacts", "{\"query\":\"Ada\"}"))
                .says("Found.")
                .calls(call("c2", "sendEmail", MAIL))
                .says("Done.");
        agent.send("t", "Go on.");
        agent.send("t", "Go on.");

        Holdpoint restarted = agent();
        restarted.resume("t", restarted.pending("t").get(0).asApproval().approve());

        assertThat(model.lastMessages())
                .hasSize(5)
                .startsWith(UserMessage.from("Go on."), AiMessage.from("Found."), UserMessage.from("Go on."));
    }
}
