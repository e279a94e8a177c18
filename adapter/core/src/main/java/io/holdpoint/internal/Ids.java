package io.holdpoint.internal;

import java.util.HexFormat;
import java.util.UUID;

/** New identifiers. All are opaque and carry 122 random bits or more. */
public final class Ids {

    private Ids() {}

    /** An interrupt's id, which is a capability of sorts: 244 random bits. */
    public static String interrupt() {
        return "int_" + hex() + hex();
    }

    /** A tool call's id, for a model that gave none or one that is taken. */
    public static String toolCall() {
        return "call_" + hex();
    }

    /** A message's id. */
    public static String message() {
        return "msg_" + hex();
    }

    /** A batch's id. */
    public static String batch() {
        return "batch_" + hex();
    }

    /** A remembered decision's id. */
    public static String grant() {
        return "grant_" + hex();
    }

    /** A run's id, for runs that are not started over AG-UI. */
    public static String run() {
        return "run_" + hex();
    }

    private static String hex() {
        UUID id = UUID.randomUUID();
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits(id.getMostSignificantBits()) + hex.toHexDigits(id.getLeastSignificantBits());
    }
}
