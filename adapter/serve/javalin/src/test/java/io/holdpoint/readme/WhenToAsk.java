package io.holdpoint.readme;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.service.tool.ToolProvider;
import io.holdpoint.ApprovalCondition;
import io.holdpoint.ApprovalVerdict;
import io.holdpoint.Holdpoint;
import io.holdpoint.ProposedCall;
import io.holdpoint.RequiresApproval;
import io.holdpoint.ToolPolicy;
import io.holdpoint.oversight.PolicySuggestions;
import io.holdpoint.store.Store;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;

final class WhenToAsk {

    private WhenToAsk() {}

    static final class Payments {

        final List<BigDecimal> paid = new CopyOnWriteArrayList<>();

        // readme
        @Tool("Pay an invoice")
        @RequiresApproval(when = LargeAmount.class)
        String pay(BigDecimal amount) {
            paid.add(amount);
            return "paid " + amount;
        }
        // end
    }

    // readme
    static final class LargeAmount implements ApprovalCondition {

        @Override
        public ApprovalVerdict evaluate(ProposedCall call) {
            BigDecimal amount = call.argument("amount", BigDecimal.class).orElseThrow();
            if (amount.signum() <= 0) {
                return ApprovalVerdict.deny("An invoice has a positive amount.");
            }
            return ApprovalVerdict.requireApprovalIf(amount.compareTo(new BigDecimal(100)) > 0, "More than 100 euros.");
        }
    }
    // end

    static Holdpoint agent(StreamingChatModel model, Payments payments, ToolProvider mcpTools) {
        // readme
        Holdpoint agent = Holdpoint.builder(Assistant.class)
                .streamingChatModel(model)
                .tools(payments)
                .toolProviders(mcpTools)
                .toolPolicies(ToolPolicy.named("pay")
                        .when(call -> ApprovalVerdict.requireApprovalIf(
                                call.caller().roles().contains("intern"))))
                .toolPolicies(
                        ToolPolicy.named("delete_file")
                                .message("Delete {{path}}?")
                                .editable(),
                        ToolPolicy.matching(Pattern.compile("(write|move)_.*")))
                .build();
        // end
        return agent;
    }

    static void suggestions(Store store) {
        // readme
        Instant from = Instant.now().minus(Duration.ofDays(30));
        for (PolicySuggestions.Suggestion each :
                PolicySuggestions.of(store, "support").whatever("comment").since(from)) {
            System.out.println(each);
        }
        // end
    }
}
