package io.holdpoint.agents;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.exception.UnsupportedFeatureException;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.service.AiServices;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RunResult;
import io.holdpoint.ToolCallContext;
import io.holdpoint.ToolPolicy;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.ContextEntry;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.agui.ReasoningEvent;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.agui.RunEvent;
import io.holdpoint.agui.TextMessageEvent;
import io.holdpoint.agui.client.AguiClient;
import io.holdpoint.store.Store;
import io.holdpoint.store.jdbc.JdbcChatMemoryStore;
import io.holdpoint.store.jdbc.JdbcStore;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.test.VirtualClock;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.DraftServer;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.MortalStore;
import io.holdpoint.testing.OfficeTools;
import io.holdpoint.testing.RecordingSink;
import io.holdpoint.testing.Shape;
import io.holdpoint.testing.SlowTool;
import io.holdpoint.testing.Stop;
import io.holdpoint.testing.TestDatabase;
import io.holdpoint.testing.TestServer;
import io.holdpoint.testing.Threads;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An agent behind our own server, or one of another make, where another agent has its model. */
@Timeout(60)
class RemoteModelTest {

    private final Stop stop = new Stop();
    private final Threads threads = new Threads();
    private final Bench theirs = new Bench(builder ->
            builder.tools(new SlowTool(stop)).executor(threads).client(client -> client.exposeReasoning(true)));
    private final TestServer server = new TestServer(theirs.agent(), agui -> {});
    private final OfficeTools tools = new OfficeTools();
    private final TestDatabase database = TestDatabase.sqlite();
    private final VirtualClock clock = new VirtualClock();
    private int window = 20;
    private RemoteModel model = RemoteModel.of("office", client(server.port()));

    @AfterEach
    void close() {
        stop.letGo();
        threads.close();
        server.close();
        database.close();
    }

    private static AguiClient client(int port) {
        return AguiClient.builder(URI.create("http://127.0.0.1:" + port + "/agent"))
                .build();
    }

    /** An agent with the model, with all that it keeps in the database: another one is a restart. */
    private Holdpoint agent(Shape shape) {
        return agent(shape, JdbcStore.create(database.dataSource()));
    }

    private Holdpoint agent(Shape shape, Store store) {
        return builder(shape, store).build();
    }

    private HoldpointBuilder<?> builder(Shape shape, Store store) {
        JdbcChatMemoryStore memories = JdbcChatMemoryStore.create(database.dataSource());
        return shape.builder(new ScriptedModel())
                .chatModel(model)
                .streamingChatModel(model)
                .tools(tools)
                .client(client -> client.exposeReasoning(true))
                .store(store)
                .clock(clock)
                .chatMemoryProvider(id -> MessageWindowChatMemory.builder()
                        .id(id)
                        .maxMessages(window)
                        .chatMemoryStore(memories)
                        .build());
    }

    private static RecordingSink says(Holdpoint agent, String text) {
        RecordingSink sink = new RecordingSink();
        agent.run(RunAgentInput.of("t", "r-" + text, List.of(Bench.user("u-" + text, text))), sink)
                .join();
        return sink;
    }

    private static PendingInterrupt only(Holdpoint agent) {
        assertThat(agent.pending("t")).hasSize(1);
        return agent.pending("t").get(0);
    }

    private static RunResult answer(Holdpoint agent, String payload) {
        return agent.resume("t", ResumeEntry.resolved(only(agent).id(), json(payload)));
    }

