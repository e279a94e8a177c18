package io.holdpoint.javalin;

import io.holdpoint.Caller;
import io.holdpoint.ErrorCode;
import io.holdpoint.EventSink;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunRejectedException;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Dialect;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.internal.servlet.InboxPage;
import io.holdpoint.internal.servlet.Refusal;
import io.holdpoint.internal.servlet.SseStreams;
import io.javalin.config.JavalinState;
import io.javalin.http.ContentType;
import io.javalin.http.Context;
import io.javalin.http.ForbiddenResponse;
import io.javalin.http.Handler;
import io.javalin.http.Header;
import io.javalin.http.HttpStatus;
import io.javalin.http.util.MethodNotAllowedUtil;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The handlers of the routes, for all agents of a plugin. Thread-safe. */
final class AgUiRoutes {

    /** The parameter in the path of an agent that has an id. */
    static final String AGENT_ID = "agentId";

    private final Optional<Holdpoint> unnamed;
    private final Map<String, Holdpoint> named;
    private final Authenticator authenticator;
    private final SiteCheck site;
    private final RequestBody body;
    private final Optional<Dialect> dialect;
    private final SseStreams streams;
    private final DisconnectListener disconnects;

    AgUiRoutes(
            Optional<Holdpoint> unnamed,
            Map<String, Holdpoint> named,
            Authenticator authenticator,
            SiteCheck site,
            RequestBody body,
            Optional<Dialect> dialect,
            SseStreams streams,
            DisconnectListener disconnects) {
        this.unnamed = unnamed;
        this.named = named;
        this.authenticator = authenticator;
        this.site = site;
        this.body = body;
        this.dialect = dialect;
        this.streams = streams;
        this.disconnects = disconnects;
    }

    /** Answers a request, or refuses it. */
    @FunctionalInterface
    private interface Answer {
        void give() throws Refusal;
    }

    /** A route that may refuse its request. */
    @FunctionalInterface
    private interface Route {
        void answer(Context ctx, Holdpoint agent) throws Refusal;
    }

    /** A route that takes a body. */
    @FunctionalInterface
    private interface BodyRoute<T> {
        void answer(Context ctx, Holdpoint agent, T read) throws Refusal;
    }

    /** Finds the agent, bound to the caller. The caller comes first: a stranger does not learn which agents there are. */
    private Handler handler(Route route) {
        return ctx -> answer(ctx, () -> {
            site.require(ctx);
            Caller caller = caller(ctx);
            route.answer(ctx, agent(ctx).as(caller));
        });
    }

    /** Gives the request's thread back while the body arrives, unless it is there. */
    private <T> Handler handler(BiFunction<Context, Holdpoint, CompletableFuture<T>> body, BodyRoute<T> route) {
        return handler((ctx, agent) -> {
            CompletableFuture<T> read = body.apply(ctx, agent);
            if (read.isDone()) {
                route.answer(ctx, agent, value(read));
            } else {
                ctx.future(() -> read.handle((value, failure) -> {
                    answer(ctx, () -> route.answer(ctx, agent, value(read)));
                    return null;
                }));
            }
        });
    }

