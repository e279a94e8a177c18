package io.holdpoint.wire;

import static io.holdpoint.testing.Bench.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.data.message.AudioContent;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.ContentType;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.data.message.PdfFileContent;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.data.message.VideoContent;
import dev.langchain4j.data.pdf.PdfFile;
import io.holdpoint.InputMedia;
import io.holdpoint.agui.ContentPart;
import io.holdpoint.agui.ContentPart.Media;
import io.holdpoint.agui.FreeEvent;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.PartSource;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.RecordingSink;
import io.holdpoint.testing.Unchecked;
import java.io.IOException;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the model gets of a user message that is more than text. */
@Logs({"Could not decide whether a URL", "Run * on thread * failed", "The model does not get part"})
class UserMediaTest {

    private static final String BYTES = "iVBORw0KGgo=";
    private static final String URL = "https://example.com/a";

    private final Bench bench = new Bench();

    private static ContentPart.Text text(String text) {
        return new ContentPart.Text(text);
    }

    private static PartSource data(String mimeType) {
        return new PartSource.Data(BYTES, mimeType);
    }

    private static PartSource url(String url) {
        return new PartSource.Url(url, null);
    }

    private static ContentPart.Binary binary(String mimeType, String url, String data) {
        return new ContentPart.Binary(mimeType, "id", url, data, "name");
    }

    private static Message.User parts(ContentPart... parts) {
        return new Message.User("u1", new MessageContent.Parts(Arrays.asList(parts)));
    }

    private static List<Content> asked(Bench bench) {
        return last(bench.model.lastMessages()).contents();
    }

    private static UserMessage last(List<ChatMessage> messages) {
        return UserMessage.findLast(messages).orElseThrow();
    }

    private List<Content> taken(ContentPart... parts) {
        bench.model.says("I see.");
        RecordingSink sink = bench.run(bench.input(parts(parts)));
        assertThat(sink.all(FreeEvent.Custom.class)).isEmpty();
        return asked(bench);
    }

    private static String skipped(Bench bench, ContentPart... parts) {
        bench.model.says("I see.");
        RecordingSink sink = bench.run(bench.input(parts(parts)));
        assertThat(sink.text()).isEqualTo("I see.");
        assertThat(sink.all(FreeEvent.Custom.class)).hasSize(1);
        FreeEvent.Custom event = sink.all(FreeEvent.Custom.class).get(0);
        assertThat(event.name()).isEqualTo("holdpoint:content_skipped");
        return event.value().toString();
    }

    @Test
    void mediaAreHandedOnInTheirOrder() {
        assertThat(taken(
                        text("Compare"),
                        new Media(Media.Kind.IMAGE, data("image/png")),
                        new Media(Media.Kind.AUDIO, data("audio/wav")),
                        new Media(Media.Kind.VIDEO, data("video/mp4")),
                        new Media(Media.Kind.DOCUMENT, data("application/pdf")),
                        text("please")))
                .containsExactly(
                        TextContent.from("Compare"),
                        ImageContent.from(BYTES, "image/png", ImageContent.DetailLevel.AUTO),
                        AudioContent.from(BYTES, "audio/wav"),
                        VideoContent.from(BYTES, "video/mp4"),
                        PdfFileContent.from(BYTES, "application/pdf"),
                        TextContent.from("please"));
    }

    @Test
    void mediaBehindUrlsAreNotFetchedHere() {
        assertThat(taken(
                        new Media(Media.Kind.IMAGE, url(URL)),
                        new Media(Media.Kind.AUDIO, url(URL)),
                        new Media(Media.Kind.VIDEO, url(URL)),
                        new Media(Media.Kind.DOCUMENT, url(URL))))
                .containsExactly(
                        ImageContent.from(URL, ImageContent.DetailLevel.AUTO),
                        AudioContent.from(URL),
                        VideoContent.from(URL),
                        PdfFileContent.from(PdfFile.builder()
                                .url(URI.create(URL))
                                .mimeType("application/pdf")
                                .build()));
    }

    @Test
    void binaryPartsOfOlderClientsAreToldApartByTheirMimeType() {
        assertThat(taken(
                        binary("image/png", null, BYTES),
                        binary("audio/wav", null, BYTES),
                        binary("video/mp4", null, BYTES),
                        binary("application/pdf", null, BYTES),
                        binary("image/jpeg", URL, null)))
                .extracting(Content::type)
                .containsExactly(
                        ContentType.IMAGE, ContentType.AUDIO, ContentType.VIDEO, ContentType.PDF, ContentType.IMAGE);
    }

    @Test
    void aDataUrlIsData() {
        assertThat(taken(new Media(Media.Kind.IMAGE, url("data:image/png;base64," + BYTES))))
                .containsExactly(ImageContent.from(BYTES, "image/png", ImageContent.DetailLevel.AUTO));
    }

    @Test
    void theTranscriptKeepsTheMessageAsItCame() {
        ContentPart file = new Media(Media.Kind.IMAGE, new PartSource.File("file-1", "openai", null));
        Message.User message = parts(text("See"), new Media(Media.Kind.IMAGE, data("image/png")), file);
        bench.model.says("I see.");

        bench.run(bench.input(message));

        assertThat(bench.transcript().get(0)).isEqualTo(message);
    }

