package io.holdpoint.wire;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.data.message.AiMessage;
import io.holdpoint.Holdpoint;
import io.holdpoint.ToolPolicy;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.agui.ToolCallEvent;
import io.holdpoint.store.Fact;
import io.holdpoint.store.Grant;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Store;
import io.holdpoint.store.StoreException;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.ForwardingStore;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.RecordingSink;
import io.holdpoint.testing.Shape;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls that the gate refuses have a result like any other. */
@Logs("A call of the tool * was refused to the model because of its arguments")
class RefusedAtTheGateTest {

    private static final String ADA = "{\"query\":\"Ada\"}";

    private final Bench bench = new Bench();

    @Test
    void theTranscriptHasTheResultOfARefusedCall() {
        bench.model.calls(call("c1", "sendEmail", "[]")).says("Sorry.");

        bench.say("Go");

        assertThat(bench.transcript())
                .extracting(Message::role)
                .containsExactly("user", "assistant", "tool", "assistant");
    }

    @Test
    @Logs({"The batch * could not be continued", "Tool '*' execution failed"})
    void aResultIsAnnouncedOnceInARunThatGivesItsBatchUp() {
        bench.model
                .calls(call("c1", "searchContacts", ADA), call("c2", "explode", "{\"why\":\"x\"}"))
                .fails(new IllegalStateException("down"))
                .says("Hello.");
        bench.say("Go");

        var sink = bench.resumeAndSay("Hi", bench.pending(0).asApproval().approve());

        assertThat(sink.types().stream().filter("TOOL_CALL_RESULT"::equals)).hasSize(2);
        assertThat(sink.text()).isEqualTo("Hello.");
    }

    /** The store does not know the first of the calls, since its batch was not written. */
    @ParameterizedTest
    @EnumSource
    @Logs({"The batch * could not be continued", "Run * on thread * failed"})
    void anIdIsStreamedOnceInARunThatGivesItsBatchUp(Shape shape) {
        AtomicBoolean isDown = new AtomicBoolean();
        InMemoryStore store = new InMemoryStore();
        Holdpoint agent = shape.builder(bench.model)
                .tools(bench.tools)
                .toolPolicies(ToolPolicy.where(tool -> tool.name().equals("searchContacts"))
                        .remember(Duration.ofHours(1), Grant.Scope.TOOL))
                .store(new ForwardingStore() {
                    @Override
                    protected Store store() {
                        return store;
                    }

                    @Override
                    public List<Fact> facts(String kind, String place) {
                        if (isDown.getAndSet(false)) {
                            throw new StoreException("down");
                        }
                        return super.facts(kind, place);
                    }
                })
                .build();
        bench.model
                .calls(call("c1", "searchContacts", ADA))
                .answers(request -> {
                    isDown.set(true);
                    return AiMessage.from(call("again", "searchContacts", ADA));
                })
                .calls(call("again", "searchContacts", ADA));
        agent.send("t", "Go");
        ResumeEntry answer = agent.pending("t").get(0).asApproval().approve();
        RecordingSink sink = new RecordingSink();

        agent.run(RunAgentInput.of("t", "r2", List.of(user("m2", "Hi"))).withResume(List.of(answer)), sink)
                .join();

        assertThat(isDown).isFalse();
        assertThat(agent.pending("t")).hasSize(1);
        assertThat(sink.all(ToolCallEvent.Start.class))
                .extracting(ToolCallEvent.Start::toolCallId)
                .doesNotHaveDuplicates();
    }
}
