package io.holdpoint.question;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.langchain4j.agent.tool.ReturnBehavior;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.Limits;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.ToolCallContext;
import io.holdpoint.ToolInterrupt;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.test.VirtualClock;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.Shape;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A tool stops in the middle, and is executed again with what a person said. */
class ToolInterruptTest {

    private static final ObjectNode CHOICE = JsonNodeFactory.instance.objectNode();

    static {
        CHOICE.put("type", "string").putArray("enum").add("economy").add("business");
    }

    private final List<String> effects = new CopyOnWriteArrayList<>();
    private final List<String> keys = new CopyOnWriteArrayList<>();
    private final ScriptedModel model = new ScriptedModel();
    private final VirtualClock clock = new VirtualClock();

    /** Tools with questions of their own. */
    public final class Travel {

        @Tool
        public String book(String to, ToolCallContext call) {
            keys.add(call.idempotencyKey());
            if (call.resumed().isEmpty()) {
                throw call.interrupt(ToolInterrupt.of("langchain4j:travel_class", "Which class?")
                        .schema(CHOICE)
                        .metadata(Map.of("to", to))
                        .expiresAfter(Duration.ofHours(1)));
            }
            effects.add("book " + to + " " + call.resumed().get().textValue());
            return "booked " + to;
        }

        @Tool
        public String hold(String reason, ToolCallContext call) {
            if (call.resumed().isEmpty()) {
                throw call.interrupt(ToolInterrupt.of(reason, "Go on?"));
            }
            return "went on: " + call.resumed().get();
        }

        @Tool
        public String expiring(ToolCallContext call) {
            if (call.resumed().isEmpty()) {
                throw call.interrupt(ToolInterrupt.of("acme:quota", "More?").expiresAfter(Duration.ofHours(1)));
            }
            effects.add("expiring " + call.resumed());
            return "went on";
        }

        @Tool
        public String relayAny(ToolCallContext call) {
            throw call.interrupt(ToolInterrupt.of("acme:quota", "More?").answerIsResult());
        }

        @Tool
        public String schemaOfItsOwn(ToolCallContext call) {
            if (call.resumed().isEmpty()) {
                ObjectNode schema = JsonNodeFactory.instance.objectNode().put("type", "object");
                throw call.interrupt(ToolInterrupt.of("acme:quota", "More?").schema(schema));
            }
            return "went on: " + call.resumed().get();
        }

        @Tool
        public String twice(ToolCallContext call) {
            if (call.answers().size() < 2) {
                call.interrupt(
                        ToolInterrupt.inputRequired("Question " + call.answers().size(), CHOICE));
            }
            effects.add("twice " + call.answers());
            return "ok";
        }

        @Tool
        public String keeps(ToolCallContext call) {
            int asked = call.answers().size();
            effects.add("kept " + call.kept().map(JsonNode::asText).orElse("nothing"));
            if (asked < 2) {
                call.interrupt(
                        ToolInterrupt.confirmation("Question " + asked).keeping(TextNode.valueOf("secret " + asked)));
            }
            return "ok";
        }

        @Tool
        public String swallows(ToolCallContext call) {
            if (call.resumed().isEmpty()) {
                try {
                    call.interrupt(ToolInterrupt.confirmation("Sure?"));
                } catch (RuntimeException e) {
                    return "this does not count";
                }
            }
            return "confirmed: " + call.resumed().get();
        }

        @Tool
        public String relay(String question, ToolCallContext call) {
            effects.add("relay");
            throw call.interrupt(ToolInterrupt.inputRequired(question, JsonNodeFactory.instance.objectNode())
                    .answerIsResult());
        }

        @Tool
        @RequiresApproval
        public String deploy(String what, ToolCallContext call) {
            if (call.resumed().isEmpty()) {
                throw call.interrupt(
                        "confirmation",
                        "Really?",
                        JsonNodeFactory.instance.objectNode().put("type", "boolean"),
                        JsonNodeFactory.instance.objectNode());
            }
            effects.add("deploy " + what + " " + call.resumed().get());
            return "deployed";
        }

