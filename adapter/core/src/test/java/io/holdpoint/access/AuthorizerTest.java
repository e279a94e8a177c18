package io.holdpoint.access;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static io.holdpoint.testing.Bench.THREAD;
import static io.holdpoint.testing.Bench.user;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Caller;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call.Answer;
import io.holdpoint.store.Store;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Bench.Everything;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.RecordingSink;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may decide is asked before anything is consumed, about exactly what would run. */
@Logs({"The authorizer failed for"})
class AuthorizerTest {

    private static final Caller ADA = Caller.of("ada");

    private final List<ApprovalAuthorizer.Request> asked = new CopyOnWriteArrayList<>();
    private Predicate<ApprovalAuthorizer.Request> rule = request -> true;
    private final List<String> greetings = new CopyOnWriteArrayList<>();
    private final Bench bench =
            new Bench(builder -> builder.tools(new Greeter()).approvalAuthorizer(request -> {
                asked.add(request);
                return rule.test(request);
            }));
    private final Holdpoint ada = bench.agent().as(ADA);

    /** A tool with an argument that may be left out. */
    public final class Greeter {

        @Tool
        @RequiresApproval
        public String greet(String who, @P(value = "times", defaultValue = "3") int times) {
            greetings.add(who + " " + times);
            return "greeted";
        }
    }

    private List<PendingInterrupt> held() {
        bench.model.calls(call("c1", "sendEmail", MAIL), call("c2", "deleteRecords", "{\"table\":\"users\"}"));
        ada.send(THREAD, "Go");
        List<PendingInterrupt> open = ada.pending(THREAD);
        asked.clear(); // it was asked what the reader may do
        return open;
    }

