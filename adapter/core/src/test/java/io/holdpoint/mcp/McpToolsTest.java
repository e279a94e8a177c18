package io.holdpoint.mcp;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.ApprovalVerdict;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunResult;
import io.holdpoint.ToolPolicy;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.ToolCallEvent;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.RecordingSink;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tools that an MCP server offers, and that nobody annotated, wait for a person where a policy says so. */
@Logs({
    "Tool '*' execution failed",
    "The call * of the tool * is not executed: it was proposed to another tool of this name"
})
class McpToolsTest {

    private static final String DELETE = "{\"path\":\"a.txt\"}";
    private static final String WRITE = "{\"path\":\"a.txt\",\"text\":\"Hello\"}";

    /** How long LangChain4j's client waits for a server that is dead; that it is it only finds out by a health check. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    @TempDir
    private static Path directory;

    private static FileServerProcess server;

    @BeforeAll
    static void startServer() {
        server = FileServerProcess.start(directory.resolve("calls.txt"));
    }

    @AfterEach
    void forgetsItsCalls() throws IOException {
        Files.deleteIfExists(directory.resolve("calls.txt"));
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    private Bench bench(ToolPolicy... policies) {
        return new Bench(builder -> builder.toolProviders(server.tools()).toolPolicies(policies));
    }

    private static Interrupt only(RecordingSink sink) {
        assertThat(sink.interrupts()).hasSize(1);
        return sink.interrupts().get(0);
    }

    @Test
    void aToolNamedByAPolicyWaits() {
        Bench bench = bench(ToolPolicy.named("delete_file").message("Delete {{path}}?"));
        bench.model.calls(call("c1", "delete_file", DELETE));

        Interrupt held = only(bench.say("Delete a.txt"));

        assertThat(held.message()).isEqualTo("Delete \"a.txt\"?");
        assertThat(held.responseSchema().at("/properties/editedArgs/properties").fieldNames())
                .toIterable()
                .containsExactly("path");
        assertThat(server.calls()).isEmpty();
    }

    @Test
    void anApprovedCallReachesTheServerOnce() {
        Bench bench = bench(ToolPolicy.named("delete_file"));
        bench.model.calls(call("c1", "delete_file", DELETE)).says("Deleted.");
        bench.say("Delete a.txt");
        var approval = bench.pending(0).asApproval().approve();

        RecordingSink answered = bench.resume(approval);
        bench.resume(approval);

        assertThat(answered.text()).isEqualTo("Deleted.");
        assertThat(answered.all(ToolCallEvent.Result.class))
                .extracting(ToolCallEvent.Result::content)
                .containsExactly(MessageContent.text("delete_file done"));
        assertThat(server.calls()).containsExactly("delete_file {\"path\":\"a.txt\"}");
        assertThat(bench.model.lastResult("c1")).isEqualTo("delete_file done");
    }

    @Test
    void anEditedCallReachesTheServerAsEdited() {
        Bench bench = bench(ToolPolicy.matching(Pattern.compile("(write|move)_.*")));
        bench.model.calls(call("c1", "write_file", WRITE)).says("Written.");
        bench.say("Write a.txt");

        bench.resume(bench.pending(0).asApproval().approveWith(Map.of("path", "b.txt", "text", "Bye")));

        assertThat(server.calls()).containsExactly("write_file {\"path\":\"b.txt\",\"text\":\"Bye\"}");
    }

    @Test
    void aDeniedCallNeverReachesTheServer() {
        Bench bench = bench(ToolPolicy.named("delete_file"));
        bench.model.calls(call("c1", "delete_file", DELETE)).says("Kept.");
        bench.say("Delete a.txt");

        bench.resume(bench.pending(0).asApproval().deny("It is still needed"));

        assertThat(server.calls()).isEmpty();
        assertThat(bench.model.lastResult("c1")).contains("It is still needed");
    }

    @Test
    void aPolicyCanGoByWhatTheServerSaysOfATool() {
        Bench bench = bench(
                ToolPolicy.where(tool -> !Boolean.TRUE.equals(tool.metadata().get("readOnlyHint"))));
        bench.model.calls(call("c1", "read_file", DELETE)).says("Read.");
        assertThat(bench.say("Read a.txt").interrupts()).isEmpty();
        bench.model.calls(
                call("c2", "read_file", DELETE), call("c3", "write_file", WRITE), call("c4", "delete_file", DELETE));

        assertThat(bench.say("Do all").interrupts())
                .extracting(Interrupt::toolCallId)
                .containsExactly("c3", "c4");
        assertThat(server.calls()).hasSize(1);
    }

    @Test
    void aConditionSeesTheArguments() {
        Bench bench = bench(ToolPolicy.named("delete_file")
                .when(call -> call.argument("path", String.class).orElseThrow().startsWith("/")
                        ? ApprovalVerdict.deny("Only in this directory")
                        : ApprovalVerdict.requireApprovalIf(
                                !call.arguments().get("path").asText().endsWith(".tmp"))));
        bench.model
                .calls(
                        call("c1", "delete_file", "{\"path\":\"/etc/passwd\"}"),
                        call("c2", "delete_file", "{\"path\":\"x.tmp\"}"))
                .says("Done.");

        assertThat(bench.say("Delete both").interrupts()).isEmpty();

        assertThat(server.calls()).containsExactly("delete_file {\"path\":\"x.tmp\"}");
        assertThat(bench.model.lastResult("c1")).contains("Only in this directory");
    }

    /** LangChain4j's client reads what it sends into a double; the document on which calls says so. */
    @Test
    void aLongFractionReachesTheServerRounded() {
        Bench bench = bench(ToolPolicy.named("resize_file"));
        bench.model
                .calls(call("c1", "resize_file", "{\"path\":\"a\",\"size\":12345678901234567.89}"))
                .says("Resized.");
        Interrupt held = only(bench.say("Resize a"));
        assertThat(String.valueOf(held.metadata())).contains("12345678901234567.89");

        bench.resume(bench.pending(0).asApproval().approve());

        assertThat(server.calls()).containsExactly("resize_file {\"path\":\"a\",\"size\":12345678901234568}");
    }

