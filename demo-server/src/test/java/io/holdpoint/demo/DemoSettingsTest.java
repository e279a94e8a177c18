package io.holdpoint.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdpoint.javalin.Authenticator;
import java.time.Duration;
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

    @Test
    void theAddressOfAModelIsAnAddress() {
        Map<String, String> right = Map.of("OPENAI_API_KEY", "key", "OPENAI_BASE_URL", "http://127.0.0.1:11434/v1");
        Map<String, String> wrong = Map.of("OPENAI_API_KEY", "key", "OPENAI_BASE_URL", "localhost:11434");

        assertThat(DemoSettings.read(right).openAi().orElseThrow().baseUrl()).contains("http://127.0.0.1:11434/v1");
        assertThatThrownBy(() -> DemoSettings.read(wrong))
                .hasMessageContaining("OPENAI_BASE_URL must be like https://api.openai.com/v1");
    }

    @Test
    void peopleHaveTheRolesAfterTheirNames() {
        assertThat(DemoSettings.read(Map.of("BEARER_TOKENS", "ada=a,grace:approver=b"))
                        .reviewed())
                .isTrue();
        assertThat(DemoSettings.read(Map.of("BEARER_TOKENS", "ada=a,grace:boss=b"))
                        .reviewed())
                .isFalse();
    }

    @Test
    void howLongRunsMayGoOnIsANumberOfSeconds() {
        assertThat(DemoSettings.read(Map.of()).grace()).isEqualTo(Duration.ofSeconds(10));
        assertThat(DemoSettings.read(Map.of()).undo()).hasSeconds(5);
        assertThat(DemoSettings.read(Map.of("UNDO_SECONDS", "0")).undo()).isZero();
        assertThat(DemoSettings.read(Map.of("SHUTDOWN_GRACE", "0")).grace()).isZero();
        assertThatThrownBy(() -> DemoSettings.read(Map.of("SHUTDOWN_GRACE", "soon")))
                .hasMessageContaining("SHUTDOWN_GRACE")
                .hasMessageContaining("soon");
    }

    @Test
    void theDatabaseIsAFileBelowTheWorkingDirectoryUnlessSaidOtherwise() {
        DemoSettings.Database database = DemoSettings.read(Map.of()).database();

        assertThat(database.url()).isEqualTo("jdbc:sqlite:.holdpoint/demo.db");
        assertThat(database.user()).isEmpty();
        assertThat(database.password()).isEmpty();
    }

    @Test
    void passwordsOfTheDatabaseAreNeverShown() {
        for (String url : new String[] {
            "jdbc:postgresql://db/demo?user=ada&password=secret",
            "jdbc:postgresql://ada:secret@db/demo",
            "jdbc:sqlite:demo?password=secret"
        }) {
            DemoSettings.Database database = DemoSettings.read(
                            Map.of("JDBC_URL", url, "JDBC_USER", "ada", "JDBC_PASSWORD", "secret"))
                    .database();

            assertThat(database.url()).isEqualTo(url);
            assertThat(database.user()).contains("ada");
            assertThat(database.password()).contains("secret");
            assertThat(database.toString()).startsWith("jdbc:").contains("demo").doesNotContain("secret");
        }
    }

    @Test
    void everybodyMayUseTheAgentUnlessThereAreTokens() {
        assertThat(DemoSettings.read(Map.of()).callers()).isSameAs(Authenticator.NONE);
        assertThat(DemoSettings.read(Map.of("BEARER_TOKENS", "ada=secret1, grace=secret2==")))
                .satisfies(settings -> assertThat(settings.callers()).isNotSameAs(Authenticator.NONE))
                .asString()
                .doesNotContain("secret");
    }

    @Test
    void tokensThatAreNoneAreRefusedWithoutShowingThem() {
        for (String tokens : new String[] {
            "secret",
            "ada=secret,",
            "ada=",
            "=secret",
            "ada=sec ret",
            "ada=secret,grace=secret",
            "ada=secret,,b=secret2"
        }) {
            assertThatThrownBy(() -> DemoSettings.read(Map.of("BEARER_TOKENS", tokens)))
                    .as(tokens)
                    .hasMessageContaining("BEARER_TOKENS")
                    .message()
                    .satisfies(
                            message -> assertThat(message.replace("secret1", "").replace("secret2", ""))
                                    .doesNotContain("sec"));
        }
    }

    @Test
    void nobodySignsInWithAReservedId() {
        for (String name : new String[] {"anonymous", "anonymous:approver"}) {
            assertThatThrownBy(() -> DemoSettings.read(Map.of("BEARER_TOKENS", "ada=secret1," + name + "=secret2")))
                    .hasMessageContaining("BEARER_TOKENS")
                    .hasMessageContaining("the id \"anonymous\" is reserved")
                    .message()
                    .doesNotContain("secret1,anon");
        }
    }
}
