package io.holdpoint.providers;

import static io.holdpoint.providers.Talk.PAY;
import static io.holdpoint.providers.Talk.THREAD;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.service.tool.ToolProviderResult;
import io.holdpoint.ApprovalVerdict;
import io.holdpoint.Approvals;
import io.holdpoint.ErrorCode;
import io.holdpoint.Limits;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RunResult;
import io.holdpoint.Timeline;
import io.holdpoint.ToolPolicy;
import io.holdpoint.Turn;
import io.holdpoint.WhenExpired;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.internal.gate.GatedTool.QuestionTemplate;
import io.holdpoint.internal.gate.MessageTemplate;
import io.holdpoint.internal.gate.Remembering;
import io.holdpoint.internal.gate.ToolMethod;
import io.holdpoint.internal.gate.UserQuestion;
import io.holdpoint.store.Call.Question;
import io.holdpoint.store.Grant;
import io.holdpoint.testing.OfficeQuestions;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The ways out of a message with tool calls. Each ends with a thread in which nothing waits. */
enum WayOut {
    APPROVED(talk -> {
        held(talk).says("Done.");
        talk.answered(talk.approval(0).approve());
    }),
    APPROVED_WITH_A_COMMENT(talk -> {
        held(talk).says("Done.");
        talk.answered(talk.approval(0).approve("fine with me"));
    }),
    DENIED(talk -> {
        held(talk).says("Well.");
        talk.answered(talk.approval(0).deny());
    }),
    DENIED_WITH_A_REASON(talk -> {
        held(talk).says("Well.");
        talk.answered(talk.approval(0).deny("not today"));
    }),
    EDITED(talk -> {
        held(talk).says("Done.");
        talk.answered(talk.approval(0).edit("amount", 4));
    }),
    ANSWER_CANCELLED(talk -> {
        held(talk).says("Well.");
        talk.answered(cancelled(talk.question(0)));
    }),
    THREAD_CANCELLED(talk -> {
        held(talk);
        assertThat(talk.agent().cancel(THREAD)).isTrue();
    }),
    CANCELLED_AND_TYPED(talk -> {
        held(talk).says("Typed.");
        talk.typed("Hello", cancelled(talk.question(0)));
    }),
    APPROVED_AND_TYPED(talk -> {
        held(talk).says("Done.").says("Typed.");
        talk.run(
                List.of(new Message.User("u", MessageContent.text("Hello"))),
                talk.approval(0).approve());
    }),
    ANSWERED_ONE_BY_ONE(talk -> {
        heldTwice(talk).says("Done.");
        talk.agent().decide(THREAD, talk.approval(1).deny());
        talk.answered(talk.approval(0).approve());
    }),
    CANCELLED_AFTER_ONE_ANSWER(talk -> {
        heldTwice(talk);
        talk.agent().decide(THREAD, talk.approval(0).approve());
        talk.agent().cancel(THREAD);
    }),
    TYPED_AFTER_ONE_ANSWER(talk -> {
        heldTwice(talk).says("Typed.");
        talk.agent().decide(THREAD, talk.approval(0).approve());
        talk.typed("Hello", cancelled(talk.question(0)));
    }),
    APPROVED_DENIED_AND_EDITED(talk -> {
        talk.server.calls("pay", PAY, "pay", PAY, "pay", PAY).says("Done.");
        talk.held();
        talk.answered(
                talk.approval(0).approve(),
                talk.approval(1).deny("no"),
                talk.approval(2).edit("amount", 1));
    }),
    UNGATED_BESIDE_GATED(talk -> {
        talk.server
                .saysAndCalls("Let me look.", "look", "{}", "pay", PAY, "look", "{}")
                .says("Done.");
        talk.held();
        talk.answered(talk.approval(0).deny());
    }),
    GIVEN_UP_BY_TIME(talk -> {
        expiring(talk, WhenExpired.GIVE_UP);
        assertThat(talk.agent().actOnTime()).isPositive();
    }),
    GONE_ON_BY_TIME(talk -> {
        expiring(talk, WhenExpired.GO_ON);
        talk.server.says("Nobody answered.");
        assertThat(talk.agent().actOnTime()).isPositive();
        talk.awaitEnd();
    }),
    TYPED_AFTER_EXPIRY(talk -> {
        expiring(talk, WhenExpired.WAIT);
        talk.server.says("Typed.");
        talk.typed("Hello", cancelled(talk.question(0)));
    }),
    RETURNED_AT_ONCE(talk -> {
        talk.server.calls("payAndStop", "{}");
        talk.held();
        talk.answered(talk.approval(0).approve());
    }),
    DENIED_BEFORE_IT_RETURNED_AT_ONCE(talk -> {
        talk.server.calls("payAndStop", "{}").says("Well.");
        talk.held();
        talk.answered(talk.approval(0).deny());
    }),
    TOOL_REMOVED(talk -> {
        held(talk).says("It is gone.");
        PendingInterrupt.Approval question = talk.approval(0);
        talk.by(builder -> builder);
        talk.answered(question.approve());
    }),
    TOOL_FAILED(talk -> {
        talk.server.calls("explode", "{}").says("Boom.");
        talk.completed(talk.send("Go"));
    }),
    GIVEN_UP_AFTER_FAILURE(talk -> {
        failing(talk).says("Well.");
        talk.answered(talk.question(0).asFailure().giveUp("leave it"));
    }),
    RETRIED_AFTER_FAILURE(talk -> {
        failing(talk).says("Done.");
        talk.desk.broken = false;
        talk.answered(talk.question(0).asFailure().retry());
    }),
    UNKNOWN_AND_DONE(talk -> {
        unknown(talk).says("Good.");
        talk.answered(talk.question(0).asUnknownOutcome().done());
    }),
    UNKNOWN_AND_NOT_DONE(talk -> {
        unknown(talk).says("Well.");
        talk.answered(talk.question(0).asUnknownOutcome().notDone("I looked"));
    }),
    UNKNOWN_AND_RETRIED(talk -> {
        unknown(talk).says("Done.");
        talk.desk.broken = false;
        talk.answered(talk.question(0).asUnknownOutcome().retry());
    }),
    UNKNOWN_AND_CANCELLED(talk -> {
        unknown(talk);
        talk.agent().cancel(THREAD);
    }),
    DONE_BY_THE_CLIENT(talk -> {
        String id = leftToClient(talk);
        talk.server.says("Found.");
        assertThat(talk.run(List.of(new Message.Tool("r1", id, MessageContent.text("found"), null)))
                        .text())
                .isEqualTo("Found.");
    }),
    LEFT_BY_THE_CLIENT(talk -> {
        leftToClient(talk);
        talk.server.says("Typed.");
        talk.typed("Hello");
    }),
    EMPTY_RESULT_OF_THE_CLIENT(talk -> {
        String id = leftToClient(talk);
        talk.server.says("Nothing.");
        talk.run(List.of(new Message.Tool("r1", id, MessageContent.text(""), null)));
    }),
    QUESTION_ANSWERED(talk -> {
        asking(talk).says("Fine.");
        talk.answered(talk.question(0).asInput().answer(true));
    }),
    QUESTION_CANCELLED(talk -> {
        asking(talk).says("Fine.");
        talk.answered(cancelled(talk.question(0)));
    }),
    QUESTION_OF_A_TOOL(talk -> {
        talk.server.calls("look", "{}", "book", "{}").says("Done.");
        talk.held();
        talk.answered(talk.question(0).asInput().answer(true));
    }),
    QUESTION_OF_A_TOOL_CANCELLED(talk -> {
        talk.server.calls("look", "{}", "book", "{}");
        talk.held();
        talk.agent().cancel(THREAD);
    }),
    GIVEN_BY_A_PERSON(talk -> {
        talk.by(builder ->
                builder.tools(talk.desk).toolPolicies(ToolPolicy.named("look").respond()));
        talk.server.calls("look", "{}").says("Good.");
        talk.held();
        talk.answered(talk.approval(0).respond("paid in cash"));
    }),
    REMEMBERED(talk -> {
        talk.by(builder -> builder.tools(talk.desk)
                .toolPolicies(ToolPolicy.named("look").remember(Duration.ofMinutes(15), Grant.Scope.TOOL)));
        talk.server.calls("look", "{}").calls("look", "{}").says("Done twice.");
        talk.held();
        talk.answered(talk.approval(0).approveAndRemember(Grant.Scope.TOOL));
    }),
    DENIED_BY_A_CONDITION(talk -> {
        talk.by(builder -> builder.tools(talk.desk)
                .toolPolicies(ToolPolicy.named("look").when(call -> ApprovalVerdict.deny("closed"))));
        talk.server.calls("look", "{}").says("Closed.");
        talk.completed(talk.send("Go"));
    }),
    HELD_TWICE_IN_A_TURN(talk -> {
        held(talk).calls("pay", PAY).says("Done.");
        talk.agent().resume(THREAD, talk.approval(0).approve());
        talk.answered(talk.approval(0).approve());
    }),
    CANCELLED_IN_THE_SECOND_ROUND(talk -> {
        held(talk).calls("look", "{}").calls("pay", PAY);
        talk.agent().resume(THREAD, talk.approval(0).approve());
        talk.agent().cancel(THREAD);
    }),
    TOO_MANY_TOKENS(talk -> {
        talk.by(builder -> builder.tools(talk.desk).limits(Limits.DEFAULT.withTokensPerTurn(15)));
        talk.server.calls("look", "{}");
        talk.failed(talk.send("Go"), ErrorCode.TOO_MANY_TOKENS);
    }),
    TOO_MANY_ROUNDS(talk -> {
        talk.by(builder -> builder.tools(talk.desk).aiService(service -> service.maxToolCallingRoundTrips(1)));
        talk.server.calls("look", "{}").calls("look", "{}");
        talk.failed(talk.send("Go"), ErrorCode.TOO_MANY_ROUNDS);
    }),
    GOING_IN_CIRCLES(talk -> {
        talk.server.calls("pay", "{}").calls("pay", "{}").calls("pay", "{}");
        talk.failed(talk.send("Go"), ErrorCode.MODEL_REPEATS_ITSELF);
    }),
    HALTED(talk -> {
        held(talk);
        talk.agent().halt("incident");
        talk.agent().cancel(THREAD);
        talk.agent().release("mended");
    }),
    WRONG_ARGUMENTS(talk -> {
        talk.server.calls("pay", "{\"amount\":\"much\"}", "look", "{}").says("Sorry.");
        talk.completed(talk.send("Go"));
    }),
    BROKEN_ARGUMENTS(talk -> {
        boolean asText = talk.server.provider.writesArgumentsAsText();
        talk.server
                .calls("pay", asText ? "{\"amount\":" : "{}", "look", "{}")
                .calls("look", asText ? "[1]" : "{\"a\":1}")
                .says("Sorry.");
        talk.completed(talk.send("Go"));
    }),
    BLANK_ARGUMENTS(talk -> {
        talk.server.calls("look", talk.server.provider.writesArgumentsAsText() ? "" : "{}", "pay", PAY);
        talk.server.says("Done.");
        talk.held();
        talk.answered(talk.approval(0).approve());
    }),
    UNKNOWN_TOOL(talk -> {
        talk.server.calls("teleport", "{}");
        assertThat(talk.send("Go")).isInstanceOf(RunResult.Failed.class);
    }),
    UNKNOWN_TOOL_BESIDE_A_GATED_ONE(talk -> {
        talk.by(builder -> builder.tools(talk.desk)
                .aiService(service -> service.hallucinatedToolNameStrategy(
                        request -> ToolExecutionResultMessage.from(request, "There is no " + request.name()))));
        talk.server.calls("teleport", "{}", "pay", PAY).says("Done.");
        talk.held();
        talk.answered(talk.approval(0).approve());
    }),
    REFUSED_AND_TYPED(talk -> {
        held(talk).refuses(400).says("Typed.");
        talk.failed(talk.agent().resume(THREAD, talk.approval(0).approve()), ErrorCode.MODEL_REQUEST_INVALID);
        talk.typed("Hello");
    }),
    BUSY_AND_TRIED_AGAIN(talk -> {
        held(talk).refuses(429).says("Done.");
        talk.failed(talk.agent().resume(THREAD, talk.approval(0).approve()), ErrorCode.MODEL_RATE_LIMITED);
        talk.completed(talk.agent().resume(THREAD));
    }),
    REFUSED_AND_CANCELLED(talk -> {
        held(talk).refuses(500);
        talk.agent().resume(THREAD, talk.approval(0).approve());
        talk.agent().cancel(THREAD);
    }),
    PICTURE(talk -> withMedia(talk, "scan")),
    PICTURE_AND_A_COMMENT(talk -> {
        talk.server.calls("scan", "{}").says("Seen.");
        talk.held();
        seen(talk, talk.agent().resume(THREAD, talk.approval(0).approve("have a look")));
    }),
    PICTURE_AMONG_TEXTS(talk -> withMedia(talk, "report")),
    SEVERAL_TEXTS(talk -> withMedia(talk, "pages")),
    SOUND(talk -> withMedia(talk, "listen")),
    SOUND_AND_TYPED(talk -> {
        talk.server.calls("listen", "{}").says("Typed.");
        talk.held();
        RunResult refused = talk.agent().resume(THREAD, talk.approval(0).approve());
        if (refused instanceof RunResult.Completed) {
            talk.server.says("Typed.");
        }
        talk.typed("Hello");
    }),
    PICTURE_OF_A_USER(talk -> {
        talk.server.refuses(400).says("Typed.");
        talk.failed(
                talk.agent()
                        .send(Turn.of(
                                THREAD, List.of(TextContent.from("Look"), ImageContent.from("AAAA", "image/png")))),
                ErrorCode.MODEL_REQUEST_INVALID);
        talk.typed("Hello");
        assertThat(talk.server.lastRequest().toString()).doesNotContain("AAAA");
    }),
    NOTHING_AS_RESULT(talk -> {
        talk.server
                .calls("empty", "{}", "quiet", "{}", "none", "{}", "blank", "{}")
                .says("Nothing.");
        talk.completed(talk.send("Go"));
    }),
    NOTHING_TO_SAY(talk -> {
        talk.server.calls("look", "{}").says(" ");
        talk.send("Go");
    }),
    IDS_THAT_ARE_TAKEN(talk -> {
        held(talk).says("Done.");
        talk.answered(talk.approval(0).approve());
        talk.server.countsAnew();
        held(talk).says("Done.");
        talk.answered(talk.approval(0).approve());
    });

