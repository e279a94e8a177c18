package io.holdpoint.tutorials.t04;

import static io.holdpoint.test.ScriptedModel.call;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.data.message.AiMessage;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.test.ScriptedModel;
import java.io.PrintStream;

/** Tutorial 4: several calls in one message of the model. */
public final class Main {

    private Main() {}

    interface Assistant {

        String chat(String message);
    }

    // readme
    record Tools(PrintStream out) {

        @Tool("Look up the weather")
        String weather(String city) {
            out.println("(weather runs: " + city + ")");
            return "sunny";
        }

        @Tool("Book a flight")
        @RequiresApproval(message = "Book a flight to {{city}}?")
        String bookFlight(String city) {
            out.println("(bookFlight runs: " + city + ")");
            return "flight booked";
        }

        @Tool("Book a hotel")
        @RequiresApproval(message = "Book {{nights}} nights in {{city}}?")
        String bookHotel(String city, int nights) {
            out.println("(bookHotel runs: " + city + ", " + nights + ")");
            return "hotel booked";
        }
    }
    // end

    public static void main(String[] args) {
        run(System.out);
    }

    public static void run(PrintStream out) {
        trip(agent(out), out);
    }

    private static void trip(Holdpoint agent, PrintStream out) {
        // readme
        RunResult result = agent.send("thread-1", "Plan a trip to Rome");
        result.interrupts().forEach(each -> out.println("Held: " + each.message()));

        PendingInterrupt.Approval flight = result.approvals().get(0);
        PendingInterrupt.Approval hotel = result.approvals().get(1);
        RunResult half = agent.resume("thread-1", flight.approve());
        out.println(
                "One answer for two questions: " + half.failure().orElseThrow().code());

        result = agent.resume("thread-1", flight.approve(), hotel.deny("we stay with friends"));
        out.println(result.orThrow().text());
        // end
    }

    private static Holdpoint agent(PrintStream out) {
        ScriptedModel model = new ScriptedModel();
        model.calls(
                        call("call_1", "weather", "{\"city\":\"Rome\"}"),
                        call("call_2", "bookFlight", "{\"city\":\"Rome\"}"),
                        call("call_3", "bookHotel", "{\"city\":\"Rome\",\"nights\":3}"))
                .answers(request -> AiMessage.from("Model was told: " + model.lastResult("call_1") + " | "
                        + model.lastResult("call_2") + " | " + model.lastResult("call_3")));
        // readme
        return Holdpoint.builder(Assistant.class)
                .chatModel(model)
                .tools(new Tools(out))
                .build();
        // end
    }
}
