package io.holdpoint.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import io.holdpoint.agui.Message;
import io.holdpoint.store.AuditEvent;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** What has to be true after a conversation, however often its process was killed. */
final class Verdict {

    private static final List<AuditEvent.Kind> SETTLING =
            List.of(AuditEvent.Kind.EXECUTED, AuditEvent.Kind.FAILED, AuditEvent.Kind.NOT_EXECUTED);

    private final Story.Told told;

    private Verdict(Story.Told told) {
        this.told = told;
    }

    /**
     * @param undisturbed the same conversation without a kill
     */
    static void on(Story.Told told, Story.Told undisturbed) {
        Verdict verdict = new Verdict(told);
        verdict.everybodyWasHeard();
        Scenario scenario = told.plot().scenario();
        scenario.utterances().stream()
                .flatMap(utterance -> Script.rounds(utterance.text()).stream())
                .flatMap(List::stream)
                .forEach(verdict::call);
        verdict.likeUndisturbed(undisturbed);
    }

    private void everybodyWasHeard() {
        assertThat(told.errors()).as("streams that ended with an error").isEmpty();
        WellFormedMemory.check(told.memory());
        assertThat(told.thread().orElseThrow().batch())
                .as("no batch is left open")
                .isEmpty();
        assertThat(told.thread().orElseThrow().turn())
                .as("no turn is left open")
                .isEmpty();
        assertThat(told.transcript()).extracting(Message::id).doesNotHaveDuplicates();
        assertThat(told.transcript())
                .filteredOn(Message.User.class::isInstance)
                .as("what the person said")
                .isEqualTo(told.spoken());
        assertThat(told.memory())
                .filteredOn(UserMessage.class::isInstance)
                .extracting(message -> ((UserMessage) message).singleText())
                .as("what the person said, in the memory")
                .containsExactlyElementsOf(told.plot().scenario().utterances().stream()
                        .map(Scenario.Utterance::text)
                        .toList());
    }

    private void call(ToolExecutionRequest request) {
        String to = request.arguments().replaceAll(".*:\"(.*)\"}", "$1");
        List<Effects.Effect> effects = told.effects().of(request.id());
        List<String> actions = told.person().actions(request.id());
        trail(request.id(), effects, actions);
        assertThat(effects.stream().map(Effects.Effect::key).distinct().count())
                .as("every attempt has the same key: " + effects)
                .isLessThanOrEqualTo(1);
        assertThat(actions).as("nobody is asked without a kill").hasSizeLessThanOrEqualTo(told.kills());
        if (to.equals(Scenario.DENIED) || told.plot().scenario().isSteered()) {
            assertThat(effects).as("nothing that was not approved runs").isEmpty();
            assertThat(actions).isEmpty();
            return;
        }
        String expected = to.equals(Scenario.EDITED) ? Scenario.EDITED_TO : to;
        assertThat(effects).as("what runs is what was approved").allSatisfy(effect -> assertThat(effect.argument())
                .isEqualTo(expected));
        if (request.name().equals("post")) {
            assertThat(effects).as("an idempotent call runs, at least once").isNotEmpty();
            assertThat(actions).as("nobody is asked about it").isEmpty();
        } else {
            atMostOnce(request, effects, actions);
        }
        result(request, expected, effects, actions);
    }

    private void atMostOnce(ToolExecutionRequest request, List<Effects.Effect> effects, List<String> actions) {
        long retries = actions.stream().filter("retry"::equals).count();
        assertThat(effects)
                .as("at most once, and once more for each time that a person said so: " + request.id())
                .hasSizeLessThanOrEqualTo((int) (1 + retries));
        if (effects.isEmpty()) {
            assertThat(actions)
                    .as("what was approved is not lost silently: " + request.id())
                    .isNotEmpty();
            assertThat(actions.get(actions.size() - 1)).isNotEqualTo("retry");
        }
        if (told.plot().onUnknown() == Person.OnUnknown.LOOKS) {
            assertThat(effects)
                    .as("exactly once, if the person looks: " + request.id())
                    .hasSize(1);
        }
    }

    /** The audit trail has each transition once, and no effect without the claim before it. */
    private void trail(String toolCallId, List<Effects.Effect> effects, List<String> actions) {
        Map<AuditEvent.Kind, Long> trail = told.audit().stream()
                .filter(event -> event.toolCallId().equals(Optional.of(toolCallId)))
                .collect(Collectors.groupingBy(AuditEvent::kind, Collectors.counting()));
        long settled = SETTLING.stream()
                .mapToLong(kind -> trail.getOrDefault(kind, 0L))
                .sum();
        assertThat(settled).as("one end of %s: %s", toolCallId, trail).isEqualTo(1);
        assertThat(trail.get(AuditEvent.Kind.PROPOSED))
                .as("one proposal: %s", trail)
                .isEqualTo(1);
        assertThat(trail.getOrDefault(AuditEvent.Kind.DECIDED, 0L))
                .as("every question was answered: %s", trail)
                .isEqualTo(trail.getOrDefault(AuditEvent.Kind.HELD, 0L));
        long claims = trail.getOrDefault(AuditEvent.Kind.CLAIMED, 0L);
        assertThat(claims).as("no effect without a claim: %s", trail).isGreaterThanOrEqualTo(effects.size());
        assertThat(claims)
                .as("no claim without a reason: %s", trail)
                .isLessThanOrEqualTo(1 + Math.max(told.kills(), actions.size()));
    }

    /** The model is told what is true, as far as anybody knows. */
    private void result(ToolExecutionRequest request, String to, List<Effects.Effect> effects, List<String> actions) {
        List<ToolExecutionResultMessage> results = told.memory().stream()
                .filter(ToolExecutionResultMessage.class::isInstance)
                .map(ToolExecutionResultMessage.class::cast)
                .filter(result -> result.id().equals(request.id()))
                .toList();
        assertThat(results).as("one result: " + request.id()).hasSize(1);
        boolean returned = results.get(0).contents().toString().contains(EffectTools.returned(request.name(), to));
        boolean byPerson =
                !actions.isEmpty() && !actions.get(actions.size() - 1).equals("retry");
        assertThat(returned)
                .as("the result that the tool returned is what the model sees: " + results)
                .isEqualTo(!byPerson);
        if (returned) {
            assertThat(effects).isNotEmpty();
        }
    }

    /** A kill leaves no trace in what the model and the person see, unless the page was loaded again in between. */
    private void likeUndisturbed(Story.Told undisturbed) {
        if (told.plot().habit() != Client.Habit.RELOADS
                || !told.plot().scenario().isSteered()) {
            assertThat(told.memory().stream().map(Verdict::shape))
                    .containsExactlyElementsOf(
                            undisturbed.memory().stream().map(Verdict::shape).toList());
            assertThat(told.transcript().stream().map(Verdict::shape))
                    .containsExactlyElementsOf(undisturbed.transcript().stream()
                            .map(Verdict::shape)
                            .toList());
        }
    }

    private static String shape(ChatMessage message) {
        if (message instanceof AiMessage ai) {
            return "AI " + ai.text()
                    + ai.toolExecutionRequests().stream()
                            .map(ToolExecutionRequest::id)
                            .toList();
        }
        return message instanceof ToolExecutionResultMessage result
                ? "RESULT " + result.id()
                : message.type().name();
    }

    private static String shape(Message message) {
        if (message instanceof Message.Assistant assistant) {
            return "assistant " + assistant.content()
                    + assistant.toolCalls().stream().map(call -> call.id()).toList();
        }
        return message instanceof Message.Tool tool ? "tool " + tool.toolCallId() : message.role();
    }
}
