package io.holdpoint.javalin;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Bench;
import io.javalin.Javalin;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code GET <agent>/card.js}: the custom element, for everybody. */
class CardRouteTest {

    private final Javalin server = Javalin.create(config -> {
                config.startup.showJavalinBanner = false;
                config.registerPlugin(new AgUiPlugin(agui -> agui.agent(Holdpoint.builder(Bench.Assistant.class)
                                .streamingChatModel(new ScriptedModel())
                                .build())
                        .authenticator(Authenticator.bearerTokens(Map.of("a", Caller.of("ada"))))));
            })
            .start("127.0.0.1", 0);

    @AfterEach
    void stop() {
        server.stop();
    }

    private HttpResponse<String> get(String... headers) throws Exception {
        return getFrom("/agent/card.js", headers);
    }

    private HttpResponse<String> getFrom(String path, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path));
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
    }

    @Test
    void theCardIsOneModuleWithoutImportsForWhoeverHasNotSignedIn() throws Exception {
        HttpResponse<String> card = get();

        assertThat(card.statusCode()).isEqualTo(200);
        assertThat(card.headers().firstValue("Content-Type")).hasValue("text/javascript;charset=utf-8");
        assertThat(card.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
        assertThat(card.body())
                .contains("customElements.define('holdpoint-card'", "Waiting for you")
                .doesNotContainPattern("(?m)^import ");
    }

    /** It is compressed by whatever is in front; a new bound is a decision. */
    @Test
    void theCardIsSmallAndWithoutComments() throws Exception {
        assertThat(compressed(get().body())).isLessThan(30_000);
        assertThat(get().body()).doesNotContainPattern("(?m)^ *(/\\*|//)");
    }

    private static int compressed(String text) throws Exception {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(compressed)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return compressed.size();
    }

    /** The card asks for one when it is to speak it. */
    @ParameterizedTest
    @ValueSource(strings = {"de", "fr", "es", "ar"})
    void aLanguageIsAFileOfItsOwn(String language) throws Exception {
        HttpResponse<String> texts = getFrom("/agent/card.js?lang=" + language);

        assertThat(get().body()).contains("'?lang=" + language + "'").doesNotContain("Freigeben");
        assertThat(texts.body()).startsWith("export default{'");
        assertThat(compressed(texts.body())).isLessThan(6_000);
        assertThat(texts.headers().firstValue("ETag"))
                .isNotEqualTo(get().headers().firstValue("ETag"));
        assertThat(getFrom("/agent/card.js?lang=../kit").body()).isEqualTo("export default {};");
    }

    /** {@code <holdpoint-cards>} and {@code <holdpoint-call>}, which take what they need from the card. */
    @Test
    void whatIsForSeveralIsAPartOfItsOwn() throws Exception {
        String part = getFrom("/agent/card.js?part=cards").body();

        assertThat(part).contains("'holdpoint-cards'", "'holdpoint-call'", "from'./card.js';export*from'./card.js';");
        assertThat(get().body()).doesNotContain("'holdpoint-cards'");
        assertThat(compressed(part)).isLessThan(6_000);
    }

    @Test
    void aBrowserThatHasTheCardGetsItOnlyIfItHasChanged() throws Exception {
        String tag = get().headers().firstValue("ETag").orElseThrow();

        assertThat(get("If-None-Match", tag).statusCode()).isEqualTo(304);
        assertThat(get("If-None-Match", "\"older\"").statusCode()).isEqualTo(200);
    }
}
