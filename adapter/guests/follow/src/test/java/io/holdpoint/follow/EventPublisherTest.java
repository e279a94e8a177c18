package io.holdpoint.follow;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunRejectedException;
import io.holdpoint.agui.Event;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EventPublisherTest {

    private static final List<String> HELD =
            List.of("RUN_STARTED", "TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END", "RUN_FINISHED");

    private final ScriptedModel model = new ScriptedModel();
    private final List<String> effects = new ArrayList<>();

    public final class Bank {

        @Tool
        @RequiresApproval
        public String pay(int amount) {
            effects.add("pay " + amount);
            return "paid";
        }
    }

    /** Requests as many as the test says. */
    private static class Reader implements Flow.Subscriber<Event> {

        final List<String> told = new ArrayList<>();
        Flow.Subscription subscription;

        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscription = given;
        }

        @Override
        public void onNext(Event event) {
            told.add(event.type());
        }

        @Override
        public void onError(Throwable failure) {
            told.add(
                    failure instanceof RunRejectedException refused
                            ? refused.code().name()
                            : failure.toString());
        }

        @Override
        public void onComplete() {
            told.add("complete");
        }
    }

    private static RunAgentInput says(String threadId) {
        return RunAgentInput.of(
                threadId, "run-" + threadId, List.of(new Message.User("u1", MessageContent.text("Go"))));
    }

    private Holdpoint agent(Shape shape) {
        return shape.builder(model).tools(new Bank()).build();
    }

    @ParameterizedTest
    @EnumSource(Shape.class)
    void aSubscriberGetsWhatItRequestsAndTheRunWaitsForNone(Shape shape) {
        model.calls(call("c1", "pay", "{\"amount\":5}"));
        Holdpoint agent = agent(shape);
        Reader reader = new Reader();

        EventPublisher.of(agent, says("t")).subscribe(reader);

        assertThat(reader.told).isEmpty();
        assertThat(agent.pending("t")).hasSize(1);
        reader.subscription.request(2);
        assertThat(reader.told).hasSize(2).first().isEqualTo("RUN_STARTED");
        reader.subscription.request(Long.MAX_VALUE);
        reader.subscription.request(1);
        assertThat(reader.told).containsSubsequence(HELD).endsWith("RUN_FINISHED", "complete");
        assertThat(effects).isEmpty();
    }

    @Test
    void aSubscriberMayRequestWhileItIsTold() {
        model.calls(call("c1", "pay", "{\"amount\":5}"));
        Reader oneByOne = new Reader() {
            @Override
            public void onSubscribe(Flow.Subscription given) {
                super.onSubscribe(given);
                given.request(1);
            }

            @Override
            public void onNext(Event event) {
                super.onNext(event);
                subscription.request(1);
            }
        };

        EventPublisher.of(agent(Shape.STREAMING), says("t")).subscribe(oneByOne);

        assertThat(oneByOne.told).containsSubsequence(HELD).endsWith("RUN_FINISHED", "complete");
    }

    @Test
    void aRunThatIsRefusedIsAnErrorAndEachSubscriberStartsOne() {
        Holdpoint agent = agent(Shape.BLOCKING);
        EventPublisher publisher = EventPublisher.of(agent, says("t"));
        agent.close();
        Reader first = new Reader();
        Reader second = new Reader();

        publisher.subscribe(first);
        publisher.subscribe(second);

        assertThat(first.told).containsExactly(ErrorCode.SHUTTING_DOWN.name());
        assertThat(second.told).containsExactly(ErrorCode.SHUTTING_DOWN.name());
    }

    @Test
    void aSubscriberThatCancelsIsToldNoMoreAndTheRunGoesOn() {
        model.calls(call("c1", "pay", "{\"amount\":5}"));
        Holdpoint agent = agent(Shape.STREAMING);
        Reader reader = new Reader() {
            @Override
            public void onSubscribe(Flow.Subscription given) {
                super.onSubscribe(given);
                given.request(10);
            }

            @Override
            public void onNext(Event event) {
                super.onNext(event);
                subscription.cancel();
            }
        };

        EventPublisher.of(agent, says("t")).subscribe(reader);

        assertThat(reader.told).containsExactly("RUN_STARTED");
        assertThat(agent.pending("t")).hasSize(1);
    }

    @Test
    void aSubscriberThatHasCancelledBeforeStartsNothing() {
        Holdpoint agent = agent(Shape.STREAMING);
        Reader reader = new Reader() {
            @Override
            public void onSubscribe(Flow.Subscription given) {
                given.cancel();
            }
        };

        EventPublisher.of(agent, says("t")).subscribe(reader);

        assertThat(reader.told).isEmpty();
        assertThat(model.requests()).isEmpty();
    }

    @Test
    void aRequestForNothingAndTooManyThatWaitAreErrors() {
        model.says("Hello.");
        Reader reader = new Reader();
        EventPublisher.of(agent(Shape.STREAMING), says("t")).subscribe(reader);

        reader.subscription.request(0);

        assertThat(reader.told).singleElement().asString().contains("request: must be at least 1");

        Queue<StreamingChatResponseHandler> asked = new ConcurrentLinkedQueue<>();
        Reader slow = new Reader();
        EventPublisher.of(answering(asked, Runnable::run), says("t")).subscribe(slow);
        for (int word = 0; word <= EventPublisher.MOST_KEPT; word++) {
            asked.element().onPartialResponse("word ");
        }
        slow.subscription.request(1);

        assertThat(slow.told).singleElement().asString().contains("10000 events wait");
    }

    private static Holdpoint answering(Queue<StreamingChatResponseHandler> asked, Executor executor) {
        StreamingChatModel waits = new StreamingChatModel() {
            @Override
            public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
                asked.add(handler);
            }
        };
        return Holdpoint.builder(Shape.Streaming.class)
                .streamingChatModel(waits)
                .executor(executor)
                .build();
    }

    /** Streams that are open need no thread. */
    @Test
    void aThousandOpenStreamsAreServedByOneThread() throws Exception {
        int streams = 1_000;
        Queue<StreamingChatResponseHandler> asked = new ConcurrentLinkedQueue<>();
        ExecutorService one = Executors.newSingleThreadExecutor();
        CountDownLatch done = new CountDownLatch(streams);
        List<Reader> readers = new ArrayList<>();
        try (Holdpoint agent = answering(asked, one)) {
            for (int i = 0; i < streams; i++) {
                Reader reader = new Reader() {
                    @Override
                    public void onSubscribe(Flow.Subscription given) {
                        given.request(Long.MAX_VALUE);
                    }

                    @Override
                    public void onComplete() {
                        super.onComplete();
                        done.countDown();
                    }
                };
                readers.add(reader);
                EventPublisher.of(agent, says("t" + i)).subscribe(reader);
            }
            one.submit(() -> {}).get();
            assertThat(asked).hasSize(streams);

            for (StreamingChatResponseHandler handler : asked) {
                handler.onPartialResponse("Hello.");
                handler.onCompleteResponse(ChatResponse.builder()
                        .aiMessage(AiMessage.from("Hello."))
                        .build());
            }
            done.await();
        } finally {
            one.shutdownNow();
        }
        assertThat(readers).allSatisfy(reader -> assertThat(reader.told)
                .containsSubsequence("RUN_STARTED", "RUN_FINISHED", "complete"));
    }
}
