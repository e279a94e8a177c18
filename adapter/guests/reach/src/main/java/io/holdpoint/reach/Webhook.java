package io.holdpoint.reach;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.agui.AguiCodec;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Posts notices to an address of the application's choice, as CloudEvents 1.0 in JSON, signed as Standard Webhooks are:
 *
 * <pre>{@code
 * builder.with(Reach.notifier("erp", Webhook.to(URI.create("https://erp.example/approvals"), "whsec_...")))
 *
 * POST /approvals
 * content-type: application/cloudevents+json; charset=utf-8
 * webhook-id: 5f0c...                       the id of the notice
 * webhook-timestamp: 1769860800             seconds since 1970, of this attempt
 * webhook-signature: v1,K5oZfzN95Z9UVu1E... one for each secret: HMAC-SHA256 of "id.timestamp.body", in Base64
 *
 * {"specversion": "1.0", "id": "5f0c...", "source": "holdpoint/payments", "type": "io.holdpoint.asked", "subject": "<threadId>",
 *  "datacontenttype": "application/json",
 *  "data": {"threadId": "...", "owner": "ada", "questions": [
 *    {"interrupt": {...}, "toolName": "pay", "arguments": {...}, "askedAt": "...", "expired": false,
 *     "audiences": ["treasury"], "links"?: {"grace": "https://..."}, "outcome"?: {"decision": "approved", "by": ["grace"], "result": "executed"}}]}}
 * }</pre>
 *
 * <p>{@code source} ends with the name of the agent, and is {@code holdpoint} for one without a name; {@code type} ends with the kind
 * of the notice in lower case, {@code interrupt} is AG-UI's, {@code decision} is one of
 * {@link io.holdpoint.hook.RunObserver.Decision} and {@code result} is {@code executed}, {@code failed} or {@code not_executed}. Any
 * status from 200 to 299 is a success. Redirects are not followed; an attempt takes at most ten seconds. Of the address, failures tell
 * scheme, host and port only. Immutable, thread-safe.
 */
public final class Webhook implements ApprovalNotifier {

    static final Duration TIME_LIMIT = Duration.ofSeconds(10);
    private static final String PREFIX = "whsec_";
    private static final int SHORTEST = 24;
    private static final String ALGORITHM = "HmacSHA256";

    private final URI address;
    private final List<SecretKeySpec> keys;
    private final Clock clock;
    private final Duration timeLimit;
    private final HttpClient client;
    private final Function<Notice.Question, ? extends Collection<String>> whom;

    Webhook(URI address, List<String> secrets, Clock clock, Duration timeLimit) {
        boolean isHttp = "https".equalsIgnoreCase(address.getScheme()) || "http".equalsIgnoreCase(address.getScheme());
        if (!isHttp || address.getHost() == null) {
            throw new IllegalArgumentException("Webhook.to(...): must be an address like https://erp.example/approvals,"
                    + " but its scheme is " + address.getScheme() + " and its host " + address.getHost());
        }
        if (address.getRawUserInfo() != null) {
            throw new IllegalArgumentException(
                    "Webhook.to(...): the address on " + place(address)
                            + " has a user or a password, which would not be sent. Leave them out: the signature says who tells.");
        }
        this.address = address;
        this.keys = secrets.stream().map(Webhook::key).toList();
        this.clock = clock;
        this.timeLimit = timeLimit;
        this.client = HttpClient.newBuilder()
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(timeLimit)
                .build();
        this.whom = question -> List.of();
    }

    private Webhook(Webhook other, Function<Notice.Question, ? extends Collection<String>> whom) {
        this.address = other.address;
        this.keys = other.keys;
        this.clock = other.clock;
        this.timeLimit = other.timeLimit;
        this.client = other.client;
        this.whom = whom;
    }

    /**
     * A webhook.
     *
     * @param address where the notices go, {@code https} or {@code http}
     * @param secrets known to the receiver, as Standard Webhooks write them: {@code whsec_} and at least 24 random bytes in Base64. While a
     *     secret is being replaced there are two, and the receiver accepts either signature
     * @throws IllegalArgumentException if the address or a secret is none, or the address has a user or a password
     */
    public static Webhook to(URI address, String... secrets) {
        if (secrets.length == 0) {
            throw new IllegalArgumentException(
                    "Webhook.to(...) has no secret. Give it one: whsec_ and 24 or more random bytes in Base64");
        }
        return new Webhook(address, Arrays.asList(secrets), Clock.systemUTC(), TIME_LIMIT);
    }

