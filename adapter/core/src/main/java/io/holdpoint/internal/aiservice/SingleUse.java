package io.holdpoint.internal.aiservice;

import dev.langchain4j.service.Result;
import dev.langchain4j.service.guardrail.GuardrailService;
import dev.langchain4j.service.memory.ChatMemoryAccess;
import io.holdpoint.internal.lease.CallingThread;
import io.holdpoint.internal.turn.Failures;
import io.holdpoint.internal.turn.Run;
import io.holdpoint.internal.turn.Turn;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The AI Service as a turn function gets it: it can be called once. LangChain4j's AI Service is a proxy, whose handler is asked
 * directly, whatever the visibility of the interface.
 */
final class SingleUse implements InvocationHandler {

    private final InvocationHandler service;
    private final Run run;
    private final Turn turn;
    private final TypedText text;
    private final GuardrailService guardrails;
    private final Optional<TurnListeners> listeners;
    private final AtomicBoolean used = new AtomicBoolean();

    SingleUse(
            InvocationHandler service,
            Run run,
            Turn turn,
            TypedText text,
            GuardrailService guardrails,
            Optional<TurnListeners> listeners) {
        this.service = service;
        this.run = run;
        this.turn = turn;
        this.text = text;
        this.guardrails = guardrails;
        this.listeners = listeners;
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        if (method.isDefault()) {
            return invokeDefault(proxy, method, arguments);
        }
        if (method.getDeclaringClass() == Object.class || method.getDeclaringClass() == ChatMemoryAccess.class) {
            return service.invoke(proxy, method, arguments);
        }
        if (!used.compareAndSet(false, true)) {
            throw new Failures.MisuseException("One turn is one call of the AI Service: " + method.getName()
                    + "() is a second one. Call it in another turn, or build another AI Service for it.");
        }
        turn.calls(method, guardrails.hasOutputGuardrails(method));
        Object returned;
        try {
            returned = service.invoke(proxy, method, text.hidden(method, arguments));
        } catch (IllegalArgumentException e) {
            if (listeners.isEmpty() || listeners.get().haveHeardOfStart()) {
                throw e;
            }
            throw new Failures.MisuseException(
                    "The messages of " + method.getName() + "() cannot be made of their templates", e);
        }
        return returned instanceof Result<?> result ? typed(result) : returned;
    }

    private Result<?> typed(Result<?> result) {
        CallingThread.Scope own = run.stop.caller.own();
        try {
            return new TurnResult(run, turn.preparation).of(result);
        } finally {
            own.close();
        }
    }

    /** Unlike {@link InvocationHandler#invokeDefault}, for interfaces that are not public as well. */
    private static @Nullable Object invokeDefault(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        return MethodHandles.privateLookupIn(method.getDeclaringClass(), MethodHandles.lookup())
                .unreflectSpecial(method, method.getDeclaringClass())
                .bindTo(proxy)
                .invokeWithArguments(arguments == null ? new Object[0] : arguments);
    }
}
