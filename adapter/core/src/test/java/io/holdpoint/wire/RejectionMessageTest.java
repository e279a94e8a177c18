package io.holdpoint.wire;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.holdpoint.Limits;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.RecordingSink;
import java.util.Collections;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A refusal says what is wrong in a few lines, however much of it there is. */
class RejectionMessageTest {

    private static final int MANY = Limits.RESUME_ENTRIES;

    private final Bench bench = new Bench();

    @BeforeEach
    void hold() {
        bench.model.calls(call("c1", "deleteRecords", "{\"table\":\"users\"}"));
        bench.say("Go");
    }

    private String refusal(String code, Stream<ResumeEntry> answers) {
        RecordingSink sink = bench.resume(answers.toArray(ResumeEntry[]::new));
        assertThat(sink.errorCode()).isEqualTo(code);
        return sink.detail();
    }

    private static long times(String part, String message) {
        return Pattern.compile(part, Pattern.LITERAL).matcher(message).results().count();
    }

    @Test
    void ofManyUnknownIdsAtMostFiveAreNamed() {
        String message = refusal(
                "INTERRUPT_UNKNOWN",
                IntStream.range(0, MANY)
                        .mapToObj(i -> ResumeEntry.resolved("unknown-" + i, JsonNodeFactory.instance.objectNode())));

        assertThat(message).hasSizeLessThan(2_000).contains("unknown-0");
        assertThat(times("unknown-", message)).isLessThanOrEqualTo(5);
    }

    @Test
    void ofManyAnswersToOneInterruptAtMostFiveAreNamed() {
        String id = bench.pending(0).id();

        String message = refusal("INTERRUPT_DUPLICATE", Collections.nCopies(MANY, ResumeEntry.cancelled(id)).stream());

        assertThat(message).hasSizeLessThan(2_000).contains(id);
        assertThat(times(id, message)).isLessThanOrEqualTo(5);
    }
}
