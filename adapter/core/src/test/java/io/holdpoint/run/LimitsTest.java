package io.holdpoint.run;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AudioContent;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.store.memory.chat.ChatMemoryStore;
import io.holdpoint.Limits;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.agui.Agui;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.ToolCallEvent;
import io.holdpoint.store.Batch;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Store;
import io.holdpoint.store.jdbc.JdbcChatMemoryStore;
import io.holdpoint.store.jdbc.JdbcStore;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Bench.Everything;
import io.holdpoint.testing.ForwardingStore;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.RecordingSink;
import io.holdpoint.testing.TestDatabase;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How much is taken of a model, a tool and a person. */
@Logs("A call of the tool * was refused to the model because of its arguments")
class LimitsTest {

    private static final int TOO_LONG = Limits.ARGUMENTS_LENGTH + 1;

    private final Limits limits = Limits.DEFAULT.withResultLength(50);
    private final Bench bench = new Bench(builder -> builder.limits(limits).tools(new Talker()));

    /** A tool that says a lot. */
    public static final class Talker {

        @Tool
        public String talk(int characters) {
            return "x".repeat(characters);
        }

        @Tool
        public String smile(int characters) {
            return "x" + "\ud83d\ude00".repeat(characters);
        }

        @Tool
        public List<Content> show() {
            return List.of(
                    TextContent.from("a".repeat(300)),
                    ImageContent.from("https://example.com/i.png"),
                    TextContent.from("b".repeat(300)),
                    TextContent.from("c".repeat(300)));
        }

        @Tool
        public List<Content> photograph(int characters) {
            return List.of(
                    ImageContent.from("A".repeat(characters), "image/png"),
                    AudioContent.from("https://example.com/a.mp3"));
        }

        @Tool
        @RequiresApproval
        public String complain(int characters) {
            throw new IllegalStateException("x".repeat(characters));
        }
    }

    private static String mail(int bodyLength) {
        return MAIL.replace("Hello", "x".repeat(bodyLength));
    }

    private PendingInterrupt held() {
        bench.model.calls(call("c1", "sendEmail", MAIL));
        bench.say("Go");
        return bench.pending(0);
    }

    private String refused(ResumeEntry answer) {
        Everything before = bench.everything();
        RecordingSink sink = bench.resume(answer);
        assertThat(sink.types()).containsExactly("RUN_ERROR");
        assertThat(sink.errorCode()).isEqualTo("INTERRUPT_PAYLOAD_INVALID");
        assertThat(bench.everything()).isEqualTo(before);
        return sink.detail();
    }

    private static ResumeEntry with(ResumeEntry answer, UnaryOperator<ObjectNode> change) {
        return ResumeEntry.resolved(answer.interruptId(), change.apply((ObjectNode) answer.payload()));
    }

    @Test
    void aProposalThatIsTooLongIsAnsweredToTheModelWithoutAsking() {
        bench.model
                .calls(call("c1", "sendEmail", mail(TOO_LONG)), call("c2", "searchContacts", "{\"query\":\"Ada\"}"))
                .says("Sorry.");

        RecordingSink sink = bench.say("Go");

        assertThat(sink.text()).isEqualTo("Sorry.");
        assertThat(bench.model.lastResult("c1")).contains("not executed", "1000000 characters", "shorter");
        assertThat(bench.tools.effects()).containsExactly("searchContacts Ada");
    }

    @Test
    void aProposalThatIsTooLongForAToolThatNobodyIsAskedAboutDoesNotRun() {
        bench.model
                .calls(call("c1", "searchContacts", "{\"query\":\"" + "x".repeat(TOO_LONG) + "\"}"))
                .says("Sorry.");

        bench.say("Go");

        assertThat(bench.tools.effects()).isEmpty();
    }

    @Test
    void editsThatAreTooLongAreRefused() {
        PendingInterrupt mail = held();

        assertThat(refused(
                        mail.asApproval().approveWith(Map.of("to", "a", "subject", "b", "body", "x".repeat(TOO_LONG)))))
                .contains("/editedArgs", "1000000 characters");
    }

    @Test
    void aReasonThatIsTooLongIsRefused() {
        PendingInterrupt mail = held();

        assertThat(refused(mail.asApproval().deny("x".repeat(10_001)))).contains("/reason", "10000 characters");
        bench.model.says("Fine.");
        assertThat(bench.resume(mail.asApproval().deny("x".repeat(10_000))).text())
                .isEqualTo("Fine.");
    }

    @Test
    void aPayloadThatIsLongForNoReasonIsRefused() {
        PendingInterrupt mail = held();

        assertThat(refused(with(
                        mail.asApproval().approve(),
                        payload -> payload.put("comment", "x".repeat(TOO_LONG + Limits.REASON_LENGTH)))))
                .contains("longer than 1010000 characters");
        assertThat(refused(with(mail.asApproval().deny(), payload -> {
                    payload.putObject("editedArgs").put("x", "x".repeat(TOO_LONG));
                    return payload;
                })))
                .contains("/editedArgs");
    }

