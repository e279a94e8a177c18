package io.holdpoint.demo;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.demo.tools.DemoEffects;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Set;

/**
 * Ends this process as a power cut does, to show what survives: {@code POST /demo/crash} with {@code {"when": "now"}}, or
 * {@code "next-tool"} for the middle of the next tool that runs. Only for a browser on the same machine, of a server that listens
 * to this machine only, and never for a page of another origin: those cannot send JSON without being asked first. Anything else
 * ends nothing.
 */
record DemoCrash(DemoSettings settings, DemoEffects effects) {

    private static final int KILLED = 137;

    private static final Set<String> LOCAL_NAMES = Set.of("localhost", "127.0.0.1", "[::1]");

    void handle(Context ctx) {
        if (!isPossible(ctx, settings) || !"application/json".equals(ctx.contentType())) {
            DemoRoutes.message(ctx, HttpStatus.FORBIDDEN, "Only a page of this server on this machine may end it.");
            return;
        }
        switch (when(ctx.body())) {
            case "now" -> die();
            case "next-tool" -> {
                effects.afterNext(DemoCrash::die);
                ctx.status(HttpStatus.NO_CONTENT);
            }
            default ->
                DemoRoutes.message(
                        ctx, HttpStatus.BAD_REQUEST, "when: must be \"now\" or \"next-tool\". The server goes on.");
        }
    }

    private static String when(String body) {
        try {
            return AguiCodec.mapper().readTree(body).path("when").asText();
        } catch (JsonProcessingException e) {
            return ""; // no JSON
        }
    }

    static boolean isPossible(Context ctx, DemoSettings settings) {
        String host = String.valueOf(ctx.host()).replaceFirst(":\\d+$", "");
        return isLoopback(settings.host()) && isLoopback(ctx.ip()) && LOCAL_NAMES.contains(host);
    }

    private static boolean isLoopback(String address) {
        try {
            return InetAddress.getByName(address).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    private static void die() {
        Runtime.getRuntime().halt(KILLED);
    }
}
