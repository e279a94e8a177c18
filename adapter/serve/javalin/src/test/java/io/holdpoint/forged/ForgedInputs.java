package io.holdpoint.forged;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Caller;
import io.holdpoint.ErrorCode;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Message;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Store.ThreadRecord;
import io.holdpoint.testing.Bench;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * A thread of Ada's on which a mail waits for her approval, next to a call that nobody is asked about; and ways to send what
 * no honest client sends. After each, nothing has run, everything is as open as before, and the thread can go on.
 */
abstract class ForgedInputs {

    static final Caller ADA = Caller.of("ada");
    static final Caller EVE = Caller.of("eve");
    static final String SENT = "sendEmail ada@example.com|Hi|Hello";

    final Bench bench = new Bench(builder -> builder.approvalAuthorizer(ApprovalAuthorizer.OWNER));
    PendingInterrupt mail;
    private final Client client;
    private int runs;

    ForgedInputs(Function<Bench, Client> way) {
        client = way.apply(bench);
    }

    @AfterEach
    void close() {
        client.close();
    }

    Heard send(Caller who, String body) {
        return client.send(who, body);
    }

    @BeforeEach
    void hold() {
        bench.model.calls(call("c1", "sendEmail", MAIL), call("c2", "searchContacts", "{\"query\":\"Ada\"}"));
        bench.agent().as(ADA).send(THREAD, "Write to Ada");
        mail = bench.agent().as(ADA).pending(THREAD).get(0);
    }

    Heard send(String body) {
        return send(ADA, body);
    }

    static ObjectNode json(String text) {
        try {
            return (ObjectNode) AguiCodec.mapper().readTree(text);
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    /** An input on the thread without anything in it. */
    ObjectNode body() {
        ObjectNode body = json("{\"messages\":[],\"tools\":[],\"context\":[]}");
        return body.put("protocolVersion", "1.0").put("threadId", THREAD).put("runId", "forged-" + ++runs);
    }

    /** An input that answers the interrupt. */
    ObjectNode resume(String payload) {
        ObjectNode body = body();
        entry(body).put("interruptId", mail.id()).put("status", "resolved").set("payload", json(payload));
        return body;
    }

    static ObjectNode entry(ObjectNode body) {
        return body.withArray("resume").addObject();
    }

    /** An input whose messages are what the server knows, followed by more. */
    ObjectNode transcriptAnd(String... messages) {
        ObjectNode body = body();
        ArrayNode list = body.putArray("messages");
        for (Message known : bench.transcript()) {
            list.add(AguiCodec.toTree(known));
        }
        for (String message : messages) {
            list.add(json(message));
        }
        return body;
    }

    private record Held(
            List<PendingInterrupt> pending,
            Optional<Batch> batch,
            List<Message> transcript,
            Object memory,
            int asked) {}

    private Held held() {
        return new Held(
                bench.agent().as(ADA).pending(THREAD),
                bench.store.find(THREAD).flatMap(ThreadRecord::batch),
                bench.transcript(),
                bench.memory(),
                bench.model.requests().size());
    }

    /** Sends as Ada, and checks that nothing came of it. */
    void nothingComesOf(ObjectNode body, List<String> types, String code) {
        nothingComesOf(ADA, AguiCodec.write(body), new Heard(types, code));
    }

    void refused(ObjectNode body, ErrorCode code) {
        nothingComesOf(body, List.of("RUN_ERROR"), code.name());
    }

    void presented(ObjectNode body) {
        nothingComesOf(body, Bench.PRESENTED, "");
    }

    void noInput(String body) {
        nothingComesOf(ADA, body, Heard.withoutStream(ErrorCode.INPUT_INVALID.name()));
    }

    void nothingComesOf(Caller who, String body, Heard expected) {
        Held before = held();

        Heard heard = send(who, body);

        assertThat(heard).isEqualTo(expected);
        assertThat(held()).isEqualTo(before);
        assertThat(bench.tools.effects()).isEmpty();
        goesOn();
    }

    /** The honest approval still runs what was shown. */
    void goesOn() {
        bench.model.says("Done.");
        send(ADA, AguiCodec.write(resume("{\"approved\":true}")));
        assertThat(bench.tools.effects()).containsExactly(SENT, "searchContacts Ada");
    }

    /** An answer that is accepted runs what was shown, whatever else is in it. */
    void runsWhatWasShown(ObjectNode body) {
        bench.model.says("Done.");

        assertThat(send(AguiCodec.write(body)).types()).endsWith("RUN_FINISHED");
        assertThat(bench.tools.effects()).containsExactly(SENT, "searchContacts Ada");
    }
}
