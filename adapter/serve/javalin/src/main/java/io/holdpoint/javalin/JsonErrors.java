package io.holdpoint.javalin;

import io.holdpoint.ErrorCode;
import io.holdpoint.internal.servlet.Refusal;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/** Answers what Jetty itself refuses, before any route sees it, as the routes answer: with a code and a message. */
final class JsonErrors extends ErrorHandler {

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        int status = response.getStatus();
        String reason = HttpStatus.getMessage(status);
        String json = Refusal.json(
                status < HttpStatus.INTERNAL_SERVER_ERROR_500 ? ErrorCode.REQUEST_INVALID : ErrorCode.RUN_FAILED,
                "The server does not take this HTTP request: " + reason + ".");
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
        Content.Sink.write(response, true, json, callback);
        return true;
    }
}
