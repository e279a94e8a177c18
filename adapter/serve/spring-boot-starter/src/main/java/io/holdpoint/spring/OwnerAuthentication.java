package io.holdpoint.spring;

import io.holdpoint.Caller;
import org.springframework.security.core.Authentication;

/**
 * Makes the authentication with which tools work: that of the owner of their thread, also if another caller has approved the
 * call. A bean of this type takes the place of the default, which grants the authorities that the owner had when they said what
 * the call comes from; another one may load the user again, and refuse a user who is gone. Must be thread-safe.
 */
@FunctionalInterface
public interface OwnerAuthentication {

    /**
     * Makes the authentication of a caller.
     *
     * @param owner the owner of the thread; the roles are authorities
     * @throws RuntimeException if the tool is not to be entered: the call fails, and the model is told the exception's message
     */
    Authentication of(Caller owner);
}
