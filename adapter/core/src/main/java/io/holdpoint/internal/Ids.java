package io.holdpoint.internal;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** New identifiers. All are opaque and carry 122 random bits or more. */
public final class Ids {

    /** The digits of a {@code long}. */
    private static final int LONG = 16;

    private Ids() {}

    /** An interrupt's id, which is a capability of sorts: 244 random bits. */
    public static String interrupt() {
        return id("int_", 2);
    }

    /** A tool call's id, for a model that gave none or one that is taken. */
    public static String toolCall() {
        return id("call_", 1);
    }

    /** A message's id. */
    public static String message() {
        return id("msg_", 1);
    }

    /** A batch's id. */
    public static String batch() {
        return id("batch_", 1);
    }

    /** A remembered decision's id. */
    public static String grant() {
        return id("grant_", 1);
    }

    /** A run's id, for runs that are not started over AG-UI. */
    public static String run() {
        return id("run_", 1);
    }

    /** The prefix, and so many UUIDs as hexadecimal digits. */
    private static String id(String prefix, int uuids) {
        byte[] id = new byte[prefix.length() + 2 * LONG * uuids];
        for (int i = 0; i < prefix.length(); i++) {
            id[i] = (byte) prefix.charAt(i);
        }
        for (int i = 0, at = prefix.length(); i < uuids; i++, at += 2 * LONG) {
            UUID random = UUID.randomUUID();
            write(random.getMostSignificantBits(), id, at);
            write(random.getLeastSignificantBits(), id, at + LONG);
        }
        return new String(id, StandardCharsets.ISO_8859_1);
    }

    private static void write(long bits, byte[] to, int from) {
        for (int i = 0; i < LONG; i++) {
            to[from + i] = (byte) Character.forDigit((int) (bits >>> 60 - 4 * i) & 0xf, 16);
        }
    }
}
