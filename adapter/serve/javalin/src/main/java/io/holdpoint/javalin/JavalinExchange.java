package io.holdpoint.javalin;

import io.holdpoint.Caller;
import io.holdpoint.ErrorCode;
import io.holdpoint.internal.servlet.Exchange;
import io.holdpoint.internal.servlet.Refusal;
import io.holdpoint.internal.servlet.RequestBodies;
import io.javalin.http.Context;
import io.javalin.http.ForbiddenResponse;
import io.javalin.http.Header;
import io.javalin.http.HttpStatus;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;

/** A request as Javalin has it. */
record JavalinExchange(
        Context ctx, Authenticator authenticator, RequestBodies bodies, Duration bodyTimeout, Executor threads)
        implements Exchange {

    /** The parameter in the path of an agent that has an id. */
    static final String AGENT_ID = "agentId";

    @Override
    public HttpServletRequest request() {
        return ctx.req();
    }

    @Override
    public HttpServletResponse response() {
        return ctx.res();
    }

    @Override
    public String agentId() {
        return ctx.pathParamMap().getOrDefault(AGENT_ID, "");
    }

    @Override
    public Optional<Caller> caller() {
        try {
            return authenticator.authenticate(ctx);
        } catch (ForbiddenResponse e) {
            throw new Refusal(ErrorCode.FORBIDDEN, "You may not use this agent. Ask whoever runs the server.");
        }
    }

    /** The authenticator may have read the body by Javalin, which keeps it. */
    @Override
    public <T> CompletableFuture<T> body(Function<byte[], T> reader) {
        try {
            return request().getInputStream().isFinished()
                    ? bodies.read(ctx.bodyAsBytes(), reader)
                    : bodies.read(request(), bodyTimeout, threads, reader);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void reply(int status, String type, String body) {
        ctx.status(status).contentType(type).result(body);
        if (status == HttpStatus.UNAUTHORIZED.getCode()) {
            ctx.header(Header.WWW_AUTHENTICATE, authenticator.challenge());
        }
    }
}
