package io.holdpoint.service;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.observability.api.event.AiServiceCompletedEvent;
import dev.langchain4j.observability.api.event.AiServiceErrorEvent;
import dev.langchain4j.observability.api.event.AiServiceEvent;
import dev.langchain4j.observability.api.event.AiServiceRequestIssuedEvent;
import dev.langchain4j.observability.api.event.AiServiceResponseReceivedEvent;
import dev.langchain4j.observability.api.event.AiServiceStartedEvent;
import dev.langchain4j.observability.api.listener.AiServiceListener;
import dev.langchain4j.service.AiServices;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RunResult;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.OfficeTools;
import io.holdpoint.testing.Shape;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** LangChain4j's listeners of an AI Service can count requests and close what they have opened. */
class ListenersTest {

    private final ScriptedModel model = new ScriptedModel();
    private final OfficeTools tools = new OfficeTools();
    private final List<AiServiceEvent> events = new CopyOnWriteArrayList<>();

    private class Listener<T extends AiServiceEvent> implements AiServiceListener<T> {

        private final Class<T> type;

        Listener(Class<T> type) {
            this.type = type;
        }

        @Override
        public Class<T> getEventClass() {
            return type;
        }

        @Override
        public void onEvent(T event) {
            events.add(event);
        }
    }

    private void listen(AiServices<?> service) {
        service.registerListeners(
                new Listener<>(AiServiceStartedEvent.class),
                new Listener<>(AiServiceRequestIssuedEvent.class),
                new Listener<>(AiServiceResponseReceivedEvent.class),
                new Listener<>(AiServiceCompletedEvent.class),
                new Listener<>(AiServiceErrorEvent.class));
    }

    private Holdpoint agent(Shape shape) {
        return shape.builder(model, this::listen).tools(tools).build();
    }

    /** The names of the events since the last look; each belongs to the same call of the AI Service. */
    private List<String> heard() {
        assertThat(events.stream()
                        .map(event -> event.invocationContext().invocationId())
                        .distinct())
                .hasSize(1)
                .doesNotContain((UUID) null);
        List<String> heard = events.stream()
                .map(event -> event.eventClass().getSimpleName())
                .map(name -> name.substring("AiService".length(), name.length() - "Event".length()))
                .toList();
        events.clear();
        return heard;
    }

    @ParameterizedTest
    @EnumSource
    void aHeldRunEndsAndAReplayedMessageIsNoRequest(Shape shape) {
        Holdpoint agent = agent(shape);
        model.calls(call("c1", "sendEmail", Bench.MAIL)).says("Sent.");

        RunResult held = agent.send("t", "Mail Ada");

        assertThat(((AiServiceCompletedEvent) events.get(3)).result()).isEmpty();
        assertThat(heard()).containsExactly("Started", "RequestIssued", "ResponseReceived", "Completed");
        assertThat(agent.resume("t", held.approvals().get(0).approve()).text()).isEqualTo("Sent.");
        assertThat(heard()).containsExactly("Started", "RequestIssued", "ResponseReceived", "Completed");
    }

    @ParameterizedTest
    @EnumSource
    void aRunThatAsksAgainEndsWithoutARequest(Shape shape) {
        Holdpoint agent = agent(shape);
        model.calls(call("c1", "sendEmail", Bench.MAIL), call("c2", "sendEmail", Bench.MAIL))
                .calls(call("c3", "sendEmail", Bench.MAIL));
        RunResult held = agent.send("t", "Mail Ada twice");
        heard();

        RunResult again = agent.resume(
                "t",
                held.approvals().stream()
                        .map(PendingInterrupt.Approval::approve)
                        .toList());

        assertThat(again.approvals()).hasSize(1);
        assertThat(heard()).containsExactly("Started", "RequestIssued", "ResponseReceived", "Completed");
    }

    @ParameterizedTest
    @EnumSource
    @Logs("Run * on thread * failed")
    void aRunThatFailsEndsOnce(Shape shape) {
        model.fails(new IllegalStateException("no"));

        agent(shape).send("t", "Hi");

        assertThat(heard()).containsExactly("Started", "RequestIssued", "Error");
    }

    @ParameterizedTest
    @EnumSource
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    @Logs({"A listener of the AI Service failed", "Run * on thread * failed"})
    void aListenerThatThrowsWhateverDoesNotKeepARunFromItsEnd(Shape shape) {
        AiServiceListener<AiServiceCompletedEvent> broken = new Listener<>(AiServiceCompletedEvent.class) {
            @Override
            public void onEvent(AiServiceCompletedEvent event) {
                throw new NoClassDefFoundError("gone");
            }
        };
        Holdpoint agent = shape.builder(model, service -> service.registerListeners(broken))
                .tools(tools)
                .build();
        model.calls(call("c1", "sendEmail", Bench.MAIL));

        RunResult held = agent.send("t", "Mail Ada");

        assertThat(held.approvals()).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void bracesOfTheUserAreToldAsTheyWereTyped(Shape shape) {
        model.says("Fine.");

        agent(shape).send("t", "What is {{it}}?");

        AiServiceStartedEvent start = (AiServiceStartedEvent) events.get(0);
        assertThat(start.userMessage()).isEqualTo(UserMessage.from("What is {{it}}?"));
    }
}
