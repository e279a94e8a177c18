package io.holdpoint.internal;

import java.util.HexFormat;
import java.util.UUID;

/** New identifiers. All are opaque and carry 122 random bits or more. */
public final class Ids {

    private static final HexFormat HEX = HexFormat.of();

    private Ids() {}

    /** An interrupt's id, which is a capability of sorts: 244 random bits. */
    public static String interrupt() {
        return id("int_", 2);
    }

    /** A tool call's id, for a model that gave none or one that is taken. */
    public static String toolCall() {
        return id("call_", 1);
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
        StringBuilder id = new StringBuilder(prefix.length() + 32 * uuids).append(prefix);
        for (int i = 0; i < uuids; i++) {
            UUID random = UUID.randomUUID();
            id.append(HEX.toHexDigits(random.getMostSignificantBits()))
                    .append(HEX.toHexDigits(random.getLeastSignificantBits()));
        }
        return id.toString();
    }
}
