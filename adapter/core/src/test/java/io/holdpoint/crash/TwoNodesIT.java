package io.holdpoint.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ChatMessageType;
import dev.langchain4j.data.message.UserMessage;
import io.holdpoint.Caller;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.testing.TestDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes on one PostgreSQL: they may do everything at once, and what happens is as if one had been first. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class TwoNodesIT {

    private static final int ROUNDS = 40;
    private static final String HOLD = "transfer:ada";

    private static TestDatabase database;

    @TempDir
    private Path directory;

    private Effects effects;
    private TwoNodes nodes;
    private int runs;

    @BeforeAll
    static void start() {
        database = TestDatabase.postgres();
    }

    @AfterAll
    static void stop() {
        database.close();
    }

    @BeforeEach
    void build() {
        effects = new Effects(directory.resolve("effects"));
        nodes = new TwoNodes(database, effects);
    }

    @AfterEach
    void noProviderWouldHaveRefused() {
        nodes.close();
        assertThat(nodes.violations()).isEmpty();
    }

    private RunAgentInput input(String thread, Message... messages) {
        return RunAgentInput.of(thread, "run-" + ++runs, List.of(messages));
    }

    private static Message.User user(String id, String text) {
        return new Message.User(id, MessageContent.text(text));
    }

    private RunAgentInput answer(String thread, ResumeEntry... answers) {
        return input(thread).withResume(Arrays.asList(answers));
    }

    private PendingInterrupt held(String thread) {
        assertThat(nodes.run(nodes.one, input(thread, user("m1", HOLD))).how()).isEqualTo("RUN_FINISHED");
        return nodes.two.pending(thread).get(0);
    }

    private int effects(String key) {
        return (int) effects.all().stream()
                .filter(effect -> effect.key().equals(key))
                .count();
    }

    private List<ChatMessageType> memory(String thread) {
        return nodes.memory(thread).stream().map(ChatMessage::type).toList();
    }

    private static void assertSettledOnce(List<ChatMessageType> memory) {
        assertThat(memory)
                .containsExactly(
                        ChatMessageType.USER,
                        ChatMessageType.AI,
                        ChatMessageType.TOOL_EXECUTION_RESULT,
                        ChatMessageType.AI);
    }

    @Test
    void theSameAnswerOnBothAtOnceExecutesOnce() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            String thread = "same-" + round;
            PendingInterrupt card = held(thread);
            RunAgentInput approval = answer(thread, card.asApproval().approve());

            List<TwoNodes.Got> got = nodes.both(approval, approval);

            assertThat(got).extracting(TwoNodes.Got::how).contains("RUN_FINISHED");
            assertThat(got).extracting(TwoNodes.Got::how).isSubsetOf("RUN_FINISHED", "RUN_IN_PROGRESS");
            assertThat(nodes.run(nodes.two, approval).how()).as("again").isEqualTo("RUN_FINISHED");
            assertThat(effects(card.id())).isEqualTo(1);
            assertSettledOnce(memory(thread));
        }
    }

    @Test
    void ofDifferentAnswersAtOnceOneWins() throws Exception {
        Map<String, Integer> losers = new HashMap<>();
        for (int round = 0; round < ROUNDS; round++) {
            String thread = "different-" + round;
            PendingInterrupt card = held(thread);
            RunAgentInput approval = answer(thread, card.asApproval().approve());
            RunAgentInput denial = answer(thread, card.asApproval().deny());

            List<TwoNodes.Got> got = nodes.both(approval, denial);

            boolean approved = got.get(0).how().equals("RUN_FINISHED");
            TwoNodes.Got loser = got.get(approved ? 1 : 0);
            assertThat(got.get(approved ? 0 : 1).how()).isEqualTo("RUN_FINISHED");
            assertThat(loser.how()).isIn("INTERRUPT_ALREADY_RESOLVED", "RUN_IN_PROGRESS");
            losers.merge(loser.how(), 1, Integer::sum);
            assertThat(effects(card.id())).isEqualTo(approved ? 1 : 0);
            assertThat(nodes.run(nodes.one, approved ? denial : approval).how())
                    .as("the answer that lost, again")
                    .isEqualTo("INTERRUPT_ALREADY_RESOLVED");
            assertThat(effects(card.id())).isEqualTo(approved ? 1 : 0);
            assertSettledOnce(memory(thread));
        }
        assertThat(losers.values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(ROUNDS);
    }

    @Test
    void differentMessagesOnOneThreadAtOnceAreBothHeard() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            String thread = "messages-" + round;
            nodes.run(nodes.one, input(thread, user("m1", "hello")));

            heardInTheEnd(thread, List.of(user("m1", "hello")));
        }
    }

    @Test
    void differentMessagesThatStartOneThreadAtOnceAreBothHeard() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            heardInTheEnd("new-" + round, List.of());
        }
    }

    /** A client that was sent away sends its message again. */
    private void heardInTheEnd(String thread, List<Message> known) throws Exception {
        RunAgentInput first = withMessage(thread, known, user("a", "from one"));
        RunAgentInput second = withMessage(thread, known, user("b", "from two"));

        List<TwoNodes.Got> got = nodes.both(first, second);

        assertThat(got).extracting(TwoNodes.Got::how).contains("RUN_FINISHED");
        for (int i = 0; i < 2; i++) {
            if (!got.get(i).how().equals("RUN_FINISHED")) {
                assertThat(got.get(i).how()).isEqualTo("RUN_IN_PROGRESS");
                assertThat(nodes.run(nodes.one, i == 0 ? first : second).how()).isEqualTo("RUN_FINISHED");
            }
        }
        assertThat(nodes.memory(thread).stream()
                        .filter(UserMessage.class::isInstance)
                        .map(message -> ((UserMessage) message).singleText())
                        .filter(text -> text.startsWith("from")))
                .containsExactlyInAnyOrder("from one", "from two");
        assertThat(nodes.store().transcript(thread)).extracting(Message::id).doesNotHaveDuplicates();
    }

    private RunAgentInput withMessage(String thread, List<Message> known, Message message) {
        Message[] messages = new Message[known.size() + 1];
        known.toArray(messages);
        messages[known.size()] = message;
        return input(thread, messages);
    }

    @Test
    void theSameMessageThatStartsAThreadOnBothAtOnceIsHeardOnce() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            String thread = "twice-" + round;
            RunAgentInput hello = input(thread, user("m1", "hello"));

            List<TwoNodes.Got> got = nodes.both(hello, hello);

            assertThat(got).extracting(TwoNodes.Got::how).contains("RUN_FINISHED");
            assertThat(got).extracting(TwoNodes.Got::how).isSubsetOf("RUN_FINISHED", "RUN_IN_PROGRESS");
            assertThat(memory(thread)).containsExactly(ChatMessageType.USER, ChatMessageType.AI);
        }
    }

    @Test
    void aNodeThatDiedKeepsTheThreadUntilItsLeaseEndsAndNotLonger() {
        PendingInterrupt card = held("dead");
        Instant now = nodes.clock.instant();
        Instant until = now.plus(HoldpointBuilder.DEFAULT_LEASE_DURATION);
        nodes.store()
                .acquire("dead", "run of a node that dies", Caller.ANONYMOUS.id(), now, until)
                .orElseThrow();
        RunAgentInput approval = answer("dead", card.asApproval().approve());

        nodes.clock.advance(HoldpointBuilder.DEFAULT_LEASE_DURATION.minusMillis(1));
        assertThat(nodes.run(nodes.two, approval).how()).isEqualTo("RUN_IN_PROGRESS");

        nodes.clock.advance(Duration.ofMillis(1));
        assertThat(nodes.run(nodes.two, approval).how()).isEqualTo("RUN_FINISHED");
        assertThat(effects(card.id())).isEqualTo(1);
    }
}
