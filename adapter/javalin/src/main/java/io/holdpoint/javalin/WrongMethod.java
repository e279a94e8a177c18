package io.holdpoint.javalin;

import io.holdpoint.ErrorCode;
import io.javalin.config.JavalinState;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.Header;
import io.javalin.http.HttpStatus;
import io.javalin.http.util.MethodNotAllowedUtil;
import java.util.stream.Collectors;

/**
 * Says so where a path is served, but not for the method of the request. Runs after everything else at the path, so that it
 * neither hides a handler or a file of the application nor what the CORS plugin answers. Thread-safe.
 */
final class WrongMethod implements Handler {

    private final JavalinState state;

    WrongMethod(JavalinState state) {
        this.state = state;
    }

    @Override
    public void handle(Context ctx) {
        boolean unserved = ctx.endpoints().lastHttpEndpoint() == null
                && (ctx.status() == HttpStatus.NOT_FOUND || ctx.status() == HttpStatus.METHOD_NOT_ALLOWED);
        if (!unserved) {
            return;
        }
        String path = ctx.path().substring(ctx.contextPath().length());
        String allowed =
                MethodNotAllowedUtil.INSTANCE.findAvailableHttpHandlerTypes(state.internalRouter, path).stream()
                        .map(method -> method.name())
                        .collect(Collectors.joining(", "));
        ctx.header(Header.ALLOW, allowed);
        new Refusal(
                        HttpStatus.METHOD_NOT_ALLOWED,
                        ErrorCode.METHOD_NOT_ALLOWED,
                        "Use one of these here: " + allowed + ".")
                .answer(ctx);
    }
}
