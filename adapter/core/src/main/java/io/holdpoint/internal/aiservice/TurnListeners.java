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
import io.holdpoint.internal.turn.Turn;
import io.holdpoint.internal.turn.TurnEnd.TurnOutcome;
import io.holdpoint.store.Batch;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The application's AI Service listeners as one turn tells them. A call of the AI Service that has started ends for them once,
 * however the turn ends; a message that is replayed is neither a request nor a response; what the user typed is told as it was
 * typed. Without a turn it passes everything on. Thread-safe.
 */
final class TurnListeners implements AiServiceListenerRegistrar {

    private static final Logger LOG = LoggerFactory.getLogger(TurnListeners.class);

    private final AiServiceListenerRegistrar listeners;
    private Optional<Turn> turn = Optional.empty();
    private Optional<TypedText> text = Optional.empty();
    private Optional<InvocationContext> started = Optional.empty();
    private Optional<AiServiceRequestIssuedEvent> unanswered = Optional.empty();
    private boolean replaying;
    private boolean ended;

    TurnListeners(AiServiceListenerRegistrar listeners) {
        this.listeners = listeners;
    }

    synchronized void tellOf(Turn present, TypedText typed) {
        turn = Optional.of(present);
        text = Optional.of(typed);
    }

    /** Tells whether the messages of the AI Service's method have been made of their templates. */
    synchronized boolean haveHeardOfStart() {
        return started.isPresent();
    }

    @Override
    public <T extends AiServiceEvent> void fireEvent(T event) {
        AiServiceEvent told = passes(event);
        if (told != null) {
            listeners.fireEvent(told);
        }
    }

    private synchronized @Nullable AiServiceEvent passes(AiServiceEvent event) {
        if (turn.isEmpty()) {
            return event;
        }
        if (event instanceof AiServiceStartedEvent start) {
            started = Optional.of(start.invocationContext());
            return text.orElseThrow().restored(start);
        }
        if (event instanceof AiServiceRequestIssuedEvent request) {
            replaying = turn.get().output.hasStored();
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

    /** The turn has ended. LangChain4j tells of a completed one itself. A listener that throws does not keep the run from its end. */
    void ended(TurnOutcome how) {
        try {
            tell(how);
        } catch (RuntimeException e) {
            LOG.warn("A listener of the AI Service failed", e);
        }
    }

    private void tell(TurnOutcome how) {
        how.tell(new TurnOutcome.Listener() {
            @Override
            public void completed(TurnOutcome.Completed turn) {}

            @Override
            public void held(Batch batch) {
                completesWithoutResult();
            }

            @Override
            public void leftToClient(Batch batch) {
                completesWithoutResult();
            }

            @Override
            public void stopped() {
                fails(new CancellationException("The run was stopped."));
            }

            @Override
            public void failed(TurnOutcome.Failed turn) {
                fails(turn.cause());
            }
        });
    }

    /** The answer that proposed the calls has been received, although the AI Service did not get it. */
    private void completesWithoutResult() {
        Optional<InvocationContext> call;
        Optional<AiServiceRequestIssuedEvent> request;
        Optional<ChatResponse> response;
        synchronized (this) {
            call = started;
            request = unanswered;
            response = turn.flatMap(present -> present.output.last());
        }
        if (request.isPresent() && response.isPresent()) {
            fireEvent(AiServiceResponseReceivedEvent.builder()
                    .invocationContext(request.get().invocationContext())
                    .request(request.get().request())
                    .response(response.get())
                    .build());
        }
        call.ifPresent(context -> fireEvent(AiServiceCompletedEvent.builder()
                .invocationContext(context)
                .result(null)
                .build()));
    }

    private void fails(Throwable cause) {
        Optional<InvocationContext> call;
        synchronized (this) {
            call = started;
        }
        call.ifPresent(context -> fireEvent(AiServiceErrorEvent.builder()
                .invocationContext(context)
                .error(cause)
                .build()));
    }

    @Override
    public <T extends AiServiceEvent> void register(AiServiceListener<T> listener) {
        listeners.register(listener);
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
