package io.holdpoint.crash;

import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.CompleteToolCall;
import dev.langchain4j.model.chat.response.PartialToolCall;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.EitherModel;
import java.util.function.Consumer;

/** The script's model: says the same whichever process asks, and reports requests that a provider would refuse. */
final class CrashableModel extends EitherModel {

    private final CrashPoints points;
    private final Consumer<String> report;

    CrashableModel(CrashPoints points, Consumer<String> report) {
        this.points = points;
        this.report = report;
    }

    @Override
    public ChatResponse doChat(ChatRequest request) {
        points.pass("before the model answers");
        ChatResponse response = scripted(request).doChat(request);
        points.pass("after the model answered");
        return response;
    }

    @Override
    public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
        points.pass("before the model answers");
        scripted(request).doChat(request, new Watched(handler));
    }

    private ScriptedModel scripted(ChatRequest request) {
        try {
            WellFormedMemory.check(request.messages());
        } catch (AssertionError e) {
            report.accept(Line.VIOLATION.with("the model was asked " + e.getMessage()));
        }
        return new ScriptedModel().answers(Script::answer);
    }

    /** Stands in the middle of an answer. */
    private final class Watched implements StreamingChatResponseHandler {

        private final StreamingChatResponseHandler handler;

        Watched(StreamingChatResponseHandler handler) {
            this.handler = handler;
        }

        @Override
        public void onPartialResponse(String text) {
            handler.onPartialResponse(text);
            points.pass("while the model speaks");
        }

        @Override
        public void onPartialToolCall(PartialToolCall call) {
            handler.onPartialToolCall(call);
            points.passDetail("while the model proposes a call");
        }

        @Override
        public void onCompleteToolCall(CompleteToolCall call) {
            handler.onCompleteToolCall(call);
            points.pass("after the model proposed a call");
        }

        @Override
        public void onCompleteResponse(ChatResponse response) {
            points.pass("before the model ends");
            handler.onCompleteResponse(response);
        }

        @Override
        public void onError(Throwable error) {
            handler.onError(error);
        }
    }
}
