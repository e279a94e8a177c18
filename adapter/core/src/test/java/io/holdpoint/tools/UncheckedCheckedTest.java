package io.holdpoint.tools;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.ToolPolicy;
import io.holdpoint.agui.RunEvent;
import io.holdpoint.hook.RunObserver;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.RecordingSink;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** Checked exceptions where none are declared, as Kotlin and Groovy throw them, are failures like others. */
@Logs({
    "An observer failed",
    "The authorizer failed for",
    "The condition for * failed",
    "The policy for * failed on the tool",
    "The redactor failed"
})
class UncheckedCheckedTest {

    @SuppressWarnings("unchecked")
    private static <E extends Exception> RuntimeException thrown(Exception exception) throws E {
        throw (E) exception;
    }

    private static RuntimeException timeout() {
        throw UncheckedCheckedTest.<RuntimeException>thrown(new TimeoutException("no connection"));
    }

    private static void hold(Bench bench) {
        bench.model.calls(call("m", "sendEmail", Bench.MAIL));
        bench.say("Write");
    }

    @Test
    void aConditionThatThrowsOneAsks() {
        Bench bench = new Bench(builder ->
                builder.toolPolicies(ToolPolicy.named("searchContacts").when(call -> {
                    throw timeout();
                })));
        bench.model.calls(call("a", "searchContacts", "{\"query\":\"Ada\"}"));
        bench.say("Search");

        assertThat(bench.pending()).hasSize(1);
    }

    @Test
    void aPolicyThatThrowsOneIsApplied() {
        Bench bench = new Bench(builder -> builder.toolPolicies(ToolPolicy.where(tool -> {
            throw timeout();
        })));
        bench.model.calls(call("a", "searchContacts", "{\"query\":\"Ada\"}"));
        bench.say("Search");

        assertThat(bench.pending()).hasSize(1);
    }

    @Test
    void anAuthorizerThatThrowsOneSaysNo() {
        Bench bench = new Bench(builder -> builder.approvalAuthorizer(request -> {
            throw timeout();
        }));
        hold(bench);

        RecordingSink sink = bench.resume(bench.pending(0).asApproval().approve());

        assertThat(sink.all(RunEvent.Error.class).get(0).code()).isEqualTo("INTERRUPT_FORBIDDEN");
    }

    @Test
    void aRedactorThatThrowsOneWithholdsAndAListenerChangesNothing() {
        Bench bench = new Bench(builder -> builder.argumentRedactor((tool, arguments) -> {
                    throw timeout();
                })
                .observers(RunObserver.ofTrail(event -> {
                    throw timeout();
                })));
        hold(bench);

        assertThat(bench.pending()).hasSize(1);
        assertThat(bench.agent().auditTrail(THREAD, 0, 10).toString()).contains("argumentsWithheld");
    }
}
