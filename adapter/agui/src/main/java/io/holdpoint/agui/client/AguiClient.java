package io.holdpoint.agui.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.holdpoint.agui.Agui;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Dialect;
import io.holdpoint.agui.Event;
import io.holdpoint.agui.RunAgentInput;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A client for one endpoint that speaks AG-UI 1.0, or the interrupts draft, over server-sent events: {@code POST} with a
 * {@code RunAgentInput}, answered by a stream. Immutable and thread-safe; has no state between two runs.
 */
public final class AguiClient {

    /** The time for which a stream may be silent, comments included, unless the builder sets another. */
    public static final Duration DEFAULT_IDLE_TIMEOUT = Duration.ofMinutes(2);

    private static final int OK = 200;
    private static final int REFUSAL_LENGTH = 10_000;

    private final URI endpoint;
    private final Map<String, String> headers;
    private final Duration idleTimeout;
    private final Dialect dialect;
    private final HttpClient http;

    private AguiClient(Builder builder) {
        this.endpoint = builder.endpoint;
        this.headers = Map.copyOf(builder.headers);
        this.idleTimeout = builder.idleTimeout;
        this.dialect = builder.dialect;
        this.http = builder.http;
    }

    /**
     * Describes a client.
     *
     * @param endpoint where inputs are posted, such as {@code http://127.0.0.1:8080/agent}
     * @throws IllegalArgumentException if it is not an {@code http} or {@code https} URI with a host
     */
    public static Builder builder(URI endpoint) {
        return new Builder(endpoint);
    }

    /** The description of a client. Not thread-safe. */
    public static final class Builder {

        private final URI endpoint;
        private final Map<String, String> headers = new LinkedHashMap<>();
        private Duration idleTimeout = DEFAULT_IDLE_TIMEOUT;
        private Dialect dialect = Dialect.V1_0;
        private HttpClient http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofSeconds(10))
                .build();

        private Builder(URI endpoint) {
            String scheme = endpoint.getScheme();
            if (endpoint.getHost() == null || !("http".equals(scheme) || "https".equals(scheme))) {
                throw new IllegalArgumentException("endpoint: an http or https URI with a host, not " + endpoint);
            }
            this.endpoint = endpoint;
        }

        /** Adds a header of each request, such as {@code Authorization}. */
        public Builder header(String name, String value) {
            headers.put(name, value);
            return this;
        }

        /**
         * Sets the time for which a server may be silent, before its answer and in a stream; the run fails then. A server's
         * keep-alive comments count as a sound.
         *
         * @throws IllegalArgumentException if it is not positive
         */
        public Builder idleTimeout(Duration most) {
            if (most.isNegative() || most.isZero()) {
                throw new IllegalArgumentException("idleTimeout: positive, not " + most);
            }
            idleTimeout = most;
            return this;
        }

        /**
         * Sets the form in which inputs are written; {@link Dialect#V1_0} by default. Streams are read in all of them, always.
         */
        public Builder dialect(Dialect form) {
            dialect = form;
            return this;
        }

        /** Sets the JDK's client, with its proxy, TLS and connect timeout (10 seconds by default). */
        public Builder httpClient(HttpClient client) {
            http = client;
            return this;
        }

