package io.holdpoint.hooks;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static io.holdpoint.testing.Bench.THREAD;
import static io.holdpoint.testing.Bench.user;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunRejectedException;
import io.holdpoint.RunResult;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.agui.RunEvent;
import io.holdpoint.hook.RunCustomizer;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.OfficeTools;
import io.holdpoint.testing.RecordingSink;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** AI Services that are changed run by run. */
@Logs("Run * on thread * failed")
class RunCustomizerTest {

    private final ScriptedModel large = new ScriptedModel();
    private final AtomicReference<RunCustomizer<Bench.Assistant>> custom = new AtomicReference<>((service, run) -> {
        if (run.forwardedProps().path("model").asText().equals("large")) {
            service.streamingChatModel(large);
        }
    });
    private final Bench bench = new Bench(
            builder -> builder.aiServicePerRun((service, run) -> custom.get().customize(service, run)));

    /** A blocking AI Service. */
    interface Clerk {
        String answer(String message);
    }

    private static RunAgentInput forLarge(RunAgentInput input) {
        return new RunAgentInput(
                input.threadId(),
                input.runId(),
                input.protocolVersion(),
                null,
                null,
                input.messages(),
                List.of(),
                List.of(),
                JsonNodeFactory.instance.objectNode().put("model", "large"),
                input.resume());
    }

    @Test
    void theModelIsChosenByWhatTheClientForwards() {
        large.says("I am large.");
        bench.model.says("I am small.");

        assertThat(bench.run(forLarge(bench.input(user("u1", "Hi")))).text()).isEqualTo("I am large.");
        assertThat(bench.run(bench.input(user("u2", "And now?"))).text()).isEqualTo("I am small.");
    }

    /** The place for whoever wants LangChain4j's own events, before they become those of AG-UI. */
    @Test
    void aModelThatIsWrappedSeesWhatComesBeforeItIsTranslated() {
        List<String> heard = new CopyOnWriteArrayList<>();
        custom.set((service, run) -> service.streamingChatModel(new StreamingChatModel() {

            @Override
            public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
                bench.model.doChat(request, new StreamingChatResponseHandler() {

                    @Override
                    public void onPartialResponse(String text) {
                        heard.add(run.threadId() + " " + text);
                        handler.onPartialResponse(text.toUpperCase(Locale.ROOT));
                    }

                    @Override
                    public void onCompleteResponse(ChatResponse response) {
                        String text = response.aiMessage().text().toUpperCase(Locale.ROOT);
                        handler.onCompleteResponse(response.toBuilder()
                                .aiMessage(AiMessage.from(text))
                                .build());
                    }

                    @Override
                    public void onError(Throwable error) {
                        handler.onError(error);
                    }
                });
            }
        }));
        bench.model.says("Hello.");

        assertThat(bench.run(bench.input(user("u1", "Hi"))).text()).isEqualTo("HELLO.");
        assertThat(String.join("", heard).replace(THREAD + " ", "")).isEqualTo("Hello.");
        assertThat(bench.memory()).contains(AiMessage.from("HELLO."));
    }

    @Test
    void aModelOfTheRunIsGatedToo() {
        large.calls(call("c1", "sendEmail", MAIL));

        bench.run(forLarge(bench.input(user("u1", "Send it"))));

        assertThat(bench.pending()).hasSize(1);
        assertThat(bench.tools.effects()).isEmpty();
    }

    @Test
    void aResumedRunHasWhatCameWithTheAnswer() {
        large.calls(call("c1", "sendEmail", MAIL));
        bench.run(forLarge(bench.input(user("u1", "Send it"))));
        bench.model.says("Sent, says the small one.");

        bench.resume(bench.pending(0).asApproval().approve());

        assertThat(bench.tools.effects()).hasSize(1);
        assertThat(large.requests()).hasSize(1);
        assertThat(bench.model.requests()).hasSize(1);
    }

    @Test
    void aToolOfTheRunIsGatedToo() {
        OfficeTools other = new OfficeTools();
        ScriptedModel model = new ScriptedModel().calls(call("c1", "sendEmail", MAIL));
        Holdpoint agent = Holdpoint.builder(Bench.Assistant.class)
                .streamingChatModel(model)
                .aiServicePerRun((service, run) -> service.tools(other))
                .build();

        assertThat(agent.send(THREAD, "Send it")).isInstanceOf(RunResult.Interrupted.class);

        assertThat(other.effects()).isEmpty();
    }

    @Test
    void ofSeveralEachIsCalledWithTheRunInOrder() {
        List<String> called = new CopyOnWriteArrayList<>();
        Bench two = new Bench(builder -> builder.aiServicePerRun((service, run) -> called.add(
                        "first " + run.threadId() + " " + run.caller().id()))
                .aiServicePerRun((service, run) ->
                        called.add("second " + run.forwardedProps().isMissingNode())));
        two.model.says("Hello.");

        two.say("Hi");

        assertThat(called).containsExactly("first t anonymous", "second true");
    }

    private void fails(RunCustomizer<Bench.Assistant> failing) {
        RunCustomizer<Bench.Assistant> before = custom.getAndSet(failing);

        assertThat(bench.run(bench.input(user("u1", "Hi"))).errorCode()).isEqualTo("HOOK_FAILED");

        custom.set(before);
        bench.model.says("Hello.");
        assertThat(bench.run(bench.input(user("u1", "Hi"))).text()).isEqualTo("Hello.");
    }

    @Test
    void aCustomizerThatThrowsFailsTheRunAndTheThreadGoesOn() {
        fails((service, run) -> {
            throw new IllegalStateException("broken");
        });
    }

    @Test
    void aCustomizerThatRefusesTheRunIsHeardInItsOwnWordsAndTheThreadGoesOn() {
        RunCustomizer<Bench.Assistant> before = custom.getAndSet((service, run) -> {
            throw new RunRejectedException(ErrorCode.INPUT_REJECTED, "There is no such model.");
        });

        RecordingSink refused = bench.run(bench.input(user("u1", "Hi")));

        assertThat(refused.errorCode()).isEqualTo("INPUT_REJECTED");
        assertThat(((RunEvent.Error) refused.last()).message()).isEqualTo("There is no such model.");
        assertThat(refused.detail()).isEqualTo("There is no such model.");
        custom.set(before);
        bench.model.says("Hello.");
        assertThat(bench.run(bench.input(user("u1", "Hi"))).text()).isEqualTo("Hello.");
    }

    @Test
    void aCustomizerMustNotSetTheMemory() {
        fails((service, run) -> service.chatMemory(MessageWindowChatMemory.withMaxMessages(5)));
    }

    @Test
    void aCustomizerMustNotCompensate() {
        fails((service, run) -> service.compensateOnToolErrors(true));
    }

    @Test
    void aBlockingServiceIsCustomizedAndFailsLikewise() {
        large.says("I am large.");
        List<RunCustomizer<Clerk>> customizers = new CopyOnWriteArrayList<>();
        customizers.add((service, run) -> service.chatModel(large));
        Holdpoint agent = Holdpoint.builder(Clerk.class)
                .chatModel(bench.model)
                .aiServicePerRun((service, run) -> customizers.remove(0).customize(service, run))
                .build();

        assertThat(agent.send(THREAD, "Hi"))
                .isInstanceOfSatisfying(RunResult.Completed.class, completed -> assertThat(completed.text())
                        .isEqualTo("I am large."));
        assertThat(agent.send(THREAD, "Again")) // there is none left
                .isInstanceOfSatisfying(RunResult.Failed.class, failed -> assertThat(failed.code())
                        .isEqualTo(ErrorCode.HOOK_FAILED));
    }
}
