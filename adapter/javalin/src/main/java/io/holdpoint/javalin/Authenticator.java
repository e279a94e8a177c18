package io.holdpoint.javalin;

import io.holdpoint.Caller;
import io.javalin.http.Context;
import java.util.Map;
import java.util.Optional;

/**
 * Finds out who sent a request: from a header, a cookie, a client certificate, or what a filter before it has found. Never
 * from the body, which is read only afterwards. Must be thread-safe.
 *
 * <p>An authenticator that throws lets nobody in: Javalin's {@code ForbiddenResponse} is answered with status 403, for a caller
 * that is known and may not use the agent at all; anything else that it throws is answered by Javalin.
 */
@FunctionalInterface
public interface Authenticator {

    /** Tells nobody apart: everybody is {@link Caller#ANONYMOUS}. The default. */
    Authenticator NONE = request -> Optional.of(Caller.ANONYMOUS);

    /**
     * Finds out who it is.
     *
     * @param request the request
     * @return the caller; empty to answer with status 401
     */
    Optional<Caller> authenticate(Context request);

    /**
     * What a client is told that must say who it is, as the value of the header {@code WWW-Authenticate}.
     *
     * @return {@code Bearer} by default
     */
    default String challenge() {
        return "Bearer";
    }

    /**
     * Knows callers by the token in {@code Authorization: Bearer <token>}. Keeps hashes of the tokens only, compares them
     * in constant time, and never logs one. For a handful of callers: every token is compared in every request.
     *
     * @param tokens callers by token
     * @return the authenticator
     * @throws IllegalArgumentException if there is no token, or one that no header can carry: {@code A-Z a-z 0-9 - . _ ~ +
     *     /}, followed by any number of {@code =}
     */
    static Authenticator bearerTokens(Map<String, Caller> tokens) {
        return BearerTokens.of(tokens);
    }
}
