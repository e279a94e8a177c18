package io.holdpoint.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.StdConverter;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.store.Call.Asked;
import io.holdpoint.store.Call.Attempt;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A call as it is written: its arguments stand in the proposal alone. A question that shows the same ones is written with {@code null} in
 * their place, and an attempt that runs them without.
 */
@JsonSerialize(converter = StoredCall.Writing.class)
@JsonDeserialize(converter = StoredCall.Reading.class)
final class StoredCall {

    private StoredCall() {}

    static final class Writing extends StdConverter<Call, Call> {

        @Override
        public Call convert(Call call) {
            String own = call.arguments();
            return with(
                    call,
                    run -> own.equals(run) ? null : run,
                    shown -> shown.isObject() && AguiCodec.write(shown).equals(own) ? NullNode.getInstance() : shown);
        }
    }

    static final class Reading extends StdConverter<Call, Call> {

        @Override
        public Call convert(Call call) {
            String own = call.arguments();
            return with(call, run -> run == null ? own : run, shown -> shown.isNull() ? read(own) : shown);
        }
    }

    private static Call with(Call call, UnaryOperator<@Nullable String> run, UnaryOperator<JsonNode> shown) {
        List<Asked> asked = new ArrayList<>();
        for (Asked each : call.asked()) {
            asked.add(with(each, shown));
        }
        List<Attempt> attempts = new ArrayList<>();
        for (Attempt each : call.attempts()) {
            attempts.add(new Attempt(each.runId(), run.apply(each.arguments()), each.startedAt()));
        }
        return new Call(
                call.toolCallId(),
                call.proposal(),
                call.resultMessageId(),
                call.state(),
                asked,
                attempts,
                call.result());
    }

    private static Asked with(Asked asked, UnaryOperator<JsonNode> shown) {
        Interrupt of = asked.question().interrupt();
        if (of.metadata() == null
                || !(of.metadata().get("langchain4j") instanceof ObjectNode own)
                || !own.has("args")) {
            return asked;
        }
        ObjectNode metadata = own.objectNode().setAll(of.metadata());
        metadata.set("langchain4j", own.objectNode().<ObjectNode>setAll(own).set("args", shown.apply(own.get("args"))));
        Interrupt interrupt = new Interrupt(
                of.id(), of.reason(), of.message(), of.toolCallId(), of.responseSchema(), of.expiresAt(), metadata);
        return new Asked(asked.question().with(interrupt), asked.answer(), asked.votes(), asked.sha256());
    }

    /** Arguments that are no JSON were shown to nobody. */
    private static JsonNode read(String arguments) {
        try {
            return AguiCodec.mapper().readTree(arguments);
        } catch (JsonProcessingException e) {
            return NullNode.getInstance();
        }
    }
}
