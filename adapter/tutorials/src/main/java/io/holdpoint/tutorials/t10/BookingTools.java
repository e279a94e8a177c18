package io.holdpoint.tutorials.t10;

import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.RequiresApproval;
import java.io.PrintStream;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.stereotype.Component;

/** The tools of the customer support example; one line is new. */
@Component
public class BookingTools {

    private PrintStream out = System.out;

    // readme
    @Tool("Cancels a booking")
    @RequiresApproval(message = "Cancel booking {{bookingNumber}}?") // the new line
    @PreAuthorize("hasRole('CUSTOMER')")
    public String cancelBooking(String bookingNumber) {
        String customer = SecurityContextHolder.getContext().getAuthentication().getName();
        out.println("  (cancelBooking runs: " + bookingNumber + ", as " + customer + ")");
        return "booking " + bookingNumber + " is cancelled";
    }
    // end

    void printTo(PrintStream stream) {
        out = stream;
    }
}
