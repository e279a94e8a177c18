package io.holdpoint.laws;

import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.TimerAccess;
import io.holdpoint.ToolPolicy;
import io.holdpoint.testing.EitherModel;
import io.holdpoint.testing.ManualTimer;
import io.holdpoint.testing.Shape;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * An agent that was built, which takes longer than a history of it. One node after the other starts it, and knows nothing of those
 * before: they have the AI Service and the tools in common, which have no state, and nothing else.
 */
final class Installation {

    private static final Map<Shape, Queue<Installation>> FREE = new ConcurrentHashMap<>();

    private final Shape shape;
    private final HoldpointBuilder<?> builder;
    private final Holdpoint built;
    private volatile Node present;

    private Installation(Shape shape) {
        this.shape = shape;
        ModelOfNode model = new ModelOfNode();
        builder = new ManualTimer()
                .in(shape.builder(model, model, service -> {}))
                .tools(new LawTools(() -> present))
                .toolPolicies(ToolPolicy.named("look").withoutApproval().idempotent())
                .toolPolicies(ToolPolicy.named("flaky").withoutApproval().askOnFailure())
                .approvalAuthorizer(
                        ApprovalAuthorizer.anyOf(ApprovalAuthorizer.OWNER, ApprovalAuthorizer.role("approver")));
        built = builder.build();
    }

    /** One that no node has. */
    static Installation of(Shape shape) {
        Installation free = free(shape).poll();
        return free == null ? new Installation(shape) : free;
    }

    private static Queue<Installation> free(Shape shape) {
        return FREE.computeIfAbsent(shape, each -> new ConcurrentLinkedQueue<>());
    }

    /** The agent in the process of a node, which has this to itself until it gives it back. */
    Holdpoint start(Node node) {
        present = node;
        builder.clock(node.clock).store(node.store()).chatMemoryProvider(node::memory);
        return TimerAccess.restarted(new ManualTimer().in(builder), built);
    }

    /** The process is gone, and nothing of it works any more. */
    void giveBack() {
        free(shape).add(this);
    }

    /** What the model of the present node says. */
    private final class ModelOfNode extends EitherModel {

        @Override
        public ChatResponse doChat(ChatRequest request) {
            return present.model.doChat(request);
        }

        @Override
        public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
            present.model.doChat(request, handler);
        }
    }
}