    @Test
    void whatCannotBeExpressedIsSkippedAndTheClientIsTold() {
        String told = skipped(
                bench,
                text("See"),
                new Media(Media.Kind.IMAGE, new PartSource.File("file-1", "openai", "image/png")),
                binary("image/png", null, null),
                binary("application/zip", null, BYTES),
                new Media(Media.Kind.DOCUMENT, data("text/html")),
                new Media(Media.Kind.IMAGE, new PartSource.Data("not Base64!", "image/png")),
                new Media(Media.Kind.IMAGE, new PartSource.Data(BYTES, "image")),
                new Media(Media.Kind.IMAGE, url("file:///etc/passwd")),
                new Media(Media.Kind.IMAGE, url("/etc/passwd")),
                new Media(Media.Kind.IMAGE, url("http://")));

        assertThat(asked(bench)).containsExactly(TextContent.from("See"));
        assertThat(told)
                .contains("\"messageId\":\"u1\"", "\"index\":1", "\"index\":9", "\"type\":\"binary\"")
                .contains("at a provider already", "not Base64", "http or https", "its mimeType is none")
                .doesNotContain("passwd");
    }

    @Test
    void whatTheModelDoesNotTakeIsSkipped() {
        Bench images = new Bench(builder -> builder.client(client -> client.inputMedia(
                InputMedia.of(ContentType.IMAGE).urls(url -> "cdn.example.com".equals(url.getHost())))));

        String told = skipped(
                images,
                new Media(Media.Kind.IMAGE, data("image/png")),
                new Media(Media.Kind.IMAGE, url("https://cdn.example.com/a.png")),
                new Media(Media.Kind.IMAGE, url("https://10.0.0.1/secret")),
                new Media(Media.Kind.VIDEO, data("video/mp4")));

        assertThat(asked(images)).extracting(Content::type).containsExactly(ContentType.IMAGE, ContentType.IMAGE);
        assertThat(told).contains("the model does not take VIDEO", "its URL is not accepted");
        assertThat(images.agent().capabilities().multimodal().input()).satisfies(input -> {
            assertThat(input.image()).isTrue();
            assertThat(input.video()).isFalse();
        });
    }

    @Test
    void aMessageOfWhichNothingIsLeftSaysSo() {
        skipped(
                new Bench(builder -> builder.client(client -> client.inputMedia(InputMedia.NONE))),
                new Media(Media.Kind.IMAGE, data("image/png")));
        skipped(bench, new Media(Media.Kind.IMAGE, url("ftp://example.com/a.png")));

        assertThat(asked(bench)).singleElement().isInstanceOfSatisfying(TextContent.class, text -> assertThat(
                        text.text())
                .contains("image"));
    }

    static Stream<Throwable> failures() {
        return Stream.of(new IllegalStateException("gone"), new IOException("gone"), new NoClassDefFoundError("gone"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void aPredicateThatFailsAcceptsNothing(Throwable failure) {
        Bench failing = new Bench(builder -> builder.client(client -> client.inputMedia(InputMedia.ALL.urls(url -> {
            throw Unchecked.<RuntimeException>of(failure);
        }))));

        assertThat(skipped(failing, text("See"), new Media(Media.Kind.IMAGE, url(URL))))
                .contains("not accepted");
    }

    @Test
    void aThreadIsSeededWithMedia() {
        bench.model.says("Both are cats.");
        bench.run(bench.input(
                parts(text("First"), new Media(Media.Kind.IMAGE, data("image/png"))),
                new Message.Assistant("a1", "A cat.", List.of()),
                user("u2", "And the second?")));

        assertThat(bench.model.lastMessages().get(0))
                .isEqualTo(UserMessage.from(
                        TextContent.from("First"),
                        ImageContent.from(BYTES, "image/png", ImageContent.DetailLevel.AUTO)));
    }

    @Test
    void aPictureThatTheProviderRefusesDoesNotBlockTheThread() {
        bench.model.fails(new IllegalArgumentException("image too large")).fails(new IllegalArgumentException("again"));
        Message.User message = parts(text("See"), new Media(Media.Kind.IMAGE, data("image/png")));

        assertThat(bench.run(bench.input(message)).errorCode()).isEqualTo("MODEL_REQUEST_INVALID");
        assertThat(bench.nothingNew().errorCode()).isEqualTo("MODEL_REQUEST_INVALID");
        bench.model.says("Hello.");

        assertThat(bench.run(bench.input(user("u2", "Never mind"))).text()).isEqualTo("Hello.");
        assertThat(bench.memory()).filteredOn(UserMessage.class::isInstance).allSatisfy(each -> assertThat(
                        ((UserMessage) each).contents())
                .allSatisfy(content -> assertThat(content.type()).isEqualTo(ContentType.TEXT)));
        assertThat(bench.transcript().get(0)).isEqualTo(message);
    }
}
