package io.holdpoint.mcp;

import io.holdpoint.Caller;
import io.holdpoint.PendingInterrupt;
import io.modelcontextprotocol.server.McpAsyncServerExchange;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/**
 * The client that has made a call, and what it can be told while that is held.
 *
 * @param tool which it has called
 * @param elicit whether its user may decide in a form
 * @param formsEndWithCalls whether the answer of a form is lost when the call has ended that has shown it
 */
record Client(
        McpAsyncServerExchange exchange,
        CallToolRequest request,
        UpstreamTool tool,
        boolean elicit,
        boolean formsEndWithCalls) {

    private static final Logger LOG = LoggerFactory.getLogger(Client.class);

    /** The name by which calls are told apart: the same one with the same arguments is the same call. */
    String name() {
        String name = Optional.ofNullable(exchange.getClientInfo())
                .map(McpSchema.Implementation::name)
                .orElse("")
                .replaceAll("[^A-Za-z0-9 ._@/-]", "");
        return (name.isBlank() ? "client" : name.substring(0, Math.min(64, name.length())))
                + person().map(signedIn -> " of " + signedIn.id()).orElse("");
    }

    private Optional<Caller> person() {
        return Optional.ofNullable(exchange.transportContext().get(HttpDoor.PERSON))
                .map(Caller.class::cast);
    }

    Map<String, Object> arguments() {
        return Optional.ofNullable(request.arguments()).orElse(Map.of());
    }

    /** A text of the gate that names the tool as the record does, for the client; a result of a server stays what it is. */
    String asItKnows(String text) {
        return text.replaceFirst(
                "^((?:The|Note)[^\"\n]*\")" + Pattern.quote(tool.name()) + "\"",
                "$1" + Matcher.quoteReplacement(request.name()) + "\"");
    }

    /** The connection of the client, which has its own forms. */
    String session() {
        return exchange.sessionId();
    }

    /** The user of the client: the person who has signed in, or nobody of the page's people. */
    Caller user() {
        return person().orElseGet(() -> Caller.of("user of " + name()));
    }

    /** Says that it still waits, so that the client does not give up. */
    void progress(double seconds, String message) {
        if (request.progressToken() != null) {
            ProgressNotification told = ProgressNotification.builder(request.progressToken(), seconds)
                    .message(message)
                    .build();
            exchange.progressNotification(told)
                    .subscribe(done -> {}, e -> LOG.debug("A client was not told that it waits", e));
        }
    }

    /** Shows a call to the user of the client; empty if they may not decide, or cannot be shown it. */
    Optional<Mono<ElicitResult>> ask(PendingInterrupt.Approval question) {
        return elicit ? McpInbox.ask(exchange, question) : Optional.empty();
    }
}
