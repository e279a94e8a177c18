package io.holdpoint.readme;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RunResult;
import io.holdpoint.ToolPolicy;
import io.holdpoint.people.Effect;
import io.holdpoint.people.Plan;
import io.holdpoint.test.ScriptedModel;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The guide's page on effects. */
class EffectsTest {

    private final ScriptedModel model = new ScriptedModel();

    @Test
    void aBalanceThatChangesWhileTheCardIsOpenIsAskedAboutAgain() {
        Effects.Customers customers = new Effects.Customers();
        customers.all.put("C123", new Effects.Customer("Ada", BigDecimal.ZERO));
        Holdpoint agent = Effects.agent(model, customers);
        model.calls(call("c1", "deleteCustomer", "{\"id\":\"C123\"}"));
        PendingInterrupt.Approval first = agent.send("thread-1", "Delete C123").approval();
        customers.all.put("C123", new Effects.Customer("Ada", BigDecimal.valueOf(50_000)));

        PendingInterrupt.Approval second =
                agent.resume("thread-1", first.approve()).approval();

        assertThat(customers.deleted).isEmpty();
        assertThat(second.message())
                .isEqualTo(
                        "What was shown no longer holds. balance was 0 and is 50000. Run deleteCustomer? (id: \"C123\")");
        model.says("Done.");
        agent.resume("thread-1", second.approve());
        assertThat(customers.deleted).containsExactly("C123");
    }

    @Test
    void anEditThatWasShownRunsWithoutAnotherQuestion() {
        List<Integer> paid = new ArrayList<>();
        class Payer {
            @Tool
            String pay(int amount) {
                paid.add(amount);
                return "paid";
            }
        }
        Effect effect = call -> Plan.of(
                Map.of("leaves", 950 - call.argument("amount", Integer.class).orElseThrow()));
        Holdpoint agent = Holdpoint.builder(Assistant.class)
                .streamingChatModel(model)
                .tools(new Payer())
                .toolPolicies(ToolPolicy.named("pay").rules(effect))
                .build();
        model.calls(call("c1", "pay", "{\"amount\":500}")).says("Done.");
        agent.send("thread-1", "Pay");

        assertThat(Effects.edited(agent, "thread-1")).isInstanceOf(RunResult.Completed.class);
        assertThat(paid).containsExactly(5);
    }

    @Test
    void aPriceMayDifferByItsTolerance() {
        BigDecimal[] price = {BigDecimal.TEN};
        class Buyer {
            @Tool
            String buy(String item) {
                return "bought";
            }
        }
        Holdpoint agent = Holdpoint.builder(Assistant.class)
                .streamingChatModel(model)
                .tools(new Buyer())
                .toolPolicies(Effects.bought(item -> price[0]))
                .build();
        model.calls(call("c1", "buy", "{\"item\":\"tea\"}")).says("Done.");
        PendingInterrupt.Approval question = agent.send("thread-1", "Buy tea").approval();
        price[0] = new BigDecimal("10.05");

        assertThat(agent.resume("thread-1", question.approve())).isInstanceOf(RunResult.Completed.class);
    }
}
