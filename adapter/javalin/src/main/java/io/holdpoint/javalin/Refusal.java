package io.holdpoint.javalin;

import io.holdpoint.ErrorCode;
import io.holdpoint.RunRejectedException;
import io.holdpoint.agui.AguiCodec;
import io.javalin.http.ContentType;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;

/** An answer instead of a stream: a status and {@code {"code": "...", "message": "..."}}. The routes throw and catch it. */
final class Refusal extends Exception {

    private static final long serialVersionUID = 1L;

    private final HttpStatus status;
    private final ErrorCode code;

    Refusal(HttpStatus status, ErrorCode code, String message) {
        super(message, null, false, false);
        this.status = status;
        this.code = code;
    }

    static Refusal of(RunRejectedException rejected) {
        HttpStatus status =
                switch (rejected.code()) {
                    case THREAD_NOT_FOUND -> HttpStatus.NOT_FOUND;
                    case RUN_IN_PROGRESS -> HttpStatus.CONFLICT;
                    case SHUTTING_DOWN -> HttpStatus.SERVICE_UNAVAILABLE;
                    default -> HttpStatus.BAD_REQUEST;
                };
        return new Refusal(status, rejected.code(), rejected.getMessage());
    }

    void answer(Context ctx) {
        ctx.status(status).contentType(ContentType.APPLICATION_JSON).result(json(code, getMessage()));
    }

    static String json(ErrorCode code, String message) {
        return AguiCodec.mapper()
                .createObjectNode()
                .put("code", code.name())
                .put("message", message)
                .toString();
    }
}
