package io.holdpoint.demo.tools;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.RequiresApproval;
import io.holdpoint.ToolCallContext;
import io.holdpoint.store.Reversibility;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A tiny database in memory whose rows are really gone once deleted. Thread-safe. */
public final class RecordTools {

    private static final Pattern EQUALS = Pattern.compile("\\s*(\\w+)\\s*=\\s*'?(.*?)'?\\s*");

    private final DemoEffects effects;
    private final Map<String, List<Map<String, String>>> tables = new TreeMap<>();

    /**
     * Fills the tables {@code customers}, {@code invoices} and {@code sessions}.
     *
     * @param effects where a deletion is written down
     */
    public RecordTools(DemoEffects effects) {
        this.effects = effects;
        Table.samples().forEach(table -> tables.put(table.name(), new ArrayList<>(table.rows())));
    }

    /**
     * Deletes rows. A person sees which ones beforehand, and may say instead what has been done about them.
     *
     * @param table {@code customers}, {@code invoices} or {@code sessions}
     * @param filter {@code column = value}, or {@code all} for every row
     * @param call says which tool call this is
     * @return a sentence saying how many rows went and how many are left
     * @throws IllegalArgumentException if there is no such table or the filter is not one of the two forms; nothing is
     *     deleted then
     */
    @Tool("Delete records from a table: customers, invoices or sessions")
    @RequiresApproval(
            message = "Delete the records from {{table}} where {{filter}}?",
            editable = {},
            confirm = "table",
            respond = true,
            rules = AffectedRecords.class,
            reversibility = Reversibility.IRREVERSIBLE)
    public synchronized String deleteRecords(
            @P("the table's name") String table,
            @P("which records: 'column = value', or 'all'") String filter,
            ToolCallContext call) {
        List<Map<String, String>> rows = rows(table);
        int before = rows.size();
        rows.removeIf(matching(filter));
        effects.add("deleteRecords", ToolCalls.args().put("table", table).put("filter", filter), ToolCalls.id(call));
        return "Deleted " + (before - rows.size()) + " of " + before + " records from " + table + ".";
    }

    /**
     * The rows of a table as they are now.
     *
     * @param table the table's name
     * @return a copy, each row from column to value
     * @throws IllegalArgumentException if there is no such table
     */
    public synchronized List<Map<String, String>> records(String table) {
        return List.copyOf(rows(table));
    }

    private List<Map<String, String>> rows(String table) {
        List<Map<String, String>> rows = tables.get(table);
        if (rows == null) {
            throw new IllegalArgumentException("There is no table '" + table + "', only " + tables.keySet());
        }
        return rows;
    }

    /**
     * The rows that a deletion would affect as things are now.
     *
     * @param table the table's name
     * @param filter as for {@link #deleteRecords}
     * @return a copy, each row from column to value
     * @throws IllegalArgumentException if there is no such table or the filter is not one of the two forms
     */
    public synchronized List<Map<String, String>> affected(String table, String filter) {
        return rows(table).stream().filter(matching(filter)).toList();
    }

    private static Predicate<Map<String, String>> matching(String filter) {
        Matcher equals = EQUALS.matcher(filter);
        if (filter.strip().equalsIgnoreCase("all")) {
            return row -> true;
        }
        if (!equals.matches()) {
            throw new IllegalArgumentException("A filter is 'column = value' or 'all', not '" + filter + "'");
        }
        return row -> equals.group(2).equals(row.get(equals.group(1)));
    }
}
