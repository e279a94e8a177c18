package io.holdpoint.javalin;

import io.holdpoint.Caller;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunRejectedException;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Dialect;
import io.holdpoint.agui.RunAgentInput;
import io.javalin.http.ContentType;
import io.javalin.http.Context;
import io.javalin.http.Header;
import io.javalin.http.HttpStatus;
import jakarta.servlet.AsyncContext;
import java.util.concurrent.CompletableFuture;

/** What the routes do. Thread-safe. */
final class AgUiRoutes {

    private final Holdpoint agent;
    private final Authenticator authenticator;
    private final RequestBody body;
    private final Dialect dialect;

    AgUiRoutes(Holdpoint agent, Authenticator authenticator, RequestBody body, Dialect dialect) {
        this.agent = agent;
        this.authenticator = authenticator;
        this.body = body;
        this.dialect = dialect;
    }

    /** The request's thread is given back at once: the run works on the agent's executor and writes from there. */
    void run(Context ctx) {
        try {
            Caller caller = caller(ctx);
            RunAgentInput input = body.read(ctx);
            ctx.future(() -> start(ctx, caller, input));
        } catch (Refusal e) {
            e.answer(ctx);
        }
    }

    private CompletableFuture<?> start(Context ctx, Caller caller, RunAgentInput input) {
        try {
            ServletEventSink sink = new ServletEventSink(ctx.res(), dialect);
            AsyncContext request = ctx.req().getAsyncContext();
            request.setTimeout(0); // a stream lasts as long as its run
            request.addListener(sink);
            return agent.as(caller).run(input, sink);
        } catch (RunRejectedException e) {
            Refusal.of(e).answer(ctx);
            return CompletableFuture.completedFuture(null);
        }
    }

    void capabilities(Context ctx) {
        try {
            caller(ctx);
            ctx.contentType(ContentType.APPLICATION_JSON).result(AguiCodec.write(agent.capabilities()));
        } catch (Refusal e) {
            e.answer(ctx);
        }
    }

    /** The agent, working for the caller. */
    Holdpoint agent(Context ctx) throws Refusal {
        return agent.as(caller(ctx));
    }

    /** Before anything of the body is read. */
    Caller caller(Context ctx) throws Refusal {
        return authenticator.authenticate(ctx).orElseThrow(() -> {
            ctx.header(Header.WWW_AUTHENTICATE, authenticator.challenge());
            return new Refusal(
                    HttpStatus.UNAUTHORIZED,
                    ErrorCode.UNAUTHENTICATED,
                    "Say who you are: send credentials that this server knows.");
        });
    }
}
