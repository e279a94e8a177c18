package io.holdpoint.providers;

import io.holdpoint.testing.Logs;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every way out of a message with tool calls leaves a thread that the provider takes: on LangChain4j's modules for OpenAI,
 * Anthropic, Gemini, Mistral and Ollama, blocking and streaming, against servers that refuse what the providers refuse.
 */
@Logs({
    "Run * on thread * failed",
    "Tool '*' execution failed",
    "A call of the tool * was refused to the model because of its arguments"
})
class MessageRulesTest {

    private static final Map<Provider, List<ProviderServer>> SERVERS = new HashMap<>();

    @AfterAll
    static void close() {
        SERVERS.values().forEach(servers -> servers.forEach(ProviderServer::close));
    }

    private static final List<Provider> PROVIDERS =
            List.of(new OpenAi(), new Anthropic(), new Gemini(), new Mistral(), new Ollama());

    /** Each way with each provider, one with streams, the next without. */
    static List<Arguments> conversations() {
        return conversations(0);
    }

    /** The other half. */
    static List<Arguments> otherConversations() {
        return conversations(1);
    }

    private static List<Arguments> conversations(int half) {
        List<Arguments> all = new ArrayList<>();
        for (Provider provider : PROVIDERS) {
            for (WayOut way : WayOut.values()) {
                boolean streaming = (way.ordinal() + PROVIDERS.indexOf(provider)) % 2 == half;
                all.add(Arguments.of(provider, streaming, way));
            }
        }
        return all;
    }

    @Tag("deep")
    @ParameterizedTest(name = "{0}, streaming {1}: {2}")
    @MethodSource("otherConversations")
    void theThreadGoesOnTheOtherWay(Provider provider, boolean streaming, WayOut way) {
        theThreadGoesOn(provider, streaming, way);
    }

    @ParameterizedTest(name = "{0}, streaming {1}: {2}")
    @MethodSource("conversations")
    void theThreadGoesOn(Provider provider, boolean streaming, WayOut way) {
        List<ProviderServer> servers = SERVERS.computeIfAbsent(
                provider, asked -> List.of(new ProviderServer(asked), new ProviderServer(asked)));
        try (Talk talk = new Talk(servers.get(0), servers.get(1), streaming)) {
            way.take(talk);

            talk.goesOn();
        }
    }
}