    private final Consumer<Talk> way;

    WayOut(Consumer<Talk> way) {
        this.way = way;
    }

    void take(Talk talk) {
        way.accept(talk);
    }

    private static ResumeEntry cancelled(PendingInterrupt question) {
        return ResumeEntry.cancelled(question.interrupt().id());
    }

    private static ProviderServer held(Talk talk) {
        talk.server.calls("pay", PAY);
        return talk.held().server;
    }

    private static ProviderServer heldTwice(Talk talk) {
        talk.server.calls("pay", PAY, "pay", "{\"amount\":6}");
        return talk.held().server;
    }

    private static void expiring(Talk talk, WhenExpired whenExpired) {
        talk.by(builder -> builder.tools(talk.desk)
                .toolPolicies(ToolPolicy.named("pay")
                        .timeline(new Timeline(Optional.of(Duration.ofHours(1)), whenExpired, List.of()))));
        held(talk);
        talk.clock.advance(Duration.ofHours(2));
    }

    private static ProviderServer failing(Talk talk) {
        talk.by(builder -> builder.tools(talk.desk)
                .toolPolicies(ToolPolicy.named("print").withoutApproval().askOnFailure()));
        talk.desk.broken = true;
        talk.server.calls("print", "{}");
        return talk.held().server;
    }

