package io.holdpoint.internal.aiservice;

import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.observability.api.AiServiceListenerRegistrar;
import dev.langchain4j.observability.api.event.AiServiceCompletedEvent;
import dev.langchain4j.observability.api.event.AiServiceErrorEvent;
import dev.langchain4j.observability.api.event.AiServiceEvent;
import dev.langchain4j.observability.api.event.AiServiceRequestIssuedEvent;
import dev.langchain4j.observability.api.event.AiServiceResponseReceivedEvent;
import dev.langchain4j.observability.api.event.AiServiceStartedEvent;
import dev.langchain4j.observability.api.listener.AiServiceListener;
import io.holdpoint.internal.LogText;
import io.holdpoint.internal.turn.Turn.TurnOutcome;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The application's AI Service listeners as turns tell them. A call of the AI Service that has started ends for them once,
 * however the turn ends; a message that is replayed is neither a request nor a response; what the user typed is told as it was
 * typed. Outside of a turn it passes everything on. Thread-safe.
 */
final class TurnListeners implements AiServiceListenerRegistrar {

    private static final Logger LOG = LoggerFactory.getLogger(TurnListeners.class);

    private final AiServiceListenerRegistrar listeners;
    private volatile boolean heard;

    /** With {@code heard}, there is somebody to tell before a listener has been registered. */
    TurnListeners(AiServiceListenerRegistrar listeners, boolean heard) {
        this.listeners = listeners;
        this.heard = heard;
    }

    /** The events of one call of the AI Service, as far as they decide about later ones. Thread-safe. */
    static final class CallEvents {

        private Optional<InvocationContext> started = Optional.empty();
        private Optional<AiServiceRequestIssuedEvent> unanswered = Optional.empty();
        private boolean replaying;
        private boolean ended;

        /** Tells whether the messages of the AI Service's method have been made of their templates. */
        synchronized boolean haveStarted() {
            return started.isPresent();
        }

        private synchronized @Nullable AiServiceEvent passes(AiServiceEvent event, AiServiceCall call) {
            if (event instanceof AiServiceStartedEvent start) {
                started = Optional.of(start.invocationContext());
                call.said.putInto(start.invocationContext().invocationParameters());
                return call.text.restored(start);
            }
            if (event instanceof AiServiceRequestIssuedEvent request) {
                replaying = call.turn.output.hasStored();
                unanswered = replaying ? Optional.empty() : Optional.of(request);
                return replaying ? null : event;
            }
            if (event instanceof AiServiceResponseReceivedEvent) {
                boolean replayed = replaying;
                replaying = false;
                unanswered = Optional.empty();
                return replayed ? null : event;
            }
            if (event instanceof AiServiceCompletedEvent || event instanceof AiServiceErrorEvent) {
                boolean first = !ended;
                ended = true;
                return first ? event : null;
            }
            return event;
        }
    }

    @Override
    public <T extends AiServiceEvent> void fireEvent(T event) {
        if (!heard && !(event instanceof AiServiceStartedEvent)) {
            return;
        }
        AiServiceCall call = AiServiceCall.PRESENT.get();
        if (call == null) {
            listeners.fireEvent(event);
        } else {
            tell(event, call);
        }
    }

    private void tell(AiServiceEvent event, AiServiceCall call) {
        AiServiceEvent told = call.events.passes(event, call);
        if (told != null) {
            listeners.fireEvent(told);
        }
    }

    /** The turn has ended. A listener that throws does not keep the run from its end. */
    void ended(TurnOutcome how, AiServiceCall call) {
        if (!heard) {
            return;
        }
        try {
            switch (how.kind()) {
                case COMPLETED -> {} // LangChain4j tells of it itself
                case HELD, LEFT_TO_CLIENT -> completesWithoutResult(call);
                case STOPPED -> fails(new CancellationException("The run was stopped."), call);
                case FAILED -> fails(how.cause(), call);
            }
        } catch (Throwable e) { // a missing class too, and not every language checks exceptions
            LOG.warn("A listener of the AI Service failed", LogText.silent(e));
        }
    }

    /** The answer that proposed the calls has been received, although the AI Service did not get it. */
    private void completesWithoutResult(AiServiceCall call) {
        Optional<InvocationContext> started;
        Optional<AiServiceRequestIssuedEvent> request;
        Optional<ChatResponse> response;
        synchronized (call.events) {
            started = call.events.started;
            request = call.events.unanswered;
            response = call.turn.output.last();
        }
        if (request.isPresent() && response.isPresent()) {
            tell(
                    AiServiceResponseReceivedEvent.builder()
                            .invocationContext(request.get().invocationContext())
                            .request(request.get().request())
                            .response(response.get())
                            .build(),
                    call);
        }
        if (started.isPresent()) {
            tell(
                    AiServiceCompletedEvent.builder()
                            .invocationContext(started.get())
                            .result(null)
                            .build(),
                    call);
        }
    }

    private void fails(Throwable cause, AiServiceCall call) {
        Optional<InvocationContext> started;
        synchronized (call.events) {
            started = call.events.started;
        }
        if (started.isPresent()) {
            tell(
                    AiServiceErrorEvent.builder()
                            .invocationContext(started.get())
                            .error(cause)
                            .build(),
                    call);
        }
    }

    @Override
    public <T extends AiServiceEvent> void register(AiServiceListener<T> listener) {
        listeners.register(listener);
        heard = true;
    }

    @Override
    public <T extends AiServiceEvent> void unregister(AiServiceListener<T> listener) {
        listeners.unregister(listener);
    }

    @Override
    public void shouldThrowExceptionOnEventError(boolean should) {
        listeners.shouldThrowExceptionOnEventError(should);
    }
}
