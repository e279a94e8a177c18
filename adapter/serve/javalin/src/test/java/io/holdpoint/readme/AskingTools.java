package io.holdpoint.readme;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.model.chat.StreamingChatModel;
import io.holdpoint.Holdpoint;
import io.holdpoint.Limits;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.ToolCallContext;
import io.holdpoint.ToolInterrupt;
import io.holdpoint.ToolPolicy;
import io.holdpoint.agui.ResumeEntry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;

final class AskingTools {

    private AskingTools() {}

    static final class Travel {

        final List<String> booked = new CopyOnWriteArrayList<>();
        private final Map<String, Integer> prices = Map.of("economy", 120, "business", 640);

        // readme
        @Tool("Book a flight")
        String bookFlight(String to, ToolCallContext call) {
            if (call.resumed().isEmpty()) {
                throw call.interrupt(ToolInterrupt.of("acme:flight_class", "Which class to " + to + "?")
                        .schema(oneOf(prices.keySet()))
                        .metadata(Map.of("prices", prices))
                        .expiresAfter(Duration.ofMinutes(15)));
            }
            String flightClass = call.resumed().get().asText();
            booked.add(to + " " + flightClass);
            return "Booked " + flightClass + " to " + to + " for " + prices.get(flightClass) + " euros.";
        }
        // end

        private static ObjectNode oneOf(Iterable<String> values) {
            ObjectNode schema = JsonNodeFactory.instance.objectNode().put("type", "string");
            values.forEach(schema.putArray("enum")::add);
            return schema;
        }
    }

    static ResumeEntry answer(PendingInterrupt.Input interrupt) {
        // readme
        ResumeEntry answer = interrupt.answer("economy");
        // end
        return answer;
    }

    static Holdpoint agent(StreamingChatModel model, Object tools) {
        // readme
        Holdpoint agent = Holdpoint.builder(Assistant.class)
                .streamingChatModel(model)
                .tools(tools)
                .toolPolicies(ToolPolicy.matching(Pattern.compile("send.*"))
                        .withoutApproval()
                        .askOnFailure())
                .limits(Limits.DEFAULT.withDeclinedInARow(3))
                .build();
        // end
        return agent;
    }

    static ResumeEntry tryAgain(PendingInterrupt.Failure interrupt) {
        // readme
        ResumeEntry again = interrupt.retryWith(Map.of("to", "bob@example.com"));
        // end
        return again;
    }
}
