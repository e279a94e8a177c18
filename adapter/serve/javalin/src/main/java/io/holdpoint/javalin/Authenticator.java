package io.holdpoint.javalin;

import io.holdpoint.Caller;
import io.holdpoint.internal.servlet.BearerTokens;
import io.javalin.http.Context;
import java.util.Map;
import java.util.Optional;

/**
 * Identifies the caller of a request by a header, a cookie, a client certificate, or the findings of an earlier filter. Must be
 * thread-safe.
 *
 * <p>The body is the client's own word: take a user from it only if the sender may speak for users, a backend with a token for
 * instance. {@code request.body()} and {@code bodyAsBytes()} leave it for the route; {@code bodyInputStream()} does not. They
 * hold a thread of the server until the body has come, and take at most Javalin's {@code http.maxRequestSize}.
 *
 * <p>An authenticator that throws refuses the request. Javalin's {@code ForbiddenResponse}, for a known caller that may not use
 * the agent at all, is answered with status 403; Javalin answers any other exception.
 */
@FunctionalInterface
public interface Authenticator {

    /** Makes every caller {@link Caller#ANONYMOUS}. The default. */
    Authenticator NONE = request -> Optional.of(Caller.ANONYMOUS);

    /**
     * Identifies the caller; empty to answer with status 401. A caller whose id {@linkplain Caller#isReserved is reserved} is answered
     * with status 403, except {@link Caller#ANONYMOUS} itself.
     */
    Optional<Caller> authenticate(Context request);

    /** Gives the value of the header {@code WWW-Authenticate} in an answer with status 401; {@code Bearer} by default. */
    default String challenge() {
        return "Bearer";
    }

    /**
     * Identifies callers by the token in {@code Authorization: Bearer <token>}. Keeps hashes of the tokens only, compares them
     * in constant time, and never logs one. For a handful of callers: every token is compared in every request.
     *
     * @throws IllegalArgumentException if there is no token, or one that no header can carry: {@code A-Z a-z 0-9 - . _ ~ +
     *     /}, followed by any number of {@code =}; or a caller whose id {@linkplain Caller#isReserved is reserved}
     */
    static Authenticator bearerTokens(Map<String, Caller> tokens) {
        BearerTokens known = BearerTokens.of(tokens);
        return request -> known.caller(Optional.ofNullable(request.header("Authorization")));
    }
}
