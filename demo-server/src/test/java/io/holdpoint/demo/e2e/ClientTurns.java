package io.holdpoint.demo.e2e;

import java.nio.file.Path;
import java.util.List;

/**
 * What of the clients a build tries: CopilotKit, which brings a thousand packages, or assistant-ui; a sixth of the rows besides those that everybody
 * needs; one of the guide's pages. Another part in each build, which is printed; {@code -Dholdpoint.clients=all} takes everything, and a
 * number from 1 to 12 repeats a part.
 */
final class ClientTurns {

    private static final int PARTS = 12;
    private static final int SIXTHS = 6;

    /** 0 for all. */
    private static final int PART = InTurns.Part.turn("holdpoint.clients", PARTS, InTurns.Part.PARTS);

    static final boolean ALL = PART == 0;

    private static final boolean COPILOTKIT = ALL || PART > SIXTHS;
    private static final boolean ASSISTANT_UI = ALL || PART <= SIXTHS;

    private ClientTurns() {}

    /** Which sixth of the rows; 0 for all of them. */
    static int sixth() {
        return ALL ? 0 : 1 + PART % SIXTHS;
    }

    /** One of the guide's pages; an empty text for all of them. */
    static String page() {
        if (ALL) {
            return "";
        }
        boolean isFrontEnd = PART % 2 == 0;
        return COPILOTKIT ? (isFrontEnd ? "copilotkit" : "react") : isFrontEnd ? "assistant-ui" : "tanstack";
    }

    static boolean isTurnOf(String client) {
        return client.startsWith("copilotkit") ? COPILOTKIT : !client.startsWith("assistant-ui") || ASSISTANT_UI;
    }

    /** What the tests of clients run in, with what this build takes. */
    static NodeProject install(String tested) throws Exception {
        return NodeProject.install(
                Path.of("src", "test", "clients"),
                DemoProcess.buildDirectory(),
                tested,
                COPILOTKIT ? List.of() : List.of("--omit=dev"));
    }
}
