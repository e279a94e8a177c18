package io.holdpoint.reach;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdpoint.reach.Links.Key;
import io.holdpoint.reach.Links.Link;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LowerChars;
import net.jqwik.api.constraints.NumericChars;
import net.jqwik.api.constraints.UpperChars;
import org.junit.jupiter.api.Test;

/** What a link says can neither be changed nor made by somebody without a key. */
class SignedLinksTest {

    private static final URI BASE = URI.create("https://agents.example.com/agent/");
    private static final Key OLD = Key.of("2025", secret(1));
    private static final Key NEW = Key.of("2026", secret(2));
    private static final Link LINK =
            new Link("t:1/ü", "int-1", "grace@example.com", "0123", Instant.parse("2026-02-01T00:00:00Z"));

    private final SignedLinks links = Links.signed(BASE, NEW, OLD);

    private static byte[] secret(int seed) {
        byte[] secret = new byte[32];
        Arrays.fill(secret, (byte) seed);
        return secret;
    }

    private static String token(URI address) {
        return address.toString().substring(BASE.toString().length() + "links/".length());
    }

    private static void refuses(Links reader, String token, String why) {
        assertThatThrownBy(() -> reader.read(token))
                .as(token)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why);
    }

    @Test
    void whatWasSignedReadsBackAndStandsInAPathAsItIs() {
        URI address = links.address(LINK);

        assertThat(address.toString()).startsWith("https://agents.example.com/agent/links/2026.");
        assertThat(token(address)).matches("[A-Za-z0-9._-]+");
        assertThat(links.read(token(address))).isEqualTo(LINK);
    }

    @Test
    void theFirstKeySignsAllVerifyAndOneThatIsRotatedAwayDoesNot() {
        String before = token(Links.signed(BASE, OLD).address(LINK));

        assertThat(links.read(before)).isEqualTo(LINK);
        assertThat(token(links.address(LINK))).startsWith("2026.");
        refuses(Links.signed(BASE, NEW), before, "its key is no longer in use");
    }

    @Test
    void aKeyOfTheSameIdWithAnotherSecretSignsNothing() {
        refuses(links, token(Links.signed(BASE, Key.of("2026", secret(3))).address(LINK)), "not valid");
    }

    @Property(tries = 500)
    void anyChangedByteIsRefused(
            @ForAll @IntRange(max = 10_000) int at,
            @ForAll @LowerChars @UpperChars @NumericChars @CharRange(from = '-', to = '.') char to) {
        String token = token(links.address(LINK));
        int place = at % token.length();
        String changed = token.substring(0, place) + to + token.substring(place + 1);

        if (!changed.equals(token)) {
            assertThatThrownBy(() -> links.read(changed)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void everyCutIsRefusedAndWhateverIsNoLink() {
        String token = token(links.address(LINK));
        for (int length = 0; length < token.length(); length++) {
            refuses(links, token.substring(0, length), "");
            refuses(links, token.substring(length + 1), "");
        }
        refuses(links, token + ".", "not valid");
        refuses(links, token + "=", "not valid");
        refuses(links, "..", "");
        refuses(links, "2026.W10.", "not valid");
    }

    @Test
    void aSecretThatIsShortAndKeysThatCannotBeToldApartAreRefused() {
        assertThatThrownBy(() -> Key.of("k", "too short".getBytes(StandardCharsets.UTF_8)))
                .hasMessage("The key \"k\" has 9 bytes and must have at least 32: take random ones.");
        assertThatThrownBy(() -> Key.of("a.b", secret(1))).hasMessageContaining("\"a.b\"");
        assertThatThrownBy(() -> Links.signed(BASE)).hasMessageContaining("need a key");
        assertThatThrownBy(() -> Links.signed(BASE, OLD, Key.of("2025", secret(2))))
                .hasMessageContaining("\"2025\"");
        assertThatThrownBy(() -> Links.signed(URI.create("/agent"), OLD)).hasMessageContaining("must be absolute");
        for (String end : List.of("?tenant=a", "#questions", "?")) {
            URI base = URI.create("https://agents.example.com/agent" + end);
            assertThatThrownBy(() -> Links.signed(base, OLD)).hasMessageContaining("must end with its path");
        }
        assertThat(OLD.toString()).doesNotContain(new String(secret(1), StandardCharsets.ISO_8859_1));
    }
}