        @Tool(returnBehavior = ReturnBehavior.IMMEDIATE)
        public String atOnce(ToolCallContext call) {
            if (call.resumed().isEmpty()) {
                throw call.interrupt(ToolInterrupt.confirmation("Sure?"));
            }
            return "at once";
        }

        @Tool
        public String look(String what) {
            effects.add("look " + what);
            return "seen " + what;
        }

        @Tool
        public String tooMuch(ToolCallContext call) {
            throw call.interrupt(ToolInterrupt.confirmation("x".repeat(2_000)));
        }
    }

    private Holdpoint agent(Shape shape) {
        return shape.builder(model)
                .tools(new Travel())
                .clock(clock)
                .limits(Limits.DEFAULT.withResultLength(1_000))
                .build();
    }

    private static PendingInterrupt only(Holdpoint agent) {
        List<PendingInterrupt> pending = agent.pending("t");
        assertThat(pending).hasSize(1);
        return pending.get(0);
    }

    @ParameterizedTest
    @EnumSource
    void theRunEndsWithWhatTheToolAsks(Shape shape) {
        model.calls(call("c1", "book", "{\"to\":\"Rome\"}"));
        Holdpoint agent = agent(shape);

        RunResult result = agent.send("t", "Book");

        assertThat(result).isInstanceOf(RunResult.Interrupted.class);
        Interrupt interrupt = only(agent).interrupt();
        assertThat(interrupt.reason()).isEqualTo("langchain4j:travel_class");
        assertThat(interrupt.message()).isEqualTo("Which class?");
        assertThat(interrupt.toolCallId()).isEqualTo("c1");
        assertThat(interrupt.responseSchema()).isEqualTo(CHOICE);
        assertThat(interrupt.expiresAt()).isEqualTo(clock.instant().plus(Duration.ofHours(1)));
        assertThat(interrupt.metadata().path("to").textValue()).isEqualTo("Rome");
        assertThat(interrupt.metadata().path("langchain4j").path("toolName").textValue())
                .isEqualTo("book");
        assertThat(effects).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void theAnswerLetsTheToolRunAgainWithTheSameArgumentsAndKey(Shape shape) {
        model.calls(call("c1", "book", "{\"to\":\"Rome\"}")).says("Have a good trip.");
        Holdpoint agent = agent(shape);
        agent.send("t", "Book");

        RunResult result = agent.resume("t", only(agent).asInput().answer(TextNode.valueOf("business")));

        assertThat(result)
                .isEqualTo(new RunResult.Completed(((RunResult.Completed) result).value(), "Have a good trip."));
        assertThat(effects).containsExactly("book Rome business");
        assertThat(model.lastResult("c1")).isEqualTo("booked Rome");
        assertThat(keys).hasSize(2).containsOnly(keys.get(0));
    }

    @ParameterizedTest
    @EnumSource
    void anAnswerThatDoesNotMatchConsumesNothing(Shape shape) {
        model.calls(call("c1", "book", "{\"to\":\"Rome\"}"));
        Holdpoint agent = agent(shape);
        agent.send("t", "Book");

        RunResult result = agent.resume("t", only(agent).asInput().answer(TextNode.valueOf("first")));

        assertThat(result).isInstanceOfSatisfying(RunResult.Failed.class, failed -> assertThat(failed.code())
                .isEqualTo(ErrorCode.INTERRUPT_PAYLOAD_INVALID));
        assertThat(only(agent).reason()).isEqualTo("langchain4j:travel_class");
        assertThat(effects).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aForgedNameOrInputInTheAnswerChangesNothing(Shape shape) {
        model.calls(call("c1", "deploy", "{\"what\":\"site\"}")).says("Done.");
        Holdpoint agent = agent(shape);
        agent.send("t", "Deploy");
        agent.resume("t", only(agent).asApproval().approve());
        ObjectNode forged = JsonNodeFactory.instance.objectNode();
        forged.put("toolName", "look").putObject("editedArgs").put("what", "everything");

        RunResult refused = agent.resume("t", only(agent).asInput().answer(forged));
        agent.resume("t", only(agent).asInput().answer(BooleanNode.TRUE));

        assertThat(refused).isInstanceOf(RunResult.Failed.class);
        assertThat(effects).containsExactly("deploy site true");
    }

    @ParameterizedTest
    @EnumSource
    void earlierCallsKeepTheirResultsAndLaterOnesWait(Shape shape) {
        model.calls(
                        call("c1", "look", "{\"what\":\"a\"}"),
                        call("c2", "book", "{\"to\":\"Rome\"}"),
                        call("c3", "look", "{\"what\":\"b\"}"))
                .says("Done.");
        Holdpoint agent = agent(shape);
        agent.send("t", "Go");
        if (!shape.isConcurrent()) {
            assertThat(effects).containsExactly("look a");
        }

        agent.resume("t", only(agent).asInput().answer(TextNode.valueOf("economy")));

        assertThat(effects).containsExactlyInAnyOrder("look a", "book Rome economy", "look b");
        assertThat(model.lastResult("c1")).isEqualTo("seen a");
        assertThat(model.lastResult("c2")).isEqualTo("booked Rome");
        assertThat(model.lastResult("c3")).isEqualTo("seen b");
    }

    @ParameterizedTest
    @EnumSource
    void severalToolsOfOneMessageMayAsk(Shape shape) {
        model.calls(call("c1", "book", "{\"to\":\"Rome\"}"), call("c2", "book", "{\"to\":\"Oslo\"}"))
                .says("Done.");
        Holdpoint agent = agent(shape);
        agent.send("t", "Go");

        while (!agent.pending("t").isEmpty()) {
            agent.resume(
                    "t",
                    agent.pending("t").stream()
                            .map(asked -> asked.asInput().answer(TextNode.valueOf("economy")))
                            .toArray(ResumeEntry[]::new));
        }

        assertThat(effects).containsExactlyInAnyOrder("book Rome economy", "book Oslo economy");
    }

    @ParameterizedTest
    @EnumSource
    void aToolMayAskSeveralTimes(Shape shape) {
        model.calls(call("c1", "twice", "{}")).says("Done.");
        Holdpoint agent = agent(shape);
        agent.send("t", "Go");
        String first = only(agent).id();

        agent.resume("t", only(agent).asInput().answer(TextNode.valueOf("economy")));
        assertThat(only(agent).id()).isNotEqualTo(first);
        assertThat(only(agent).message()).isEqualTo("Question 1");
        agent.resume("t", only(agent).asInput().answer(TextNode.valueOf("business")));

        assertThat(effects).containsExactly("twice [\"economy\", \"business\"]");
    }

    @ParameterizedTest
    @EnumSource
    void aToolThatSwallowsTheExceptionHasAskedAllTheSame(Shape shape) {
        model.calls(call("c1", "swallows", "{}")).says("Done.");
        Holdpoint agent = agent(shape);
        agent.send("t", "Go");

        agent.resume("t", only(agent).asInput().answer(BooleanNode.FALSE));

        assertThat(model.lastResult("c1")).isEqualTo("confirmed: false");
    }

    @ParameterizedTest
    @EnumSource
    void theAnswerMayBeTheResult(Shape shape) {
        model.calls(call("c1", "relay", "{\"question\":\"How many?\"}")).says("Done.");
        Holdpoint agent = agent(shape);
        agent.send("t", "Go");

        agent.resume("t", only(agent).asInput().answer(JsonNodeFactory.instance.numberNode(0)));

        assertThat(model.lastResult("c1")).isEqualTo("0");
        assertThat(effects).containsExactly("relay");
    }

    @ParameterizedTest
    @EnumSource
    void whatWasApprovedIsNotAskedAboutTwice(Shape shape) {
        model.calls(call("c1", "deploy", "{\"what\":\"site\"}")).says("Done.");
        Holdpoint agent = agent(shape);
        agent.send("t", "Go");
        assertThat(only(agent).reason()).isEqualTo("tool_call");

        agent.resume("t", only(agent).asApproval().approveWith(Map.of("what", "blog")));
        assertThat(only(agent).reason()).isEqualTo("confirmation");
        assertThat(only(agent).arguments().path("what").textValue()).isEqualTo("blog");
        agent.resume("t", only(agent).asInput().answer(BooleanNode.TRUE));

        assertThat(effects).containsExactly("deploy blog true");
        assertThat(model.lastResult("c1")).contains("edited").endsWith("deployed");
    }

    @ParameterizedTest
    @EnumSource
    void whoLetsGoOfTheQuestionHasTheModelToldThatTheCallIsNotFinished(Shape shape) {
        model.calls(call("c1", "book", "{\"to\":\"Rome\"}"), call("c2", "look", "{\"what\":\"b\"}"))
                .says("Well.");
        Holdpoint agent = agent(shape);
        agent.send("t", "Go");

        agent.resume("t", only(agent).cancel());

        assertThat(effects).containsExactly("look b");
        assertThat(model.lastResult("c1")).contains("was not finished");
        assertThat(model.lastResult("c2")).isEqualTo("seen b");
    }

    @ParameterizedTest
    @EnumSource
    void aQuestionWithoutASchemaIsDeclinedByADenialAlsoAfterItsTime(Shape shape) {
        Holdpoint agent = asked(shape, "expiring", "{}");
        clock.advance(Duration.ofHours(1));

        agent.resume("t", denial(agent, "too dear"));

        assertThat(effects).isEmpty();
        assertThat(agent.pending("t")).isEmpty();
        assertThat(model.lastResult("c1")).contains("was not finished", "a person declined", "too dear");
    }

    @ParameterizedTest
    @EnumSource
    void aDenialIsNotTheResultOfACallWithoutASchemaEither(Shape shape) {
        Holdpoint agent = asked(shape, "relayAny", "{}");

        agent.resume("t", denial(agent, "no"));

        assertThat(model.lastResult("c1")).contains("was not finished", "a person declined");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"approved\":true}", "{\"approved\":\"false\"}", "false", "{\"approved\":null}", "{}"})
    void anythingElseIsAnAnswerToAQuestionWithoutASchema(String answer) throws Exception {
        Holdpoint agent = asked(Shape.STREAMING, "hold", "{\"reason\":\"acme:policy_hold\"}");

        agent.resume(
                "t",
                agent.pending("t").get(0).asInput().answer(AguiCodec.mapper().readTree(answer)));

        assertThat(model.lastResult("c1"))
                .isEqualTo("went on: " + AguiCodec.mapper().readTree(answer));
    }

    @Test
    void aToolThatSaysWhatAnAnswerLooksLikeIsToldOfADenial() throws Exception {
        Holdpoint agent = asked(Shape.STREAMING, "schemaOfItsOwn", "{}");

        agent.resume("t", agent.pending("t").get(0).asInput().answer(Map.of("approved", false)));

        assertThat(model.lastResult("c1")).isEqualTo("went on: {\"approved\":false}");
    }

    private Holdpoint asked(Shape shape, String tool, String arguments) {
        model.calls(call("c1", tool, arguments)).says("Well.");
        Holdpoint agent = agent(shape);
        agent.send("t", "Go");
        return agent;
    }

    private static ResumeEntry denial(Holdpoint agent, String reason) {
        return agent.pending("t").get(0).asInput().answer(Map.of("approved", false, "reason", reason));
    }

    @ParameterizedTest
    @EnumSource
    void anExpiredQuestionCanOnlyBeLetGoOf(Shape shape) {
        model.calls(call("c1", "book", "{\"to\":\"Rome\"}")).says("Well.");
        Holdpoint agent = agent(shape);
        agent.send("t", "Go");
        clock.advance(Duration.ofHours(2));

        RunResult late = agent.resume("t", only(agent).asInput().answer(TextNode.valueOf("economy")));
        agent.send("t", "Forget it");

        assertThat(late).isInstanceOfSatisfying(RunResult.Failed.class, failed -> assertThat(failed.code())
                .isEqualTo(ErrorCode.INTERRUPT_EXPIRED));
        assertThat(effects).isEmpty();
        assertThat(model.lastResult("c1")).contains("was not finished");
    }

    @ParameterizedTest
    @EnumSource(names = {"STREAMING", "STREAMING_CONCURRENT"})
    void aToolThatReturnsAtOnceDoesSoAfterTheAnswer(Shape shape) {
        model.calls(call("c1", "atOnce", "{}"));
        Holdpoint agent = agent(shape);
        agent.send("t", "Go");

        RunResult result = agent.resume("t", only(agent).asInput().answer(BooleanNode.TRUE));

        assertThat(result).isInstanceOf(RunResult.Completed.class);
        assertThat(model.requests()).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    @Logs("Tool '*' execution failed")
    void aQuestionThatIsTooLongIsAFailureOfTheTool(Shape shape) {
        model.calls(call("c1", "tooMuch", "{}")).says("Well.");

        RunResult result = agent(shape).send("t", "Go");

        assertThat(result).isInstanceOf(RunResult.Completed.class);
        assertThat(model.lastResult("c1")).contains("at most 1000");
    }

    @ParameterizedTest
    @EnumSource
    void aToolGetsBackWhatItKeptWithItsLastQuestionAndNoClientSeesIt(Shape shape) {
        model.calls(call("c1", "keeps", "{}")).says("Done.");
        Holdpoint agent = agent(shape);

        agent.send("t", "Go");
        for (int i = 0; i < 2; i++) {
            PendingInterrupt asked = agent.pending("t").get(0);
            assertThat(asked.interrupt().toString()).contains("Question " + i).doesNotContain("secret");
            agent.resume("t", ResumeEntry.resolved(asked.interrupt().id(), BooleanNode.TRUE));
        }

        assertThat(effects).containsExactly("kept nothing", "kept secret 0", "kept secret 1");
    }

    @Test
    void aQuestionExpiresWithinAHundredYearsOrNever() {
        ToolInterrupt interrupt = ToolInterrupt.confirmation("Sure?");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> interrupt.expiresAfter(ChronoUnit.FOREVER.getDuration()))
                .withMessageContaining("100 years");
        assertThatIllegalArgumentException().isThrownBy(() -> interrupt.expiresAfter(Duration.ZERO));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tool_call",
                "langchain4j:",
                "langchain4j:tool_error",
                "langchain4j:outcome_unknown",
                "core:new",
                "core:",
                "",
                ":name",
                "acme:",
                "acme:a b",
                "1acme:hold",
                "acme:policy:hold"
            })
    void aReasonIsStandardOrOnesOwn(String reason) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ToolInterrupt.of(reason, "?"))
                .withMessageContaining("\"" + reason + "\"")
                .withMessageContaining("\"<namespace>:<name>\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"acme:policy_hold", "human_approval", "upload_required", "core_hold", "core.a:hold", "core"})
    void aReasonMayCarryTheApplicationsNamespace(String reason) {
        model.calls(call("c1", "hold", "{\"reason\":\"" + reason + "\"}")).says("Held.");
        Holdpoint agent = agent(Shape.STREAMING);
        agent.send("t", "Go");

        assertThat(only(agent).reason()).isEqualTo(reason);
        agent.resume("t", only(agent).asInput().answer("go on"));

        assertThat(model.lastResult("c1")).isEqualTo("went on: \"go on\"");
    }

    @ParameterizedTest
    @EnumSource
    @Logs("Run * on thread * failed")
    void aWrongReasonIsToldToTheDeveloperAndNotToTheModel(Shape shape) {
        model.calls(call("c1", "hold", "{\"reason\":\"policy hold\"}")).says("I see.");
        Holdpoint agent = agent(shape);

        RunResult result = agent.send("t", "Go");

        assertThat(result.failure().orElseThrow().cause().orElseThrow())
                .hasStackTraceContaining("ToolInterrupt$MisuseException")
                .hasStackTraceContaining("<namespace>:<name>");
        assertThat(model.requests()).hasSize(1);
        assertThat(agent.resume("t").text()).isEqualTo("I see.");
        assertThat(model.lastResult("c1")).contains("failed").doesNotContain("namespace", "reason");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"langchain4j\":{\"toolName\":\"look\"}}"})
    void theMetadataCannotPassForHoldpoints(String json) throws Exception {
        JsonNode metadata = io.holdpoint.agui.AguiCodec.mapper().readTree(json);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> ToolInterrupt.confirmation("?").metadata((ObjectNode) metadata))
                .withMessageContaining("langchain4j");
    }
}
