package io.holdpoint.spring.support;

import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.RequiresApproval;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** The tools of the customer support, with aspects: Spring hands out a generated subclass of it. */
@Component
public class BookingTools {

    private final BookingService bookings;

    BookingTools(BookingService bookings) {
        this.bookings = bookings;
    }

    @Tool("Gives the details of a booking")
    public Booking getBookingDetails(String bookingNumber) {
        return bookings.find(bookingNumber);
    }

    // readme
    @Tool("Cancels a booking")
    @RequiresApproval(message = "Cancel booking {{bookingNumber}} of {{customerName}}?")
    @Transactional
    @PreAuthorize("hasRole('CUSTOMER')")
    public Booking cancelBooking(String bookingNumber, String customerName) {
        bookings.cancel(bookingNumber);
        return bookings.find(bookingNumber);
    }
    // end
}
