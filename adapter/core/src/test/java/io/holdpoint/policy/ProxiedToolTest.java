package io.holdpoint.policy;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.service.IllegalConfigurationException;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.ToolCallContext;
import io.holdpoint.hook.Interceptor;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.Shape;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tools behind a proxy are gated, and called through the proxy. */
class ProxiedToolTest {

    private final ScriptedModel model = new ScriptedModel();
    private final List<String> events = new ArrayList<>();

    interface Bookings {
        String cancel(String booking, ToolCallContext call);
    }

    static class BookingTools implements Bookings {

        private final List<String> events;

        BookingTools(List<String> events) {
            this.events = events;
        }

        @Tool("Cancels a booking")
        @RequiresApproval(message = "Cancel {{number}}?")
        @Override
        public String cancel(@P(name = "number", value = "The booking's number") String booking, ToolCallContext call) {
            events.add("cancelled " + booking + " for " + call.owner().id());
            return "cancelled";
        }
    }

    /** As a framework generates it: no annotations, other names of parameters, fields of its own that are not set. */
    static final class BookingTools$$Generated extends BookingTools {

        private final BookingTools target;

        BookingTools$$Generated(BookingTools target) {
            super(List.of());
            this.target = target;
        }

        @Override
        public String cancel(String var1, ToolCallContext var2) {
            target.events.add("aspect");
            return target.cancel(var1, var2);
        }
    }

    static class FinalTools {
        @Tool
        public final String look() {
            return "x";
        }
    }

    static final class FinalTools$$Generated extends FinalTools {}

    private Object jdkProxy() {
        BookingTools target = new BookingTools(events);
        return Proxy.newProxyInstance(
                Bookings.class.getClassLoader(), new Class<?>[] {Bookings.class}, (self, method, arguments) -> {
                    events.add("aspect");
                    try {
                        return method.invoke(target, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private void isGatedAndKeepsItsAspect(HoldpointBuilder<?> builder) {
        Holdpoint agent = builder.build();
        model.calls(call("c1", "cancel", "{\"number\":\"MS-777\"}")).says("Done.");

        RunResult held = agent.send("t", "Cancel MS-777");

        assertThat(((RunResult.Interrupted) held).interrupts().get(0).message()).isEqualTo("Cancel \"MS-777\"?");
        assertThat(events).isEmpty();
        RunResult done =
                agent.resume("t", agent.pending("t").get(0).asApproval().approve());
        assertThat(done).isInstanceOf(RunResult.Completed.class);
        assertThat(events).containsExactly("aspect", "cancelled MS-777 for anonymous");
    }

    @Test
    void aGeneratedSubclassIsCalledThrough() {
        isGatedAndKeepsItsAspect(
                Shape.BLOCKING.builder(model).tools(new BookingTools$$Generated(new BookingTools(events))));
    }

    @Test
    void aGeneratedSubclassThatTheCustomizerAddsIsCalledThrough() {
        Object proxy = new BookingTools$$Generated(new BookingTools(events));
        isGatedAndKeepsItsAspect(Shape.BLOCKING.builder(model, service -> service.tools(proxy)));
    }

    @Test
    void aJdkProxyIsCalledThroughIfItsClassIsNamed() {
        isGatedAndKeepsItsAspect(Shape.BLOCKING.builder(model).tools(jdkProxy(), BookingTools.class));
    }

    @Test
    void aMethodThatTheProxyCannotInterceptIsRefused() {
        assertThatThrownBy(() -> Shape.BLOCKING.builder(model).tools(new FinalTools$$Generated()))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("FinalTools.look() is private or final");
        Object other = Proxy.newProxyInstance(
                Bookings.class.getClassLoader(), new Class<?>[] {Runnable.class}, (self, method, arguments) -> null);
        assertThatThrownBy(() -> Shape.BLOCKING.builder(model).tools(other, BookingTools.class))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("cancel() is in no interface of the proxy");
    }

    @Test
    void scopesSurroundTheBody() {
        Holdpoint agent = Shape.BLOCKING
                .builder(model)
                .tools(new BookingTools(events))
                .interceptors(Interceptor.ofTools(call -> {
                    events.add("open " + call.owner().id());
                    return () -> events.add("close");
                }))
                .build();
        model.calls(call("c1", "cancel", "{\"number\":\"1\"}")).says("Done.");

        agent.send("t", "Cancel");
        agent.resume("t", agent.pending("t").get(0).asApproval().approve());

        assertThat(events).containsExactly("open anonymous", "cancelled 1 for anonymous", "close");
    }

    @Test
    @Logs({"A tool's scope failed to close", "Tool 'cancel' execution failed"})
    void aScopeThatDoesNotOpenKeepsTheToolFromBeingEntered() {
        Holdpoint agent = Shape.BLOCKING
                .builder(model)
                .tools(new BookingTools(events))
                .interceptors(Interceptor.ofTools(call -> () -> {
                    throw new IllegalStateException("stuck");
                }))
                .interceptors(Interceptor.ofTools(call -> {
                    throw new SecurityException("the account is locked");
                }))
                .build();
        model.calls(call("c1", "cancel", "{\"number\":\"1\"}")).says("Sorry.");

        agent.send("t", "Cancel");
        agent.resume("t", agent.pending("t").get(0).asApproval().approve());

        assertThat(events).isEmpty();
        assertThat(model.lastResult("c1")).contains("the account is locked");
    }
}
