package io.holdpoint.readme;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.IllegalConfigurationException;
import dev.langchain4j.service.TokenStream;
import dev.langchain4j.service.UserMessage;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunRejectedException;
import io.holdpoint.RunResult;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.MortalStore;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** What README.md says besides its code. */
@Logs({"Lease* could not be given back", "Run * on thread * failed"})
class ReadmeNotesTest {

    private static final String MAIL = "{\"to\":\"ada@example.com\",\"subject\":\"Hi\",\"body\":\"Hello\"}";

    private final ScriptedModel model = new ScriptedModel();
    private final List<String> outbox = new CopyOnWriteArrayList<>();
    private final MailTools mailTools = new MailTools((to, subject, body) -> outbox.add(to));
    private final Holdpoint agent = QuickStart.agent(model, (to, subject, body) -> outbox.add(to));

    interface Template {
        TokenStream chat(String message);
    }

    interface Blocking {
        String chat(@UserMessage List<Content> message);
    }

    @Test
    void bracesOfTheUserAreNeverATemplate() {
        model.says("I see.").says("I see.");
        Holdpoint template =
                Holdpoint.builder(Template.class).streamingChatModel(model).build();

        assertThat(template.send("t", "What is {{name}}?")).isInstanceOf(RunResult.Completed.class);
        assertThat(agent.send("t", "What is {{name}}?")).isInstanceOf(RunResult.Completed.class);
    }

    @Test
    void chatMemoryIsSetOnTheBuilder() {
        var builder = Holdpoint.builder(Assistant.class)
                .streamingChatModel(model)
                .aiService(service -> service.chatMemory(MessageWindowChatMemory.withMaxMessages(10)));

        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("chatMemoryProvider");
    }

    @Test
    void aPlainAiServiceRefusesAnAnnotatedTool() {
        var builder = AiServices.builder(Assistant.class).streamingChatModel(model);

        assertThatThrownBy(() -> builder.tools(mailTools))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("io.holdpoint.readme.MailTools.sendEmail()")
                .hasMessageContaining("io.holdpoint.allowUngatedTools");
    }

    @Test
    void aSecondRunOnAThreadIsRefusedWhileOneIsActive() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        model.answers(request -> {
            asked.countDown();
            try {
                answer.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return AiMessage.from("Done.");
        });
        CompletableFuture<RunResult> first = agent.run(input("Hi"), event -> {});
        asked.await();

        assertThatThrownBy(() -> agent.run(input("Me too"), event -> {}))
                .isInstanceOfSatisfying(RunRejectedException.class, rejected -> assertThat(rejected.code())
                        .isEqualTo(ErrorCode.RUN_IN_PROGRESS));
        assertThat(agent.send("t", "Me too"))
                .isInstanceOfSatisfying(RunResult.Failed.class, failed -> assertThat(failed.code())
                        .isEqualTo(ErrorCode.RUN_IN_PROGRESS));
        answer.countDown();
        assertThat(first.join()).isInstanceOf(RunResult.Completed.class);
    }

    @Test
    void aHoldIsReachedWithoutItsClient() {
        model.calls(call("c1", "sendEmail", MAIL));

        RunResult result = agent.run(input("Write to Ada"), event -> {
                    throw new IllegalStateException("the client has gone");
                })
                .join();

        assertThat(result).isInstanceOf(RunResult.Interrupted.class);
        assertThat(agent.pending("t")).hasSize(1);
    }

    @Test
    void anExpiredQuestionCanOnlyBeLetGo() {
        VirtualClock clock = new VirtualClock();
        BankTools tools = new BankTools();
        Holdpoint banker = Holdpoint.builder(Assistant.class)
                .streamingChatModel(model)
                .tools(tools)
                .clock(clock)
                .build();
        model.calls(call("c1", "transferMoney", "{\"amount\":20,\"to\":\"Bob\"}"))
                .says("Left alone.");
        banker.send("t", "Pay Bob");
        clock.now = clock.now.plus(Duration.ofMinutes(16));
        var question = banker.pending("t").get(0);

        assertThat(banker.resume("t", question.asApproval().approve()))
                .isInstanceOfSatisfying(RunResult.Failed.class, failed -> assertThat(failed.code())
                        .isEqualTo(ErrorCode.INTERRUPT_EXPIRED));
        assertThat(banker.resume("t", question.cancel())).isInstanceOf(RunResult.Completed.class);
        assertThat(tools.bank).isEmpty();
    }

    @Test
    void anInterruptedCallIsAskedAboutAndRunsNoSecondTimeOnceItIsKnownToBeDone() {
        VirtualClock clock = new VirtualClock();
        BankTools tools = new BankTools();
        InMemoryStore threads = new InMemoryStore();
        MortalStore dying = new MortalStore(threads);
        Holdpoint first = Interrupted.agent(model, tools, dying, clock);
        model.calls(call("c1", "transferMoney", "{\"amount\":20,\"to\":\"Bob\"}"))
                .says("Paid already.");
        first.send("thread-1", "Pay Bob");
        ResumeEntry approval = first.pending("thread-1").get(0).asApproval().approve();
        dying.dieAfter(1); // the answer and the claim are stored, the result is not
        first.resume("thread-1", approval);
        assertThat(tools.bank).hasSize(1);

        Holdpoint second = Interrupted.agent(model, tools, threads, clock);
        assertThat(second.send("thread-1", "Well?"))
                .isInstanceOfSatisfying(RunResult.Failed.class, failed -> assertThat(failed.code())
                        .isEqualTo(ErrorCode.RUN_IN_PROGRESS));
        clock.now = clock.now.plusSeconds(30);
        RunResult result = Interrupted.settle(second, tools);

        assertThat(result).isInstanceOfSatisfying(RunResult.Completed.class, done -> assertThat(done.text())
                .isEqualTo("Paid already."));
        assertThat(tools.bank).hasSize(1);
        assertThat(model.lastResult("c1")).contains("booked today");
    }

    private static RunAgentInput input(String text) {
        Message message = new Message.User("m-" + text, MessageContent.text(text));
        return RunAgentInput.of("t", "r-" + text, List.of(message));
    }

    private static final class VirtualClock extends Clock {

        private Instant now = Instant.parse("2026-01-01T00:00:00Z");

        @Override
        public ZoneOffset getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return now;
        }
    }
}