    private static ProviderServer unknown(Talk talk) {
        talk.desk.broken = true;
        talk.server.calls("transfer", "{}", "look", "{}");
        talk.held();
        assertThat(talk.agent().resume(THREAD, talk.approval(0).approve())).isInstanceOf(RunResult.Interrupted.class);
        return talk.server;
    }

    private static String leftToClient(Talk talk) {
        talk.by(builder -> builder.tools(talk.desk)
                .clientTools(List.of(ToolSpecification.builder()
                        .name("outside")
                        .parameters(JsonObjectSchema.builder().build())
                        .build())));
        talk.server.calls("look", "{}", "outside", "{}");
        return ((RunResult.LeftToClient) talk.send("Go")).toolCallIds().get(0);
    }

    private static ProviderServer asking(Talk talk) {
        talk.by(builder -> builder.toolProviders(request -> confirmation()));
        talk.server.calls("confirm", "{\"question\":\"Sure?\"}");
        return talk.held().server;
    }

    private static ToolProviderResult confirmation() {
        Method method = Arrays.stream(OfficeQuestions.class.getMethods())
                .filter(each -> each.getName().equals("confirm"))
                .findFirst()
                .orElseThrow();
        ToolSpecification confirm = ToolSpecification.builder()
                .name("confirm")
                .parameters(
                        JsonObjectSchema.builder().addStringProperty("question").build())
                .build();
        QuestionTemplate template = new QuestionTemplate(
                Question.Kind.RESULT,
                "confirmation",
                MessageTemplate.standardQuestion("confirm"),
                AguiCodec.mapper().createObjectNode().put("type", "boolean"),
                Remembering.NEVER,
                Optional.empty(),
                Approvals.of(1),
                List.of(),
                false);
        return ToolProviderResult.builder()
                .add(confirm, new UserQuestion(new ToolMethod(OfficeQuestions.class, method), template))
                .build();
    }

    private static void withMedia(Talk talk, String tool) {
        talk.server.calls(tool, "{}").says("Seen.");
        talk.held();
        seen(talk, talk.agent().resume(THREAD, talk.approval(0).approve()));
    }

    /** The module may refuse the result once, and gets it without what it cannot take then. */
    private static void seen(Talk talk, RunResult result) {
        if (result instanceof RunResult.Failed) {
            talk.failed(result, ErrorCode.MODEL_REQUEST_INVALID);
            talk.completed(talk.agent().resume(THREAD));
        } else {
            talk.completed(result);
        }
    }
}