    @Test
    void callsBeyondTheMostOfAMessageAreAnsweredToTheModel() {
        bench.model
                .calls(IntStream.rangeClosed(1, 130)
                        .mapToObj(i -> call("c" + i, "searchContacts", "{\"query\":\"" + i + "\"}"))
                        .toArray(ToolExecutionRequest[]::new))
                .says("Done.");

        bench.say("Go");

        assertThat(bench.tools.effects()).hasSize(128).endsWith("searchContacts 128");
        assertThat(bench.model.lastResult("c129")).contains("not executed", "more than 128 calls");
        assertThat(bench.model.lastResult("c130")).contains("not executed");
    }

    @Test
    void gatedCallsBeyondTheMostOfAMessageAreNotAskedAbout() {
        bench.model.calls(IntStream.rangeClosed(1, 130)
                .mapToObj(i -> call("c" + i, "deleteRecords", "{\"table\":\"" + i + "\"}"))
                .toArray(ToolExecutionRequest[]::new));

        assertThat(bench.say("Go").interrupts()).hasSize(128);
    }

    @Test
    void aLongResultIsCutAndIsTheSameForEverybody() {
        bench.model.calls(call("c1", "talk", "{\"characters\":60}")).says("Done.");

        RecordingSink sink = bench.say("Go");

        String told = bench.model.lastResult("c1");
        assertThat(told).startsWith("x".repeat(50) + "\n[").contains("60 characters", "first 50");
        assertThat(sink.all(ToolCallEvent.Result.class))
                .singleElement()
                .satisfies(event -> assertThat(event.content().asText()).isEqualTo(told));
        assertThat(bench.transcript()).anySatisfy(message -> assertThat(message)
                .isInstanceOfSatisfying(
                        Message.Tool.class,
                        tool -> assertThat(tool.content().asText()).isEqualTo(told)));
        assertThat(bench.memory()).anySatisfy(message -> assertThat(message)
                .isInstanceOfSatisfying(ToolExecutionResultMessage.class, result -> assertThat(result.text())
                        .isEqualTo(told)));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 49, 50})
    void aResultUpToTheLimitIsLeftAsItIs(int characters) {
        bench.model
                .calls(call("c1", "talk", "{\"characters\":" + characters + "}"))
                .says("Done.");

        bench.say("Go");

        assertThat(bench.model.lastResult("c1")).isEqualTo("x".repeat(characters));
    }

    @Test
    void noCharacterIsCutInHalf() {
        bench.model.calls(call("c1", "smile", "{\"characters\":60}")).says("Done.");

        bench.say("Go");

        assertThat(bench.model.lastResult("c1")).startsWith("x" + "\ud83d\ude00".repeat(24) + "\n[");
    }

    /** What the memory has of a result, if as many characters of text and of media are kept. */
    private static List<Content> kept(int resultLength, String tool, String arguments) {
        Bench roomier = new Bench(builder ->
                builder.limits(Limits.DEFAULT.withResultLength(resultLength)).tools(new Talker()));
        roomier.model.calls(call("c1", tool, arguments)).says("Done.");
        roomier.say("Go");
        return roomier.memory().stream()
                .filter(ToolExecutionResultMessage.class::isInstance)
                .map(message -> ((ToolExecutionResultMessage) message).contents())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void ofSeveralContentsTheTextIsCutAndTheRestKept() {
        List<Content> contents = kept(400, "show", "{}");

        assertThat(contents).hasSize(3);
        assertThat(contents.get(1)).isInstanceOf(ImageContent.class);
        assertThat(((TextContent) contents.get(2)).text())
                .startsWith("b".repeat(100) + "\n[")
                .contains("900 characters");
    }

    @Test
    void mediaBeyondTheLimitAreLeftOutAndOthersKept() {
        List<Content> contents = kept(1000, "photograph", "{\"characters\":1001}");

        assertThat(contents).hasSize(2);
        assertThat(((TextContent) contents.get(0)).text())
                .startsWith("[image content of ")
                .contains("1000 characters");
        assertThat(contents.get(1)).isInstanceOf(AudioContent.class);
    }

    @Test
    void mediaThatAreTooLongTogetherAreLeftOut() {
        List<Content> contents = kept(1000, "photograph", "{\"characters\":700}");

        assertThat(contents.get(0)).isInstanceOf(ImageContent.class);
        assertThat(((TextContent) contents.get(1)).text()).startsWith("[audio content of ");
    }

    @Test
    void whatIsLeftOutIsLeftOutForTheModelAndTheClientToo() {
        bench.model.calls(call("c1", "photograph", "{\"characters\":5000}")).says("Done.");

        RecordingSink sink = bench.say("Go");

        assertThat(bench.model.lastMessages().toString())
                .contains("[image content of ")
                .doesNotContain("AAAA");
        assertThat(sink.all(ToolCallEvent.Result.class))
                .singleElement()
                .satisfies(event -> assertThat(event.content().asText()).startsWith("[image content of "));
    }

    @Test
    void aThreadIsNotStuckAfterAPictureThatNoMemoryCouldReadAgain() {
        try (TestDatabase database = TestDatabase.sqlite()) {
            ChatMemoryStore memories = JdbcChatMemoryStore.create(database.dataSource());
            Bench kept = new Bench(builder -> builder.tools(new Talker())
                    .store(JdbcStore.create(database.dataSource()))
                    .chatMemoryProvider(id -> MessageWindowChatMemory.builder()
                            .id(id)
                            .maxMessages(20)
                            .chatMemoryStore(memories)
                            .build()));
            kept.model
                    .calls(call("c1", "photograph", "{\"characters\":21000000}"))
                    .says("Nice.")
                    .says("Hello.");

            assertThat(kept.agent().send("t", "Show me")).isInstanceOf(RunResult.Completed.class);
            assertThat(kept.agent().send("t", "Hello?")).isInstanceOf(RunResult.Completed.class);
        }
    }

    @Test
    @Logs("Tool '*' execution failed")
    void anErrorOfAToolIsCutAsWell() {
        bench.model.calls(call("c1", "complain", "{\"characters\":5000}")).says("Sorry.");
        bench.say("Go");

        bench.resume(bench.pending(0).asApproval().approve());

        assertThat(bench.model.lastResult("c1")).hasSizeLessThan(200).contains("cut off");
    }

    @Test
    void halfASurrogatePairIsNoArgument() {
        bench.model
                .calls(call("c1", "sendEmail", MAIL.replace("Hello", "\\ud83d")))
                .says("Sorry.");
        assertThat(bench.say("Go").interrupts()).isEmpty();
        assertThat(bench.model.lastResult("c1")).contains("not executed", "surrogate");

        bench.model.calls(call("c2", "sendEmail", MAIL));
        bench.say("Again");
        assertThat(refused(bench.pending(0)
                        .asApproval()
                        .approveWith(Map.of("to", "a\ud800", "subject", "b", "body", "c"))))
                .contains("/editedArgs", "surrogate");
    }

    @Test
    void anInterruptIdThatCannotBeOneIsUnknownWithoutLookingItUp() {
        Bench strict = new Bench(builder -> builder.store(new ForwardingStore() {
            private final Store store = new InMemoryStore();

            @Override
            protected Store store() {
                return store;
            }

            @Override
            public Optional<Batch> findBatch(String threadId, Store.By by, String id) {
                assertThat(Agui.isId(id)).isTrue();
                return super.findBatch(threadId, by, id);
            }
        }));
        strict.model.calls(call("c1", "sendEmail", MAIL));
        strict.say("Go");

        for (String id : List.of("a\u0000b", "x".repeat(256), "\ud800")) {
            assertThat(strict.resume(ResumeEntry.resolved(id, JsonNodeFactory.instance.objectNode()))
                            .errorCode())
                    .isEqualTo("INTERRUPT_UNKNOWN");
            assertThat(strict.resume(ResumeEntry.cancelled(id)).interrupts()).hasSize(1);
        }
        assertThat(strict.pending()).hasSize(1);
    }

    @Test
    void numbersInAPayloadAreNotWorkedWith() throws Exception {
        PendingInterrupt mail = held();

        assertThat(refused(ResumeEntry.resolved(mail.id(), AguiCodec.mapper().readTree("{\"approved\":1e999999999}"))))
                .contains("digits");
    }

    @Test
    void aLimitIsAPositiveNumber() {
        assertThat(Limits.DEFAULT)
                .isEqualTo(
                        new Limits(10_000, 250_000, 1_000_000, 5, Integer.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE));
        assertThat(Limits.DEFAULT
                        .withMessages(7)
                        .withStateLength(8)
                        .withResultLength(9)
                        .withDeclinedInARow(10)
                        .withQuestionsPerTurn(11)
                        .withTokensPerTurn(12)
                        .withTokensPerDay(13))
                .isEqualTo(new Limits(7, 8, 9, 10, 11, 12, 13));
        assertThatThrownBy(() -> limits.withMessages(0)).hasMessage("messages must be positive, but is 0");
        assertThatThrownBy(() -> limits.withStateLength(0)).hasMessage("stateLength must be positive, but is 0");
        assertThatThrownBy(() -> limits.withResultLength(-1)).hasMessage("resultLength must be positive, but is -1");
        assertThatThrownBy(() -> limits.withDeclinedInARow(0)).hasMessage("declinedInARow must be positive, but is 0");
        assertThatThrownBy(() -> limits.withQuestionsPerTurn(0))
                .hasMessage("questionsPerTurn must be positive, but is 0");
        assertThatThrownBy(() -> limits.withTokensPerTurn(0)).hasMessage("tokensPerTurn must be positive, but is 0");
        assertThatThrownBy(() -> limits.withTokensPerDay(0)).hasMessage("tokensPerDay must be positive, but is 0");
        assertThatThrownBy(() -> limits.withResultLength(Limits.MAX_RESULT_LENGTH + 1))
                .hasMessageContaining("10000000");
    }
}
