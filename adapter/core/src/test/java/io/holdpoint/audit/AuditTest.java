package io.holdpoint.audit;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.AuditEvent.Kind;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The audit trail of a thread tells what happened to every call, by whom, when and with what. */
@Logs("A call of the tool * was refused to the model because of its arguments")
class AuditTest {

    private final Bench bench = new Bench();

    private List<AuditEvent> trail() {
        return bench.agent().auditTrail(THREAD, 0, 1_000);
    }

    private List<String> story() {
        return trail().stream()
                .map(event ->
                        event.kind() + event.toolCallId().map(id -> " " + id).orElse(""))
                .toList();
    }

    private AuditEvent first(Kind kind) {
        return trail().stream()
                .filter(event -> event.kind() == kind)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + kind + " in " + trail()));
    }

    private void askForMail() {
        bench.model.calls(call("m", "sendEmail", MAIL)).says("Done.").says("Bye.");
        bench.say("Write to Ada");
    }

    /** What check() compares with the record. */
    private String decision() {
        String sha256 = first(Kind.DECIDED).detail().path("sha256").asText();
        assertThat(sha256).matches("[0-9a-f]{64}");
        return sha256;
    }

    @Test
    void anApprovedCallIsProposedHeldDecidedClaimedAndExecuted() {
        askForMail();
        bench.clock.advance(Duration.ofMinutes(5));

        bench.resume(bench.pending(0).asApproval().approve());

        assertThat(story()).containsExactly("PROPOSED m", "HELD m", "DECIDED m", "CLAIMED m", "EXECUTED m");
        assertThat(trail()).allSatisfy(event -> {
            assertThat(event.threadId()).isEqualTo(THREAD);
            assertThat(event.caller()).isEqualTo("anonymous");
            assertThat(event.toolName()).contains("sendEmail");
        });
        assertThat(trail()).extracting(AuditEvent::runId).containsExactly("run-1", "run-1", "run-2", "run-2", "run-2");
        assertThat(Duration.between(first(Kind.HELD).at(), first(Kind.DECIDED).at()))
                .isEqualTo(Duration.ofMinutes(5));
        assertThat(trail().get(0).detail())
                .isEqualTo(json("{'arguments':" + MAIL + ",'argumentsSha256':'"
                        + first(Kind.CLAIMED).detail().path("argumentsSha256").asText()
                        + "','usage':{'model':'scripted','inputTokens':10,'outputTokens':5,'totalTokens':15}}"));
        assertThat(first(Kind.HELD).detail())
                .isEqualTo(
                        json(
                                "{'reason':'tool_call','characters':104,"
                                        + "'labels':{'to':{'description':'recipient'},'subject':{'description':'subject'},'body':{'description':'body'}}}"));
        assertThat(first(Kind.DECIDED).detail())
                .isEqualTo(json("{'how':'RESOLVED','payload':{'approved':true},'sha256':'" + decision() + "'}"));
        assertThat(first(Kind.CLAIMED).detail().path("attempt").asInt()).isEqualTo(1);
        assertThat(first(Kind.PROPOSED).detail().get("arguments")).isEqualTo(json(MAIL));
        assertThat(first(Kind.CLAIMED).detail().has("arguments"))
                .as("once in the trail, unless they were edited")
                .isFalse();
        assertThat(first(Kind.EXECUTED).detail()).isEmpty();
    }

    @Test
    void theQuestionAndItsAnswerNameTheInterrupt() {
        askForMail();
        String interruptId = bench.pending(0).id();

        bench.resume(bench.pending(0).asApproval().approve());

        assertThat(first(Kind.HELD).interruptId()).contains(interruptId);
        assertThat(first(Kind.DECIDED).interruptId()).contains(interruptId);
        assertThat(first(Kind.CLAIMED).interruptId()).isEmpty();
    }

    @Test
    void anEditIsInTheDecisionAndInWhatIsExecuted() {
        askForMail();
        Map<String, String> edited = Map.of("to", "bob@example.com", "subject", "Hi", "body", "Hello");

        bench.resume(bench.pending(0).asApproval().approveWith(edited));

        ObjectNode executed = AguiCodec.mapper().valueToTree(edited);
        assertThat(first(Kind.PROPOSED).detail().get("arguments")).isEqualTo(json(MAIL));
        assertThat(first(Kind.DECIDED).detail().path("payload").get("editedArgs"))
                .isEqualTo(executed);
        assertThat(first(Kind.CLAIMED).detail().get("arguments")).isEqualTo(executed);
        assertThat(first(Kind.CLAIMED).detail().get("argumentsSha256"))
                .isNotEqualTo(first(Kind.PROPOSED).detail().get("argumentsSha256"));
    }

    @Test
    void aDenialIsADecisionAndNothingIsExecuted() {
        askForMail();

        bench.resume(bench.pending(0).asApproval().deny("not today"));

        assertThat(story()).containsExactly("PROPOSED m", "HELD m", "DECIDED m", "NOT_EXECUTED m");
        assertThat(first(Kind.DECIDED).detail())
                .isEqualTo(json("{'how':'RESOLVED','payload':{'approved':false,'reason':'not today'},'sha256':'"
                        + decision() + "'}"));
        assertThat(first(Kind.NOT_EXECUTED).detail().path("error").asText()).contains("A person declined this call");
    }

    @Test
    void aCancelIsADecisionWithoutPayload() {
        askForMail();

        bench.resume(bench.pending(0).cancel());

        assertThat(story()).containsExactly("PROPOSED m", "HELD m", "DECIDED m", "NOT_EXECUTED m");
        assertThat(first(Kind.DECIDED).detail()).isEqualTo(json("{'how':'CANCELLED'}"));
    }

    @Test
    void steeringAwaySettlesUngatedSiblingsToo() {
        bench.model
                .calls(call("s", "searchContacts", "{\"query\":\"Ada\"}"), call("m", "sendEmail", MAIL))
                .says("Fine.");
        bench.say("Write to Ada");

        bench.resumeAndSay("Forget it", bench.pending(0).cancel());

        assertThat(story())
                .containsExactly("PROPOSED s", "PROPOSED m", "HELD m", "DECIDED m", "NOT_EXECUTED s", "NOT_EXECUTED m");
    }

    @Test
    void aQuestionThatExpiredSaysSo() {
        bench.model.calls(call("d", "deleteRecords", "{\"table\":\"x\"}")).says("Fine.");
        bench.say("Delete");
        bench.clock.advance(Duration.ofHours(2));

        bench.say("Something else");

        assertThat(story()).containsExactly("PROPOSED d", "HELD d", "EXPIRED d", "NOT_EXECUTED d");
        assertThat(first(Kind.HELD).detail())
                .isEqualTo(json("{'reason':'tool_call','characters':44,'expiresAt':'2026-01-31T13:00:00Z'}"));
        assertThat(first(Kind.EXPIRED).interruptId()).isEqualTo(first(Kind.HELD).interruptId());
    }

    @Test
    @Logs("Tool '*' execution failed")
    void aToolThatThrowsHasFailed() {
        bench.model.calls(call("x", "explode", "{\"why\":\"fun\"}")).says("Oh.");
        bench.say("Explode");

        bench.resume(bench.pending(0).asApproval().approve());

        assertThat(story()).endsWith("CLAIMED x", "FAILED x");
        assertThat(first(Kind.FAILED).detail().path("error").asText()).isEqualTo("boom: fun");
    }

    @Test
    @Logs("Tool '*' execution failed")
    void aLongErrorIsCut() {
        bench.model
                .calls(call("x", "explode", "{\"why\":\"" + "🙂".repeat(1_000) + "\"}"))
                .says("Oh.");
        bench.say("Explode");

        bench.resume(bench.pending(0).asApproval().approve());

        assertThat(first(Kind.FAILED).detail().path("error").asText())
                .startsWith("boom: 🙂")
                .endsWith("🙂…")
                .hasSizeLessThanOrEqualTo(AuditEvent.MAX_TEXT_LENGTH);
    }

    @Test
    void callsThatNobodyIsAskedAboutAreInTheTrail() {
        bench.model
                .calls(call("s", "searchContacts", "{\"query\":\"Ada\"}"), call("m", "sendEmail", "{} x"))
                .says("Fine.");

        bench.say("Search");

        assertThat(story()).containsExactly("PROPOSED s", "PROPOSED m", "NOT_EXECUTED m", "CLAIMED s", "EXECUTED s");
    }

    @Test
    void argumentsThatAreNoObjectAreKeptAsText() {
        bench.model.calls(call("m", "sendEmail", "{\"to\":")).says("Oh.");

        bench.say("Write to Ada");

        assertThat(story()).containsExactly("PROPOSED m", "NOT_EXECUTED m");
        assertThat(first(Kind.PROPOSED).detail().path("arguments").textValue()).isEqualTo("{\"to\":");
        assertThat(first(Kind.NOT_EXECUTED).detail().path("error").asText()).contains("not exactly one valid JSON");
    }

    @Test
    void anAnswerThatComesAgainIsReplayed() {
        askForMail();
        ResumeEntry approval = bench.pending(0).asApproval().approve();
        bench.resume(approval);

        bench.resume(approval);

        assertThat(story())
                .containsExactly("PROPOSED m", "HELD m", "DECIDED m", "CLAIMED m", "EXECUTED m", "REPLAYED m");
        assertThat(first(Kind.REPLAYED).interruptId()).contains(approval.interruptId());
        assertThat(first(Kind.REPLAYED).runId()).isEqualTo("run-3");
    }

    @Test
    void anOpenInterruptThatIsGivenAgainIsPresented() {
        askForMail();

        bench.nothingNew();

        assertThat(story()).containsExactly("PROPOSED m", "HELD m", "PRESENTED m");
        assertThat(first(Kind.PRESENTED).interruptId())
                .contains(bench.pending(0).id());
        assertThat(first(Kind.PRESENTED).toolName()).contains("sendEmail");
    }

    @Test
    void aClientThatRepeatsItselfAddsNothingToTheTrail() {
        askForMail();
        ResumeEntry approval = bench.pending(0).asApproval().approve();
        bench.nothingNew();
        bench.resume(approval);
        bench.resume(approval);
        List<AuditEvent> before = trail();

        for (int i = 0; i < InMemoryStore.MAX_AUDIT_EVENTS; i++) {
            bench.resume(approval);
        }

        assertThat(trail()).isEqualTo(before).extracting(AuditEvent::kind).contains(Kind.DECIDED);
    }

    @Test
    void anAnswerWithoutAnIdIsNoReplay() {
        askForMail();

        bench.resume(new ResumeEntry("", ResumeEntry.Status.CANCELLED, null, null));

        assertThat(story()).containsExactly("PROPOSED m", "HELD m", "DECIDED m", "NOT_EXECUTED m");
    }

    @Test
    void anAnswerThatIsRefusedLeavesNoTrace() {
        askForMail();

        bench.resume(ResumeEntry.resolved(bench.pending(0).id(), json("{'approved':'yes'}")));
        bench.resume(ResumeEntry.resolved("int_unknown", json("{}")));

        assertThat(story()).containsExactly("PROPOSED m", "HELD m");
    }

    @Test
    void anAnswerIsKeptAsItCame() {
        askForMail();
        ObjectNode payload = json("{'approved':false,'editedArgs':{'to':'x'},'junk':null}");

        bench.resume(ResumeEntry.resolved(bench.pending(0).id(), payload));

        assertThat(first(Kind.DECIDED).detail().get("payload")).isEqualTo(payload);
    }

    @Test
    void aTrailIsReadInPages() {
        askForMail();
        bench.resume(bench.pending(0).asApproval().approve());

        assertThat(bench.agent().auditTrail(THREAD, 1, 2))
                .extracting(AuditEvent::kind)
                .containsExactly(Kind.HELD, Kind.DECIDED);
        assertThat(bench.agent().auditTrail(THREAD, 5, 2)).isEmpty();
        assertThat(bench.agent().auditTrail("other", 0, 2)).isEmpty();
        assertThatThrownBy(() -> bench.agent().auditTrail(THREAD, -1, 2)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> bench.agent().auditTrail(THREAD, 0, 0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whoeverReadsTheTrailCannotChangeIt() {
        askForMail();

        trail().get(0).detail().removeAll();

        assertThat(trail().get(0).detail().get("arguments")).isEqualTo(json(MAIL));
    }

    @Test
    void theCallerIsTheOneOfTheRun() {
        bench.model.calls(call("m", "sendEmail", MAIL)).says("Done.");
        Holdpoint ada = bench.agent().as(Caller.of("ada"));
        ada.send(THREAD, "Write to Ada");

        ada.resume(THREAD, ada.pending(THREAD).get(0).asApproval().approve());

        assertThat(ada.auditTrail(THREAD, 0, 10)).extracting(AuditEvent::caller).containsOnly("ada");
    }

    private static ObjectNode json(String text) {
        try {
            return (ObjectNode) AguiCodec.mapper().readTree(text.replace('\'', '"'));
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void theIdOfTheInterruptIsInTheEventOfTheEndOfACall() {
        askForMail();
        String id = bench.pending(0).id();

        bench.resume(bench.pending(0).asApproval().deny());

        assertThat(first(Kind.NOT_EXECUTED).interruptId()).contains(id);
    }
}
