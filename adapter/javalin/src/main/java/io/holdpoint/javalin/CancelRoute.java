package io.holdpoint.javalin;

import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunRejectedException;
import io.javalin.http.ContentType;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;

/**
 * {@code POST} of {@code {"threadId": "..."}}: stops the thread's run, or lets go of what is held. Other fields are not read, so
 * that a client may send what it started the run with. Status 200 and {@code {"cancelled": true}}, as soon as the run was told;
 * 404 if there was nothing, or nothing of the caller's. Thread-safe.
 */
final class CancelRoute {

    private final AgUiRoutes routes;
    private final RequestBody body;

    CancelRoute(AgUiRoutes routes, RequestBody body) {
        this.routes = routes;
        this.body = body;
    }

    void cancel(Context ctx) {
        try {
            Holdpoint agent = routes.agent(ctx);
            if (!agent.cancel(body.readThreadId(ctx))) {
                throw new Refusal(
                        HttpStatus.NOT_FOUND,
                        ErrorCode.NOTHING_TO_CANCEL,
                        "Nothing runs on this thread, and nothing is held.");
            }
            ctx.contentType(ContentType.APPLICATION_JSON).result("{\"cancelled\":true}");
        } catch (RunRejectedException e) {
            Refusal.of(e).answer(ctx);
        } catch (Refusal e) {
            e.answer(ctx);
        }
    }
}
