package io.holdpoint.spring;

import io.holdpoint.Caller;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;

/**
 * Tells who sends a request. A bean of this type takes the place of the default: the principal of the request, with the
 * authorities that Spring Security has granted to it as roles, spelled as they are ({@code ROLE_approver}); a request without a
 * principal is {@link Caller#ANONYMOUS}. Must be thread-safe.
 */
@FunctionalInterface
public interface CallerResolver {

    /**
     * Tells who sends a request.
     *
     * @param request the request, past the filters; its body must not be read
     * @return the caller; empty to answer with status 401
     */
    Optional<Caller> resolve(HttpServletRequest request);
}
