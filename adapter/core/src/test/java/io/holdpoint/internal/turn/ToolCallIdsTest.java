package io.holdpoint.internal.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import io.holdpoint.agui.Agui;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Providers announce calls in many ways; streamed and complete calls agree in all of them. */
class ToolCallIdsTest {

    private final ToolCallIds ids = new ToolCallIds("taken"::equals);

    private static AiMessage message(String... proposed) {
        return AiMessage.from(List.of(proposed).stream()
                .map(id -> ToolExecutionRequest.builder().id(id).name("tool").build())
                .toList());
    }

    private List<String> applied(String... proposed) {
        return ids.applyTo(message(proposed)).toolExecutionRequests().stream()
                .map(ToolExecutionRequest::id)
                .toList();
    }

    @Test
    void aCallThatWasStreamedButNeverAnnouncedAsCompleteKeepsItsId() {
        String first = ids.ofPartial(0, "a");
        String second = ids.ofPartial(1, "taken");

        assertThat(applied("a", "taken")).containsExactly(first, second);
        assertThat(second).isNotEqualTo("taken");
    }

    @Test
    void callsThatAreAllNumberedZeroAreToldApart() {
        String first = ids.ofPartial(0, "a");
        ids.complete(0, "a");
        String second = ids.ofPartial(0, "a");
        ids.complete(0, "a");

        assertThat(applied("a", "a")).containsExactly(first, second).doesNotHaveDuplicates();
    }

    /** A person would be asked about one call on the card of another. */
    @Test
    void callsThatAreCompleteInAnotherOrderKeepTheirIds() {
        ids.ofPartial(0, "a");
        ids.ofPartial(1, "b");
        ids.complete(1, "b");
        ids.complete(0, "a");

        assertThat(applied("a", "b")).containsExactly("a", "b");
    }

    @Test
    void aCallKeepsItsIdIfOneBeforeItIsLeftOut() {
        ids.ofPartial(0, "a");
        ids.ofPartial(1, "b");

        assertThat(applied("b")).containsExactly("b");
    }

    @Test
    void aCallWhoseIdIsAnotherWhenItIsCompleteKeepsTheOneThatWasStreamed() {
        ids.ofPartial(0, "a");
        ids.complete(0, "x");
        ids.ofPartial(1, "b");
        ids.complete(1, "b");

        assertThat(applied("x", "b")).containsExactly("a", "b");
    }

    @Test
    void aCallThatWasNotStreamedNeverGetsTheIdOfOneThatWas() {
        ids.complete(1, "b");

        assertThat(applied("b", "a", "b")).doesNotHaveDuplicates();
    }

    @Test
    void anIdThatNoDatabaseKeepsIsReplacedWithoutLookingItUp() {
        ToolCallIds unasked = new ToolCallIds(id -> {
            assertThat(id).as("our own id, looked up").matches("[A-Za-z0-9]{9}");
            return false;
        });

        for (String id : List.of("x".repeat(256), "a\u0000b", "a\nb", "a\ud800")) {
            assertThat(Agui.isId(unasked.ofPartial(id.length(), id))).isTrue();
        }
        assertThat(applied("x".repeat(255))).containsExactly("x".repeat(255));
    }

    @Test
    void aMessageWhoseIdsAreFineIsLeftAsItIs() {
        AiMessage message = message("a", "b");

        assertThat(ids.applyTo(message)).isSameAs(message);
    }

    /** Mistral takes no other ids, and its requests repeat them in every later turn. */
    @Test
    void aReplacementIsNineLettersAndDigitsThatTheThreadDoesNotHave() {
        List<String> asked = new ArrayList<>();
        ToolCallIds fresh = new ToolCallIds(id -> id.equals("call_1") || asked.add(id) && asked.size() == 1);

        String id = fresh.ofPartial(0, "call_1");

        assertThat(id).matches("[A-Za-z0-9]{9}");
        assertThat(asked).as("the first one is taken").hasSize(2).last().isEqualTo(id);
    }
}