    private static JsonNode json(String text) {
        try {
            return AguiCodec.mapper().readTree(text);
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    // --- what it says

    @Test
    void itsTextAndThoughtsAreStreamedAndItsUsageIsTold() {
        theirs.model.thinksAndSays("Let me see.", "Ada knows everything.");

        RecordingSink run = says(agent(Shape.STREAMING), "Who?");

        assertThat(run.all(TextMessageEvent.Content.class))
                .extracting(TextMessageEvent.Content::delta)
                .containsExactly("Ada ", "knows ", "everything.");
        assertThat(run.all(ReasoningEvent.MessageContent.class)).isNotEmpty();
        assertThat(((RunEvent.Finished) run.last()).usage())
                .containsExactly(new io.holdpoint.agui.TokenUsage(null, "scripted", 10, 5, 15, null, null, null));
    }

    @ParameterizedTest
    @EnumSource
    void aConversationIsOneThreadThere(Shape shape) {
        theirs.model.says("I am the office.").says("You asked who I am.");
        agent(shape).send("t", "Who are you?");

        RunResult second = agent(shape).send("t", "What did I ask?"); // after a restart

        assertThat(second.text()).isEqualTo("You asked who I am.");
        assertThat(theirs.model.lastMessages()).hasSize(3);
        assertThat(theirs.model.lastMessages().toString())
                .contains("Who are you?", "I am the office.", "What did I ask?");
    }

    @Test
    void itsOwnToolsAreItsAffair() {
        theirs.model
                .saysAndCalls("I look.", call("m1", "searchContacts", "{\"query\":\"Ada\"}"))
                .says("Found.");

        RunResult result = agent(Shape.STREAMING).send("t", "Find Ada");

        assertThat(result.text()).isEqualTo("I look.\n\nFound.");
        assertThat(theirs.tools.effects()).containsExactly("searchContacts Ada");
        assertThat(tools.effects()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void theToolsOfTheApplicationAreOfferedToItAndGatedHere(Shape shape) {
        theirs.model.calls(call("m1", "bookRoom", "{\"room\":\"blue\"}")).says("Booked.");
        Holdpoint agent = shape.builder(new ScriptedModel())
                .chatModel(model)
                .streamingChatModel(model)
                .tools(new Rooms(tools))
                .build();

        agent.send("t", "Book the blue room");
        assertThat(only(agent).asApproval().arguments().path("room").asText()).isEqualTo("blue");
        assertThat(tools.effects()).isEmpty();
        RunResult done = agent.resume("t", only(agent).asApproval().approveWith(Map.of("room", "red")));

        assertThat(done.text()).isEqualTo("Booked.");
        assertThat(tools.effects()).containsExactly("bookRoom red");
        assertThat(theirs.model.lastResult("m1")).contains("edited").endsWith("booked red");
    }

    // --- what it asks

    @ParameterizedTest
    @EnumSource
    void whatItAsksIsAQuestionOfTheRunAndRunsThereOnce(Shape shape) {
        theirs.model.saysAndCalls("I write.", call("m1", "sendEmail", MAIL)).says("Ada knows.");
        Holdpoint agent = agent(shape);

        agent.send("t", "Tell Ada hello");

        Interrupt asked = only(agent).interrupt();
        assertThat(asked.reason()).isEqualTo("remote:tool_call");
        assertThat(asked.message()).startsWith("The agent \"office\" asks: Send email to \"ada@example.com\"");
        assertThat(asked.responseSchema()
                        .at("/properties/editedArgs/properties")
                        .has("to"))
                .isTrue();
        assertThat(asked.metadata()
                        .at("/remoteAgent/metadata/langchain4j/toolName")
                        .asText())
                .isEqualTo("sendEmail");
        assertThat(theirs.tools.effects()).isEmpty();

        RunResult done = answer(agent(shape), "{\"approved\":true}"); // after a restart

        assertThat(done.text()).isEqualTo("Ada knows.");
        assertThat(theirs.tools.effects()).containsExactly("sendEmail ada@example.com|Hi|Hello");
        assertThat(theirs.model.requests()).hasSize(2);
        assertThat(agent(shape).pending("t")).isEmpty();
    }

    @Test
    void theAnswerIsStreamed() {
        theirs.model.calls(call("m1", "sendEmail", MAIL)).says("Ada knows everything.");
        Holdpoint agent = agent(Shape.STREAMING);
        agent.send("t", "Tell Ada hello");
        RecordingSink sink = new RecordingSink();

        agent.run(
                        RunAgentInput.of("t", "r2", List.of())
                                .withResume(
                                        List.of(ResumeEntry.resolved(only(agent).id(), json("{\"approved\":true}")))),
                        sink)
                .join();

        assertThat(sink.all(TextMessageEvent.Content.class)).hasSize(3);
    }

    @Test
    void anEditAndADenialGoThere() {
        theirs.model.calls(call("m1", "sendEmail", MAIL)).says("Bob knows.");
        Holdpoint agent = agent(Shape.STREAMING);
        agent.send("t", "Tell Ada");
        answer(agent, "{\"approved\":true,\"editedArgs\":" + MAIL.replace("ada@", "bob@") + "}");
        theirs.model.calls(call("m2", "sendEmail", MAIL)).says("Not sent.");
        agent.send("t", "And Ada");

        RunResult denied = answer(agent, "{\"approved\":false,\"reason\":\"too early\"}");

        assertThat(denied.text()).isEqualTo("Not sent.");
        assertThat(theirs.tools.effects()).containsExactly("sendEmail bob@example.com|Hi|Hello");
        assertThat(theirs.model.lastResult("m2")).contains("too early");
    }

    @Test
    void severalQuestionsAreAskedOneAfterTheOtherAndAnsweredTogether() {
        theirs.model
                .calls(call("m1", "sendEmail", MAIL), call("m2", "transferMoney", "{\"amount\":5,\"to\":\"Ada\"}"))
                .says("One of them.");
        Holdpoint agent = agent(Shape.STREAMING);
        agent.send("t", "Both");

        answer(agent, "{\"approved\":true}");
        assertThat(only(agent).message()).contains("transferMoney");
        assertThat(theirs.tools.effects()).isEmpty();
        answer(agent, "{\"approved\":false}");

        assertThat(theirs.tools.effects()).containsExactly("sendEmail ada@example.com|Hi|Hello");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whoLetsGoOfAQuestionLetsGoOfItThere(boolean saysSomethingElse) {
        theirs.model.calls(call("m1", "sendEmail", MAIL)).says("Well.");
        Holdpoint agent = agent(Shape.STREAMING);
        agent.send("t", "Tell Ada");

        ResumeEntry cancelled = only(agent).cancel();
        RunAgentInput input = RunAgentInput.of(
                        "t", "r2", saysSomethingElse ? List.of(Bench.user("u2", "Never mind")) : List.of())
                .withResume(List.of(cancelled));
        RunResult result = agent.run(input, new RecordingSink()).join();

        assertThat(result.text()).isEqualTo("Well.");
        assertThat(theirs.tools.effects()).isEmpty();
        assertThat(theirs.model.lastResult("m1")).contains("was not executed");
        assertThat(theirs.model.lastMessages().toString().contains("Never mind"))
                .isEqualTo(saysSomethingElse);
    }

    @ParameterizedTest
    @EnumSource
    @Logs({"Run * on thread * failed", "Lease* could not be given back", "Purging failed"})
    void aNodeThatDiesAfterItsAnswerHasArrivedRunsNothingTwice(Shape shape) {
        MortalStore mortal = new MortalStore(JdbcStore.create(database.dataSource()));
        theirs.model.calls(call("m1", "sendEmail", MAIL)).answers(request -> {
            mortal.die();
            return AiMessage.from("Ada knows.");
        });
        Holdpoint dies = agent(shape, mortal);
        dies.send("t", "Tell Ada");
        ResumeEntry approved = ResumeEntry.resolved(only(dies).id(), json("{\"approved\":true}"));

        assertThat(dies.resume("t", approved)).isInstanceOf(RunResult.Failed.class);
        clock.advance(Duration.ofMinutes(1));
        RunResult again = agent(shape).resume("t", approved);

        assertThat(again.text()).isEqualTo("Ada knows.");
        assertThat(theirs.tools.effects()).hasSize(1);
        assertThat(theirs.model.requests()).hasSize(2);
    }

    @Test
    @Logs({"Run * on thread * failed", "Lease* could not be given back", "Purging failed"})
    void aNodeThatDiesBeforeItsQuestionIsStoredAsksTheSameAgain() {
        MortalStore mortal = new MortalStore(JdbcStore.create(database.dataSource()));
        theirs.model
                .answers(request -> {
                    mortal.die();
                    return AiMessage.from(call("m1", "sendEmail", MAIL));
                })
                .says("Ada knows.");
        RunAgentInput first = RunAgentInput.of("t", "first", List.of(Bench.user("u1", "Tell Ada")))
                .withContext(List.of(new ContextEntry("page", "mail"))); // which the repeated turn does not have
        assertThat(agent(Shape.STREAMING, mortal)
                        .run(first, new RecordingSink())
                        .join())
                .isInstanceOf(RunResult.Failed.class);
        clock.advance(Duration.ofMinutes(1));
        Holdpoint restarted = agent(Shape.STREAMING);

        restarted
                .run(RunAgentInput.of("t", "again", List.of()), new RecordingSink())
                .join();
        answer(restarted, "{\"approved\":true}");

        assertThat(theirs.tools.effects()).hasSize(1);
        assertThat(theirs.model.requests()).hasSize(2);
    }

    // --- servers of other makes

    @Test
    void aServerOfTheDraftsIsAskedAndAnsweredInItsForm() {
        try (DraftServer draft = new DraftServer(DraftServer.SEND_EMAIL)) {
            model = RemoteModel.of("office", AguiClient.builder(draft.url()).build());
            Holdpoint agent = agent(Shape.STREAMING);
            agent.send("t", "Go");
            assertThat(only(agent).message()).contains("asks: Run sendEmail?");

            RunResult done = answer(agent, "{\"approved\":true,\"modifications\":{\"to\":\"bob@b.com\"}}");

            assertThat(done.text()).isEqualTo("It was done.");
            assertThat(draft.effects)
                    .containsExactly("sendEmail {\"to\":\"bob@b.com\",\"subject\":\"Hi\",\"body\":\"…\"}");
            assertThat(draft.inputs.get(1).path("resume").isObject()).isTrue();
            assertThat(draft.inputs.get(1).path("messages")).hasSize(1);
        }
    }

    // --- what goes wrong

    interface Plain {
        String chat(String message);
    }

    @Test
    void inAPlainAiServiceAnInterruptIsAnExceptionThatSaysWhatToDo() {
        theirs.model.calls(call("m1", "sendEmail", MAIL)).says("Never mind then.");
        Plain plain = AiServices.builder(Plain.class)
                .chatModel(model)
                .chatMemory(MessageWindowChatMemory.withMaxMessages(10))
                .build();

        assertThatThrownBy(() -> plain.chat("Tell Ada"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("The agent \"office\" asks a person (Send email to \"ada@example.com\"")
                .hasMessageContaining("Holdpoint.builder(...)");
        assertThat(theirs.tools.effects()).isEmpty();
    }

    @Test
    void aPlainAiServiceGetsItsText() {
        theirs.model.says("Hello.").says("Hello again.");
        Plain plain = AiServices.builder(Plain.class)
                .chatModel(model)
                .chatMemory(MessageWindowChatMemory.withMaxMessages(10))
                .build();

        assertThat(plain.chat("Hi")).isEqualTo("Hello.");
        assertThat(plain.chat("Hi")).isEqualTo("Hello again.");
        assertThat(theirs.model.lastMessages()).hasSize(3);
    }

    @Test
    @Logs("Run * on thread * failed")
    void itsErrorFailsTheRun() {
        theirs.model.fails(new IllegalStateException("no credit"));

        RunResult.Failed failed = (RunResult.Failed) agent(Shape.STREAMING).send("t", "Hi");

        assertThat(failed.cause().orElseThrow()).hasMessageStartingWith("The agent \"office\" failed: ");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Logs("Run * on thread * failed")
    void anAnswerThatFindsItAwayIsSentAgainWithTheNextInput(boolean saysSomethingElse) {
        theirs.model.calls(call("m1", "sendEmail", MAIL)).says("Ada knows.");
        Holdpoint agent = agent(Shape.STREAMING);
        agent.send("t", "Tell Ada");
        ResumeEntry approved = ResumeEntry.resolved(only(agent).id(), json("{\"approved\":true}"));
        RemoteModel there = model;
        model = RemoteModel.of("office", client(1));
        assertThat(agent(Shape.STREAMING).resume("t", approved)).isInstanceOf(RunResult.Failed.class);
        assertThat(theirs.tools.effects()).isEmpty();
        model = there;

        if (saysSomethingElse) {
            theirs.model.says("I am well.");
            assertThat(agent(Shape.STREAMING).send("t", "How are you?").text()).isEqualTo("Ada knows.\n\nI am well.");
        } else {
            assertThat(agent(Shape.STREAMING).resume("t", approved).text()).isEqualTo("Ada knows.");
        }

        assertThat(theirs.tools.effects()).hasSize(1);
    }

    @Test
    void aQuestionThatHasExpiredThereIsLetGoOfThere() {
        Bench strict = new Bench(builder ->
                builder.toolPolicies(ToolPolicy.named("searchContacts").expiresAfter(Duration.ofMinutes(5))));
        try (TestServer other = new TestServer(strict.agent(), agui -> {})) {
            model = RemoteModel.of("office", client(other.port()));
            strict.model
                    .calls(call("m1", "searchContacts", "{\"query\":\"Ada\"}"))
                    .says("Too late.");
            Holdpoint agent = agent(Shape.STREAMING);
            agent.send("t", "Find Ada");
            strict.clock.advance(Duration.ofHours(1));

            assertThat(answer(agent, "{\"approved\":true}").text()).isEqualTo("Too late.");

            assertThat(strict.tools.effects()).isEmpty();
        }
    }

    @Test
    void aContextThatAnInputBringsMakesNoMessageNew() {
        theirs.model.calls(call("m1", "sendEmail", MAIL)).says("Ada knows.").says("You are welcome.");
        Holdpoint agent = agent(Shape.STREAMING);
        RunAgentInput first = RunAgentInput.of("t", "r1", List.of(Bench.user("u1", "Tell Ada")))
                .withContext(List.of(new ContextEntry("page", "mail")));
        agent.run(first, new RecordingSink()).join();
        assertThat(theirs.model.lastMessages().toString()).contains("page: mail");

        answer(agent, "{\"approved\":true}");
        agent.send("t", "Thanks");

        assertThat(theirs.model.lastMessages()).hasSize(5);
        assertThat(theirs.model.requests()).hasSize(3);
    }

    @Test
    void whatAnotherModelHasSaidBeforeIsToldOnce() {
        ScriptedModel other = new ScriptedModel().says("I am the other one.");
        builder(Shape.STREAMING, JdbcStore.create(database.dataSource()))
                .streamingChatModel(other)
                .build()
                .send("t", "Who are you?");
        for (int i = 1; i <= 3; i++) {
            theirs.model.says("Answer " + i);
            agent(Shape.STREAMING).send("t", "Question " + i);
        }

        assertThat(theirs.model.lastMessages()).hasSize(7);
        assertThat(theirs.model.lastMessages().toString()).contains("I am the other one.");
    }

    @Test
    void aMemoryThatForgetsTellsNothingTwice() {
        window = 3;
        for (int i = 1; i <= 4; i++) {
            theirs.model.says("Answer " + i);
            agent(Shape.STREAMING).send("t", "Question " + i);
        }

        assertThat(theirs.model.lastMessages()).hasSize(7);
    }

    @Test
    @Logs("Run * on thread * failed")
    void theToolThatAsksIsNoToolThatTheAgentCanCall() {
        ToolSpecification asks = ToolSpecification.builder().name("office_asks").build();
        Bench forging = new Bench(builder -> builder.clientTools(List.of(asks)));
        forging.model.calls(call("m1", "office_asks", "{\"interrupts\":[{\"id\":\"i\",\"reason\":\"confirmation\"}]}"));
        try (TestServer other = new TestServer(forging.agent(), agui -> {})) {
            model = RemoteModel.of("office", client(other.port()));

            RunResult.Failed failed = (RunResult.Failed) agent(Shape.STREAMING).send("t", "Go");

            assertThat(failed.cause().orElseThrow()).hasMessageContaining("waits for tools of its client");
        }
    }

    @Test
    void aNameThatNoToolCanHaveIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RemoteModel.of("the office", client(1)))
                .withMessage("name: 1 to 50 letters, digits, _ and -, not \"the office\"");
    }

    @Test
    void mediaAreRefused() {
        assertThatThrownBy(() -> model.chat(UserMessage.from(ImageContent.from("https://example.com/a.png"))))
                .isInstanceOf(UnsupportedFeatureException.class)
                .hasMessage("The agent \"office\" takes texts only, and no media.");
    }

    @Test
    @Logs("Run * on thread * failed")
    void whoTakesTooLongIsCancelledThere() {
        model = model.holdpointRoutes().timeout(Duration.ofSeconds(2));
        stop.arm();
        theirs.model.calls(call("m1", "slow", "{\"what\":\"it\"}"));

        RunResult.Failed failed = (RunResult.Failed) agent(Shape.BLOCKING).send("t", "Go");
        stop.awaitReached();

        assertThat(failed.cause().orElseThrow()).hasMessageContaining("did not finish within PT2S");
    }

    /** A tool of the agent's that ends when its run is to end. */
    public static final class Patient {

        private final CountDownLatch began = new CountDownLatch(1);
        private final CountDownLatch stopped = new CountDownLatch(1);

        @Tool
        public String waits(ToolCallContext call) {
            began.countDown();
            while (!call.isStopping()) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
            }
            stopped.countDown();
            return "stopped";
        }
    }

    @Test
    void aCancelledRunIsCancelledThere() throws Exception {
        Patient patient = new Patient();
        Bench waiting = new Bench(builder -> builder.tools(patient).executor(threads));
        waiting.model.saysAndCalls("I begin.", call("m1", "waits", "{}"));
        try (TestServer other = new TestServer(waiting.agent(), agui -> {})) {
            model = RemoteModel.of("office", client(other.port())).holdpointRoutes();
            Holdpoint agent = agent(Shape.STREAMING);
            var run = threads.submit(() -> agent.send("t", "Go"));
            patient.began.await();

            agent.cancel("t");

            assertThat(run.get()).isInstanceOf(RunResult.Cancelled.class);
            patient.stopped.await();
        }
    }
}
