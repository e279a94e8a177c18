package io.holdpoint.agui;

/** Constants of the AG-UI protocol. */
public final class Agui {

    /** The protocol version this implementation speaks, as carried by {@code RUN_STARTED}. */
    public static final String PROTOCOL_VERSION = "1.0";

    private Agui() {}
}
