package io.holdpoint.demo.tools;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.ToolCallContext;
import io.holdpoint.ToolInterrupt;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** An airline without aeroplanes, which asks for the class before it books, and does not fly everywhere. Thread-safe. */
public final class FlightTools {

    private static final Map<String, Integer> PRICES = new TreeMap<>(Map.of("economy", 120, "business", 640));
    private static final List<String> DESTINATIONS = List.of("Lisbon", "Oslo", "Rome");

    private final DemoEffects effects;

    /**
     * Opens the airline.
     *
     * @param effects where a booking is written down
     */
    public FlightTools(DemoEffects effects) {
        this.effects = effects;
    }

    /**
     * Pretends to book a flight: asks a person for the class, as an interrupt of reason {@code langchain4j:flight_class}, and
     * books once it is executed again with the answer.
     *
     * @param to {@code Lisbon}, {@code Oslo} or {@code Rome}
     * @param call says which tool call this is, and what was answered
     * @return a sentence saying what was booked
     * @throws IllegalArgumentException if nobody flies there; nothing is booked, and nobody is asked for a class
     */
    @Tool("Book a flight")
    public String bookFlight(@P("the city") String to, ToolCallContext call) {
        if (!DESTINATIONS.contains(to)) {
            throw new IllegalArgumentException("Nobody flies to '" + to + "', only to " + DESTINATIONS);
        }
        if (call.resumed().isEmpty()) {
            throw call.interrupt(ToolInterrupt.of("langchain4j:flight_class", "Which class to " + to + "?")
                    .schema(classes())
                    .metadata(Map.of("prices", PRICES)));
        }
        String chosen = call.resumed().get().asText();
        effects.add("bookFlight", ToolCalls.args().put("to", to).put("class", chosen), ToolCalls.id(call));
        return "Booked " + chosen + " to " + to + " for " + PRICES.get(chosen) + " euros.";
    }

    private static ObjectNode classes() {
        ObjectNode schema = JsonNodeFactory.instance.objectNode().put("type", "string");
        PRICES.keySet().forEach(schema.putArray("enum")::add);
        return schema;
    }
}
