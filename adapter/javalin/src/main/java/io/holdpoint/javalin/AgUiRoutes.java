package io.holdpoint.javalin;

import io.holdpoint.Caller;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.RunAgentInput;
import io.javalin.http.ContentType;
import io.javalin.http.Context;
import io.javalin.http.ForbiddenResponse;
import io.javalin.http.Header;
import io.javalin.http.HttpStatus;

/** What the routes do. Thread-safe. */
final class AgUiRoutes {

    private final Agents agents;
    private final Authenticator authenticator;
    private final RequestBody body;
    private final EventStreams streams;
    private final DisconnectListener disconnects;

    AgUiRoutes(
            Agents agents,
            Authenticator authenticator,
            RequestBody body,
            EventStreams streams,
            DisconnectListener disconnects) {
        this.agents = agents;
        this.authenticator = authenticator;
        this.body = body;
        this.streams = streams;
        this.disconnects = disconnects;
    }

    /** The request's thread is given back at once: the run works on the agent's executor and writes from there. */
    void run(Context ctx) {
        try {
            Holdpoint agent = agent(ctx);
            RunAgentInput input = body.read(ctx, agent);
            streams.answer(ctx, sink -> agent.run(input, sink), () -> disconnects.disconnected(agent, input));
        } catch (Refusal e) {
            e.answer(ctx);
        }
    }

    void capabilities(Context ctx) {
        try {
            Holdpoint agent = agent(ctx);
            ctx.contentType(ContentType.APPLICATION_JSON).result(AguiCodec.write(agent.capabilities()));
        } catch (Refusal e) {
            e.answer(ctx);
        }
    }

    /** The agent, working for the caller. Who that is comes first: strangers do not learn which agents there are. */
    Holdpoint agent(Context ctx) throws Refusal {
        Caller caller = caller(ctx);
        return agents.of(ctx).as(caller);
    }

    /** Before anything of the body is read. */
    private Caller caller(Context ctx) throws Refusal {
        try {
            return authenticator.authenticate(ctx).orElseThrow(() -> {
                ctx.header(Header.WWW_AUTHENTICATE, authenticator.challenge());
                return new Refusal(
                        HttpStatus.UNAUTHORIZED,
                        ErrorCode.UNAUTHENTICATED,
                        "Say who you are: send credentials that this server knows.");
            });
        } catch (ForbiddenResponse e) {
            throw new Refusal(
                    HttpStatus.FORBIDDEN,
                    ErrorCode.FORBIDDEN,
                    "You may not use this agent. Ask whoever runs the server.");
        }
    }
}
