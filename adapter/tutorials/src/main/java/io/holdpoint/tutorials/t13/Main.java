package io.holdpoint.tutorials.t13;

import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Approvals;
import io.holdpoint.Audience;
import io.holdpoint.Caller;
import io.holdpoint.Decided;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RequiresApproval;
import io.holdpoint.Timeline;
import io.holdpoint.ToolPolicy;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.test.VirtualClock;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;

/** Tutorial 13: two people approve a payment, and time reminds them. */
public final class Main {

    private Main() {}

    interface Assistant {

        String chat(String message);
    }

    record Bank(PrintStream out) {

        // readme
        @Tool("Pay an invoice")
        @RequiresApproval(message = "Pay invoice {{invoice}}, {{amount}} euros?")
        String pay(String invoice, int amount) {
            out.println("  (pay runs: " + invoice + ", " + amount + ")");
            return "paid";
        }
        // end
    }

    public static void main(String[] args) {
        run(System.out);
    }

    public static void run(PrintStream out) {
        ScriptedModel model = new ScriptedModel();
        model.calls(ScriptedModel.call("call_1", "pay", "{\"invoice\":\"R-7\",\"amount\":9000}"))
                .says("Invoice R-7 is paid.");
        VirtualClock clock = new VirtualClock(); // a Saturday, at noon
        // readme
        Timeline fiveDays = Timeline.expiresAfter(Duration.ofDays(5))
                .remind(Duration.ofHours(44))
                .warn(Duration.ofHours(4));
        Holdpoint agent = Holdpoint.builder(Assistant.class)
                .chatModel(model)
                .tools(new Bank(out))
                .approvalAuthorizer(ApprovalAuthorizer.fourEyes(ApprovalAuthorizer.role("treasury")))
                .toolPolicies(ToolPolicy.named("pay")
                        .approvals(Approvals.of(2).by(Audience.role("treasury")))
                        .timeline(fiveDays))
                .clock(clock)
                .build();
        Holdpoint ada = agent.as(Caller.of("ada"));
        Holdpoint grace = agent.as(Caller.of("grace", "treasury"));
        Holdpoint heidi = agent.as(Caller.of("heidi", "treasury"));
        // end

        // readme
        PendingInterrupt.Approval question =
                ada.send("thread-1", "Pay invoice R-7").approval();
        out.println("Saturday, Ada asks:    " + question.message());

        Decided first = grace.decide("thread-1", question.approve());
        Decided again = grace.decide("thread-1", question.approve());
        out.println("Grace approves:        " + first.getClass().getSimpleName());
        out.println("Grace approves again:  " + again.getClass().getSimpleName());
        // end

        // readme
        clock.advance(Duration.ofHours(45));
        agent.actOnTime();
        AuditEvent last = last(ada);
        out.println("Monday, 9 o'clock:     " + last.kind() + " by "
                + last.detail().path("by").asText());
        // end

        // readme
        Decided second = heidi.decide("thread-1", question.approve());
        out.println("Heidi approves:        " + second.getClass().getSimpleName());
        if (second instanceof Decided.Runs runs) {
            out.println("Agent:                 " + runs.result().join().text());
        }
        // end
    }

    private static AuditEvent last(Holdpoint agent) {
        List<AuditEvent> trail = agent.auditTrail("thread-1", 0, 100);
        return trail.get(trail.size() - 1);
    }
}
