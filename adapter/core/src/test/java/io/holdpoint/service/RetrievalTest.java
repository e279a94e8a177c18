package io.holdpoint.service;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.data.document.Metadata;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.memory.ChatMemory;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.rag.content.Content;
import dev.langchain4j.rag.content.ContentMetadata;
import dev.langchain4j.rag.content.retriever.ContentRetriever;
import dev.langchain4j.service.Result;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunResult;
import io.holdpoint.Turn;
import io.holdpoint.internal.memory.ChatMessageJson;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.OfficeTools;
import io.holdpoint.testing.Shape;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is retrieved for a message changes while a person thinks. */
class RetrievalTest {

    private static final String MAIL = "{\"to\":\"ada@example.com\",\"subject\":\"Hi\",\"body\":\"Hello\"}";

    private final ScriptedModel model = new ScriptedModel();
    private final OfficeTools tools = new OfficeTools();
    private final AtomicInteger asked = new AtomicInteger();
    private final ChatMemory memory = MessageWindowChatMemory.withMaxMessages(20);
    private final ContentRetriever retriever = query -> List.of(Content.from(
            TextSegment.from(
                    "fact " + asked.incrementAndGet(),
                    Metadata.from(Map.of("source", "wiki", "page", 7, "id", 1L << 40))),
            Map.of(ContentMetadata.SCORE, 0.75)));

    interface WithResult {
        Result<String> chat(@dev.langchain4j.service.UserMessage List<dev.langchain4j.data.message.Content> message);
    }

    @ParameterizedTest
    @EnumSource
    void aResumedTurnIsNotAugmentedAgain(Shape shape) {
        model.calls(call("c1", "sendEmail", MAIL)).says("Done.");
        Holdpoint agent = shape.builder(model, service -> service.contentRetriever(retriever))
                .tools(tools)
                .build();

        agent.send("t", "Go");
        agent.resume("t", agent.pending("t").get(0).asApproval().approve());

        assertThat(asked).hasValue(1);
        assertThat(model.lastMessages().stream().filter(UserMessage.class::isInstance))
                .singleElement()
                .asString()
                .contains("Go", "fact 1");
    }

    @ParameterizedTest
    @EnumSource
    void aMemoryThatShallNotHoldRetrievedContentStaysPlainWhileRequestsAreAugmented(Shape shape) {
        model.calls(call("c0", "searchContacts", "{\"query\":\"Ada\"}"))
                .calls(call("c1", "sendEmail", MAIL))
                .calls(call("c2", "searchContacts", "{\"query\":\"Bob\"}"))
                .says("Done.");
        Holdpoint agent = shape.builder(
                        model, service -> service.contentRetriever(retriever).storeRetrievedContentInChatMemory(false))
                .tools(tools)
                .chatMemoryProvider(id -> memory)
                .build();

        agent.send("t", "Go");
        agent.resume("t", agent.pending("t").get(0).asApproval().approve());

        assertThat(model.requests()).hasSize(4).allSatisfy(request -> assertThat(
                        request.messages().stream().filter(UserMessage.class::isInstance))
                .singleElement()
                .asString()
                .contains("Go", "fact 1"));
        assertThat(memory.messages().stream().filter(UserMessage.class::isInstance))
                .containsExactly(UserMessage.from("Go"));
    }

    interface Texts {
        String chat(String message);
    }

    private Holdpoint withoutRetrievedInMemory() {
        return Holdpoint.builder(Texts.class)
                .chatModel(model)
                .aiService(service -> service.contentRetriever(retriever).storeRetrievedContentInChatMemory(false))
                .tools(tools)
                .chatMemoryProvider(id -> memory)
                .build();
    }

    @Test
    void aMemoryThatShallNotHoldRetrievedContentHasTheBracesOfAText() {
        model.calls(call("c1", "sendEmail", MAIL)).says("Done.").says("Hello.");
        Holdpoint agent = withoutRetrievedInMemory();

        agent.send("t", "Mail {{name}}");
        agent.resume("t", agent.pending("t").get(0).asApproval().approve());
        agent.send("t", "And {{me}}");

        assertThat(memory.messages().stream().filter(UserMessage.class::isInstance))
                .containsExactly(UserMessage.from("Mail {{name}}"), UserMessage.from("And {{me}}"));
        assertThat(model.lastMessages()).contains(UserMessage.from("Mail {{name}}"));
    }

    @Test
    void aMemoryThatShallNotHoldRetrievedContentHasTheMediaOfAMessage() {
        model.says("A cat.").says("A dog.");
        Holdpoint agent = withoutRetrievedInMemory();
        ImageContent image = ImageContent.from("iVBORw0KGgo=", "image/png", ImageContent.DetailLevel.AUTO);

        agent.send(Turn.of("t", List.of(TextContent.from("What is it?"), image)));
        agent.send(Turn.of("t", List.of(image)));

        assertThat(memory.messages().stream().filter(UserMessage.class::isInstance))
                .containsExactly(UserMessage.from(TextContent.from("What is it?"), image), UserMessage.from(image));
    }

    @Test
    void theSourcesOfAResultAreTheOnesOfTheFirstRun() {
        model.calls(call("c1", "sendEmail", MAIL)).says("Done.");
        Holdpoint agent = Holdpoint.builder(WithResult.class)
                .chatModel(model)
                .aiService(service -> service.contentRetriever(retriever))
                .tools(tools)
                .build();
        agent.send("t", "Go");

        RunResult done =
                agent.resume("t", agent.pending("t").get(0).asApproval().approve());

        Result<?> result = (Result<?>) ((RunResult.Completed) done).value();
        Content source = result.sources().get(0);
        assertThat(source.textSegment().text()).isEqualTo("fact 1");
        assertThat(source.textSegment().metadata().toMap())
                .isEqualTo(Map.of("source", "wiki", "page", 7, "id", 1L << 40));
        assertThat(source.metadata()).isEqualTo(Map.of(ContentMetadata.SCORE, 0.75));
    }

    @Test
    void metadataThatALaterVersionOfLangChain4jHasAddedIsLeftOut() {
        Content source = Content.from(TextSegment.from("fact"), Map.of(ContentMetadata.SCORE, 0.75));

        String later = ChatMessageJson.write(source).replace("{\"SCORE\"", "{\"FORETOLD\":1,\"SCORE\"");

        assertThat(later).contains("FORETOLD");
        assertThat(ChatMessageJson.readRetrieved(later)).isEqualTo(source);
    }
}
