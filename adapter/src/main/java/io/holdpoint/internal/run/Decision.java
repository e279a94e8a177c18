package io.holdpoint.internal.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.internal.gate.MethodArguments;
import io.holdpoint.internal.gate.NotExecuted;
import io.holdpoint.internal.gate.ToolArguments;
import io.holdpoint.store.Answer;
import io.holdpoint.store.Call;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What a stored answer means for its call. Only {@code resolved} with JSON {@code approved: true} executes. */
sealed interface Decision {

    /** Takes every case into account: execute with arguments, which may be edited, or not, with what the model is told. */
    <T> T match(Function<Execute, T> execute, Function<String, T> refuse);

    /**
     * Execute.
     *
     * @param arguments canonical text
     * @param edited whether they are not the proposed ones
     */
    record Execute(String arguments, boolean edited) implements Decision {

        @Override
        public <T> T match(Function<Execute, T> execute, Function<String, T> refuse) {
            return execute.apply(this);
        }
    }

    /**
     * Do not execute.
     *
     * @param text what the model is told
     */
    record Refuse(String text) implements Decision {

        @Override
        public <T> T match(Function<Execute, T> execute, Function<String, T> refuse) {
            return refuse.apply(text);
        }
    }

    static Execute asProposed(Call call) {
        return new Execute(call.arguments(), false);
    }

    static Decision of(Call call, MethodArguments tool) {
        Answer answer = call.decision()
                .orElseThrow(() -> new IllegalStateException("call " + call.toolCallId() + " is not decided"));
        return switch (answer.how()) {
            case CANCELLED -> new Refuse(NotExecuted.cancelled(call.toolName()));
            case EXPIRED -> new Refuse(NotExecuted.expired(call.toolName()));
            case RESOLVED -> resolved(call, answer.entry().payload(), tool);
        };
    }

    private static Decision resolved(Call call, @Nullable JsonNode payload, MethodArguments tool) {
        if (payload == null
                || !payload.path("approved").isBoolean()
                || !payload.path("approved").booleanValue()) {
            JsonNode reason = payload == null ? null : payload.get("reason");
            return new Refuse(NotExecuted.declined(
                    call.toolName(), reason != null && reason.isTextual() ? reason.textValue() : null));
        }
        if (!ToolArguments.sha256(call.arguments()).equals(call.argumentsSha256())) {
            return new Refuse(NotExecuted.changed(call.toolName()));
        }
        if (payload.get("editedArgs") instanceof ObjectNode edited) {
            String arguments = ToolArguments.write(tool.complete(edited));
            return new Execute(arguments, !arguments.equals(call.arguments()));
        }
        return asProposed(call);
    }
}
