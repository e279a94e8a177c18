package io.holdpoint.tutorials.t11;

import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.RequiresApproval;
import java.util.function.Consumer;

/** Tools of an application, which tutorial 11 tests. */
final class BookingTools {

    interface Assistant {

        String chat(String message);
    }

    private final Consumer<String> bookings;

    BookingTools(Consumer<String> bookings) {
        this.bookings = bookings;
    }

    // readme
    @Tool("Cancel a booking")
    @RequiresApproval(
            message = "Cancel booking {{number}}?",
            expiresAfter = "PT1H",
            editable = {})
    String cancelBooking(String number) {
        bookings.accept(number);
        return "booking " + number + " is cancelled";
    }
    // end
}
