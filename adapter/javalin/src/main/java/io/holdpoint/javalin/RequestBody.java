package io.holdpoint.javalin;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.AguiFormatException;
import io.holdpoint.agui.LongInput;
import io.holdpoint.agui.RunAgentInput;
import io.javalin.http.ContentType;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the body of a request, or refuses it. Thread-safe. */
final class RequestBody {

    private static final Logger LOG = LoggerFactory.getLogger(RequestBody.class);

    private final int maxBytes;

    private final Duration timeout;

    RequestBody(int maxBytes, Duration timeout) {
        this.maxBytes = maxBytes;
        this.timeout = timeout;
    }

    /** Keeps as much as is allowed, and takes what is longer only if the agent knows what is not kept. */
    RunAgentInput read(Context ctx, Holdpoint agent) throws Refusal {
        requireJson(ctx);
        int maxMessages = agent.limits().messages();
        long length = ctx.req().getContentLengthLong();
        if (length > (long) maxBytes * maxMessages) {
            throw tooLarge();
        }
        try {
            if (length >= 0 && length <= maxBytes) {
                return AguiCodec.readRunAgentInput(bytes(ctx));
            }
            LongInput read = LongInput.read(inTime(ctx), maxBytes, maxMessages);
            if (read.anyKnown(ids -> agent.knowsAny(read.input().threadId(), ids))) {
                return read.input();
            }
            throw tooLarge();
        } catch (LongInput.TooLongException e) {
            throw tooLarge();
        } catch (TimedStream.TooSlowException e) {
            throw tooSlow();
        } catch (AguiFormatException e) {
            throw new Refusal(HttpStatus.BAD_REQUEST, ErrorCode.INPUT_INVALID, e.getMessage());
        }
    }

    /** Reads the field {@code threadId} of a JSON object and ignores its other fields. */
    String readThreadId(Context ctx) throws Refusal {
        JsonNode threadId = readObject(ctx).path("threadId");
        if (threadId.isTextual()) {
            return threadId.textValue();
        }
        throw new Refusal(
                HttpStatus.BAD_REQUEST,
                ErrorCode.INPUT_INVALID,
                "threadId: must be a text. Send {\"threadId\": \"...\"}.");
    }

    /** Reads the body as a JSON object with any fields. */
    JsonNode readObject(Context ctx) throws Refusal {
        requireJson(ctx);
        byte[] json = bytes(ctx);
        try {
            JsonNode tree = AguiCodec.mapper().readTree(json);
            if (tree != null && tree.isObject()) {
                return tree;
            }
        } catch (IOException e) {
            LOG.debug("A body that is no JSON", e);
        }
        throw new Refusal(HttpStatus.BAD_REQUEST, ErrorCode.INPUT_INVALID, "The body must be a JSON object.");
    }

    /** Refuses forms and texts, which a page of another site can send without a preflight request. */
    private static void requireJson(Context ctx) throws Refusal {
        String type = Optional.ofNullable(ctx.contentType()).orElse("");
        if (!type.split(";", 2)[0].strip().equalsIgnoreCase(ContentType.JSON)) {
            throw new Refusal(
                    HttpStatus.UNSUPPORTED_MEDIA_TYPE,
                    ErrorCode.MEDIA_TYPE_UNSUPPORTED,
                    "The body must be JSON. Send the header Content-Type: application/json.");
        }
    }

    /** Reads the bytes up to the limit, since a body may be longer than announced. */
    private byte[] bytes(Context ctx) throws Refusal {
        if (ctx.req().getContentLengthLong() > maxBytes) {
            throw tooLarge();
        }
        byte[] bytes;
        try {
            InputStream in = inTime(ctx);
            bytes = in.readNBytes(maxBytes);
            if (bytes.length == maxBytes && in.read() >= 0) {
                throw tooLarge();
            }
        } catch (TimedStream.TooSlowException e) {
            throw tooSlow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes;
    }

    private InputStream inTime(Context ctx) {
        return new TimedStream(ctx.bodyInputStream(), timeout, System::nanoTime);
    }

    private Refusal tooSlow() {
        return new Refusal(
                HttpStatus.REQUEST_TIMEOUT,
                ErrorCode.BODY_TIMEOUT,
                "The body took longer than " + timeout.toMillis() + " ms. Send it again, or less of it.");
    }

    private Refusal tooLarge() {
        return new Refusal(
                HttpStatus.CONTENT_TOO_LARGE,
                ErrorCode.BODY_TOO_LARGE,
                "The body has more than " + maxBytes
                        + " bytes that are not known already. Send fewer new messages, or shorter ones.");
    }
}
