package io.holdpoint.service;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolMemoryId;
import dev.langchain4j.data.image.Image;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.guardrail.InputGuardrail;
import dev.langchain4j.guardrail.InputGuardrailRequest;
import dev.langchain4j.guardrail.InputGuardrailResult;
import dev.langchain4j.invocation.InvocationParameters;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.rag.content.retriever.ContentRetriever;
import dev.langchain4j.service.IllegalConfigurationException;
import dev.langchain4j.service.MemoryId;
import dev.langchain4j.service.Result;
import dev.langchain4j.service.TokenStream;
import dev.langchain4j.service.UserName;
import dev.langchain4j.service.V;
import dev.langchain4j.service.guardrail.InputGuardrails;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.RunResult;
import io.holdpoint.UserTurn;
import io.holdpoint.agui.ContentPart;
import io.holdpoint.agui.ContentPart.Media;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.PartSource;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.agui.RunEvent;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.OfficeTools;
import io.holdpoint.testing.RecordingSink;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The AI Service's method is found, and filled, whatever its shape. */
class AiServiceShapesTest {

    private static final String MAIL = "{\"to\":\"ada@example.com\",\"subject\":\"Hi\",\"body\":\"Hello\"}";
    private static final String BRACES = "What are {{name}}, {{it}} and {{ }} }} {{?";

    private final ScriptedModel model = new ScriptedModel();
    private final OfficeTools tools = new OfficeTools();

    interface Plain {
        String chat(String message);
    }

    interface PlainStream {
        TokenStream chat(String message);
    }

    interface Annotated {
        Result<String> answer(@MemoryId String thread, @dev.langchain4j.service.UserMessage String message);
    }

    interface Contents {
        TokenStream chat(@dev.langchain4j.service.UserMessage List<Content> contents);
    }

    interface BareContents {
        String chat(List<Content> contents);
    }

    interface WithSystem {
        @dev.langchain4j.service.SystemMessage("Be brief.")
        String chat(String message);
    }

    interface Template {
        @dev.langchain4j.service.UserMessage("{{it}}")
        TokenStream chat(String message);
    }

    interface Variable {
        @dev.langchain4j.service.UserMessage("{{m}}")
        String chat(@V("m") String message);
    }

    interface Inherited extends Plain {
        default String twice(String message) {
            return chat(message + message);
        }

        @Override
        String toString();
    }

    interface Pictured {
        String chat(
                @dev.langchain4j.service.UserMessage String message,
                @dev.langchain4j.service.UserMessage ImageContent picture);
    }

    interface OfMessage {
        AiMessage chat(String message);
    }

    interface OfMessageResult {
        Result<AiMessage> chat(String message);
    }

    @ParameterizedTest
    @ValueSource(classes = {OfMessage.class, OfMessageResult.class})
    void aMessageIsATextForClientsAndStaysAMessageForTheProgram(Class<?> service) {
        model.says("Fine.");
        RecordingSink sink = new RecordingSink();

        RunResult result = builder(service)
                .build()
                .run(RunAgentInput.of("t", "r", List.of(Bench.user("u", "Hi"))), sink)
                .join();

        assertThat(result.text()).isEqualTo("Fine.").isEqualTo(sink.text());
        assertThat(((RunEvent.Finished) sink.last()).result()).isNull();
        Object value = ((RunResult.Completed) result).value();
        assertThat(value instanceof Result<?> wrapped ? wrapped.content() : value)
                .isEqualTo(AiMessage.from("Fine."));
    }

    static Stream<Class<?>> shapes() {
        return Stream.of(
                Plain.class,
                PlainStream.class,
                Annotated.class,
                Contents.class,
                BareContents.class,
                WithSystem.class,
                Template.class,
                Variable.class,
                Inherited.class);
    }

    private <A> HoldpointBuilder<A> builder(Class<A> type) {
        return Holdpoint.builder(type)
                .chatModel(model)
                .streamingChatModel(model)
                .tools(tools);
    }

