package io.holdpoint.wire;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Bench.Everything;
import io.holdpoint.testing.RecordingSink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the payload of an approval must look like. */
class InvalidPayloadTest {

    private final Bench bench = new Bench();

    private static JsonNode json(String text) {
        try {
            return AguiCodec.mapper().readTree(text);
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    private String refused(ResumeEntry answer) {
        Everything before = bench.everything();
        RecordingSink sink = bench.resume(answer);
        assertThat(sink.types()).containsExactly("RUN_ERROR");
        assertThat(sink.errorCode()).isEqualTo("INTERRUPT_PAYLOAD_INVALID");
        assertThat(bench.everything()).isEqualTo(before);
        return sink.detail();
    }

    private String refusedPayload(String payload) {
        return refused(ResumeEntry.resolved(bench.pending(0).id(), json(payload)));
    }

    private void holdMail() {
        bench.model.calls(call("c1", "sendEmail", MAIL));
        bench.say("Go");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"approved\":\"true\"}",
                "{\"approved\":1}",
                "{\"approved\":null}",
                "{\"approved\":[true]}",
                "{\"approved\":{}}",
                "{\"approved\":true,\"reason\":7}"
            })
    void aFieldOfTheWrongTypeIsRefusedByItsPath(String payload) {
        holdMail();

        assertThat(refusedPayload(payload)).containsPattern("/(approved|reason)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"Approved\":true}", "{\"__proto__\":{\"approved\":true}}", "{\"reason\":\"x\"}"})
    void anAnswerWithoutApprovedIsRefused(String payload) {
        holdMail();

        assertThat(refusedPayload(payload)).contains("payload", "approved");
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "true", "\"true\"", "1", "[]", "[{\"approved\":true}]"})
    void aPayloadThatIsNoObjectIsRefused(String payload) {
        holdMail();

        assertThat(refusedPayload(payload)).contains(bench.pending(0).id(), "payload");
    }

    @Test
    void anAbsentPayloadIsRefused() {
        holdMail();

        refused(new ResumeEntry(bench.pending(0).id(), ResumeEntry.Status.RESOLVED, null, null));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"to\":7,\"subject\":\"s\",\"body\":\"b\"}|/editedArgs/to",
                "{\"to\":\"t\",\"subject\":null,\"body\":\"b\"}|/editedArgs/subject",
                "{\"to\":\"t\",\"subject\":\"s\",\"body\":\"b\",\"bcc\":\"x\"}|bcc",
                "{\"to\":\"t\",\"subject\":\"s\"}|body",
                "{}|/editedArgs",
                "[]|/editedArgs",
                "\"x\"|/editedArgs",
                "null|/editedArgs"
            })
    void editedArgumentsMustMatchTheToolsParameters(String editedArgs, String named) {
        holdMail();

        assertThat(refusedPayload("{\"approved\":true,\"editedArgs\":" + editedArgs + "}"))
                .contains(named);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"table\":\"all\"}", "{\"table\":\"users\"}", "{}", "null"})
    void argumentsOfAToolThatIsNotEditableCannotBeEdited(String editedArgs) {
        bench.model.calls(call("c1", "deleteRecords", "{\"table\":\"users\"}"));
        bench.say("Go");

        assertThat(refusedPayload("{\"approved\":true,\"editedArgs\":" + editedArgs + "}"))
                .contains("/editedArgs");
    }

    @Test
    void editedArgumentsAreNotReadWithADenial() {
        holdMail();
        bench.model.says("Fine.");

        RecordingSink sink = bench.resume(
                ResumeEntry.resolved(bench.pending(0).id(), json("{\"approved\":false,\"editedArgs\":{\"to\":7}}")));

        assertThat(sink.text()).isEqualTo("Fine.");
        assertThat(bench.tools.effects()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "edited_args",
                "EditedArgs",
                "editedArguments",
                "editArgs",
                "args",
                "arguments",
                "modifications",
                "functionArguments",
                "function_arguments"
            })
    void editsUnderAnotherNameAreRefusedAndTheNameIsSaid(String name) {
        holdMail();

        assertThat(refusedPayload("{\"approved\":true,\"" + name + "\":" + MAIL + "}"))
                .contains(".payload/" + name + ": ", "call it editedArgs");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "{'approved':true,'comment':'ok'}|/comment: an answer has no such member; leave it out",
                "{'approved':true,'because':7}|/because: an answer has no such member; leave it out",
                "{'approved':true,'Reason':'ok'}|/Reason: an answer has no such member; call it reason",
                "{'approved':true,'__proto__':{}}|/__proto__: an answer has no such member; leave it out",
                "{'approved':true,'toolName':'x'}|/toolName: an answer has no such member; leave it out",
                "{'approved':true,'a/b~c':1}|/a~1b~0c: an answer has no such member; leave it out",
                "{'approved':true,'response':'sent'}|leave response out",
                "{'approved':true,'remember':'tool'}|leave remember out",
                "{'approved':true,'rememberMinutes':5}|leave rememberMinutes out",
                "{'approved':false,'reasons':'no'}|/reasons: an answer has no such member; call it reason"
            })
    void aMemberThatTheFormDoesNotDeclareIsRefused(String payload, String remedy) {
        holdMail();

        String detail = refusedPayload(payload.replace('\'', '"'));

        assertThat(detail.replace(", only approved, reason, editedArgs", "")).contains(remedy);
    }

    @ParameterizedTest
    @ValueSource(strings = {"comment", "edited_args", "response", "remember", "rememberMinutes", "reason"})
    void aMemberThatIsNullStandsForNone(String name) {
        holdMail();
        bench.model.says("Done.");

        bench.resume(ResumeEntry.resolved(bench.pending(0).id(), json("{\"approved\":true,\"" + name + "\":null}")));

        assertThat(bench.tools.effects()).containsExactly("sendEmail ada@example.com|Hi|Hello");
    }

    @Test
    void theSchemaOfAnApprovalStaysPlainBecauseAssistantUiShowsItsButtonsForNoOther() {
        holdMail();

        assertThat(bench.pending(0).interrupt().responseSchema().fieldNames())
                .toIterable()
                .containsExactlyInAnyOrder("type", "properties", "required");
    }

    @Test
    void editedArgumentsReplaceAndNumbersKeepTheirDigits() {
        bench.model
                .calls(call("c1", "transferMoney", "{\"amount\":20,\"to\":\"Bob\"}"))
                .says("Done.");
        bench.say("Go");

        bench.resume(ResumeEntry.resolved(
                bench.pending(0).id(),
                json("{\"approved\":true,\"editedArgs\":{\"amount\":0.12345678901234567890,\"to\":\"Eve\"}}")));

        assertThat(bench.tools.effects()).containsExactly("transferMoney 0.12345678901234567890|Eve");
    }
}
