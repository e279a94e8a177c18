package io.holdpoint.people;

import io.holdpoint.ProposedCall;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Shows the request that a call would send: {@code {"method", "host", "path", "query"?: {...}, "body"?}}. Each part is a fact, so that a person is asked
 * again if the request has become another one, by another address in the configuration for instance. Immutable.
 *
 * <p>The request is not sent. Parts of the query and of a body that is a map are shown as {@value #HIDDEN} if their names say that they are secret: {@code token},
 * {@code key}, {@code secret}, {@code password}, {@code signature} and {@code authorization} in any spelling, within longer names too. A user and a password in
 * the address, its fragment, and headers are not shown.
 */
public final class HttpEffect implements Effect {

    /** Stands for what is secret. */
    public static final String HIDDEN = "(hidden)";

    private static final List<String> SECRET =
            List.of("token", "key", "secret", "password", "passwd", "signature", "authorization", "credential");

    private final Function<ProposedCall, Request> request;

    /**
     * A request.
     *
     * @param method such as {@code POST}
     * @param address absolute
     * @param body what Jackson writes as JSON without modules, best a map; {@code null} for none
     */
    public record Request(
            String method, URI address, @Nullable Object body) {

        /** Checks the address. */
        public Request {
            Objects.requireNonNull(method, "method");
            if (address.getHost() == null) {
                throw new IllegalArgumentException(
                        "address: must be absolute, such as https://api.example.com/payments");
            }
        }
    }

    private HttpEffect(Function<ProposedCall, Request> request) {
        this.request = Objects.requireNonNull(request, "request");
    }

    /**
     * Makes the effect of calls that send a request.
     *
     * @param request what the tool would send; best by the function by which it makes it
     */
    public static HttpEffect of(Function<ProposedCall, Request> request) {
        return new HttpEffect(request);
    }

    @Override
    public Plan plan(ProposedCall call) {
        Request sent = request.apply(call);
        URI address = sent.address();
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("method", sent.method().toUpperCase(Locale.ROOT));
        shown.put("host", address.getHost() + (address.getPort() < 0 ? "" : ":" + address.getPort()));
        shown.put("path", address.getPath());
        if (address.getRawQuery() != null) {
            shown.put("query", query(address.getRawQuery()));
        }
        if (sent.body() != null) {
            shown.put("body", shown(sent.body()));
        }
        Plan plan = Plan.of(shown);
        for (Map.Entry<String, Object> part : shown.entrySet()) {
            plan = plan.holds(part.getKey(), part.getValue());
        }
        return plan;
    }

    private static Map<String, Object> query(String raw) {
        Map<String, Object> all = new LinkedHashMap<>();
        for (String part : raw.split("&")) {
            int end = part.indexOf('=');
            String name = decoded(end < 0 ? part : part.substring(0, end));
            String value = isSecret(name) ? HIDDEN : end < 0 ? "" : decoded(part.substring(end + 1));
            all.merge(name, value, (one, two) -> one + ", " + two);
        }
        return all;
    }

    private static String decoded(String part) {
        return URLDecoder.decode(part, StandardCharsets.UTF_8);
    }

    private static Object shown(Object body) {
        if (body instanceof Map<?, ?> map) {
            Map<String, Object> all = new LinkedHashMap<>();
            map.forEach((name, value) -> all.put(
                    String.valueOf(name),
                    isSecret(String.valueOf(name)) ? HIDDEN : value == null ? null : shown(value)));
            return all;
        }
        return body instanceof List<?> list
                ? list.stream().map(each -> each == null ? null : shown(each)).toList()
                : body;
    }

    private static boolean isSecret(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return SECRET.stream().anyMatch(lower::contains);
    }
}
