package io.holdpoint.reach;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.holdpoint.agui.AguiCodec;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import javax.crypto.Mac;

/**
 * Links that carry what they say, and its HMAC-SHA256: {@code <key id>.<what it says>.<HMAC>}, all in URL-safe letters. Immutable, and
 * thread-safe if its functions are.
 */
public final class SignedLinks implements Links {

    static final String ALGORITHM = "HmacSHA256";

    private final String base;
    private final Key first;
    private final Map<String, Key> keys;
    private final Function<Link, Optional<URI>> pages;

    private SignedLinks(String base, Key first, Map<String, Key> keys, Function<Link, Optional<URI>> pages) {
        this.base = base;
        this.first = first;
        this.keys = keys;
        this.pages = pages;
    }

    static SignedLinks of(URI baseUri, Key... keys) {
        if (!baseUri.isAbsolute() || baseUri.getRawAuthority() == null) {
            throw new IllegalArgumentException(
                    "baseUri must be absolute, such as https://agents.example.com/agent: " + baseUri);
        }
        if (baseUri.getRawQuery() != null || baseUri.getRawFragment() != null) {
            throw new IllegalArgumentException(
                    "baseUri must end with its path, because links go on from there: " + baseUri);
        }
        Map<String, Key> byId = new LinkedHashMap<>();
        for (Key key : keys) {
            if (byId.put(key.id(), key) != null) {
                throw new IllegalArgumentException("Two keys have the id \"" + key.id() + "\": give each its own.");
            }
        }
        if (byId.isEmpty()) {
            throw new IllegalArgumentException("Links need a key: Links.Key.of(id, secret).");
        }
        String base = baseUri.toString().replaceFirst("/+$", "") + "/links/";
        return new SignedLinks(base, keys[0], byId, link -> Optional.empty());
    }

    /**
     * Leads people who have to sign in to the application's own page, whose address the function gives for a link, see
     * {@link Links#page}.
     */
    public SignedLinks page(Function<Link, URI> page) {
        return new SignedLinks(base, first, keys, link -> Optional.of(page.apply(link)));
    }

    @Override
    public URI address(Link link) {
        String json = AguiCodec.mapper()
                .createArrayNode()
                .add(link.threadId())
                .add(link.interruptId())
                .add(link.person())
                .add(link.shown())
                .add(link.end().getEpochSecond())
                .toString();
        String signed = first.id() + "." + text(json.getBytes(StandardCharsets.UTF_8));
        return URI.create(base + signed + "." + hmac(first, signed));
    }

    /** Compares the texts, not what they stand for: one text is the only one for a link. */
    @Override
    public Link read(String token) {
        String[] parts = token.split("\\.", -1);
        Key key = parts.length == 3 ? keys.get(parts[0]) : null;
        if (key == null) {
            throw invalid();
        }
        byte[] expected = hmac(key, parts[0] + "." + parts[1]).getBytes(StandardCharsets.UTF_8);
        if (!MessageDigest.isEqual(expected, parts[2].getBytes(StandardCharsets.UTF_8))) {
            throw invalid();
        }
        try {
            JsonNode says = AguiCodec.mapper()
                    .readTree(new String(Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8));
            return new Link(
                    says.path(0).asText(),
                    says.path(1).asText(),
                    says.path(2).asText(),
                    says.path(3).asText(),
                    Instant.ofEpochSecond(says.path(4).asLong()));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("A key of links has signed something else", e);
        }
    }

    /** The same for all, so that nobody learns which keys and agents there are. */
    private static IllegalArgumentException invalid() {
        return new IllegalArgumentException(LinkView.invalid().sentence());
    }

    @Override
    public Optional<URI> page(Link link) {
        return pages.apply(link);
    }

    private static String hmac(Key key, String signed) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key.secret());
            return text(mac.doFinal(("holdpoint-link:" + signed).getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("The key \"" + key.id() + "\" cannot sign links", e);
        }
    }

    private static String text(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
