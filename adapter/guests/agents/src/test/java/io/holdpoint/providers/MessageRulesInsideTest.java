package io.holdpoint.providers;

import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.Holdpoint;
import io.holdpoint.agents.LocalAgent;
import io.holdpoint.testing.Logs;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every way out of a message leaves a thread that the provider takes, also if an agent works in a tool. */
@Logs({"Run * on thread * failed", "Tool '*' execution failed"})
class MessageRulesInsideTest {

    static Stream<Arguments> conversations() {
        return Stream.of(new OpenAi(), new Anthropic(), new Gemini(), new Mistral(), new Ollama())
                .flatMap(provider -> Stream.of(true, false).map(streaming -> Arguments.of(provider, streaming)));
    }

    @ParameterizedTest(name = "{0}, streaming {1}")
    @MethodSource("conversations")
    void theThreadGoesOn(Provider provider, boolean streaming) {
        try (ProviderServer outer = new ProviderServer(provider);
                ProviderServer inner = new ProviderServer(provider)) {
            try (Talk talk = held(outer, inner, streaming)) {
                talk.serverOfClerk().says("Paid.");
                talk.server.says("The clerk has paid.");
                talk.answered(talk.approval(0).approve());
                assertThat(talk.serverOfClerk().broken()).isEmpty();
                talk.goesOn();
            }
            try (Talk talk = held(outer, inner, streaming)) {
                talk.agent().cancel(THREAD);
                assertThat(talk.serverOfClerk().broken()).isEmpty();
                talk.goesOn();
            }
        }
    }

    private static Talk held(ProviderServer outer, ProviderServer inner, boolean streaming) {
        Talk talk = new Talk(outer, inner, streaming);
        Holdpoint clerk = talk.clerk();
        talk.by(builder -> builder.name("boss").toolProviders(LocalAgent.of("clerk", "Pays", clerk)));
        talk.serverOfClerk().calls("pay", "{\"amount\":5}");
        talk.server.calls("clerk", "{\"task\":\"Pay\"}");
        return talk.held();
    }
}
