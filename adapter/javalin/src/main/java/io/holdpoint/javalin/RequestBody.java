package io.holdpoint.javalin;

import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.AguiFormatException;
import io.holdpoint.agui.LongInput;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.internal.servlet.ArrivingBytes;
import io.holdpoint.internal.servlet.JsonBody;
import io.holdpoint.internal.servlet.Refusal;
import io.javalin.http.Context;
import jakarta.servlet.ServletInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the body of a request, or refuses it. No thread waits for the body, except for the rest of a long one. Thread-safe. */
final class RequestBody {

    private static final Logger LOG = LoggerFactory.getLogger(RequestBody.class);

    /** A body up to this length is read at once if all of it is there, as the servers' own buffers bound. */
    private static final int SHORT = 32_768;

    private static final int LONG_BODIES_AT_ONCE = 16;
    private static final Duration IDLE = Duration.ofSeconds(10);

    private final int maxBytes;
    private final ArrivingBytes arriving;
    private final Duration timeout;
    private final Executor threads;
    private final ThreadPoolExecutor readers;

    /** The threads are those of the server. */
    RequestBody(int maxBytes, Duration timeout, Executor threads) {
        this.maxBytes = maxBytes;
        this.arriving = new ArrivingBytes(maxBytes);
        this.timeout = timeout;
        this.threads = threads;
        readers = new ThreadPoolExecutor(
                LONG_BODIES_AT_ONCE,
                LONG_BODIES_AT_ONCE,
                IDLE.toSeconds(),
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                RequestBody::reader);
        readers.allowCoreThreadTimeOut(true);
    }

    private static Thread reader(Runnable task) {
        Thread thread = new Thread(task, "holdpoint-long-bodies");
        thread.setDaemon(true);
        return thread;
    }

    /** Keeps as much as is allowed, and takes what is longer only if the agent knows what is not kept. */
    CompletableFuture<RunAgentInput> readInput(Context ctx, Holdpoint agent) {
        long mostInAll = (long) maxBytes * agent.limits().messages();
        return read(ctx, mostInAll, AguiCodec::readRunAgentInput, body -> readLong(body, agent));
    }

    /** Reads the body as a JSON object with any fields. */
    CompletableFuture<JsonBody> readObject(Context ctx) {
        return read(ctx, maxBytes, JsonBody::read, body -> {
            throw tooLarge();
        });
    }

    /** Reads a body that may be of several kinds of length. */
    @FunctionalInterface
    private interface Reader<F, T> {
        T read(F from) throws Refusal, IOException;
    }

    /**
     * The future fails with a {@link Refusal}, or with what the application's hooks throw. It is complete if the body is there;
     * otherwise the request is asynchronous by then.
     */
    private <T> CompletableFuture<T> read(
            Context ctx, long most, Reader<byte[], T> whole, Reader<InputStream, T> longer) {
        CompletableFuture<T> read = new CompletableFuture<>();
        try {
            JsonBody.require(ctx.contentType());
            long length = ctx.req().getContentLengthLong();
            if (length > most) {
                throw tooLarge();
            }
            ServletInputStream in = ctx.req().getInputStream();
            if (length >= 0 && length <= Math.min(maxBytes, SHORT) && in.available() >= length) {
                complete(read, whole, in.readNBytes((int) length));
                return read;
            }
            if (in.isFinished()) { // an authenticator has read it, by Javalin, which keeps it
                byte[] bytes = ctx.bodyAsBytes();
                if (bytes.length <= maxBytes) {
                    complete(read, whole, bytes);
                } else {
                    complete(read, longer, new ByteArrayInputStream(bytes));
                }
                return read;
            }
            ctx.req().startAsync().setTimeout(0); // the body has a limit of its own
            ArrivingBytes.Body counted = arriving.begin();
            read.whenComplete((value, failure) -> counted.release());
            ArrivingBody body = new ArrivingBody(in, counted, maxBytes, timeout);
            body.arrived(threads).whenComplete((all, failure) -> {
                if (failure != null) {
                    read.completeExceptionally(refused(failure));
                } else if (all) {
                    complete(read, whole, body.bytes());
                } else {
                    readers.execute(() -> complete(read, longer, body));
                }
            });
        } catch (Refusal | IOException e) {
            read.completeExceptionally(refused(e));
        }
        return read;
    }

    private <F, T> void complete(CompletableFuture<T> read, Reader<F, T> reader, F from) {
        T value;
        try {
            value = reader.read(from);
        } catch (Refusal | IOException | RuntimeException e) {
            read.completeExceptionally(refused(e));
            return;
        }
        read.complete(value);
    }

    private RunAgentInput readLong(InputStream body, Holdpoint agent) throws Refusal {
        LongInput read = LongInput.read(body, maxBytes, agent.limits().messages());
        if (read.anyKnown(ids -> agent.knowsAny(read.input().threadId(), ids))) {
            return read.input();
        }
        throw tooLarge();
    }

    /** Says why a body was not read. */
    private Throwable refused(Throwable failure) {
        Throwable cause = failure instanceof UncheckedIOException ? failure.getCause() : failure;
        if (cause instanceof LongInput.TooLongException) {
            return tooLarge();
        }
        if (cause instanceof AguiFormatException) {
            return new Refusal(ErrorCode.INPUT_INVALID, cause.getMessage());
        }
        if (cause instanceof ArrivingBody.TooSlowException || cause.getCause() instanceof TimeoutException) {
            return tooSlow();
        }
        if (cause instanceof IOException) {
            LOG.debug("A body broke off", cause);
            return new Refusal(ErrorCode.INPUT_INVALID, "The body broke off. Send all of it.");
        }
        return cause;
    }

    private Refusal tooSlow() {
        return new Refusal(
                ErrorCode.BODY_TIMEOUT,
                "The body took longer than " + timeout.toMillis() + " ms. Send it again, or less of it.");
    }

    private Refusal tooLarge() {
        return Refusal.tooLarge(maxBytes);
    }
}
