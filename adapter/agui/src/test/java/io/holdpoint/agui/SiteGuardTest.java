package io.holdpoint.agui;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages of other sites stay outside, and everybody else gets in. */
class SiteGuardTest {

    private static final String OURS = "127.0.0.1:8080";

    private final SiteGuard guard = new SiteGuard(List.of("Agent.Example", "proxy.example:8443"), "hosts(\"%s\")");

    private Optional<String> fromOrigin(String host, String origin) {
        return guard.refuseOrigin(host, Optional.of(origin), Optional.empty(), false);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "localhost:8080",
                "LOCALHOST.:8080",
                "app.localhost",
                "127.0.0.1",
                "127.1.2.3:80",
                "[::1]",
                "[0:0:0:0:0:0:0:1]:8080",
                "[::ffff:127.0.0.1]:8080",
                "agent.example",
                "agent.example:9999",
                "agent.example.",
                "proxy.example:8443",
                "192.168.1.5:8080",
                "[FE80::7]:8080",
                "box"
            })
    void aNameOfTheServerIsTaken(String host) {
        assertThat(guard.refuseHost(host, "192.168.1.5", "fe80:0:0:0:0:0:0:7%eth0", null, "box"))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example",
                "evil.example:8080",
                "localhost.evil.example",
                "notlocalhost",
                "127.0.0.1.evil.example",
                "192.168.1.6",
                "[::2]",
                "[::1].evil.example",
                "[evil.example]",
                "proxy.example",
                "agent.example.evil.example",
                "",
                "*"
            })
    void anyOtherNameIsNotAndTheMessageSaysWhatToConfigure(String host) {
        assertThat(guard.refuseHost(host, "192.168.1.5", null))
                .hasValueSatisfying(why -> assertThat(why).contains("hosts("));
        assertThat(new SiteGuard(List.of("*"), "").refuseHost(host)).isEmpty();
    }

    @Test
    void theMessageNamesTheHost() {
        assertThat(guard.refuseHost("evil.example:8080").orElseThrow())
                .contains("\"evil.example:8080\"", "hosts(\"evil.example\")");
    }

    @ParameterizedTest
    @CsvSource({
        "localhost:8080, http://localhost:8080",
        "agent.example, https://agent.example",
        "127.0.0.1:8080, https://agent.example",
        "127.0.0.1:8080, https://agent.example:444",
        "127.0.0.1:8080, https://proxy.example:8443",
        "[::1]:8080, http://[::1]:8080",
    })
    void thePageOfTheServerItselfIsTaken(String host, String origin) {
        assertThat(fromOrigin(host, origin)).isEmpty();
        assertThat(guard.refuseOrigin(host, Optional.of(origin), Optional.of("same-origin"), false))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://evil.example",
                "null",
                "",
                "http://127.0.0.1",
                "http://localhost:8080",
                "http://127.0.0.1:8081",
                "https://proxy.example",
                "file://",
                "http://127.0.0.1:8080.evil.example"
            })
    void anyOtherPageIsNotUnlessCorsAllowsIt(String origin) {
        assertThat(fromOrigin(OURS, origin))
                .hasValueSatisfying(why -> assertThat(why).contains("CORS", "hosts("));
        assertThat(guard.refuseOrigin(OURS, Optional.of(origin), Optional.of("cross-site"), true))
                .isEmpty();
    }

    @Test
    void aBrowserThatSaysCrossSiteWithoutAnOriginIsNotTaken() {
        assertThat(guard.refuseOrigin(OURS, Optional.empty(), Optional.of("cross-site"), false))
                .isPresent();
        for (String site : List.of("none", "same-site", "same-origin")) {
            assertThat(guard.refuseOrigin(OURS, Optional.empty(), Optional.of(site), false))
                    .isEmpty();
        }
        assertThat(guard.refuseOrigin(OURS, Optional.empty(), Optional.empty(), false))
                .isEmpty();
    }
}