    private static JsonNode json(String text) {
        try {
            return AguiCodec.mapper().readTree(text);
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    private String refused(String code, ResumeEntry... answers) {
        Everything before = bench.everything();
        RecordingSink sink = new RecordingSink();
        ada.run(bench.answers(answers), sink).join();
        assertThat(sink.types()).containsExactly("RUN_ERROR");
        assertThat(sink.errorCode()).isEqualTo(code);
        assertThat(bench.everything()).isEqualTo(before);
        return sink.detail();
    }

    @Test
    void itIsAskedAboutWhatWouldRun() {
        List<PendingInterrupt> open = held();
        PendingInterrupt mail = open.get(0);
        bench.model.says("Done.");

        ada.resume(THREAD, mail.asApproval().approve(), open.get(1).cancel());

        assertThat(asked)
                .as("at the answer, and before the call runs")
                .hasSize(2)
                .allSatisfy(request -> {
                    assertThat(request.caller()).isEqualTo(ADA);
                    assertThat(request.ownerId()).isEqualTo("ada");
                    assertThat(request.threadId()).isEqualTo(THREAD);
                    assertThat(request.interrupt().id()).isEqualTo(mail.id());
                    assertThat(request.toolName()).isEqualTo("sendEmail");
                    assertThat(request.payload()).isEqualTo(json("{\"approved\":true}"));
                    assertThat(request.approves()).isTrue();
                    assertThat(request.arguments()).isEqualTo(json(MAIL));
                });
    }

    @Test
    void itIsAskedAboutTheEditedArguments() {
        rule = request -> request.arguments().path("to").asText().endsWith("@example.com");
        List<PendingInterrupt> open = held();

        assertThat(refused(
                        "INTERRUPT_FORBIDDEN",
                        open.get(0)
                                .asApproval()
                                .approveWith(Map.of("to", "eve@evil.example", "subject", "Hi", "body", "x")),
                        open.get(1).cancel()))
                .contains(open.get(0).id());
        bench.model.says("Done.");
        ada.resume(
                THREAD,
                open.get(0).asApproval().approveWith(Map.of("to", "bob@example.com", "subject", "Hi", "body", "x")),
                open.get(1).cancel());

        assertThat(bench.tools.effects()).containsExactly("sendEmail bob@example.com|Hi|x");
    }

    @Test
    void whatAnEditLeavesOutIsSeenAsItWillRun() {
        rule = request -> request.arguments().path("times").asInt(-1) < 3;
        bench.model.calls(call("c1", "greet", "{\"who\":\"Bob\",\"times\":1}"));
        ada.send(THREAD, "Go");
        PendingInterrupt greet = ada.pending(THREAD).get(0);
        asked.clear();

        refused("INTERRUPT_FORBIDDEN", greet.asApproval().approveWith(Map.of("who", "Bob")));

        assertThat(asked.get(0).arguments()).isEqualTo(json("{\"times\":3,\"who\":\"Bob\"}"));
        rule = request -> true;
        bench.model.says("Done.");
        ada.resume(THREAD, greet.asApproval().approveWith(Map.of("who", "Bob")));
        assertThat(greetings).containsExactly("Bob 3");
        assertThat(asked.get(1).arguments()).isEqualTo(json("{\"times\":3,\"who\":\"Bob\"}"));
    }

    @Test
    void aDenialIsADecisionThatRunsNothing() {
        rule = request -> !request.toolName().equals("sendEmail");
        List<PendingInterrupt> open = held();

        refused(
                "INTERRUPT_FORBIDDEN",
                open.get(0).asApproval().deny("no"),
                open.get(1).asApproval().deny());

        assertThat(asked).allSatisfy(request -> assertThat(request.approves()).isFalse());
        assertThat(asked.get(0).arguments()).isEqualTo(json(MAIL));
    }

    @Test
    void lettingGoIsNoDecision() {
        rule = request -> false;
        List<PendingInterrupt> open = held();
        bench.model.says("Fine.");

        assertThat(ada.resume(THREAD, open.get(0).cancel(), open.get(1).cancel()))
                .isInstanceOf(RunResult.Completed.class);
        assertThat(asked).isEmpty();
    }

    @Test
    void oneAnswerThatIsNotAllowedKeepsAllOpen() {
        rule = request -> request.toolName().equals("sendEmail");
        List<PendingInterrupt> open = held();

        String message = refused(
                "INTERRUPT_FORBIDDEN",
                open.get(0).asApproval().approve(),
                open.get(1).asApproval().approve());

        assertThat(message)
                .contains(open.get(1).id(), "cancel")
                .doesNotContain(open.get(0).id());
        bench.model.says("Done.");
        ada.resume(THREAD, open.get(0).asApproval().approve(), open.get(1).cancel());
        assertThat(bench.tools.effects()).containsExactly("sendEmail ada@example.com|Hi|Hello");
    }

    @Test
    void anAuthorizerThatThrowsSaysNo() {
        rule = request -> {
            throw new IllegalStateException("directory down");
        };
        List<PendingInterrupt> open = held();

        assertThat(refused(
                        "INTERRUPT_FORBIDDEN",
                        open.get(0).asApproval().approve(),
                        open.get(1).asApproval().approve()))
                .doesNotContain("directory");
    }

    @Test
    void anAuthorizerThatThrowsAnErrorSaysNo() {
        rule = request -> {
            throw new NoClassDefFoundError("com/example/Directory");
        };
        List<PendingInterrupt> open = held();

        refused(
                "INTERRUPT_FORBIDDEN",
                open.get(0).asApproval().approve(),
                open.get(1).asApproval().approve());
    }

    @Test
    void anAuthorizerThatThrowsAnErrorLetsNobodyIn() {
        held();
        Holdpoint broken = bench.another(builder -> builder.approvalAuthorizer(new ApprovalAuthorizer() {
            @Override
            public boolean mayDecide(ApprovalAuthorizer.Request request) {
                throw new AssertionError("nobody is asked who does not get in");
            }

            @Override
            public boolean mayAccess(Caller caller, String threadId, String ownerId) {
                throw new NoClassDefFoundError("com/example/Directory");
            }
        }));

        assertThat(broken.as(Caller.of("mallory")).send(THREAD, "Hi"))
                .isInstanceOfSatisfying(RunResult.Failed.class, failed -> assertThat(failed.code())
                        .isEqualTo(ErrorCode.THREAD_NOT_FOUND));
    }

    private static void tamperWith(ApprovalAuthorizer.Request request) {
        request.arguments().put("to", "eve@evil.example");
        ((ObjectNode) request.payload()).put("approved", false);
        ObjectNode metadata = request.interrupt().interrupt().metadata();
        ((ObjectNode) metadata.path("langchain4j").path("args")).put("to", "eve@evil.example");
    }

    @Test
    void whatAnAuthorizerDoesToItsCopiesChangesNothing() {
        List<PendingInterrupt> open = held();
        String shown = open.toString();
        rule = request -> {
            tamperWith(request);
            return false;
        };
        refused(
                "INTERRUPT_FORBIDDEN",
                open.get(0).asApproval().approve(),
                open.get(1).cancel());
        rule = request -> true;
        assertThat(ada.pending(THREAD)).hasToString(shown);
        rule = request -> {
            tamperWith(request);
            return true;
        };
        bench.model.says("Done.");

        ada.resume(THREAD, open.get(0).asApproval().approve(), open.get(1).cancel());

        assertThat(bench.tools.effects()).containsExactly("sendEmail ada@example.com|Hi|Hello");
    }

    @Test
    void forbiddenComesAfterPartialAndBeforeExpiredAndInvalid() {
        rule = request -> false;
        List<PendingInterrupt> open = held();

        refused("INTERRUPT_PARTIAL_RESUME", open.get(0).asApproval().approve());
        refused(
                "INTERRUPT_FORBIDDEN",
                ResumeEntry.resolved(open.get(0).id(), json("{\"approved\":1}")),
                open.get(1).cancel());
        bench.clock.advance(Duration.ofHours(2));
        refused(
                "INTERRUPT_FORBIDDEN",
                open.get(0).cancel(),
                open.get(1).asApproval().approve());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"approved\":true,\"editedArgs\":{\"to\":7}}",
                "{\"approved\":true,\"editedArgs\":[]}",
                "{\"approved\":\"true\"}",
                "[]",
                "null"
            })
    void anInvalidAnswerIsAskedAboutAsOneThatRunsNothing(String payload) {
        List<PendingInterrupt> open = held();

        refused(
                "INTERRUPT_PAYLOAD_INVALID",
                ResumeEntry.resolved(open.get(0).id(), json(payload)),
                open.get(1).cancel());

        assertThat(asked).singleElement().satisfies(request -> {
            assertThat(request.approves()).isFalse();
            assertThat(request.arguments()).isEqualTo(json(MAIL));
            assertThat(request.payload()).isEqualTo(json(payload));
        });
    }

    @Test
    void anAbsentPayloadIsJsonNull() {
        List<PendingInterrupt> open = held();

        refused(
                "INTERRUPT_PAYLOAD_INVALID",
                new ResumeEntry(open.get(0).id(), ResumeEntry.Status.RESOLVED, null, null),
                open.get(1).cancel());

        assertThat(asked.get(0).payload()).isEqualTo(NullNode.getInstance());
    }

    @Test
    void anAnswerThatIsSentAgainIsNotAskedAboutAgain() {
        List<PendingInterrupt> open = held();
        bench.model.says("Done.");
        ada.resume(
                THREAD,
                open.get(0).asApproval().approve(),
                open.get(1).asApproval().approve());
        rule = request -> false;

        assertThat(ada.resume(
                        THREAD,
                        open.get(0).asApproval().approve(),
                        open.get(1).asApproval().approve()))
                .isInstanceOf(RunResult.Completed.class);
        assertThat(asked).as("two answers, and two calls that ran").hasSize(4);
        assertThat(bench.tools.effects()).hasSize(2);
    }

    @Test
    void aBareMessageIsNotAskedAbout() {
        held();
        RecordingSink sink = new RecordingSink();
        ada.run(bench.input(user("u2", "Hi")), sink).join();

        assertThat(sink.errorCode()).isEqualTo("INTERRUPT_PENDING");
        assertThat(asked).isEmpty();
    }

    @Test
    void whoDecidedAndWhenIsKept() {
        List<PendingInterrupt> open = held();
        bench.clock.advance(Duration.ofMinutes(5));
        bench.model.says("Done.");

        ada.resume(THREAD, open.get(0).asApproval().approve(), open.get(1).cancel());

        Batch batch = bench.store
                .findBatch(THREAD, Store.By.INTERRUPT, open.get(0).id())
                .orElseThrow();
        List<Answer> answers =
                batch.calls().stream().flatMap(each -> each.answers().stream()).toList();
        assertThat(answers).hasSize(2).allSatisfy(answer -> {
            assertThat(answer.answeredBy()).isEqualTo("ada");
            assertThat(answer.answeredAt()).isEqualTo(bench.clock.instant());
        });
    }
}
