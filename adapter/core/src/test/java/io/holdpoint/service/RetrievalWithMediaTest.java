package io.holdpoint.service;

import static io.holdpoint.testing.Bench.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.ContentType;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.rag.AugmentationRequest;
import dev.langchain4j.rag.AugmentationResult;
import dev.langchain4j.rag.DefaultRetrievalAugmentor;
import dev.langchain4j.rag.RetrievalAugmentor;
import dev.langchain4j.rag.content.retriever.ContentRetriever;
import dev.langchain4j.rag.query.transformer.CompressingQueryTransformer;
import io.holdpoint.agui.ContentPart;
import io.holdpoint.agui.ContentPart.Media;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.PartSource;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Bench;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** LangChain4j's retrieval takes one text; what comes in may be more. */
class RetrievalWithMediaTest {

    private static final ContentPart IMAGE =
            new Media(Media.Kind.IMAGE, new PartSource.Data("iVBORw0KGgo=", "image/png"));

    private final List<String> queries = new CopyOnWriteArrayList<>();
    private final ContentRetriever retriever = query -> {
        queries.add(query.text());
        return List.of(dev.langchain4j.rag.content.Content.from(TextSegment.from("fact")));
    };

    private static Message.User parts(ContentPart... parts) {
        return new Message.User("u1", new MessageContent.Parts(List.of(parts)));
    }

    private static List<Content> asked(Bench bench) {
        return UserMessage.findLast(bench.model.lastMessages()).orElseThrow().contents();
    }

    @Test
    void theTextIsSearchedWithAndThePictureStays() {
        Bench bench = new Bench(builder -> builder.aiService(service -> service.contentRetriever(retriever)));
        bench.model.says("A cat.");

        bench.run(bench.input(parts(new ContentPart.Text("What"), IMAGE, new ContentPart.Text("is it?"))));

        assertThat(queries).containsExactly("What\nis it?");
        assertThat(asked(bench)).hasSize(2);
        assertThat(((TextContent) asked(bench).get(0)).text()).contains("What\nis it?", "fact");
        assertThat(asked(bench).get(1).type()).isEqualTo(ContentType.IMAGE);
    }

    @Test
    void nothingIsSearchedWithoutWords() {
        Bench bench = new Bench(builder -> builder.aiService(service -> service.contentRetriever(retriever)));
        bench.model.says("A cat.");

        assertThat(bench.run(bench.input(parts(IMAGE))).text()).isEqualTo("A cat.");
        assertThat(queries).isEmpty();
    }

    @Test
    void aPictureInTheMemoryDoesNotBreakLaterQueries() {
        ScriptedModel compressing = new ScriptedModel().says("cats");
        RetrievalAugmentor augmentor = DefaultRetrievalAugmentor.builder()
                .queryTransformer(new CompressingQueryTransformer(compressing))
                .contentRetriever(retriever)
                .build();
        Bench bench = new Bench(builder -> builder.aiService(service -> service.retrievalAugmentor(augmentor)));
        bench.model.says("A cat.").says("Cats sleep.");

        bench.run(bench.input(parts(new ContentPart.Text("What is it?"), IMAGE)));

        assertThat(bench.run(bench.input(user("u2", "Tell me more"))).text()).isEqualTo("Cats sleep.");
        assertThat(queries).containsExactly("What is it?", "cats");
    }

    @Test
    void anAugmentorOfTheApplicationGetsTheMessageAsItIs() {
        List<Content> seen = new CopyOnWriteArrayList<>();
        RetrievalAugmentor own = new RetrievalAugmentor() {
            @Override
            public AugmentationResult augment(AugmentationRequest request) {
                seen.addAll(((UserMessage) request.chatMessage()).contents());
                return new AugmentationResult(request.chatMessage(), List.of());
            }
        };
        Bench bench = new Bench(builder -> builder.aiService(service -> service.retrievalAugmentor(own)));
        bench.model.says("A cat.");

        bench.run(bench.input(parts(new ContentPart.Text("What is it?"), IMAGE)));

        assertThat(seen).extracting(Content::type).containsExactly(ContentType.TEXT, ContentType.IMAGE);
    }
}
