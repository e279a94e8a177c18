package io.holdpoint.audit;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.ApprovalCondition;
import io.holdpoint.ApprovalVerdict;
import io.holdpoint.Holdpoint;
import io.holdpoint.ProposedCall;
import io.holdpoint.RequiresApproval;
import io.holdpoint.rule.Rule;
import io.holdpoint.rule.Say;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.TestLog;
import java.time.LocalDate;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The log does not have what a redactor takes out of the trail: no refusal and no failure quotes an argument there. */
class LogsWithoutValuesTest {

    /** Quotes what it was asked about. */
    static final class Quoting implements ApprovalCondition {

        @Override
        public ApprovalVerdict evaluate(ProposedCall call) {
            throw new IllegalStateException("no account " + call.arguments());
        }
    }

    /** Quotes it likewise. */
    static final class QuotingRule implements Rule {

        @Override
        public String name() {
            return "quoting";
        }

        @Override
        public Say onQuestion(ProposedCall call, Optional<ObjectNode> before) {
            throw new IllegalStateException("no account " + call.arguments());
        }
    }

    enum Speed {
        SLOW,
        FAST
    }

    record Part(int amount, LocalDate day, Speed speed) {}

    static final class Tools {

        @Tool
        @RequiresApproval(when = Quoting.class, rules = QuotingRule.class)
        String pay(String iban, int n, LocalDate day, Speed speed, Part part) {
            return "paid";
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'iban':'DE','n':'SECRET','day':'2026-11-28','speed':'SLOW'",
                "'iban':'DE','n':1,'day':'SECRET','speed':'SLOW'",
                "'iban':'DE','n':1,'day':'2026-11-28','speed':'SECRET'",
                "'iban':'DE','n':1,'part':{'amount':'SECRET'}",
                "'iban':'DE','n':1,'part':{'amount':1,'day':'SECRET'}",
                "'iban':'DE','n':1,'part':{'amount':1,'speed':'SECRET'}",
                "'iban':'DE','n':1,'part':'SECRET'",
                "'iban':'DE','n':1,'SECRET':2",
                "'iban':'DE','n':1,'n':'SECRET'",
                "'iban':'SECRET','n':1",
                "'iban':'SECRET'",
                "'iban':'SECRET"
            })
    void noRefusalAndNoFailureQuotesAnArgument(String arguments) {
        ScriptedModel model = new ScriptedModel();
        Holdpoint agent = Holdpoint.builder(Bench.Assistant.class)
                .streamingChatModel(model)
                .tools(new Tools())
                .argumentRedactor((tool, all) -> all.removeAll())
                .build();
        model.calls(call("c1", "pay", "{" + arguments.replace('\'', '"') + "}"));
        model.says("Well.");

        agent.send("t", "Pay");

        assertThat(TestLog.release().toString()).contains("pay").doesNotContain("SECRET");
        assertThat(agent.auditTrail("t", 0, 100).toString()).doesNotContain("SECRET");
    }
}
