package io.holdpoint.spring.support;

import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.RequiresApproval;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The tools of the customer support, with aspects: Spring hands out a generated subclass of it. */
@Component
public class BookingTools {

    /** What a cancellation saw of its surroundings. */
    public record Seen(String user, boolean transaction) {}

    private final BookingService bookings;
    private final List<Seen> seen = new CopyOnWriteArrayList<>();

    BookingTools(BookingService bookings) {
        this.bookings = bookings;
    }

    @Tool("Gives the details of a booking")
    public Booking getBookingDetails(String bookingNumber) {
        return bookings.find(bookingNumber);
    }

    @Tool("Cancels a booking")
    @RequiresApproval(message = "Cancel booking {{bookingNumber}} of {{customerName}}?")
    @Transactional
    @PreAuthorize("hasRole('CUSTOMER')")
    public Booking cancelBooking(String bookingNumber, String customerName) {
        seen.add(new Seen(
                SecurityContextHolder.getContext().getAuthentication().getName(),
                TransactionSynchronizationManager.isActualTransactionActive()));
        bookings.cancel(bookingNumber);
        if (bookingNumber.equals("MS-LOCKED")) {
            throw new IllegalStateException("Booking " + bookingNumber + " cannot be cancelled");
        }
        return bookings.find(bookingNumber);
    }

    List<Seen> seen() {
        return seen;
    }
}
