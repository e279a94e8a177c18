package io.holdpoint.mcp;

import io.holdpoint.Caller;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult;
import java.util.Optional;
import reactor.core.publisher.Mono;

/** The client that has made a call, and what it can be told while that is held. */
interface Client {

    /** The name by which calls are told apart: the same one with the same arguments is the same call. */
    String name();

    /** The connection of the client, which has its own forms. */
    String session();

    /** The user of the client: the person who has signed in, or nobody of the page's people. */
    Caller user();

    /** Says that it still waits, so that the client does not give up. */
    void progress(double seconds, String message);

    /** Says whether the answer of a form is lost when the call has ended that has shown it. */
    boolean formsEndWithCalls();

    /** Shows a form to the user of the client; empty if the client has none. */
    Optional<Mono<ElicitResult>> ask(String message);
}