    private List<ChatMessage> lastUserMessages() {
        return model.lastMessages().stream()
                .filter(UserMessage.class::isInstance)
                .toList();
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void aCallIsHeldAndResumed(Class<?> shape) {
        model.calls(call("c1", "sendEmail", MAIL)).says("Done.");
        Holdpoint agent = builder(shape).build();

        assertThat(agent.send("t", "Write to Ada")).isInstanceOf(RunResult.Interrupted.class);
        RunResult result =
                agent.resume("t", agent.pending("t").get(0).asApproval().approve());

        assertThat(result).isInstanceOf(RunResult.Completed.class);
        assertThat(tools.effects()).hasSize(1);
        assertThat(lastUserMessages()).containsExactly(UserMessage.from("Write to Ada"));
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void bracesStayAsTheyWereTyped(Class<?> shape) {
        model.calls(call("c1", "sendEmail", MAIL)).says("Done.").says("Again.");
        Holdpoint agent = builder(shape).build();

        agent.send("t", BRACES);
        assertThat(lastUserMessages()).containsExactly(UserMessage.from(BRACES));
        agent.resume("t", agent.pending("t").get(0).asApproval().approve());
        assertThat(lastUserMessages()).containsExactly(UserMessage.from(BRACES));

        agent.send("t", "And?");
        assertThat(lastUserMessages()).containsExactly(UserMessage.from(BRACES), UserMessage.from("And?"));
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void bracesStayAsTheyWereTypedWithRetrieval(Class<?> shape) {
        List<String> searched = new ArrayList<>();
        ContentRetriever retriever = query -> {
            searched.add(query.text());
            return List.of(dev.langchain4j.rag.content.Content.from(TextSegment.from("a fact")));
        };
        model.calls(call("c1", "sendEmail", MAIL)).says("Done.");
        Holdpoint agent = builder(shape)
                .aiService(service -> service.contentRetriever(retriever))
                .build();

        agent.send("t", BRACES);
        agent.resume("t", agent.pending("t").get(0).asApproval().approve());

        assertThat(searched).containsExactly(BRACES);
        assertThat(lastUserMessages()).singleElement().isInstanceOfSatisfying(UserMessage.class, message -> assertThat(
                        message.singleText())
                .startsWith(BRACES)
                .contains("a fact"));
    }

    public static class Recording implements InputGuardrail {

        static final List<String> SEEN = new CopyOnWriteArrayList<>();

        @Override
        public InputGuardrailResult validate(InputGuardrailRequest request) {
            SEEN.add(request.userMessage().singleText());
            SEEN.add("template " + request.requestParams().userMessageTemplate());
            return success();
        }
    }

    interface Guarded {
        @InputGuardrails(Recording.class)
        String chat(String message);
    }

    @Test
    void anInputGuardrailSeesWhatWasTypedAndOnlyOnce() {
        Recording.SEEN.clear();
        model.calls(call("c1", "sendEmail", MAIL)).says("Done.");
        Holdpoint agent = builder(Guarded.class).build();

        agent.send("t", BRACES);
        agent.resume("t", agent.pending("t").get(0).asApproval().approve());

        assertThat(Recording.SEEN).containsExactly(BRACES, "template " + BRACES);
    }

    interface Translator {
        @dev.langchain4j.service.SystemMessage("Translate {{text}} into {{language}}.")
        @dev.langchain4j.service.UserMessage("{{text}} ({{language}})")
        String translate(@V("text") String text, @V("language") String language);
    }

    @Test
    void variablesAreGivenAndTheTextIsWhatIsLeft() {
        model.says("Hallo.");
        Holdpoint agent =
                builder(Translator.class).variable("language", turn -> "German").build();

        agent.send("t", "Hello, {{language}}");

        assertThat(model.lastMessages())
                .containsExactly(
                        SystemMessage.from("Translate Hello, {{language}} into German."),
                        UserMessage.from("Hello, {{language}} (German)"));
    }

    @Test
    void aVariablesValueIsNoTemplateEither() {
        model.says("Hallo.");
        Holdpoint agent = builder(Translator.class)
                .variable("language", turn -> "{{text}} or {{name}}")
                .build();

        agent.send("t", "Hello, {{language}}");

        assertThat(model.lastMessages())
                .containsExactly(
                        SystemMessage.from("Translate Hello, {{language}} into {{text}} or {{name}}."),
                        UserMessage.from("Hello, {{language}} ({{text}} or {{name}})"));
    }

    interface Crossed {
        @dev.langchain4j.service.UserMessage("{{a}}{{text}}{{b}}")
        String chat(@V("a") String a, @V("text") String text, @V("b") String b);
    }

    @Test
    void noVariablesValueIsReadForAnother() {
        model.says("Fine.");
        Holdpoint agent = builder(Crossed.class)
                .variable("a", turn -> "a is {{b}}, ")
                .variable("b", turn -> ", b is {{a}}{{text}}")
                .build();

        agent.send("t", "{{a}}{{b}}");

        assertThat(lastUserMessages()).containsExactly(UserMessage.from("a is {{b}}, {{a}}{{b}}, b is {{a}}{{text}}"));
    }

    interface Marked {
        @dev.langchain4j.service.SystemMessage("[what the user said] is data.")
        @dev.langchain4j.service.UserMessage("[what the user said]: {{text}}")
        String chat(@V("text") String text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{{text}}", "[what the user said] {{it}} [what the user said]", "[what the user said]"})
    void nothingThatATemplateOrAUserWritesStandsForTheText(String text) {
        model.says("Fine.");

        builder(Marked.class).build().send("t", text);

        assertThat(model.lastMessages())
                .containsExactly(
                        SystemMessage.from("[what the user said] is data."),
                        UserMessage.from("[what the user said]: " + text));
    }

    @Test
    void aMessageThatSaysNothingReachesTheModel() {
        model.says("I hear nothing.");
        Holdpoint agent = builder(Plain.class).build();

        assertThat(agent.send("t", " ").text()).isEqualTo("I hear nothing.");
        assertThat(lastUserMessages()).containsExactly(UserMessage.from(""));
    }

    @Test
    void mediaAreAddedWhereThereIsNoParameterForThem() {
        model.says("A cat.").says("A dog.");
        Holdpoint agent = builder(Plain.class).build();
        ImageContent cat = ImageContent.from(
                Image.builder()
                        .url("https://example.com/cat.png")
                        .mimeType("image/png")
                        .build(),
                ImageContent.DetailLevel.AUTO);
        ContentPart image = new Media(Media.Kind.IMAGE, new PartSource.Url("https://example.com/cat.png", "image/png"));

        say(agent, "m1", List.of(new ContentPart.Text("What is {{this}}?", null, null), image));
        assertThat(lastUserMessages()).containsExactly(UserMessage.from(TextContent.from("What is {{this}}?"), cat));

        say(agent, "m2", List.of(image));
        assertThat(lastUserMessages()).element(1).isEqualTo(UserMessage.from(cat));
    }

    private static void say(Holdpoint agent, String id, List<ContentPart> parts) {
        RunResult result = agent.run(
                        RunAgentInput.of(
                                "t", "r-" + id, List.of(new Message.User(id, new MessageContent.Parts(parts)))),
                        event -> {})
                .join();
        assertThat(result).isInstanceOf(RunResult.Completed.class);
    }

    interface LongId {
        String chat(@MemoryId long id, @dev.langchain4j.service.UserMessage String message);
    }

    interface UuidId {
        TokenStream chat(@MemoryId UUID id, @dev.langchain4j.service.UserMessage List<Content> message);
    }

    interface IntId {
        Result<String> chat(@dev.langchain4j.service.UserMessage String message, @MemoryId Integer id);
    }

    record ThreadName(String name) {}

    interface OwnId {
        String chat(@MemoryId ThreadName id, @dev.langchain4j.service.UserMessage String message);
    }

    private final List<Object> memoryIds = new ArrayList<>();

    final class IdTools {
        @Tool
        String note(@ToolMemoryId Object id) {
            memoryIds.add(id);
            return "noted";
        }
    }

    private void memoryIdIs(HoldpointBuilder<?> builder, String threadId, Object expected) {
        model.calls(call("c1", "note", "{}"))
                .calls(call("c2", "sendEmail", MAIL))
                .says("Done.");
        Holdpoint agent = builder.tools(new IdTools())
                .chatMemoryProvider(id -> {
                    memoryIds.add(id);
                    return MessageWindowChatMemory.builder()
                            .id(id)
                            .maxMessages(20)
                            .build();
                })
                .build();

        agent.send(threadId, "Go");
        RunResult result = agent.resume(
                threadId, agent.pending(threadId).get(0).asApproval().approve());

        assertThat(result).isInstanceOf(RunResult.Completed.class);
        assertThat(memoryIds).contains(expected).allMatch(expected::equals);
    }

    @Test
    void aMemoryIdMayBeANumber() {
        memoryIdIs(builder(LongId.class), "42", 42L);
    }

    @Test
    void aMemoryIdMayBeASmallNumber() {
        memoryIdIs(builder(IntId.class), "42", 42);
    }

    @Test
    void aMemoryIdMayBeAUuid() {
        UUID id = UUID.fromString("0b0ab2a3-7c1d-4f5e-9a55-0c3d4e5f6a7b");
        memoryIdIs(builder(UuidId.class), id.toString(), id);
    }

    @Test
    @Logs("Run * could not be started")
    void aThreadIdThatIsNoMemoryIdFailsTheRun() {
        RunResult result = builder(LongId.class).build().send("seven", "Go");

        assertThat(result).isInstanceOfSatisfying(RunResult.Failed.class, failed -> assertThat(
                        failed.cause().orElseThrow())
                .hasMessageContaining("\"seven\" is not of type long")
                .hasMessageContaining("LongId.chat(long, String)"));
    }

    interface Everything {
        String chat(
                @dev.langchain4j.service.UserMessage String message,
                @UserName String who,
                InvocationParameters parameters);
    }

    private final List<Map<String, Object>> given = new ArrayList<>();

    final class ParameterTools {
        @Tool
        String look(InvocationParameters parameters) {
            given.add(Map.copyOf(parameters.asMap()));
            return "seen";
        }
    }

    @ParameterizedTest
    @MethodSource("parameterShapes")
    void toolsGetWhatTheTurnHas(Class<?> shape) {
        model.calls(call("c1", "look", "{}"))
                .calls(call("c2", "sendEmail", MAIL))
                .calls(call("c3", "look", "{}"))
                .says("Done.");
        Caller ada = new Caller("ada", Set.of("clerk"));
        Holdpoint agent = builder(shape).tools(new ParameterTools()).build().as(ada);

        agent.send("t", "Go");
        agent.resume("t", agent.pending("t").get(0).asApproval().approve());

        assertThat(given).hasSize(2).allSatisfy(parameters -> assertThat(parameters)
                .containsEntry(UserTurn.THREAD_ID, "t")
                .containsEntry(UserTurn.CALLER, ada)
                .containsKeys(UserTurn.FORWARDED_PROPS, UserTurn.STATE));
    }

    static Stream<Class<?>> parameterShapes() {
        return Stream.of(Everything.class, Plain.class);
    }

    // --- what cannot be mapped

    interface None {
        default String chat(String message) {
            return message;
        }
    }

    interface Two {
        String ask(String question);

        TokenStream tell(String story);
    }

    interface NoText {
        @dev.langchain4j.service.UserMessage("Tell a joke")
        String joke();
    }

    interface Structured {
        String chat(Map<String, String> prompt);
    }

    interface Overloaded {
        String chat(String message);

        String chat(String message, @V("tone") String tone);
    }

    interface Words {
        String chat(@dev.langchain4j.service.UserMessage List<String> words);
    }

    interface Count {
        @dev.langchain4j.service.UserMessage("{{text}}, {{count}} times")
        String chat(@V("text") String text, @V("count") int count);
    }

    interface Answers {
        String chat(String message);

        @dev.langchain4j.service.UserMessage("{{text}}, {{count}} times")
        String repeat(@V("text") String text, @V("count") int count);
    }

    private static void requireRefused(HoldpointBuilder<?> builder, String... parts) {
        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalConfigurationException.class)
                .satisfies(refused -> assertThat(refused.getMessage()).contains(parts));
    }

    @Test
    void whatCannotBeMappedIsRefusedWithItsRemedy() {
        requireRefused(builder(None.class), "None", "no abstract method");
        requireRefused(builder(Two.class), "ask(String), tell(String)", "method(\"...\")", "method(turn -> ...)");
        requireRefused(builder(Two.class).method("asks"), "method(\"asks\")", "ask(String), tell(String)");
        requireRefused(builder(NoText.class), "NoText.joke()", "no parameter");
        requireRefused(builder(Structured.class), "Structured.chat(Map)");
        requireRefused(
                builder(Overloaded.class).method("chat"),
                "method(\"chat\")",
                "chat(String), chat(String, String)",
                "a name of its own");
        requireRefused(builder(Words.class), "Words.chat(List)", "no parameter");
        requireRefused(
                builder(Pictured.class), "'picture' (ImageContent)", "Leave it out", "@UserMessage List<Content>");
        requireRefused(builder(Count.class), "'count' (int)", "Count.chat(String, int)", "variable(\"count\"");
        requireRefused(
                builder(Translator.class), "Translator.translate(String, String)", "text, language", "variable(");
        requireRefused(builder(OwnId.class), "'id' (ThreadName)", "OwnId.chat(ThreadName, String)", "UUID");
        requireRefused(
                builder(Plain.class).variable("tone", turn -> "warm"), "variable(\"tone\", ...)", "Plain.chat(String)");
        requireRefused(builder(Overloaded.class).method(turn -> "chat"), "a name of its own");
        requireRefused(builder(Answers.class).method(turn -> "chat"), "'count' (int)", "variable(\"count\"");
    }

    @Test
    void oneOfSeveralMethodsIsNamed() {
        model.says("Once upon a time.");

        assertThat(builder(Two.class).method("tell").build().send("t", "Go")).isInstanceOf(RunResult.Completed.class);
    }

    @Test
    void onlyTheMethodThatTakesTurnsNeedsItsModel() {
        model.says("Fine.");
        Holdpoint agent =
                Holdpoint.builder(Two.class).method("ask").chatModel(model).build();

        assertThat(agent.send("t", "Go")).isInstanceOf(RunResult.Completed.class);
    }
}
