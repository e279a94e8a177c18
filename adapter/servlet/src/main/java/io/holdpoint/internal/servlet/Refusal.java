package io.holdpoint.internal.servlet;

import io.holdpoint.ErrorCode;
import io.holdpoint.RunRejectedException;
import io.holdpoint.agui.AguiCodec;
import java.time.Duration;

/** An answer instead of a stream: a status and {@code {"code": "...", "message": "..."}}. The routes throw and catch it. */
public final class Refusal extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final ErrorCode code;

    public Refusal(ErrorCode code, String message) {
        super(message, null, false, false);
        this.code = code;
    }

    public static Refusal of(RunRejectedException rejected) {
        return new Refusal(rejected.code(), String.valueOf(rejected.getMessage()));
    }

    public static Refusal agentNotFound() {
        return new Refusal(ErrorCode.AGENT_NOT_FOUND, "This server has no agent with this id.");
    }

    public static Refusal nothingToCancel() {
        return new Refusal(ErrorCode.NOTHING_TO_CANCEL, "The thread has no active run and no held call.");
    }

    public static Refusal tooLarge(int most) {
        return new Refusal(
                ErrorCode.BODY_TOO_LARGE,
                "The body has more than " + most + " bytes. Send only the messages that are new, or shorter ones.");
    }

    public static Refusal tooSlow(Duration timeout) {
        return new Refusal(
                ErrorCode.BODY_TIMEOUT,
                "The body took longer than " + timeout.toMillis() + " ms. Send it again, or less of it.");
    }

    public static Refusal busy() {
        return new Refusal(ErrorCode.SERVER_BUSY, "The server is receiving too much data. Try again in a minute.");
    }

    public static Refusal wrongMethod(String allowed) {
        return new Refusal(ErrorCode.METHOD_NOT_ALLOWED, "This path accepts only: " + allowed + ".");
    }

    public static Refusal unauthenticated() {
        return new Refusal(
                ErrorCode.UNAUTHENTICATED, "Authentication required. Send credentials that this server accepts.");
    }

    ErrorCode code() {
        return code;
    }

    /** The status of HTTP. */
    public int status() {
        return code.status();
    }

    /** The body of the answer. */
    public String json() {
        return json(code, getMessage());
    }

    public static String json(ErrorCode code, String message) {
        return AguiCodec.mapper()
                .createObjectNode()
                .put("code", code.name())
                .put("message", message)
                .toString();
    }
}
