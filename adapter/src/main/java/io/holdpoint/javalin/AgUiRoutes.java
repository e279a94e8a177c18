package io.holdpoint.javalin;

import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunRejectedException;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.AguiFormatException;
import io.holdpoint.agui.RunAgentInput;
import io.javalin.http.ContentType;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import jakarta.servlet.AsyncContext;
import java.util.concurrent.CompletableFuture;

/** What the routes do. Thread-safe. */
final class AgUiRoutes {

    private final Holdpoint agent;

    AgUiRoutes(Holdpoint agent) {
        this.agent = agent;
    }

    /** The request's thread is given back at once: the run works on the agent's executor and writes from there. */
    void run(Context ctx) {
        RunAgentInput input;
        try {
            input = AguiCodec.readRunAgentInput(ctx.bodyAsBytes());
        } catch (AguiFormatException e) {
            reject(ctx, HttpStatus.BAD_REQUEST, ErrorCode.INPUT_INVALID, e.getMessage());
            return;
        }
        ctx.future(() -> start(ctx, input));
    }

    private CompletableFuture<?> start(Context ctx, RunAgentInput input) {
        try {
            ServletEventSink sink = new ServletEventSink(ctx.res());
            AsyncContext request = ctx.req().getAsyncContext();
            request.setTimeout(0); // a stream lasts as long as its run
            request.addListener(sink);
            return agent.run(input, sink);
        } catch (RunRejectedException e) {
            HttpStatus status = e.code() == ErrorCode.THREAD_NOT_FOUND ? HttpStatus.NOT_FOUND : HttpStatus.CONFLICT;
            reject(ctx, status, e.code(), e.getMessage());
            return CompletableFuture.completedFuture(null);
        }
    }

    void capabilities(Context ctx) {
        ctx.contentType(ContentType.APPLICATION_JSON).result(AguiCodec.write(agent.capabilities()));
    }

    private static void reject(Context ctx, HttpStatus status, ErrorCode code, String message) {
        String body = AguiCodec.mapper()
                .createObjectNode()
                .put("code", code.name())
                .put("message", message)
                .toString();
        ctx.status(status).contentType(ContentType.APPLICATION_JSON).result(body);
    }
}
