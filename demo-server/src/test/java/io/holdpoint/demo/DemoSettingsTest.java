package io.holdpoint.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class DemoSettingsTest {

    @Test
    void anEmptyEnvironmentGivesTheLoopbackAddressAndTheScriptedModel() {
        DemoSettings settings = DemoSettings.read(Map.of("OPENAI_API_KEY", " "));

        assertThat(settings.host()).isEqualTo("127.0.0.1");
        assertThat(settings.port()).isEqualTo(8080);
        assertThat(settings.openAi()).isEmpty();
    }

    @Test
    void aKeySwitchesToTheHostedModelAndIsNeverShown() {
        DemoSettings settings = DemoSettings.read(
                Map.of("OPENAI_API_KEY", "secret", "OPENAI_BASE_URL", "http://localhost:1/v1", "OPENAI_MODEL", "m"));

        assertThat(settings.openAi()).hasValueSatisfying(model -> {
            assertThat(model.apiKey()).isEqualTo("secret");
            assertThat(model).hasToString("m at http://localhost:1/v1");
        });
    }

    @Test
    void aPortThatIsNoneIsRefusedByName() {
        for (String port : new String[] {"http", "-1", "65536", "8080x"}) {
            assertThatThrownBy(() -> DemoSettings.read(Map.of("PORT", port)))
                    .hasMessageContaining("PORT")
                    .hasMessageContaining(port);
        }
    }
}
