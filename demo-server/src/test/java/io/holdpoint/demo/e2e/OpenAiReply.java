package io.holdpoint.demo.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/** One scripted answer of {@link FakeOpenAiServer}. Immutable. */
sealed interface OpenAiReply {

    /** What the model is scripted to answer to a request it has accepted. */
    @FunctionalInterface
    interface Script {
        OpenAiReply answer(JsonNode request);
    }

    /** A function call as the model writes it: {@code arguments} is JSON text, sent as it stands. */
    record Call(String id, String name, String arguments) {}

    /** Token counts of one reply. */
    record Usage(int promptTokens, int completionTokens) {}

    /** An assistant message; finished by {@code tool_calls} when there are calls, by {@code stop} otherwise. */
    record Assistant(Optional<String> text, List<Call> calls, Usage usage) implements OpenAiReply {

        String finishReason() {
            return calls.isEmpty() ? "stop" : "tool_calls";
        }
    }

    /** An HTTP error status with OpenAI's error body. */
    record Failure(int status) implements OpenAiReply {}

    /** The beginning of {@code message}, then a closed connection. */
    record Cut(Assistant message) implements OpenAiReply {}

    /** A stream of frames that are sent as they stand, for what a provider may do and OpenAI's documentation does not say. */
    record Frames(List<String> frames) implements OpenAiReply {}

    /**
     * The beginning of {@code message}, streamed; the rest when {@code goOn} has come to zero. If the client breaks the
     * connection off meanwhile, {@code brokenOff} comes to zero.
     */
    record Stalled(Assistant message, CountDownLatch goOn, CountDownLatch brokenOff) implements OpenAiReply {

        Stalled(Assistant message) {
            this(message, new CountDownLatch(1), new CountDownLatch(1));
        }
    }

    static Assistant text(String text) {
        return new Assistant(Optional.of(text), List.of(), new Usage(11, 7));
    }

    static Assistant calls(Call... calls) {
        return new Assistant(Optional.empty(), List.of(calls), new Usage(13, 5));
    }

    static Assistant textAndCalls(String text, Call... calls) {
        return new Assistant(Optional.of(text), List.of(calls), new Usage(17, 3));
    }
}
