package io.holdpoint.hooks;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static io.holdpoint.testing.Bench.THREAD;
import static io.holdpoint.testing.Bench.user;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolProviderRequest;
import dev.langchain4j.service.tool.ToolProviderResult;
import dev.langchain4j.service.tool.ToolService;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunRejectedException;
import io.holdpoint.RunResult;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.agui.RunEvent;
import io.holdpoint.hook.RunInfo;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.OfficeTools;
import io.holdpoint.testing.RecordingSink;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Models that are chosen run by run. */
@Logs("Run * on thread * failed")
class ModelOfRunTest {

    private final ScriptedModel large = new ScriptedModel();
    private final ScriptedModel small = new ScriptedModel();
    private final AtomicReference<Function<RunInfo, StreamingChatModel>> chooses = new AtomicReference<>(
            run -> run.forwardedProps().path("model").asText().equals("large") ? large : small);
    private final Bench bench =
            new Bench(builder -> builder.streamingChatModel(run -> chooses.get().apply(run)));

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
        small.says("I am small.");

        assertThat(bench.run(forLarge(bench.input(user("u1", "Hi")))).text()).isEqualTo("I am large.");
        assertThat(bench.run(bench.input(user("u2", "And now?"))).text()).isEqualTo("I am small.");
    }

    /** The place for whoever wants LangChain4j's own events, before they become those of AG-UI. */
    @Test
    void aModelThatIsWrappedSeesWhatComesBeforeItIsTranslated() {
        List<String> heard = new CopyOnWriteArrayList<>();
        chooses.set(run -> new StreamingChatModel() {

            @Override
            public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
                small.doChat(request, new StreamingChatResponseHandler() {

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
        });
        small.says("Hello.");

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
    void aModelThatIsSetInAiServiceIsUsedInsteadAndGatedToo() {
        large.calls(call("c1", "sendEmail", MAIL)).calls(call("c2", "sendEmail", MAIL));
        OfficeTools tools = new OfficeTools();
        Holdpoint streaming = Holdpoint.builder(Bench.Assistant.class)
                .streamingChatModel(small)
                .tools(tools)
                .aiService(service -> service.streamingChatModel(large))
                .build();
        Holdpoint blocking = Holdpoint.builder(Clerk.class)
                .chatModel(small)
                .tools(tools)
                .aiService(service -> service.chatModel(large))
                .build();

        assertThat(streaming.send(THREAD, "Send it").interrupts()).hasSize(1);
        assertThat(blocking.send(THREAD, "Send it").interrupts()).hasSize(1);
        assertThat(tools.effects()).isEmpty();
    }

    @Test
    void aResumedRunHasWhatCameWithTheAnswer() {
        large.calls(call("c1", "sendEmail", MAIL));
        bench.run(forLarge(bench.input(user("u1", "Send it"))));
        small.says("Sent, says the small one.");

        bench.resume(bench.pending(0).asApproval().approve());

        assertThat(bench.tools.effects()).hasSize(1);
        assertThat(large.requests()).hasSize(1);
        assertThat(small.requests()).hasSize(1);
    }

    @Test
    void theToolsThatAModelOfTheRunBringsAreGatedToo() {
        OfficeTools other = new OfficeTools();
        ScriptedModel model =
                new ScriptedModel().calls(call("c1", "sendEmail", MAIL)).says("Sent.");
        class Equipped implements StreamingChatModel, ToolProvider {
            @Override
            public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
                model.doChat(request, handler);
            }

            @Override
            public ToolProviderResult provideTools(ToolProviderRequest request) {
                return ToolProviderResult.builder()
                        .addAll(ToolService.findTools(other))
                        .build();
            }
        }
        Holdpoint agent = Holdpoint.builder(Bench.Assistant.class)
                .streamingChatModel(run -> new Equipped())
                .build();

        assertThat(agent.send(THREAD, "Send it")).isInstanceOf(RunResult.Interrupted.class);
        assertThat(other.effects()).isEmpty();

        agent.resume(THREAD, agent.pending(THREAD).get(0).asApproval().approve());
        assertThat(other.effects()).hasSize(1);
    }

    private void fails(Function<RunInfo, StreamingChatModel> failing) {
        Function<RunInfo, StreamingChatModel> before = chooses.getAndSet(failing);

        assertThat(bench.run(bench.input(user("u1", "Hi"))).errorCode()).isEqualTo("HOOK_FAILED");

        chooses.set(before);
        small.says("Hello.");
        assertThat(bench.run(bench.input(user("u1", "Hi"))).text()).isEqualTo("Hello.");
    }

    @Test
    void aFunctionThatThrowsFailsTheRunAndTheThreadGoesOn() {
        fails(run -> {
            throw new IllegalStateException("broken");
        });
    }

    @Test
    @SuppressWarnings("NullAway") // an application may
    void aFunctionThatReturnsNoModelFailsTheRunAndTheThreadGoesOn() {
        fails(run -> null);
    }

    @Test
    void aFunctionThatRefusesTheRunIsHeardInItsOwnWordsAndTheThreadGoesOn() {
        Function<RunInfo, StreamingChatModel> before = chooses.getAndSet(run -> {
            throw new RunRejectedException(ErrorCode.INPUT_REJECTED, "There is no such model.");
        });

        RecordingSink refused = bench.run(bench.input(user("u1", "Hi")));

        assertThat(refused.errorCode()).isEqualTo("INPUT_REJECTED");
        assertThat(((RunEvent.Error) refused.last()).message()).isEqualTo("There is no such model.");
        assertThat(refused.detail()).isEqualTo("There is no such model.");
        chooses.set(before);
        small.says("Hello.");
        assertThat(bench.run(bench.input(user("u1", "Hi"))).text()).isEqualTo("Hello.");
    }

    @Test
    void aBlockingServiceHasItsModelOfTheRunAndFailsLikewise() {
        large.says("I am large.");
        List<ChatModel> models = new CopyOnWriteArrayList<>(List.of(large));
        Holdpoint agent = Holdpoint.builder(Clerk.class)
                .chatModel(run -> models.remove(0))
                .build();

        assertThat(agent.send(THREAD, "Hi"))
                .isInstanceOfSatisfying(RunResult.Completed.class, completed -> assertThat(completed.text())
                        .isEqualTo("I am large."));
        assertThat(agent.send(THREAD, "Again")) // there is none left
                .isInstanceOfSatisfying(RunResult.Failed.class, failed -> assertThat(failed.code())
                        .isEqualTo(ErrorCode.HOOK_FAILED));
    }
}
