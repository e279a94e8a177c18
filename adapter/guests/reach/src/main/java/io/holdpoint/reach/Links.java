package io.holdpoint.reach;

import java.net.URI;
import java.time.Instant;
import java.util.Optional;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * Makes the addresses that people get in a message, each for one person and one question, and reads them when one is opened. Stores
 * nothing: a question is decided once and a voice counts once, so a link is used once. An implementation may leave the signature to a
 * service that keeps the key. Must be thread-safe.
 *
 * <p>Opening a link changes nothing, whoever opens it; only a button that is pressed on its page does. A link leads to the page where
 * its person signs in, unless the policy of the tool says {@code decideByLink}; what the person may do is checked when the button is
 * pressed, with the roles that {@link io.holdpoint.HoldpointBuilder#people} says.
 */
public interface Links {

    /**
     * The content of a link. Immutable.
     *
     * @param person id of the only caller for whom it is
     * @param shown the hash of what the person was shown; the link is stale when the question shows something else
     */
    record Link(String threadId, String interruptId, String person, String shown, Instant end) {}

    /**
     * A key that signs links. Immutable.
     *
     * @param id 1 to 32 letters, digits, {@code -} and {@code _}; stands in the address
     */
    record Key(String id, SecretKey secret) {

        /** Fewest bytes of a secret. */
        public static final int MIN_BYTES = 32;

        /** Checks the id. */
        public Key {
            if (!id.matches("[A-Za-z0-9_-]{1,32}")) {
                throw new IllegalArgumentException(
                        "The id of a key must have 1 to 32 letters, digits, '-' and '_': \"" + id + "\"");
            }
        }

        /**
         * Makes a key for HMAC-SHA256.
         *
         * @param secret at least {@value #MIN_BYTES} random bytes, such as {@code openssl rand 32} gives
         * @throws IllegalArgumentException if it is shorter, or the id is none
         */
        public static Key of(String id, byte[] secret) {
            if (secret.length < MIN_BYTES) {
                throw new IllegalArgumentException("The key \"" + id + "\" has " + secret.length
                        + " bytes and must have at least " + MIN_BYTES + ": take random ones.");
            }
            return new Key(id, new SecretKeySpec(secret, SignedLinks.ALGORITHM));
        }
    }

    /**
     * Signs links with HMAC-SHA256.
     *
     * @param baseUri the agent's address as people reach it, such as {@code https://agents.example.com/agent}
     * @param keys the first one signs, all verify; a new one goes first, and an old one is removed when its links have ended
     * @throws IllegalArgumentException if there is no key, two have one id, or the address is not absolute, or has a query or a
     *     fragment
     */
    static SignedLinks signed(URI baseUri, Key... keys) {
        return SignedLinks.of(baseUri, keys);
    }

    /** Makes the address of a link: its last segment is what {@link #read} gets, in letters that a path takes as they are. */
    URI address(Link link);

    /**
     * Reads the last segment of an address that {@link #address} made.
     *
     * @throws IllegalArgumentException if it is none, or was changed; the message is for the person who has opened it
     */
    Link read(String token);

    /**
     * Finds the application's own page for the question of a link, where its person signs in and decides; by default there is
     * none, and the person is told to sign in and open the link again.
     */
    default Optional<URI> page(Link link) {
        return Optional.empty();
    }
}
