package io.holdpoint.spring.support;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The bookings of a rental, in the application's database. */
@Service
public class BookingService {

    /** What a cancellation saw of its surroundings. */
    public record Seen(String user, boolean transaction) {}

    private final JdbcTemplate jdbc;
    private final List<Seen> seen = new CopyOnWriteArrayList<>();

    BookingService(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
        jdbc.execute("CREATE TABLE IF NOT EXISTS booking (number TEXT PRIMARY KEY, customer TEXT, cancelled INTEGER)");
        for (String number : List.of("MS-777", "MS-778", "MS-779", "MS-780", "MS-LOCKED")) {
            jdbc.update("INSERT OR IGNORE INTO booking VALUES (?, 'John Doe', 0)", number);
        }
    }

    public Booking find(String number) {
        return jdbc.queryForObject(
                "SELECT * FROM booking WHERE number = ?",
                (row, index) ->
                        new Booking(row.getString("number"), row.getString("customer"), row.getBoolean("cancelled")),
                number);
    }

    void cancel(String number) {
        seen.add(new Seen(
                SecurityContextHolder.getContext().getAuthentication().getName(),
                TransactionSynchronizationManager.isActualTransactionActive()));
        jdbc.update("UPDATE booking SET cancelled = 1 WHERE number = ?", number);
        if (number.equals("MS-LOCKED")) {
            throw new IllegalStateException("Booking " + number + " cannot be cancelled");
        }
    }

    List<Seen> seen() {
        return seen;
    }
}
