package io.holdpoint.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.testing.Depth;
import io.holdpoint.testing.Logs;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * An AI Service behind the gate, all of whose calls are approved, does what LangChain4j does with it: random services, models and
 * conversations, beside each other. {@code -Dholdpoint.services=5000} tries as many, {@code -Dholdpoint.service=17} begins with that one.
 *
 * <p>Left out is what the documents say is otherwise: small memories, arguments that a tool does not take, calls of tools in an answer to a
 * guardrail, what a failed turn leaves.
 */
@Logs({"Run *", "Tool *", "Error *", "A call of the tool *"})
class DropInTest {

    private static final int TRIES = Integer.getInteger("holdpoint.services", Depth.of(40, 1_000));
    private static final int FIRST = Integer.getInteger("holdpoint.service", 0);
    private static final List<String> SAID =
            List.of("Hello", "Write to <<me>>", "rewrite this", "a forbidden word", "x", "Again, please");

    @Test
    void anAgentDoesWhatItsAiServiceDoes() {
        for (int seed = FIRST; seed < FIRST + TRIES; seed++) {
            conversation(seed);
        }
    }

    private static void conversation(long seed) {
        DropIn plain = new DropIn(seed, false);
        DropIn agent = new DropIn(seed, true);
        Random chance = new Random(seed + 3);
        boolean goesOn = true;
        for (int turn = 0; turn < 3 && goesOn; turn++) {
            String text = SAID.get(chance.nextInt(SAID.size()));
            boolean isWell = plain.say(text);
            boolean isAgentWell = agent.say(withBraces(text)); // for LangChain4j's own they would be a template
            if (isWell || isAgentWell) {
                assertThat(String.join("\n", agent.log))
                        .as("service %s: %s, failed with %s and %s", seed, plain, plain.failure, agent.failure)
                        .isEqualTo(withBraces(String.join("\n", plain.log)));
            }
            goesOn = isWell && isAgentWell && !plain.returned;
        }
    }

    private static String withBraces(String text) {
        return text.replace("<<me>>", "{{me}}");
    }
}
