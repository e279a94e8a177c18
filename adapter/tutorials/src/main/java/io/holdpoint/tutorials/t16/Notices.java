package io.holdpoint.tutorials.t16;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.javalin.http.Context;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowNotFoundException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.function.Consumer;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Takes what the agent's webhook posts, and signals it to the workflow of the thread.
 *
 * @param secret the one that the webhook was given
 * @param tasks where people see the questions
 */
record Notices(String secret, WorkflowClient engine, Consumer<String> tasks) {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long OLDEST_SECONDS = 300;

    // readme
    void receive(Context request) throws Exception {
        if (!isFromTheAgent(request)) {
            request.status(401);
            return;
        }
        JsonNode event = JSON.readTree(request.body());
        JsonNode question = event.at("/data/questions/0");
        JsonNode outcome = question.path("outcome");
        String text = outcome.isMissingNode()
                ? question.at("/interrupt/message").asText()
                : outcome.path("decision").asText() + " by "
                        + outcome.at("/by/0").asText() + ", "
                        + outcome.path("result").asText().replace('_', ' ');
        Payment.Noticed notice = new Payment.Noticed(
                event.path("type").asText(), question.at("/interrupt/id").asText(), text);
        try {
            engine.newUntypedWorkflowStub(event.at("/data/threadId").asText()).signal("noticed", notice);
            tasks.accept(text);
        } catch (WorkflowNotFoundException e) {
            // it has ended: the notice came again
        }
    }
    // end

    private boolean isFromTheAgent(Context request) throws GeneralSecurityException {
        String id = String.valueOf(request.header("webhook-id"));
        String time = String.valueOf(request.header("webhook-timestamp"));
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.substring("whsec_".length())), "HmacSHA256"));
        byte[] hash = mac.doFinal((id + "." + time + "." + request.body()).getBytes(StandardCharsets.UTF_8));
        String expected = "v1," + Base64.getEncoder().encodeToString(hash);
        String signature = String.valueOf(request.header("webhook-signature"));
        return MessageDigest.isEqual(
                        expected.getBytes(StandardCharsets.UTF_8), signature.getBytes(StandardCharsets.UTF_8))
                && Math.abs(Instant.now().getEpochSecond() - Long.parseLong(time)) < OLDEST_SECONDS;
    }
}
