package io.holdpoint.javalin;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;

/**
 * {@code POST <path>/history}: the stream of a thread as it is, and with {@code ?follow=true} of the run that is active on it.
 * Of the body, {@code threadId} and {@code runId} are read, so that a client may send a whole {@code RunAgentInput}.
 * Thread-safe.
 */
final class HistoryRoute {

    private final AgUiRoutes routes;
    private final RequestBody body;
    private final EventStreams streams;

    HistoryRoute(AgUiRoutes routes, RequestBody body, EventStreams streams) {
        this.routes = routes;
        this.body = body;
        this.streams = streams;
    }

    void show(Context ctx) {
        try {
            Holdpoint agent = routes.agent(ctx);
            JsonNode read = body.readObject(ctx);
            String threadId = text(read, "threadId");
            String runId = text(read, "runId");
            boolean follows = "true".equals(ctx.queryParam("follow"));
            streams.answer(
                    ctx,
                    sink -> follows ? agent.follow(threadId, runId, sink) : agent.history(threadId, runId, sink),
                    () -> {}); // whoever looks changes nothing, and whoever has gone neither
        } catch (Refusal e) {
            e.answer(ctx);
        }
    }

    private static String text(JsonNode read, String field) throws Refusal {
        JsonNode value = read.path(field);
        if (!value.isTextual()) {
            throw new Refusal(HttpStatus.BAD_REQUEST, ErrorCode.INPUT_INVALID, field + ": must be a string");
        }
        return value.asText();
    }
}
