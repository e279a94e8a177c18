package io.holdpoint.demo;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.javalin.Authenticator;
import io.javalin.http.ContentType;
import io.javalin.http.Context;
import io.javalin.http.Header;
import io.javalin.http.HttpStatus;
import java.util.Optional;

/** Shows what a thread remembers, and takes it back: {@code /demo/grants?threadId=...}. Thread-safe. */
final class DemoGrants {

    private final Holdpoint agent;
    private final Authenticator callers;

    DemoGrants(Holdpoint agent, Authenticator callers) {
        this.agent = agent;
        this.callers = callers;
    }

    /** Those that count; none of a thread that the caller may not see. */
    void list(Context ctx) {
        caller(ctx).ifPresent(caller -> {
            ArrayNode all = AguiCodec.mapper().createArrayNode();
            agent.as(caller).grants(threadId(ctx)).forEach(grant -> all.addObject()
                    .put("id", grant.id())
                    .put("scope", grant.scope().wireName())
                    .put("tool", grant.approved().toolName())
                    .put("toolCallId", grant.approved().toolCallId())
                    .put("grantedBy", grant.grantedBy())
                    .put("expiresAt", grant.expiresAt().toString()));
            json(ctx, AguiCodec.write(all));
        });
    }

    /** 204, or 404 whatever it is that does not exist. */
    void revoke(Context ctx) {
        caller(ctx).ifPresent(caller -> {
            if (agent.as(caller).revoke(threadId(ctx), ctx.pathParam("grantId"))) {
                ctx.status(HttpStatus.NO_CONTENT);
            } else {
                ctx.status(HttpStatus.NOT_FOUND);
                json(ctx, "{\"message\":\"There is no such grant.\"}");
            }
        });
    }

    private Optional<Caller> caller(Context ctx) {
        Optional<Caller> caller = callers.authenticate(ctx);
        if (caller.isEmpty()) {
            ctx.status(HttpStatus.UNAUTHORIZED).header(Header.WWW_AUTHENTICATE, callers.challenge());
            json(ctx, "{\"message\":\"Say who you are.\"}");
        }
        return caller;
    }

    private static String threadId(Context ctx) {
        return Optional.ofNullable(ctx.queryParam("threadId")).orElse("");
    }

    private static void json(Context ctx, String body) {
        ctx.contentType(ContentType.APPLICATION_JSON).result(body);
    }
}
