package io.holdpoint.people;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.holdpoint.ProposedCall;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.internal.gate.ToolArguments;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Shows the request that a call would send: {@code {"method", "scheme", "host", "path", "query"?: {...}, "body"?}}. Each part is a fact, so that a person is
 * asked again if the request has become another one, by another address in the configuration for instance; of one that is long, the fact is its SHA-256.
 * Immutable.
 *
 * <p>The request is not sent. Parts of the query and members of the body, at any depth, are shown as {@value #HIDDEN} if their names say that they are secret:
 * {@code token}, {@code key}, {@code secret}, {@code password}, {@code signature}, {@code credential} and {@code authorization} in any spelling, within longer
 * names too. A user and a password in the address, its fragment, and headers are not shown. The path, with its escapes, and a body that is a text, are
 * shown as they are sent: leave out what is secret in them. A name that the query has twice has a list.
 */
public final class HttpEffect implements Effect {

    /** Stands for what is secret. */
    public static final String HIDDEN = "(hidden)";

    private static final Pattern SECRET =
            Pattern.compile("token|key|secret|password|passwd|pwd|passphrase|signature|authorization|credential");

    /** Quotes and a name come on top of it in a fact. */
    private static final int LONG = MAX_FACT_LENGTH / 2;

    private final Function<ProposedCall, Request> request;

    /**
     * A request.
     *
     * @param method such as {@code POST}
     * @param address absolute
     * @param body what Jackson writes as JSON without modules: a record, a map, a list, a {@code JsonNode}; {@code null} for none
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
    public Plan plan(ProposedCall call) throws Exception {
        Request sent = request.apply(call);
        URI address = sent.address();
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("method", sent.method().toUpperCase(Locale.ROOT));
        shown.put("scheme", address.getScheme());
        shown.put("host", address.getHost() + (address.getPort() < 0 ? "" : ":" + address.getPort()));
        shown.put("path", address.getRawPath());
        if (address.getRawQuery() != null) {
            shown.put("query", query(address.getRawQuery()));
        }
        if (sent.body() != null) {
            shown.put("body", withoutSecrets(Written.asStored(sent.body())));
        }
        Plan plan = Plan.of(shown);
        for (Map.Entry<String, Object> part : shown.entrySet()) {
            plan = plan.holds(part.getKey(), fact(part.getValue()));
        }
        return plan;
    }

    private static Object fact(Object part) {
        String text = AguiCodec.write(part);
        return text.length() < LONG ? part : "SHA-256 " + ToolArguments.sha256(text);
    }

    /** A name that stands there twice has a list. */
    private static Map<String, Object> query(String raw) {
        Map<String, Object> all = new LinkedHashMap<>();
        for (String part : raw.split("&")) {
            String[] parts = part.split("=", 2);
            String name = decoded(parts[0]);
            String value = isSecret(name) ? HIDDEN : parts.length < 2 ? "" : decoded(parts[1]);
            all.merge(name, value, (before, one) -> {
                List<Object> several = new ArrayList<>(before instanceof List<?> list ? list : List.of(before));
                several.add(one);
                return several;
            });
        }
        return all;
    }

    private static String decoded(String part) {
        return URLDecoder.decode(part, StandardCharsets.UTF_8);
    }

    private static JsonNode withoutSecrets(JsonNode body) {
        if (body instanceof ObjectNode object) {
            object.properties()
                    .forEach(member -> member.setValue(
                            isSecret(member.getKey()) ? TextNode.valueOf(HIDDEN) : withoutSecrets(member.getValue())));
        } else {
            body.forEach(HttpEffect::withoutSecrets);
        }
        return body;
    }

    private static boolean isSecret(String name) {
        return SECRET.matcher(name.toLowerCase(Locale.ROOT)).find();
    }
}
