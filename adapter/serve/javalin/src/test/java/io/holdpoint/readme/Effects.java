package io.holdpoint.readme;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.model.chat.StreamingChatModel;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt.Approval;
import io.holdpoint.ProposedCall;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.ToolPolicy;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.people.Effect;
import io.holdpoint.people.HttpEffect;
import io.holdpoint.people.JdbcEffect;
import io.holdpoint.people.Plan;
import io.holdpoint.people.Plans;
import io.holdpoint.people.Tolerance;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;

final class Effects {

    private Effects() {}

    record Customer(String name, BigDecimal balance) {}

    static final class Customers {

        final Map<String, Customer> all = new ConcurrentHashMap<>();
        final List<String> deleted = new CopyOnWriteArrayList<>();

        Customer get(String id) {
            return all.get(id);
        }

        void delete(String id) {
            all.remove(id);
            deleted.add(id);
        }
    }

    // readme
    record DeleteCustomerEffect(Customers customers) implements Effect {

        @Override
        public Plan plan(ProposedCall call) {
            Customer customer = customers.get(call.argument("id", String.class).orElseThrow());
            return Plan.of(customer).holds("balance", customer.balance()).validFor(Duration.ofHours(4));
        }
    }
    // end

    static final class CustomerTools {

        final Customers customers;

        CustomerTools(Customers customers) {
            this.customers = customers;
        }

        // readme
        @Tool("Delete a customer")
        @RequiresApproval(rules = DeleteCustomerEffect.class)
        String deleteCustomer(@P("number of the customer") String id) {
            customers.delete(id);
            return "deleted";
        }
        // end
    }

    static Holdpoint agent(StreamingChatModel model, Customers customers) {
        // readme
        Holdpoint agent = Holdpoint.builder(Assistant.class)
                .streamingChatModel(model)
                .tools(new CustomerTools(customers))
                .beans(new DeleteCustomerEffect(customers))
                .build();
        // end
        return agent;
    }

    static JdbcEffect deletion(DataSource dataSource) {
        // readme
        JdbcEffect deletion = JdbcEffect.of(
                        dataSource, "DELETE FROM account WHERE customer = ?", call -> List.of(customer(call)))
                .showing(
                        "SELECT id, balance FROM account WHERE customer = ? ORDER BY id",
                        call -> List.of(customer(call)));
        // end
        return deletion;
    }

    private static String customer(ProposedCall call) {
        return call.argument("customer", String.class).orElseThrow();
    }

    static HttpEffect closing(URI api) {
        // readme
        HttpEffect closing = HttpEffect.of(call ->
                new HttpEffect.Request("POST", api.resolve("/accounts/close"), Map.of("customer", customer(call))));
        // end
        return closing;
    }

    interface Shop {

        BigDecimal price(String item);
    }

    static ToolPolicy bought(Shop shop) {
        // readme
        Effect effect = call -> {
            BigDecimal price = shop.price(call.argument("item", String.class).orElseThrow());
            return Plan.of(Map.of("price", price)).holdsWithin("price", price, Tolerance.percent(1));
        };
        // end
        // readme
        ToolPolicy policy = ToolPolicy.named("buy").rules(effect);
        // end
        return policy;
    }

    static RunResult edited(Holdpoint agent, String threadId) {
        // readme
        Approval question = agent.pending(threadId).get(0).asApproval();
        ResumeEntry edit = question.edit("amount", 5);
        ObjectNode plan = Plans.of(agent).shown(threadId, edit).orElseThrow();
        // end
        // readme
        RunResult result = agent.resume(
                threadId, question.with(edit, "effect", plan.path("fingerprint").asText()));
        // end
        return result;
    }
}
