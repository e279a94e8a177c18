package io.holdpoint.internal.gate;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.ProposedCall;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.internal.Ids;
import io.holdpoint.store.Call.Question;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The question about any call of a tool. Immutable, except for the schema, which callers do not change.
 *
 * @param kind of the answers
 * @param reason as the client sees it
 * @param message the sentence that the person reads
 * @param responseSchema of the answers; shared by all questions
 * @param preview shown besides the arguments
 * @param expiresAfter the time within which the question may be answered
 */
record QuestionTemplate(
        Question.Kind kind,
        String reason,
        MessageTemplate message,
        ObjectNode responseSchema,
        Optional<Preview> preview,
        Optional<Duration> expiresAfter) {

    /** The question about one call, without the preview. */
    Question about(ProposedCall call, String canonicalArguments, Instant now) {
        ObjectNode metadata = AguiCodec.mapper().createObjectNode();
        ObjectNode langchain4j = metadata.putObject("langchain4j");
        langchain4j.put("toolName", call.toolName());
        langchain4j.set("args", call.arguments());
        langchain4j.put("argsSha256", ToolArguments.sha256(canonicalArguments));
        Interrupt interrupt = new Interrupt(
                Ids.interrupt(),
                reason,
                message.render(call.arguments()),
                call.toolCallId(),
                responseSchema,
                expiresAfter.map(now::plus).orElse(null),
                metadata);
        return new Question(kind, interrupt, now);
    }
}
