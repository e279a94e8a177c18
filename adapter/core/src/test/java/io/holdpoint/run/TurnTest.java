package io.holdpoint.run;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.langchain4j.data.audio.Audio;
import dev.langchain4j.data.message.AudioContent;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.UserMessage;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RunResult;
import io.holdpoint.Turn;
import io.holdpoint.hook.Interceptor;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A plain Java program says more than text, and reads what came of it. */
class TurnTest {

    private final Bench bench = new Bench();

    @Test
    void aMessageMayHaveSeveralContents() {
        bench.model.says("A cat.");

        RunResult result = bench.agent()
                .send(Turn.of(
                        THREAD,
                        List.of(TextContent.from("What is {{this}}?"), ImageContent.from("aGVsbG8=", "image/png"))));

        assertThat(result.text()).isEqualTo("A cat.");
        UserMessage said = (UserMessage) bench.model.lastMessages().get(0);
        assertThat(said.contents())
                .containsExactly(
                        TextContent.from("What is {{this}}?"),
                        ImageContent.from("aGVsbG8=", "image/png", ImageContent.DetailLevel.AUTO));
    }

    @Test
    void aTurnHasValuesOfItsOwn() {
        List<String> languages = new ArrayList<>();
        Holdpoint agent = bench.another(builder -> builder.interceptors(Interceptor.ofInput((caller, input) -> {
            languages.add(String.valueOf(input.forwardedProps()));
            return input;
        })));
        bench.model.says("Dia duit.").says("Hi.");

        agent.send(Turn.of(THREAD, "Write to Ada").with("language", "Irish").with("formal", true));
        agent.send(THREAD, "Again");

        assertThat(languages).containsExactly("{\"language\":\"Irish\",\"formal\":true}", "null");
    }

    @Test
    void whatTheModelSaysBesideAHeldCallIsItsText() {
        bench.model.saysAndCalls("I write it.", call("c1", "sendEmail", MAIL));

        RunResult held = bench.agent().send(THREAD, "Write to Ada");

        assertThat(held.text()).isEqualTo("I write it.");
        assertThat(held.approval().message()).isEqualTo(held.approvals().get(0).message());
        assertThat(bench.agent().resume(THREAD).text()).isEqualTo("I write it.");
    }

    @Test
    @Logs("Run * on thread t failed*")
    void aProgramThatExpectsAnApprovalIsToldWhatCameInstead() {
        bench.model.says("What is her address?").fails(new IllegalStateException("401: wrong key"));
        Holdpoint agent = bench.agent();

        assertThatIllegalStateException()
                .isThrownBy(() -> agent.send(THREAD, "Write to Ada").approval())
                .withMessageStartingWith(
                        "One approval was expected. Nothing is held; the model said: \"What is her address?\"");
        assertThatIllegalStateException()
                .isThrownBy(() -> agent.send(THREAD, "Write to ada@example.com").approval())
                .withMessageStartingWith("RUN_FAILED: ")
                .withRootCauseInstanceOf(IllegalStateException.class);
    }

    @Test
    void oneArgumentIsChangedAndTheOthersStay() {
        bench.model.calls(call("c1", "sendEmail", MAIL)).says("Sent.");
        Holdpoint agent = bench.agent();

        PendingInterrupt.Approval question = agent.send(THREAD, "Go").approval();
        agent.resume(THREAD, question.edit("subject", "Hello")).orThrow();

        assertThat(bench.tools.effects()).containsExactly("sendEmail ada@example.com|Hello|Hello");
    }

    @Test
    void aContentWithoutMimeTypeIsRefused() {
        AudioContent nameless =
                AudioContent.from(Audio.builder().base64Data("aGVsbG8=").build());

        assertThatIllegalArgumentException()
                .isThrownBy(() -> Turn.of(THREAD, List.of(nameless)))
                .withMessageContaining("MIME type");
    }
}
