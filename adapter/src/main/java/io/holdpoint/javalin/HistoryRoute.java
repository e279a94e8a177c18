package io.holdpoint.javalin;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdpoint.Caller;
import io.holdpoint.ErrorCode;
import io.holdpoint.EventSink;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunRejectedException;
import io.holdpoint.ThreadStatus;
import io.holdpoint.agui.Dialect;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import jakarta.servlet.AsyncContext;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code POST <path>/history}: the stream of a thread as it is, and with {@code ?follow=true} of the run that is active on it.
 * Of the body, {@code threadId} and {@code runId} are read, so that a client may send a whole {@code RunAgentInput}.
 * Thread-safe.
 */
final class HistoryRoute {

    private static final Logger LOG = LoggerFactory.getLogger(HistoryRoute.class);

    private final Holdpoint agent;
    private final AgUiRoutes routes;
    private final RequestBody body;
    private final Dialect dialect;

    /** What is read of a body. */
    private record Asked(String threadId, String runId, boolean follow) {}

    HistoryRoute(Holdpoint agent, AgUiRoutes routes, RequestBody body, Dialect dialect) {
        this.agent = agent;
        this.routes = routes;
        this.body = body;
        this.dialect = dialect;
    }

    void show(Context ctx) {
        try {
            Caller caller = routes.caller(ctx);
            JsonNode read = body.readObject(ctx);
            Asked asked =
                    new Asked(text(read, "threadId"), text(read, "runId"), "true".equals(ctx.queryParam("follow")));
            ctx.future(() -> start(ctx, agent.as(caller), asked));
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

    private CompletableFuture<?> start(Context ctx, Holdpoint bound, Asked asked) {
        try {
            ServletEventSink sink = new ServletEventSink(ctx.res(), dialect);
            AsyncContext request = ctx.req().getAsyncContext();
            request.setTimeout(0); // a stream ends by itself
            request.addListener(sink);
            return stream(bound, asked, sink)
                    .<Optional<ThreadStatus>>thenApply(Optional::of)
                    .exceptionally(failure -> {
                        LOG.error("The history of thread {} could not be shown", asked.threadId(), failure);
                        return Optional.empty(); // the stream has said so
                    });
        } catch (RunRejectedException e) {
            Refusal.of(e).answer(ctx);
            return CompletableFuture.completedFuture(null);
        }
    }

    private static CompletableFuture<ThreadStatus> stream(Holdpoint bound, Asked asked, EventSink sink) {
        return asked.follow()
                ? bound.follow(asked.threadId(), asked.runId(), sink)
                : bound.history(asked.threadId(), asked.runId(), sink);
    }
}
