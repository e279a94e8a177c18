package io.holdpoint.internal.servlet;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Warns at the start of a server that other machines reach and at which nobody has to sign in. */
public final class OpenServer {

    private static final Logger LOG = LoggerFactory.getLogger(OpenServer.class);

    private OpenServer() {}

    /** Warns unless the server listens at the loopback only. Without a host it listens at every address; {@code remedy} names the setting. */
    public static void warn(@Nullable String host, String remedy) {
        if (host == null || host.isBlank() || !isLoopback(host)) {
            LOG.warn(
                    "Agents are served at {}, and nobody has to sign in: whoever reaches this server may use them and approve"
                            + " the calls of their tools. Set {}, or listen at 127.0.0.1 only.",
                    host == null || host.isBlank() ? "every address of this machine" : host,
                    remedy);
        }
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
