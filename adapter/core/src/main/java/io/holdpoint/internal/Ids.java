package io.holdpoint.internal;

import java.security.SecureRandom;
import java.util.HexFormat;

/** New identifiers. All are opaque and carry 122 random bits or more, except those of tool calls. */
public final class Ids {

    private static final HexFormat HEX = HexFormat.of();
    private static final String LETTERS_AND_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    private static final int TOOL_CALL_LENGTH = 9;
    private static final SecureRandom RANDOM = new SecureRandom();

    private Ids() {}

    /** An interrupt's id, which is a capability of sorts: 244 random bits. */
    public static String interrupt() {
        return id("int_", 2);
    }

    /**
     * A tool call's id, for a model that gave none or one that is taken: nine letters and digits, which every provider takes. Mistral takes
     * nothing else. They are few enough to meet again, so whoever uses one sees to it that the thread has no other call of that id.
     */
    public static String toolCall() {
        StringBuilder id = new StringBuilder(TOOL_CALL_LENGTH);
        for (int i = 0; i < TOOL_CALL_LENGTH; i++) {
            id.append(LETTERS_AND_DIGITS.charAt(RANDOM.nextInt(LETTERS_AND_DIGITS.length())));
        }
        return id.toString();
    }

    public static String message() {
        return id("msg_", 1);
    }

    public static String batch() {
        return id("batch_", 1);
    }

    public static String grant() {
        return id("grant_", 1);
    }

    /** A run's id, for runs that are not started over AG-UI. */
    public static String run() {
        return id("run_", 1);
    }

    private static String id(String prefix, int uuids) {
        byte[] random = new byte[16 * uuids];
        RANDOM.nextBytes(random);
        return prefix.concat(HEX.formatHex(random));
    }
}
