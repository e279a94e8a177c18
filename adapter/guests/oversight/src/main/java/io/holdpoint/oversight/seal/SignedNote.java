package io.holdpoint.oversight.seal;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;

/**
 * A text with signatures, as C2SP's <a href="https://c2sp.org/signed-note">signed notes</a> are written, with Ed25519 keys. Immutable.
 *
 * @param text ends with a line break
 * @param signatures the lines below it, of anybody
 */
public record SignedNote(String text, List<String> signatures) {

    private static final String DASH = "\u2014 ";
    private static final byte ED25519 = 1;
    private static final int RAW = 32;
    private static final byte[] X509 = HexFormat.of().parseHex("302a300506032b6570032100");

    /** Copies the list. */
    public SignedNote {
        signatures = List.copyOf(signatures);
    }

    /**
     * Reads a note.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static SignedNote parse(String note) {
        int end = note.lastIndexOf("\n\n");
        List<String> lines =
                end < 0 ? List.of() : List.of(note.substring(end + 2).split("\n"));
        if (lines.isEmpty()
                || !note.endsWith("\n")
                || !lines.stream().allMatch(line -> line.startsWith(DASH) && line.split(" ").length == 3)) {
            throw new IllegalArgumentException(
                    "not a signed note: expected a text, an empty line, and lines of signatures"
                            + " that begin with a dash (U+2014)");
        }
        return new SignedNote(note.substring(0, end + 1), lines);
    }

    /** The note as it is written. */
    @Override
    public String toString() {
        return text + "\n" + String.join("\n", signatures) + "\n";
    }

    /**
     * Adds a signature: the sealer's, or that of a witness who has verified the trail.
     *
     * @param name of whoever signs, such as {@code example.com/support}: without white space and plus signs
     * @param key an Ed25519 pair; the private one may be a handle of a security module's provider
     * @throws IllegalArgumentException if the name or the key is of another kind
     */
    public SignedNote signedBy(String name, KeyPair key) {
        try {
            Signature signature = Signature.getInstance("Ed25519");
            signature.initSign(key.getPrivate());
            signature.update(text.getBytes(StandardCharsets.UTF_8));
            byte[] signed = concat(id(name, raw(key.getPublic())), signature.sign());
            List<String> all = new ArrayList<>(signatures);
            all.add(DASH + name + " " + Base64.getEncoder().encodeToString(signed));
            return new SignedNote(text, all);
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException(
                    "a checkpoint is signed with an Ed25519 key, not with "
                            + key.getPublic().getAlgorithm(),
                    e);
        }
    }

    /**
     * The public key as verifiers name it: {@code example.com/support+<id>+<key>}.
     *
     * @throws IllegalArgumentException if the name or the key is of another kind
     */
    public static String verifierKey(String name, PublicKey key) {
        byte[] raw = raw(key);
        return name + "+" + HexFormat.of().formatHex(id(name, raw)) + "+"
                + Base64.getEncoder().encodeToString(concat(new byte[] {ED25519}, raw));
    }

    /**
     * Checks whether the holder of a key has signed.
     *
     * @param verifierKey see {@link #verifierKey}
     * @throws IllegalArgumentException if it is none
     */
    public boolean isSignedBy(String verifierKey) {
        byte[] raw = raw(verifierKey);
        String name = verifierKey.split("\\+", 2)[0];
        byte[] id = id(name, raw);
        for (String line : signatures) {
            String[] words = line.split(" ");
            if (words[1].equals(name) && isSignature(words[2], id, raw)) {
                return true;
            }
        }
        return false;
    }

    /** Reads the key of a verifier; an {@link IllegalArgumentException} if it is none. */
    static byte[] raw(String verifierKey) {
        String[] parts = verifierKey.split("\\+", 3);
        try {
            byte[] typed = Base64.getDecoder().decode(parts[parts.length - 1]);
            byte[] raw = Arrays.copyOfRange(typed, 1, typed.length);
            if (parts.length == 3
                    && typed[0] == ED25519
                    && raw.length == RAW
                    && parts[1].equals(HexFormat.of().formatHex(id(parts[0], raw)))) {
                return raw;
            }
        } catch (RuntimeException e) {
            // said below
        }
        throw new IllegalArgumentException(
                "not the key of a verifier, such as example.com/support+1f2e3d4c+AZ...: " + verifierKey);
    }

    private boolean isSignature(String base64, byte[] id, byte[] raw) {
        try {
            byte[] signed = Base64.getDecoder().decode(base64);
            Signature signature = Signature.getInstance("Ed25519");
            signature.initVerify(
                    KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(concat(X509, raw))));
            signature.update(text.getBytes(StandardCharsets.UTF_8));
            return signed.length > id.length
                    && Base64.getEncoder().encodeToString(signed).equals(base64)
                    && Arrays.equals(id, Arrays.copyOf(signed, id.length))
                    && signature.verify(signed, id.length, signed.length - id.length);
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            return false;
        }
    }

    private static byte[] raw(PublicKey key) {
        byte[] encoded = key.getEncoded();
        if (!Arrays.equals(X509, Arrays.copyOf(encoded, X509.length)) || encoded.length != X509.length + RAW) {
            throw new IllegalArgumentException(
                    "a checkpoint is signed with an Ed25519 key, not with " + key.getAlgorithm());
        }
        return Arrays.copyOfRange(encoded, X509.length, encoded.length);
    }

    private static byte[] id(String name, byte[] raw) {
        if (name.isEmpty() || name.contains("+") || name.chars().anyMatch(Character::isWhitespace)) {
            throw new IllegalArgumentException(
                    "the name of a key has no white space and no plus sign, such as example.com/support: " + name);
        }
        byte[] named = concat((name + "\n").getBytes(StandardCharsets.UTF_8), new byte[] {ED25519});
        try {
            return Arrays.copyOf(MessageDigest.getInstance("SHA-256").digest(concat(named, raw)), 4);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }

    private static byte[] concat(byte[] one, byte[] other) {
        ByteArrayOutputStream both = new ByteArrayOutputStream();
        both.writeBytes(one);
        both.writeBytes(other);
        return both.toByteArray();
    }
}
