package io.holdpoint.mcp;

import io.holdpoint.Caller;
import io.holdpoint.PendingInterrupt;
import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import reactor.core.publisher.Mono;

/**
 * A call of a client, and what that can be told while it is held.
 *
 * @param given the name that the client gives itself
 * @param session the connection of the client, which has its own forms
 * @param toolName the name by which it knows the tool
 * @param ask shows a question to its user; empty if nothing can show it, or the user may not decide
 * @param formsEndWithCalls whether the answer of a form is lost when the call has ended that has shown it
 * @param progress is told for how many seconds it waits, and for whom, so that the client does not give up
 */
record Client(
        String given,
        McpTransportContext context,
        String session,
        String toolName,
        Map<String, Object> arguments,
        UpstreamTool tool,
        Function<PendingInterrupt.Approval, Optional<Mono<ElicitResult>>> ask,
        boolean formsEndWithCalls,
        BiConsumer<Double, String> progress) {

    /** The name by which calls are told apart: the same one with the same arguments is the same call. None has what stands around who has signed in. */
    String name() {
        String name = given.replaceAll("[^A-Za-z0-9 ._@/-]", "");
        return (name.isBlank() ? "client" : name.substring(0, Math.min(64, name.length())))
                + HttpDoor.person(context)
                        .map(signedIn -> " (" + signedIn.id() + ")")
                        .orElse("");
    }

    /** The user of the client: the person who has signed in, or nobody of the page's people. */
    Caller user() {
        return HttpDoor.person(context).orElseGet(() -> Caller.of("user of " + name()));
    }

    /** A text of the gate that names the tool as the record does, for the client; a result of a server stays what it is. */
    String asItKnows(String text) {
        return text.replaceFirst(
                "^((?:The|Note)[^\"\n]*\")" + Pattern.quote(tool.name()) + "\"",
                "$1" + Matcher.quoteReplacement(toolName) + "\"");
    }
}