    /**
     * Returns a webhook that tells the links to an open question, too, for a receiver that hands them on: {@code "links"?: {"grace": "https://..."}}.
     * A link that decides is the right of its person: the receiver gives it to nobody else.
     *
     * @param whom the ids of the people who get a link to a question; called on the notifier's thread
     */
    public Webhook links(Function<Notice.Question, ? extends Collection<String>> whom) {
        return new Webhook(this, whom);
    }

    private static SecretKeySpec key(String secret) {
        try {
            byte[] bytes =
                    Base64.getDecoder().decode(secret.startsWith(PREFIX) ? secret.substring(PREFIX.length()) : "");
            if (bytes.length >= SHORTEST) {
                return new SecretKeySpec(bytes, ALGORITHM);
            }
        } catch (IllegalArgumentException e) {
            // told below, without the secret
        }
        throw new IllegalArgumentException(
                "Webhook.to(...): a secret must be whsec_ and 24 or more random bytes in Base64, as"
                        + " from: echo whsec_$(openssl rand -base64 32)");
    }

    @Override
    public void tell(Notice notice) throws IOException, InterruptedException, GeneralSecurityException {
        String body = body(notice).toString();
        String timestamp = String.valueOf(clock.instant().getEpochSecond());
        post(
                body,
                "content-type",
                "application/cloudevents+json; charset=utf-8",
                "webhook-id",
                notice.id(),
                "webhook-timestamp",
                timestamp,
                "webhook-signature",
                signatures(notice.id() + "." + timestamp + "." + body));
    }

    /** Posts a body, with the names and values of headers, once. */
    void post(String body, String... headers) throws IOException, InterruptedException {
        int status = send(HttpRequest.newBuilder(address)
                .timeout(timeLimit)
                .headers(headers)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build());
        if (status / 100 != 2) {
            throw new IOException("The webhook on " + place(address) + " answered " + status + ", expected 200 to 299");
        }
    }

    /** The time limit of a request ends with the headers of the response, this one with its body. */
    private int send(HttpRequest request) throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<Void>> response =
                client.sendAsync(request, HttpResponse.BodyHandlers.discarding());
        try {
            return response.get(timeLimit.toMillis(), TimeUnit.MILLISECONDS).statusCode();
        } catch (ExecutionException e) {
            String cause = String.valueOf(e.getCause()).replace(address.toString(), place(address));
            throw new IOException("The webhook on " + place(address) + " could not be reached: " + cause, e);
        } catch (TimeoutException e) {
            response.cancel(true);
            throw new IOException(
                    "The webhook on " + place(address) + " has not answered within " + timeLimit.toSeconds()
                            + " seconds",
                    e);
        }
    }

    /** Gives scheme, host and port of an address: the rest is a secret with Slack and others. */
    private static String place(URI address) {
        return address.getScheme() + "://" + address.getHost() + (address.getPort() < 0 ? "" : ":" + address.getPort());
    }

    private String signatures(String signed) throws GeneralSecurityException {
        List<String> all = new ArrayList<>();
        for (SecretKeySpec key : keys) {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            all.add("v1," + Base64.getEncoder().encodeToString(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8))));
        }
        return String.join(" ", all);
    }

    private ObjectNode body(Notice notice) {
        ObjectNode event = AguiCodec.mapper()
                .createObjectNode()
                .put("specversion", "1.0")
                .put("id", notice.id())
                .put("source", notice.agent().isEmpty() ? "holdpoint" : "holdpoint/" + notice.agent())
                .put("type", "io.holdpoint." + word(notice.kind()))
                .put("subject", notice.threadId())
                .put("datacontenttype", "application/json");
        ObjectNode data =
                event.putObject("data").put("threadId", notice.threadId()).put("owner", notice.owner());
        for (Notice.Question question : notice.questions()) {
            PendingInterrupt asked = question.item().interrupt();
            ObjectNode json = data.withArray("questions").addObject();
            json.set("interrupt", AguiCodec.mapper().valueToTree(asked.interrupt()));
            json.put("toolName", asked.toolName());
            json.set("arguments", asked.arguments());
            json.put("askedAt", question.item().askedAt().toString());
            json.put("expired", question.item().expired());
            ArrayNode audiences = json.putArray("audiences");
            question.audiences().forEach(audience -> audiences.add(audience.name()));
            if (question.outcome().isEmpty()) {
                whom.apply(question).forEach(person -> question.link(person)
                        .ifPresent(link -> json.withObject("/links").put(person, link.toString())));
            }
            question.outcome().ifPresent(outcome -> {
                ObjectNode end = json.putObject("outcome").put("decision", word(outcome.decision()));
                ArrayNode by = end.putArray("by");
                outcome.by().forEach(by::add);
                end.put("result", word(outcome.result()));
            });
        }
        return event;
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
