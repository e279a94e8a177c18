package io.holdpoint.readme;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.model.chat.StreamingChatModel;
import io.holdpoint.Holdpoint;
import io.holdpoint.ProposedCall;
import io.holdpoint.RequiresApproval;
import io.holdpoint.ToolPolicy;
import io.holdpoint.people.Effect;
import io.holdpoint.people.Plan;
import io.holdpoint.people.Tolerance;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

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
}
