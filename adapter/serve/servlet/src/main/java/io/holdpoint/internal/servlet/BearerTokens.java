package io.holdpoint.internal.servlet;

import io.holdpoint.Caller;
import io.holdpoint.agui.JsonValues;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Identifies callers by their tokens, of which it keeps hashes. Thread-safe. */
public final class BearerTokens {

    /** RFC 6750, section 2.1. */
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9._~+/-]+=*");

    private static final Pattern HEADER = Pattern.compile("(?i:Bearer) +(" + TOKEN.pattern() + ") *");

    private final List<Known> known;

    /** A caller and the hash of its token. Not a record, so that no log prints it. */
    private static final class Known {

        private final byte[] sha256;
        private final Caller caller;

        private Known(byte[] sha256, Caller caller) {
            this.sha256 = sha256;
            this.caller = caller;
        }
    }

    private BearerTokens(List<Known> known) {
        this.known = known;
    }

    /** Refuses no tokens at all, what is none, and a caller that is reserved, with an {@link IllegalArgumentException}. */
    public static BearerTokens of(Map<String, Caller> tokens) {
        if (tokens.isEmpty()) {
            throw new IllegalArgumentException("bearerTokens: is empty. Give at least one token.");
        }
        List<Known> known = new ArrayList<>();
        tokens.forEach((token, caller) -> {
            if (!TOKEN.matcher(token).matches()) {
                throw new IllegalArgumentException("bearerTokens: the token of " + caller.id()
                        + " is empty or has characters that no bearer token may have");
            }
            if (caller.isReserved()) {
                throw new IllegalArgumentException("bearerTokens: the id \"" + caller.id()
                        + "\" is reserved, so nobody signs in with it. Give the caller another one: not anonymous, and not one that"
                        + " begins with holdpoint:");
            }
            known.add(new Known(JsonValues.sha256(token), caller));
        });
        return new BearerTokens(List.copyOf(known));
    }

    /**
     * Finds the caller by the value of the header {@code Authorization}. Compares all tokens, so that the time it takes does not depend on the
     * token.
     */
    public Optional<Caller> caller(Optional<String> authorization) {
        Matcher header = HEADER.matcher(authorization.orElse(""));
        if (!header.matches()) {
            return Optional.empty();
        }
        byte[] presented = JsonValues.sha256(header.group(1));
        Optional<Caller> found = Optional.empty();
        for (Known each : known) {
            if (MessageDigest.isEqual(each.sha256, presented)) {
                found = Optional.of(each.caller);
            }
        }
        return found;
    }
}
