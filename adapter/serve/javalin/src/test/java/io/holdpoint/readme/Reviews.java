package io.holdpoint.readme;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.model.chat.StreamingChatModel;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.ProposedCall;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.people.Effect;
import io.holdpoint.people.Plan;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Email;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

final class Reviews {

    private Reviews() {}

    static final class Newsletters {

        final List<String> sent = new CopyOnWriteArrayList<>();

        // readme
        @Tool("Send the newsletter")
        @RequiresApproval(editable = {"subject", "body"})
        String sendNewsletter(@P("list of readers") String list, String subject, String body) {
            sent.add(list + ": " + subject + ": " + body);
            return "sent to " + list;
        }
        // end
    }

    static ResumeEntry edited(PendingInterrupt.Approval question) {
        // readme
        ResumeEntry answer = question.approveWith(Map.of("subject", "News", "body", "All is well."));
        // end
        return answer;
    }

    // readme
    record Recipient(@NotBlank String name, @Email String address) {}
    // end

    static final class Invoices {

        final List<String> sent = new CopyOnWriteArrayList<>();

        // readme
        @Tool("Send an invoice")
        @RequiresApproval
        String sendInvoice(Recipient to, @DecimalMin("0.01") BigDecimal amount, @Size(max = 140) String text) {
            sent.add(to.address() + ": " + amount);
            return "sent to " + to.name();
        }
        // end
    }

    static final class Archive {

        final List<String> requested = new CopyOnWriteArrayList<>();

        // readme
        @Tool("Have a file brought from the archive and read")
        @RequiresApproval(respond = true)
        String readFile(String number) {
            requested.add(number);
            return "requested, try again in two days";
        }
        // end
    }

    static RunResult respond(Holdpoint agent, PendingInterrupt.Approval question) {
        // readme
        RunResult result = agent.resume("thread-1", question.respond("It is on my desk: a lease of 1998."));
        // end
        return result;
    }

    /** What the samples take for a database. */
    interface Customers {
        List<String> inactive();

        int deleteInactive();
    }

    static final class CustomerTools {

        private final Customers customers;

        CustomerTools(Customers customers) {
            this.customers = customers;
        }

        // readme
        @Tool("Delete all inactive customers")
        @RequiresApproval(rules = InactiveCustomers.class)
        String deleteInactive() {
            return customers.deleteInactive() + " deleted";
        }
        // end
    }

    // readme
    record InactiveCustomers(Customers customers) implements Effect {

        @Override
        public Plan plan(ProposedCall call) {
            List<String> inactive = customers.inactive();
            return Plan.of(Map.of(
                    "rows",
                    inactive.size(),
                    "sample",
                    inactive.stream().limit(3).toList()));
        }
    }
    // end

    static Holdpoint agent(StreamingChatModel model, Customers customers) {
        // readme
        Holdpoint agent = Holdpoint.builder(Assistant.class)
                .streamingChatModel(model)
                .tools(new CustomerTools(customers))
                .beans(new InactiveCustomers(customers))
                .build();
        // end
        return agent;
    }
}