    @Test
    void anErrorOfTheServerIsTheResult() {
        Bench bench = bench(ToolPolicy.named("delete_file"));
        bench.model.calls(call("c1", "delete_file", "{\"path\":\"denied\"}")).says("I may not.");
        bench.say("Delete it");

        RecordingSink answered = bench.resume(bench.pending(0).asApproval().approve());

        assertThat(answered.text()).isEqualTo("I may not.");
        assertThat(bench.model.lastResult("c1")).isEqualTo("permission denied");
        assertThat(server.calls()).hasSize(1);
    }

    /** LangChain4j's client has no forms, and says so; the document on which calls says what follows from it. */
    @Test
    void aServerThatWantsToAskTheUserSaysThatItCannot() {
        Bench bench = bench(ToolPolicy.named("delete_file"));
        bench.model.calls(call("c1", "delete_file", "{\"path\":\"asks\"}")).says("It cannot ask.");
        bench.say("Delete it");

        bench.resume(bench.pending(0).asApproval().approve());

        assertThat(bench.model.lastResult("c1")).isEqualTo("this client cannot ask its user");
        assertThat(server.calls()).hasSize(1);
    }

    @Test
    @Logs("Received response for unknown message id: ") // LangChain4j's client takes the question for an answer
    void aServerThatAsksTheUserAllTheSameGetsNoAnswerAndTheToolAnError() {
        try (FileServerProcess asking = FileServerProcess.start(directory.resolve("asking.txt"), PATIENCE)) {
            Bench bench = new Bench(
                    builder -> builder.toolProviders(asking.tools()).toolPolicies(ToolPolicy.named("delete_file")));
            bench.model
                    .calls(call("c1", "delete_file", "{\"path\":\"asks anyway\"}"))
                    .says("No answer.");
            bench.say("Delete it");

            bench.resume(bench.pending(0).asApproval().approve());

            assertThat(bench.model.lastResult("c1")).contains("timeout executing the tool");
            assertThat(asking.calls()).hasSize(1);
        }
    }

