package io.holdpoint.demo.tools;

import java.util.List;
import java.util.Map;

/**
 * Rows of one kind to begin with.
 *
 * @param name the table's name
 * @param rows column to value
 */
record Table(String name, List<Map<String, String>> rows) {

    /** The tables that the demo starts with. */
    static List<Table> samples() {
        return List.of(
                new Table(
                        "customers",
                        List.of(
                                Map.of("name", "Acme", "status", "active"),
                                Map.of("name", "Globex", "status", "inactive"),
                                Map.of("name", "Initech", "status", "inactive"),
                                Map.of("name", "Umbrella", "status", "active"))),
                new Table(
                        "invoices",
                        List.of(
                                Map.of("number", "2026-001", "status", "paid"),
                                Map.of("number", "2026-002", "status", "open"),
                                Map.of("number", "2026-003", "status", "overdue"))),
                new Table(
                        "sessions",
                        List.of(
                                Map.of("user", "ada", "status", "expired"),
                                Map.of("user", "bob", "status", "active"))));
    }
}
