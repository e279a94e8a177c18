package io.holdpoint.people;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdpoint.hook.ArgumentRedactor;
import io.holdpoint.hook.RunObserver;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.AuditEvent.Kind;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.OfficeQuestions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The audit trail has the answers to questions, unless a redactor is set: they are results, which no redactor sees. */
class AnswersInTrailTest {

    private static final String SECRET = "4111-1111";

    private final List<AuditEvent> heard = new ArrayList<>();

    private Bench answered(ArgumentRedactor redactor) {
        Bench bench = new Bench(builder -> builder.argumentRedactor(redactor)
                .questions(OfficeQuestions.class)
                .observers(RunObserver.ofTrail(heard::add)));
        bench.model.calls(call("q", "askUser", "{}")).says("Thanks.");
        bench.say("Ask me");
        bench.resume(bench.pending(0).asInput().answer(SECRET));
        assertThat(bench.model.lastResult("q")).isEqualTo(SECRET);
        return bench;
    }

    private static JsonNode decided(Bench bench) {
        return trail(bench).stream()
                .filter(event -> event.kind() == Kind.DECIDED)
                .findFirst()
                .orElseThrow()
                .detail();
    }

    private static List<AuditEvent> trail(Bench bench) {
        return bench.agent().auditTrail(THREAD, 0, 100);
    }

    @Test
    void answersAreResultsAndAreNotKept() {
        Bench bench = answered((tool, arguments) -> arguments);

        assertThat(trail(bench).toString()).doesNotContain(SECRET);
        assertThat(heard).isEqualTo(trail(bench));
        assertThat(decided(bench).path("payloadWithheld").asText()).contains("result");
    }

    @Test
    void withoutARedactorAnAnswerIsKept() {
        assertThat(decided(answered(ArgumentRedactor.NONE)).path("payload").asText())
                .isEqualTo(SECRET);
    }
}