    /** As servers ask since 2026-07-28: what they answer is no result. */
    @Test
    void aServerThatAsksByItsResultIsAnErrorAtTheTool() {
        Bench bench = bench(ToolPolicy.named("delete_file"));
        bench.model
                .calls(call("c1", "delete_file", "{\"path\":\"asks by its result\"}"))
                .says("It has asked.");
        bench.say("Delete it");

        RecordingSink answered = bench.resume(bench.pending(0).asApproval().approve());

        assertThat(answered.text()).isEqualTo("It has asked.");
        assertThat(bench.model.lastResult("c1")).contains("input_required");
        assertThat(bench.agent().auditTrail(THREAD, 0, 50))
                .extracting(AuditEvent::kind)
                .contains(AuditEvent.Kind.FAILED)
                .doesNotContain(AuditEvent.Kind.EXECUTED);
    }

    @Test
    void aServerThatDiesInTheMiddleOfACallIsNotAskedAgain() {
        try (FileServerProcess mortal = FileServerProcess.start(directory.resolve("mortal.txt"))) {
            Bench bench = new Bench(
                    builder -> builder.toolProviders(mortal.tools()).toolPolicies(ToolPolicy.named("delete_file")));
            bench.model
                    .calls(call("c1", "delete_file", "{\"path\":\"poison\"}"))
                    .says("It broke.")
                    .says("Still here.");
            bench.say("Delete it");
            var approval = bench.pending(0).asApproval().approve();

            assertThat(bench.resume(approval).text()).isEqualTo("It broke.");
            bench.resume(approval);

            assertThat(mortal.isAlive()).isFalse();
            assertThat(mortal.calls()).hasSize(1);
            assertThat(bench.model.lastResult("c1")).contains("Process has exited");
            assertThat(bench.say("And now?").text()).isEqualTo("Still here.");
        }
    }

    @Test
    void aServerThatDiedBeforeTheApprovalDoesNotKeepTheThread() {
        try (FileServerProcess mortal = FileServerProcess.start(directory.resolve("killed.txt"), PATIENCE)) {
            Bench bench = new Bench(
                    builder -> builder.toolProviders(mortal.tools()).toolPolicies(ToolPolicy.named("delete_file")));
            bench.model
                    .calls(call("c1", "delete_file", DELETE))
                    .says("No answer.")
                    .says("Still here.");
            bench.say("Delete a.txt");
            mortal.kill();
            var approval = bench.pending(0).asApproval().approve();

            bench.resume(approval);
            bench.resume(approval);

            assertThat(mortal.calls()).isEmpty();
            assertThat(bench.model.lastResult("c1")).containsAnyOf("timeout executing the tool", "Process has exited");
            assertThat(bench.say("And now?").text()).isEqualTo("Still here.");
        }
    }

    @Test
    void aToolThatTheServerNoLongerHasIsNotExecuted() {
        Bench bench = bench(ToolPolicy.named("delete_file"));
        bench.model.calls(call("c1", "delete_file", DELETE)).says("It is gone.");
        bench.say("Delete a.txt");
        Holdpoint later = bench.another(builder -> builder);

        RunResult result = later.resume(
                Bench.THREAD, later.pending(Bench.THREAD).get(0).asApproval().approve());

        assertThat(result).isInstanceOf(RunResult.Completed.class);
        assertThat(server.calls()).isEmpty();
        assertThat(bench.model.lastResult("c1")).contains("was not executed");
    }

    @Test
    void aToolWhoseParametersTheServerHasChangedIsNotExecuted() {
        Bench bench = bench(ToolPolicy.named("delete_file"));
        bench.model.calls(call("c1", "delete_file", DELETE)).says("It has changed.");
        bench.say("Delete a.txt");
        try (FileServerProcess next =
                FileServerProcess.start(directory.resolve("calls.txt"), "2", Duration.ofMinutes(1))) {
            Holdpoint later = bench.another(
                    builder -> builder.toolProviders(next.tools()).toolPolicies(ToolPolicy.named("delete_file")));

            later.resume(
                    Bench.THREAD,
                    later.pending(Bench.THREAD).get(0).asApproval().approve());

            assertThat(next.calls()).isEmpty();
            assertThat(bench.model.lastResult("c1")).contains("was not executed");
        }
    }
}
