package io.holdpoint.internal.servlet;

import io.holdpoint.Caller;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** A request to an agent, and what its framework does with it. Methods may throw a {@link Refusal}. */
public interface Exchange {

    HttpServletRequest request();

    HttpServletResponse response();

    /** Gives the id in the path; empty for the agent that has none. */
    String agentId();

    /** Identifies the caller; empty for one who has to authenticate. */
    Optional<Caller> caller();

    /** Reads the body, with {@link RequestBodies}. */
    <T> CompletableFuture<T> body(Function<byte[], T> reader);

    /** Answers with JSON instead of a stream. */
    default void reply(int status, String json) {
        reply(status, "application/json", json);
    }

    /** Answers with a text of a type, written in UTF-8. */
    void reply(int status, String type, String body);
}
