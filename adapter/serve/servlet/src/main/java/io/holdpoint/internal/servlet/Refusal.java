package io.holdpoint.internal.servlet;

import io.holdpoint.ErrorCode;
import io.holdpoint.agui.AguiCodec;

/** An answer instead of a stream: a status and {@code {"code": "...", "message": "..."}}. The routes throw and catch it. */
public final class Refusal extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final ErrorCode code;

    public Refusal(ErrorCode code, String message) {
        super(message, null, false, false);
        this.code = code;
    }

    public static Refusal tooLarge(int most) {
        return new Refusal(
                ErrorCode.BODY_TOO_LARGE,
                "The body has more than " + most + " bytes. Send only the messages that are new, or shorter ones.");
    }

    public static Refusal wrongMethod(String allowed) {
        return new Refusal(ErrorCode.METHOD_NOT_ALLOWED, "This path accepts only: " + allowed + ".");
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
