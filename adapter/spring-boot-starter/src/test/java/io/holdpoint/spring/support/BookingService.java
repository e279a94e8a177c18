package io.holdpoint.spring.support;

import java.util.List;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;

/** The bookings of a rental, in the application's database. */
@Service
public class BookingService {

    private final JdbcTemplate jdbc;

    BookingService(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
        jdbc.execute("CREATE TABLE IF NOT EXISTS booking (number TEXT PRIMARY KEY, customer TEXT, cancelled INTEGER)");
        for (String number : List.of("MS-777", "MS-778", "MS-779", "MS-LOCKED")) {
            jdbc.update("INSERT OR IGNORE INTO booking VALUES (?, 'John Doe', 0)", number);
        }
    }

    public Booking find(String number) {
        return jdbc.queryForObject(
                "SELECT * FROM booking WHERE number = ?",
                (row, index) -> new Booking(row.getString("number"), row.getString("customer"), row.getBoolean("cancelled")),
                number);
    }

    void cancel(String number) {
        jdbc.update("UPDATE booking SET cancelled = 1 WHERE number = ?", number);
    }
}