    private static <T> T value(CompletableFuture<T> read) throws Refusal {
        try {
            return read.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof Refusal refusal) {
                throw refusal;
            }
            throw e; // Javalin answers as if its cause had been thrown
        }
    }

    static void refuse(Context ctx, Refusal refusal) {
        ctx.status(refusal.status()).contentType(ContentType.APPLICATION_JSON).result(refusal.json());
    }

    private static void answer(Context ctx, Answer answer) {
        try {
            answer.give();
        } catch (RunRejectedException e) {
            refuse(ctx, Refusal.of(e));
        } catch (Refusal e) {
            refuse(ctx, e);
        }
    }

    /** Authenticates the caller before any of the body is read. */
    private Caller caller(Context ctx) throws Refusal {
        try {
            return authenticator.authenticate(ctx).orElseThrow(() -> {
                ctx.header(Header.WWW_AUTHENTICATE, authenticator.challenge());
                return Refusal.unauthenticated();
            });
        } catch (ForbiddenResponse e) {
            throw new Refusal(ErrorCode.FORBIDDEN, "You may not use this agent. Ask whoever runs the server.");
        }
    }

    private Holdpoint agent(Context ctx) throws Refusal {
        String id = ctx.pathParamMap().get(AGENT_ID);
        Optional<Holdpoint> agent = id == null ? unnamed : Optional.ofNullable(named.get(id));
        return agent.orElseThrow(Refusal::agentNotFound);
    }

    /**
     * Gives the request's thread back at once, and ends the body after the last event. A {@link RunRejectedException} of the
     * source is the answer instead.
     */
    private void stream(
            Context ctx, Dialect spoken, Function<EventSink, CompletableFuture<?>> source, Runnable whenGone) {
        ctx.future(() -> {
            try {
                return streams.start(ctx.req().getAsyncContext(), spoken, source, whenGone);
            } catch (RunRejectedException e) {
                refuse(ctx, Refusal.of(e));
                return CompletableFuture.completedFuture(null);
            }
        });
    }

    /** The run works on the agent's executor and writes from there. */
    Handler run() {
        return handler(body::readInput, (ctx, agent, sent) -> {
            Dialect spoken = spoken(sent.protocolVersion());
            RunAgentInput input = spoken.spokenIn(sent);
            stream(ctx, spoken, sink -> agent.run(input, sink), () -> disconnects.disconnected(agent, input));
        });
    }

    /**
     * Stops the thread's run, or lets go of what is held, and answers as soon as the run has been told. Other fields of the body
     * are ignored, so that a client may send the input of the run.
     */
    Handler cancel() {
        return handler((ctx, agent) -> body.readObject(ctx), (ctx, agent, read) -> {
            if (!agent.cancel(read.text("threadId"))) {
                throw Refusal.nothingToCancel();
            }
            ctx.contentType(ContentType.APPLICATION_JSON).result("{\"cancelled\":true}");
        });
    }

    private Dialect spoken(@Nullable String protocolVersion) {
        return dialect.orElseGet(() -> Dialect.of(protocolVersion));
    }

    /** Reads three fields of the body and ignores the others, so that a client may send a whole {@code RunAgentInput}. */
    Handler history() {
        return handler((ctx, agent) -> body.readObject(ctx), (ctx, agent, read) -> {
            String threadId = read.text("threadId");
            String runId = read.text("runId");
            boolean follows = "true".equals(ctx.queryParam("follow"));
            stream(
                    ctx,
                    spoken(read.protocolVersion()),
                    sink -> follows ? agent.follow(threadId, runId, sink) : agent.history(threadId, runId, sink),
                    () -> {}); // there is no run to stop when a reader goes
        });
    }

    Handler interrupts() {
        return handler((ctx, agent) ->
                ctx.contentType(ContentType.APPLICATION_JSON).result(InboxPage.read(ctx::queryParam, agent)));
    }

    Handler capabilities() {
        return handler((ctx, agent) ->
                ctx.contentType(ContentType.APPLICATION_JSON).result(AguiCodec.write(agent.capabilities())));
    }

    /**
     * Answers a path or a method that is not served. Runs after all handlers of the path, so that it hides neither a handler or a
     * file of the application nor the answer of the CORS plugin.
     */
    static Handler unserved(JavalinState state) {
        return ctx -> {
            boolean isUnserved = ctx.endpoints().lastHttpEndpoint() == null
                    && (ctx.status() == HttpStatus.NOT_FOUND || ctx.status() == HttpStatus.METHOD_NOT_ALLOWED);
            if (!isUnserved) {
                return;
            }
            String path = ctx.path().substring(ctx.contextPath().length());
            String allowed =
                    MethodNotAllowedUtil.INSTANCE.findAvailableHttpHandlerTypes(state.internalRouter, path).stream()
                            .map(method -> method.name())
                            .collect(Collectors.joining(", "));
            if (allowed.isEmpty()) {
                refuse(ctx, new Refusal(ErrorCode.PATH_NOT_FOUND, "This path has no route."));
                return;
            }
            ctx.header(Header.ALLOW, allowed);
            refuse(ctx, Refusal.wrongMethod(allowed));
        };
    }
}
