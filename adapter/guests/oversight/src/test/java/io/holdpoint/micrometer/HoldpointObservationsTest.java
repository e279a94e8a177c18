package io.holdpoint.micrometer;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static io.micrometer.observation.tck.TestObservationRegistryAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.hook.RunInfo;
import io.holdpoint.hook.RunObserver;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.tck.TestObservationRegistry;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Observations as a tracer hears of them. */
class HoldpointObservationsTest {

    private final TestObservationRegistry registry = TestObservationRegistry.create();
    private final List<String> current = new ArrayList<>();
    private final List<Observation.Context> ended = new ArrayList<>();

    HoldpointObservationsTest() {
        registry.observationConfig().observationHandler(new ObservationHandler<Observation.Context>() {
            @Override
            public void onStop(Observation.Context context) {
                ended.add(context);
            }

            @Override
            public boolean supportsContext(Observation.Context context) {
                return true;
            }
        });
    }

    /** Says what is current in its body. */
    final class Looking {

        @Tool("Looks around")
        String look() {
            Observation observation = registry.getCurrentObservation();
            current.add(
                    observation == null ? "nothing" : observation.getContext().getName());
            return "seen";
        }
    }

    private final Bench bench =
            new Bench(builder -> builder.tools(new Looking()).observers(HoldpointObservations.of(registry)));

    @Test
    void aListenerAddsToTheRunWhatItsInputSays() {
        Bench tagging = new Bench(
                builder -> builder.observers(HoldpointObservations.of(registry)).observers(new RunObserver() {

                    @Override
                    public void started(RunInfo run) {
                        Observation observation = registry.getCurrentObservation();
                        observation.highCardinalityKeyValue("thread", run.threadId());
                        observation.highCardinalityKeyValue("user", run.caller().id());
                        observation.highCardinalityKeyValue(
                                "scenario",
                                run.forwardedProps().path("scenario").asText());
                    }
                }));
        tagging.model.says("Done.");
        tagging.run(tagging.input(Bench.user("u1", "Hi"))
                .withForwardedProps(JsonNodeFactory.instance.objectNode().put("scenario", "demo")));

        assertThat(registry)
                .hasObservationWithNameEqualTo("holdpoint.run")
                .that()
                .hasHighCardinalityKeyValue("thread", Bench.THREAD)
                .hasHighCardinalityKeyValue("user", "anonymous")
                .hasHighCardinalityKeyValue("scenario", "demo");
    }

    @Test
    void modelAndToolAreChildrenOfTheirRun() {
        bench.model.calls(call("c1", "look", "{}")).says("Done.");
        bench.say("Look");

        assertThat(registry).hasNumberOfObservationsEqualTo(4);
        assertThat(registry)
                .hasObservationWithNameEqualTo("holdpoint.run")
                .that()
                .hasBeenStopped()
                .hasLowCardinalityKeyValue("outcome", "completed")
                .hasLowCardinalityKeyValue("code", "none")
                .doesNotHaveParentObservation();
        assertThat(registry)
                .hasObservationWithNameEqualTo("holdpoint.tool")
                .that()
                .hasBeenStopped()
                .hasLowCardinalityKeyValue("tool", "look")
                .hasLowCardinalityKeyValue("outcome", "executed")
                .hasParentObservationContextMatching(parent -> parent.getName().equals("holdpoint.run"));
        assertThat(registry)
                .hasNumberOfObservationsWithNameEqualTo("holdpoint.model", 2)
                .forAllObservationsWithNameEqualTo(
                        "holdpoint.model", model -> model.hasLowCardinalityKeyValue("outcome", "answered")
                                .hasParentObservation());
    }

    @Test
    void aToolsBodyIsInItsObservationAndNothingStaysBehind() {
        bench.model.calls(call("c1", "look", "{}")).says("Done.");
        bench.say("Look");

        assertThat(current).containsExactly("holdpoint.tool");
        assertThat(registry.getCurrentObservation()).isNull();
    }

    @Test
    void aRunIsAPartOfWhatIsObservedWhereItIsAskedFor() {
        bench.model.says("Hello.");
        Observation request = Observation.start("http", registry);

        request.scoped(() -> {
            bench.say("Hi");
        });

        assertThat(registry)
                .hasObservationWithNameEqualTo("holdpoint.run")
                .that()
                .hasParentObservationContextMatching(parent -> parent == request.getContext());
    }

    @Test
    void whatHappensLaterIsNoPartOfAnEndedRun() {
        bench.model.calls(call("c1", "sendEmail", MAIL)).says("Done.");
        bench.say("Write to Ada");
        bench.resume(bench.pending().get(0).asApproval().approve());

        assertThat(registry)
                .hasNumberOfObservationsWithNameEqualTo("holdpoint.run", 2)
                .hasObservationWithNameEqualTo("holdpoint.run")
                .that()
                .hasLowCardinalityKeyValue("outcome", "interrupted");
        assertThat(registry)
                .forAllObservationsWithNameEqualTo("holdpoint.run", run -> run.doesNotHaveParentObservation());
    }

    @Test
    @Logs({"Run * on thread * failed", "Tool '*' execution failed"})
    void whatFailsHasAnErrorThatQuotesNothing() {
        bench.model.calls(call("c1", "explode", "{\"why\":\"secret\"}")).fails(new IllegalStateException("secret"));
        bench.say("Explode");
        bench.resume(bench.pending().get(0).asApproval().approve());

        assertThat(registry)
                .hasObservationWithNameEqualTo("holdpoint.tool")
                .that()
                .hasError()
                .hasLowCardinalityKeyValue("outcome", "failed");
        assertThat(registry).hasAnObservation(run -> run.hasNameEqualTo("holdpoint.run")
                .hasLowCardinalityKeyValue("outcome", "failed")
                .hasError());
        assertThat(ended).hasSize(5).allSatisfy(context -> {
            assertThat(context.getHighCardinalityKeyValues()).isEmpty();
            assertThat(context.toString()).doesNotContain("secret");
            assertThat(String.valueOf(context.getError())).doesNotContain("secret");
        });
    }
}