        /** Makes the client. */
        public AguiClient build() {
            return new AguiClient(this);
        }
    }

    /** A run that was started. Thread-safe. */
    public static final class Run {

        private final CompletableFuture<Event.Terminal> end = new CompletableFuture<>();

        private Run() {}

        /**
         * The last event, {@code RUN_FINISHED} or {@code RUN_ERROR}, after which no other event comes. Completed exceptionally with
         * an {@link AguiClientException} if the server refused the run or the stream broke off, and with what the consumer of events
         * threw.
         */
        public CompletableFuture<Event.Terminal> end() {
            return end.copy();
        }

        /** Closes the connection. The server may stop the run then, or go on with it. */
        public void close() {
            end.cancel(false);
        }
    }

    /**
     * Starts a run.
     *
     * @param input the input; its protocol version becomes that of the {@linkplain Builder#dialect dialect}
     * @param events gets each event, the last one included, one after another on a thread of the HTTP client; what it throws
     *     ends the run
     */
    public Run run(RunAgentInput input, Consumer<Event> events) {
        return post(endpoint, dialect.write(input), events);
    }

    /**
     * Shows a thread without starting anything, on a server that has Holdpoint's history route below the endpoint.
     *
     * @param follow whether the events of an active run are followed until it ends
     * @param events as in {@link #run}
     */
    public Run history(String threadId, boolean follow, Consumer<Event> events) {
        URI route = URI.create(endpoint + "/history" + (follow ? "?follow=true" : ""));
        String body = AguiCodec.mapper()
                .createObjectNode()
                .put("threadId", threadId)
                .put("runId", "history")
                .put("protocolVersion", Agui.PROTOCOL_VERSION)
                .toString();
        return post(route, body, events);
    }

    /**
     * Cancels what a thread is at, on a server that has Holdpoint's cancel route below the endpoint.
     *
     * @return whether there was something; completed exceptionally with an {@link AguiClientException} if the server said
     *     anything else than 200 and 404, or with a {@link java.util.concurrent.TimeoutException} if it was silent
     */
    public CompletableFuture<Boolean> cancel(String threadId) {
        String body =
                AguiCodec.mapper().createObjectNode().put("threadId", threadId).toString();
        CompletableFuture<HttpResponse<String>> response =
                http.sendAsync(request(URI.create(endpoint + "/cancel"), body), head -> new Beginning());
        CompletableFuture<Boolean> told = response.thenApply(answer -> {
                    if (answer.statusCode() == 404) {
                        return false;
                    }
                    if (answer.statusCode() != OK) {
                        throw refusal(answer.statusCode(), answer.body());
                    }
                    return true;
                })
                .orTimeout(idleTimeout.toMillis(), TimeUnit.MILLISECONDS);
        told.whenComplete((cancelled, failure) -> response.cancel(true));
        return told;
    }

    private HttpRequest request(URI uri, String body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri)
                .header("Content-Type", "application/json")
                .header("Accept", "text/event-stream")
                .POST(HttpRequest.BodyPublishers.ofString(body));
        headers.forEach(request::setHeader);
        return request.build();
    }

    private Run post(URI uri, String body, Consumer<Event> events) {
        Run run = new Run();
        CompletableFuture<Void> answered = new CompletableFuture<>();
        answered.orTimeout(idleTimeout.toMillis(), TimeUnit.MILLISECONDS).exceptionally(silent -> {
            run.end.completeExceptionally(
                    problem(uri, new HttpTimeoutException("the server was silent for " + idleTimeout)));
            return null;
        });
        CompletableFuture<HttpResponse<Optional<Event.Terminal>>> response = http.sendAsync(
                request(uri, body),
                head -> head.statusCode() == OK ? stream(run, events, answered) : refused(head.statusCode()));
        run.end.whenComplete((last, failure) -> {
            if (failure != null) {
                response.cancel(true);
            }
        });
        response.whenComplete((got, failure) -> {
            answered.complete(null);
            if (failure != null) {
                run.end.completeExceptionally(problem(uri, failure));
            } else if (got.body().isEmpty()) {
                run.end.completeExceptionally(new AguiClientException(
                        "The stream of " + uri + " ended before RUN_FINISHED or RUN_ERROR.", OK, Optional.empty()));
            } else {
                run.end.complete(got.body().get());
            }
        });
        return run;
    }

    private BodySubscriber<Optional<Event.Terminal>> stream(
            Run run, Consumer<Event> events, CompletableFuture<Void> answered) {
        answered.complete(null);
        return new EventStream(idleTimeout, events, run.end);
    }

    private static BodySubscriber<Optional<Event.Terminal>> refused(int status) {
        return BodySubscribers.mapping(new Beginning(), body -> {
            throw refusal(status, body);
        });
    }

    private static AguiClientException refusal(int status, String body) {
        String shown = body.length() > REFUSAL_LENGTH ? body.substring(0, REFUSAL_LENGTH) : body;
        try {
            JsonNode json = AguiCodec.mapper().readTree(shown);
            if (json != null && json.path("code").isTextual()) {
                return new AguiClientException(
                        "HTTP " + status + ", " + json.get("code").textValue() + ": "
                                + json.path("message").asText(),
                        status,
                        Optional.of(json.get("code").textValue()));
            }
        } catch (JsonProcessingException e) {
            return new AguiClientException("HTTP " + status + ": " + shown, status, Optional.empty(), e);
        }
        return new AguiClientException("HTTP " + status + ": " + shown, status, Optional.empty());
    }

    private static Throwable problem(URI uri, Throwable failure) {
        Throwable cause = failure;
        while (!(cause instanceof ConnectException)
                && (cause instanceof CompletionException || cause instanceof IOException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof ConnectException) {
            return new AguiClientException(
                    "There is no connection to " + uri.getAuthority() + ".", 0, Optional.empty(), cause);
        }
        if (cause instanceof IOException || cause instanceof IllegalArgumentException) {
            String message = cause.getMessage() == null ? "the connection was closed" : cause.getMessage();
            return new AguiClientException("The run broke off: " + message, 0, Optional.empty(), cause);
        }
        return cause;
    }
}
