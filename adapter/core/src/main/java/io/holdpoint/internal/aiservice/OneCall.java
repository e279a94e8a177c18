package io.holdpoint.internal.aiservice;

import dev.langchain4j.service.memory.ChatMemoryAccess;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The AI Service as a turn function gets it: it can be called once. */
public final class OneCall implements InvocationHandler {

    private final InvocationHandler service;
    private final TypedText text;
    private final Consumer<Method> called;
    private final AtomicBoolean used = new AtomicBoolean();

    private OneCall(InvocationHandler service, TypedText text, Consumer<Method> called) {
        this.service = service;
        this.text = text;
        this.called = called;
    }

    /** LangChain4j's AI Service is a proxy: its handler is asked directly, whatever the visibility of the interface. */
    static <A> A of(Class<A> type, A service, TypedText text, Consumer<Method> called) {
        InvocationHandler handler = Proxy.getInvocationHandler(service);
        Object proxy =
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, new OneCall(handler, text, called));
        return type.cast(proxy);
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        if (method.isDefault()) {
            return invokeDefault(proxy, method, arguments);
        }
        if (method.getDeclaringClass() != Object.class && method.getDeclaringClass() != ChatMemoryAccess.class) {
            if (!used.compareAndSet(false, true)) {
                throw new IllegalStateException("One turn is one call of the AI Service: " + method.getName()
                        + "() is a second one. Call it in another turn, or build another AI Service for it.");
            }
            called.accept(method);
            return service.invoke(proxy, method, text.hidden(arguments));
        }
        return service.invoke(proxy, method, arguments);
    }

    /** Unlike {@link InvocationHandler#invokeDefault}, for interfaces that are not public as well. */
    private static @Nullable Object invokeDefault(Object proxy, Method method, Object @Nullable [] arguments)
            throws Throwable {
        return MethodHandles.privateLookupIn(method.getDeclaringClass(), MethodHandles.lookup())
                .unreflectSpecial(method, method.getDeclaringClass())
                .bindTo(proxy)
                .invokeWithArguments(arguments == null ? new Object[0] : arguments);
    }
}
