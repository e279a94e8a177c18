package io.holdpoint.javalin;

import io.holdpoint.ErrorCode;
import io.holdpoint.agui.SiteGuard;
import io.holdpoint.internal.servlet.Refusal;
import io.javalin.http.Context;
import io.javalin.http.Header;
import java.util.Optional;

/**
 * Asks the {@link SiteGuard} about a request. Immutable.
 *
 * @param checksHost whether the name counts by which the server was reached
 * @param boundTo the name at which the server was told to listen, or {@code null}
 */
record SiteCheck(SiteGuard guard, boolean checksHost, String boundTo) {

    /** Answers a request of another site in the place of the application's route. */
    void guard(Context ctx) {
        try {
            require(ctx);
        } catch (Refusal e) {
            AgUiRoutes.refuse(ctx, e);
            ctx.skipRemainingHandlers();
        }
    }

    void require(Context ctx) throws Refusal {
        String host = Optional.ofNullable(ctx.host()).orElseGet(() -> ctx.req().getServerName());
        Optional<String> why =
                checksHost ? guard.refuseHost(host, ctx.req().getLocalAddr(), boundTo) : Optional.empty();
        if (why.isEmpty()) {
            why = guard.refuseOrigin(
                    host,
                    Optional.ofNullable(ctx.header(Header.ORIGIN)),
                    Optional.ofNullable(ctx.header("Sec-Fetch-Site")),
                    ctx.res().containsHeader(Header.ACCESS_CONTROL_ALLOW_ORIGIN));
        }
        if (why.isPresent()) {
            throw new Refusal(ErrorCode.SITE_REFUSED, why.get());
        }
    }
}
