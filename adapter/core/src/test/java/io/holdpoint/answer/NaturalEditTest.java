package io.holdpoint.answer;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.RequiresApproval;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.RecordingSink;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The reviewer takes the arguments, changes one, and sends all of them. */
class NaturalEditTest {

    /** The place of a meeting. */
    record Place(String city, String room) {}

    /** Remembers what it was called with. */
    static final class Calendar {

        private final List<String> seen = new ArrayList<>();

        @Tool("Book a meeting")
        @RequiresApproval
        String book(
                String title,
                @P(value = "a note", required = false) String note,
                @P(value = "minutes", required = false) Integer minutes,
                @P(value = "the place", required = false) Place place) {
            seen.add(title + "|" + note + "|" + minutes + "|" + place);
            return "booked";
        }

        @Tool("Invite accounts to a meeting")
        @RequiresApproval
        String invite(List<Long> accounts, String title) {
            seen.add(accounts + "|" + title);
            return "invited";
        }
    }

    private final Calendar calendar = new Calendar();
    private final Bench bench = new Bench(builder -> builder.tools(calendar));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"title\":\"Plan\",\"note\":null,\"minutes\":null,\"place\":null}",
                "{\"title\":\"Plan\",\"note\":null}",
                "{\"title\":\"Plan\"}"
            })
    void oneArgumentIsChangedWhateverTheModelLeftOpen(String proposed) {
        bench.model.calls(call("c1", "book", proposed)).says("Booked.");
        bench.say("Book");
        ObjectNode arguments = bench.pending(0).arguments();
        arguments.put("title", "Review");

        RecordingSink sink = bench.resume(bench.pending(0).asApproval().approveWith(arguments));

        assertThat(sink.types()).doesNotContain("RUN_ERROR");
        assertThat(calendar.seen).containsExactly("Review|null|null|null");
    }

    @Test
    void anOptionalArgumentIsTakenAway() {
        bench.model
                .calls(call("c1", "book", "{\"title\":\"Plan\",\"note\":\"bring cake\",\"minutes\":30}"))
                .says("Booked.");
        bench.say("Book");
        ObjectNode payload = bench.pending(0).arguments().objectNode().put("approved", true);
        payload.set("editedArgs", bench.pending(0).arguments().putNull("note"));

        bench.resume(ResumeEntry.resolved(bench.pending(0).id(), payload));

        assertThat(calendar.seen).containsExactly("Plan|null|30|null");
    }

    @Test
    void aRequiredArgumentIsNotTakenAway() {
        bench.model.calls(call("c1", "book", "{\"title\":\"Plan\"}")).says("Booked.");
        bench.say("Book");

        RecordingSink sink = bench.resume(bench.pending(0)
                .asApproval()
                .approveWith(bench.pending(0).arguments().putNull("title")));

        assertThat(sink.errorCode()).isEqualTo("INTERRUPT_PAYLOAD_INVALID");
        assertThat(calendar.seen).isEmpty();
    }

    @Test
    void aNullInAPlaceIsStillChecked() {
        bench.model.calls(call("c1", "book", "{\"title\":\"Plan\"}")).says("Booked.");
        bench.say("Book");
        ObjectNode arguments = bench.pending(0).arguments();
        arguments.putObject("place").putNull("city").put("room", "7").put("street", "x");

        RecordingSink sink = bench.resume(bench.pending(0).asApproval().approveWith(arguments));

        assertThat(sink.errorCode()).isEqualTo("INTERRUPT_PAYLOAD_INVALID");
    }

    @Test
    void theDigitsOfNumbersThatAreNoDoubleAreShownAsTextsToo() {
        bench.model
                .calls(call(
                        "c1", "invite", "{\"accounts\":[7,1234567890123456789,9007199254740993],\"title\":\"1e400\"}"))
                .says("Invited.");
        bench.say("Invite");

        assertThat(langchain4j().get("argsDigits"))
                .hasToString("{\"/accounts/1\":\"1234567890123456789\",\"/accounts/2\":\"9007199254740993\"}");
        ObjectNode changed = bench.pending(0).arguments();
        changed.putArray("accounts").add(7);
        bench.resume(bench.pending(0).asApproval().approveWith(changed));
        bench.model.calls(call("c2", "invite", "{\"accounts\":[7,0],\"title\":\"Plan\"}"));
        bench.say("Invite again");
        assertThat(langchain4j().has("argsDigits")).isFalse();
    }

    private JsonNode langchain4j() {
        return bench.pending(0).interrupt().metadata().path("langchain4j");
    }

    /** A page that reads JSON as JavaScript does gets another number, and sends it back when its person changes the title. */
    @Test
    void aNumberThatTheClientHasRoundedIsRefused() throws Exception {
        bench.model
                .calls(call("c1", "invite", "{\"accounts\":[7,1234567890123456789],\"title\":\"Plan\"}"))
                .says("Invited.");
        bench.say("Invite");
        ObjectNode rounded =
                (ObjectNode) AguiCodec.mapper().readTree("{\"accounts\":[7,1234567890123456800],\"title\":\"Review\"}");

        RecordingSink sink = bench.resume(bench.pending(0).asApproval().approveWith(rounded));

        assertThat(sink.detail())
                .contains("/editedArgs/accounts/1: the client has rounded 1234567890123456789 to 1234567890123456800");
        ObjectNode changed =
                (ObjectNode) AguiCodec.mapper().readTree("{\"accounts\":[8,1234567890123456788],\"title\":\"Review\"}");
        bench.resume(bench.pending(0).asApproval().approveWith(changed));
        assertThat(calendar.seen).containsExactly("[8, 1234567890123456788]|Review");
    }
}
