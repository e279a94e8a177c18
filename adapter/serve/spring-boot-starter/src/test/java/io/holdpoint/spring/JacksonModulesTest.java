package io.holdpoint.spring;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.Holdpoint;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.Shape;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Spring Boot brings modules of Jackson, which LangChain4j finds: dates of {@code java.time}, and names of constructor parameters. */
class JacksonModulesTest {

    private final ScriptedModel model = new ScriptedModel();
    private final List<String> effects = new ArrayList<>();

    record Meeting(Instant at, Duration length) {}

    static final class Money {
        private final BigDecimal amount;
        private final String currency;

        public Money(BigDecimal amount, String currency) {
            this.amount = amount;
            this.currency = currency;
        }

        @Override
        public String toString() {
            return amount + currency;
        }
    }

    /** Gated tools. */
    public final class Office {

        @Tool
        @RequiresApproval
        public String meet(Meeting x) {
            effects.add(x.at() + " " + x.length());
            return "met";
        }

        @Tool
        @RequiresApproval
        public String wake(Instant x) {
            effects.add(x.toString());
            return "awake";
        }

        @Tool
        @RequiresApproval
        public String pay(Money x) {
            effects.add(x.toString());
            return "paid";
        }
    }

    private Holdpoint agent() {
        return Shape.BLOCKING.builder(model).tools(new Office()).build();
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', textBlock = """
            meet; {"at":"2026-01-01T00:00:00Z","length":"PT1H"};  2026-01-01T00:00:00Z PT1H
            meet; {"at":1767225600,"length":3600};                2026-01-01T00:00:00Z PT1H
            wake; 1767225600;                                     2026-01-01T00:00:00Z
            pay;  {"amount":19.90,"currency":"EUR"};              19.90EUR
            """)
    void theirTypesAreTakenAsTheyAreShown(String tool, String x, String got) {
        model.calls(call("c1", tool, "{\"x\":" + x + "}")).says("Done.");
        Holdpoint agent = agent();
        agent.send("t", "Go");

        agent.resume("t", agent.pending("t").get(0).asApproval().approve());

        assertThat(effects).containsExactly(got);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', textBlock = """
            meet; {"at":"2026-01-01T00:00:00Z","length":"an hour"}; /x/length
            meet; {"at":"NaN","length":1};                          /x/at
            pay;  {"amount":"NaN","currency":"EUR"};                /x/amount
            """)
    @Logs("A call of the tool * was refused to the model because of its arguments")
    void whatTheyCannotTakeIsRefused(String tool, String x, String path) {
        model.calls(call("c1", tool, "{\"x\":" + x + "}")).says("I see.");

        assertThat(agent().send("t", "Go")).isInstanceOf(RunResult.Completed.class);

        assertThat(model.lastResult("c1")).contains("was not executed", path);
        assertThat(effects).isEmpty();
    }
}
