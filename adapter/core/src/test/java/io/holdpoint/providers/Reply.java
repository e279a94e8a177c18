package io.holdpoint.providers;

import java.util.List;

/** What a provider answers to one request: a message, or a refusal if the status is not 200. */
record Reply(int status, String text, List<ToolUse> calls) {

    /** One call of a message; a provider that gives no ids gives an empty one. */
    record ToolUse(String id, String tool, String arguments) {}

    static Reply refusal(int status) {
        return new Reply(status, "", List.of());
    }

    boolean isMessage() {
        return status == 200;
    }
}
